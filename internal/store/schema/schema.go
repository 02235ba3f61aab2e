// Package schema has the tables of the service's database, as migrations, and the rights of the
// programs' roles on them.
package schema

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"requisite/internal/domain"
	"requisite/internal/store/db"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Schema is the schema of one database. Changing it requires the role that owns it.
type Schema struct {
	conn *db.DB
	// changing is called before a change of rights; nil if nobody is to be told.
	changing func(context.Context) error
}

// New returns the schema of a database.
func New(conn *db.DB) Schema { return Schema{conn: conn} }

// Announcing returns a Schema that calls changing before it changes rights. If that fails, it changes none. It does not call
// it for a grant of rights that the role has.
func (s Schema) Announcing(changing func(context.Context) error) Schema {
	s.changing = changing
	return s
}

func (s Schema) announce(ctx context.Context) error {
	if s.changing == nil {
		return nil
	}
	return s.changing(ctx)
}

// Migrate brings the schema to the newest version. Concurrent callers wait for each other. If there
// is nothing to do, it changes nothing. A migration may run for a long time on large tables, but
// does not wait long for a lock, because other transactions queue behind it.
func (s Schema) Migrate(ctx context.Context) (applied int, err error) {
	// The lock belongs to a session, so the server must keep one.
	if err := s.conn.Try(ctx, domain.Scope{}, func(context.Context, pgx.Tx) error { return nil }); err != nil {
		return 0, fmt.Errorf("migrations: %w", err)
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return 0, fmt.Errorf("migrations: %w", err)
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return 0, fmt.Errorf("migrations: %w", err)
	}
	// A change of a large table may take longer than the server's own timeout.
	source := stdlib.OpenDB(*s.conn.WithoutStatementTimeout())
	defer func() { err = errors.Join(err, source.Close()) }()
	if err := s.known(ctx); err != nil {
		return 0, err
	}
	table, err := Applied()
	if err != nil {
		return 0, fmt.Errorf("migrations: %w", err)
	}
	provider, err := goose.NewProvider("", source, files, goose.WithSessionLocker(locker), goose.WithStore(table))
	if err != nil {
		return 0, fmt.Errorf("migrations: %w", err)
	}
	results, err := provider.Up(ctx)
	if err != nil {
		return 0, fmt.Errorf("migrate the schema: %w", err)
	}
	return len(results), nil
}

// known is Known for a database that may be empty.
func (s Schema) known(ctx context.Context) error {
	var migrated bool
	if err := s.conn.QueryRow(ctx, `SELECT to_regclass($1) IS NOT NULL`, versionTable).Scan(&migrated); err != nil {
		return fmt.Errorf("look for migrations: %w", err)
	}
	if !migrated {
		return nil
	}
	return Known(ctx, s.conn)
}

// Known is the function Known for the database.
func (s Schema) Known(ctx context.Context) error { return Known(ctx, s.conn) }

// Versions returns the version of the schema, and the newest one that this program knows.
func (s Schema) Versions(ctx context.Context) (applied, newest int64, err error) {
	return Versions(ctx, s.conn)
}

// Versions is Schema.Versions for the role of any program.
func Versions(ctx context.Context, q db.Querier) (applied, newest int64, err error) {
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		return 0, 0, fmt.Errorf("migrations: %w", err)
	}
	for _, f := range files {
		n, err := goose.NumericComponent(f.Name())
		if err != nil {
			return 0, 0, fmt.Errorf("migrations: %w", err)
		}
		newest = max(newest, n)
	}
	err = q.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) FROM `+versionTable+` WHERE is_applied`).Scan(&applied)
	if err != nil {
		return 0, newest, db.Advise(fmt.Errorf("read the version of the schema: %w", err))
	}
	return applied, newest, nil
}
