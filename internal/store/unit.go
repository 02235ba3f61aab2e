package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
)

// unit is what the rooms of one operation share: the transaction, the scope, the actor, and the time
// of everything that is written. No room uses another time, so that an event is never earlier than
// its change.
type unit struct {
	q     db.Querier
	scope domain.Scope
	actor domain.Actor
	// at is the timestamp of everything that one operation writes; see stamp.
	at    time.Time
	clock func() time.Time
	// trace is the operation's W3C trace.
	trace string
	// failing is the FailingAttempts of the call, for the events that it causes.
	failing int
	quotas  Quotas
	counts  *counts
	// decisionBytes has a bucket for each organization.
	decisionBytes *limiter.Buckets
	// moment is nil, except in tests that control the clock: see db.MomentSQL.
	moment *time.Time
	outbox deliveries.Outbox
	// recalculating is the Recalculation of the run: a decision that repeats the last one is not
	// recorded.
	recalculating bool
	// after is nil outside a transaction.
	after *db.AfterCommit
	// account is the account of the last record that was found. It is nil if nobody asks for it.
	account *id.UUID
}

// AccountID is the account of the last record that was found. It is empty if none was found.
func (r *unit) AccountID() string {
	if r.account == nil || *r.account == id.Nil {
		return ""
	}
	return id.Format(r.scope.Environment.Prefix(), *r.account)
}

// noteAccount remembers the account of a record that was found.
func (r *unit) noteAccount(account id.UUID) {
	if r.account != nil {
		*r.account = account
	}
}

// stamp sets the time of a change. The caller has locked and read the row that is changed. The time
// is never before the times of the row. So a later commit never has an earlier time, even when the
// clocks of two hosts differ.
func (r *unit) stamp(row ...*time.Time) {
	r.at = r.clock()
	for _, t := range row {
		if t != nil && t.After(r.at) {
			r.at = *t
		}
	}
}

// newID is an id for a record that is created at the time of the change.
func (r *unit) newID() id.UUID { return id.NewAt(r.at) }

// find reads the record of the scope with an id. The arguments of the query are the id ($1), the
// organization ($2) and the environment ($3) of its account, and then more.
func find[T any](ctx context.Context, r *unit, entityType string, wireID interface {
	fmt.Stringer
	NullUUID() id.NullUUID
}, query string, more ...any) (T, error) {
	return existing[T](ctx, r.q, entityType, wireID, query, append([]any{wireID.NullUUID(), r.scope.OrganizationID, r.scope.Environment}, more...)...)
}

// lockAndFind is find after a statement that locks, which gets the id as $1. It sends both together.
// The query sees what others have committed before the lock was granted.
func lockAndFind[T any](ctx context.Context, r *unit, lock, entityType string, wireID interface {
	fmt.Stringer
	NullUUID() id.NullUUID
}, query string, more ...any) (T, error) {
	var none T
	var found []T
	batch := &pgx.Batch{}
	batch.Queue(lock, wireID.NullUUID())
	batch.Queue(query, append([]any{wireID.NullUUID(), r.scope.OrganizationID, r.scope.Environment}, more...)...).
		Query(db.Each(pgx.RowToStructByName[T], func(row T) { found = append(found, row) }))
	if err := db.SendAll(ctx, r.q, batch); err != nil {
		return none, fmt.Errorf("lock and find %s: %w", entityType, err)
	}
	if len(found) == 0 {
		return none, refusal.NotFound(entityType, wireID.String())
	}
	return found[0], nil
}

// existing reads the row of a record. If there is none, it refuses with not found.
func existing[T any](ctx context.Context, q db.Querier, entityType string, wireID fmt.Stringer, sql string, args ...any) (T, error) {
	found, ok, err := db.One[T](ctx, q, sql, args...)
	switch {
	case err != nil:
		return found, fmt.Errorf("find %s: %w", entityType, err)
	case !ok:
		return found, refusal.NotFound(entityType, wireID.String())
	}
	return found, nil
}

// inTx runs fn in one transaction of the call's scope. After the commit it does the work that fn
// has left for then.
func (b *base) inTx(ctx context.Context, call domain.Call, fn func(pgx.Tx, *unit) error) error {
	after := db.AfterCommit{}
	err := b.db.InScope(ctx, call.Scope, func(tx pgx.Tx) error {
		return fn(tx, &unit{
			q: tx, scope: call.Scope, actor: call.Actor, trace: call.TraceParent, failing: call.FailingAttempts,
			at: b.db.Clock(), clock: b.db.Clock, moment: b.db.Moment(), after: &after,
			quotas: b.quotas, counts: &b.counts, decisionBytes: b.decisionBytes, outbox: b.deliveries.Outbox, account: new(id.UUID),
		})
	})
	if err == nil {
		after.Run(ctx)
	}
	return err
}

// Environment is the scope's environment.
func (r *unit) Environment() domain.Environment { return r.scope.Environment }

// Now is the timestamp of everything that one operation writes.
func (r *unit) Now() time.Time { return r.at }
