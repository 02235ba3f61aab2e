package pgtest

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
)

// Spy records the statements that a store sends.
type Spy struct {
	mu   sync.Mutex
	Sent []pgx.QueuedQuery
	// Trips counts the round trips: statements and batches, without the preparation of new
	// statements.
	Trips int
}

func (s *Spy) trip() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Trips++
}

func (s *Spy) note(sql string, args []any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Sent = append(s.Sent, pgx.QueuedQuery{SQL: sql, Arguments: args})
}

func (s *Spy) TraceQueryStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	s.trip()
	s.note(d.SQL, d.Args)
	return ctx
}
func (*Spy) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (s *Spy) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	s.trip()
	return ctx
}
func (s *Spy) TraceBatchQuery(_ context.Context, _ *pgx.Conn, d pgx.TraceBatchQueryData) {
	s.note(d.SQL, d.Args)
}
func (*Spy) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}
