package db

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Querier is a pool, a connection or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// One reads a single row. It returns false when there is none.
func One[T any](ctx context.Context, q Querier, sql string, args ...any) (T, bool, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		var zero T
		return zero, false, err
	}
	value, err := pgx.CollectOneRow(rows, pgx.RowToStructByName[T])
	if errors.Is(err, pgx.ErrNoRows) {
		return value, false, nil
	}
	return value, err == nil, err
}

// Many reads all rows. It never returns nil.
func Many[T any](ctx context.Context, q Querier, sql string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	values, err := pgx.CollectRows(rows, pgx.RowToStructByName[T])
	if values == nil {
		values = []T{}
	}
	return values, err
}

// Column reads all rows of one column.
func Column[T any](ctx context.Context, q Querier, sql string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[T])
}

// Each reads the rows of a queued statement one by one.
func Each[T any](read pgx.RowToFunc[T], take func(T)) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		list, err := pgx.CollectRows(rows, read)
		for _, value := range list {
			take(value)
		}
		return err
	}
}

// OrZero returns the value of a column, or the zero value if it is NULL.
func OrZero[T any](column *T) T {
	if column == nil {
		var zero T
		return zero
	}
	return *column
}

// OrNull returns NULL for a zero value.
func OrNull[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}
