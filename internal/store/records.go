package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
)

// Records reads and writes the records of one scope. Records of other scopes do
// not exist for it.
type Records struct {
	q     db.Querier
	scope domain.Scope
	actor domain.Actor
	// at stamps everything that one operation writes; see stamp.
	at    time.Time
	clock func() time.Time
	// trace is the operation's W3C trace.
	trace  string
	quotas Quotas
	counts *counts
	// moment is the argument of db.MomentSQL.
	moment     *time.Time
	deliveries *deliveries.Store
	// after is nil outside a transaction.
	after *db.AfterCommit
	// account is the one that what was found last belongs to; nil where nobody asks.
	account *uuid.UUID
}

// AccountID is the account that the record found last belongs to; empty when none
// was found.
func (r *Records) AccountID() string {
	if r.account == nil || *r.account == uuid.Nil {
		return ""
	}
	return id.Format(r.scope.Environment.Prefix(), *r.account)
}

// of notes whose a record is that was found.
func (r *Records) of(account uuid.UUID) {
	if r.account != nil {
		*r.account = account
	}
}

// stamp takes the time of a change, once its locks are held and the row that is
// changed has been read: never before the times of the row. So what is committed later
// has no earlier time, even when the clocks of two hosts differ.
func (r *Records) stamp(row ...*time.Time) {
	r.at = r.clock()
	for _, t := range row {
		if t != nil && t.After(r.at) {
			r.at = *t
		}
	}
}

// newID is an id for something that is created at the time of the change.
func (r *Records) newID() uuid.UUID { return id.NewAt(r.at) }

// Records returns the records of a scope, for reading.
func (s *Store) Records(scope domain.Scope) *Records {
	return &Records{q: s.db.Scoped(scope), scope: scope, at: s.db.Clock(), clock: s.db.Clock, quotas: s.quotas, counts: &s.counts, account: new(uuid.UUID)}
}

// find reads the one record of the scope that has an id. The query takes the id as
// $1, and the organization and the environment of its account as $2 and $3.
func find[T any](ctx context.Context, r *Records, entityType string, wireID interface {
	fmt.Stringer
	NullUUID() uuid.NullUUID
}, query string) (T, error) {
	return existing[T](ctx, r.q, entityType, wireID, query, wireID.NullUUID(), r.scope.OrganizationID, r.scope.Environment)
}

// existing reads the row of a record, which is not found when there is none.
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

// Outcome is how an operation ended: data and warnings, or a refusal that a
// repeat must meet again.
type Outcome struct {
	Data     json.RawMessage   `json:"data,omitempty"`
	Warnings []refusal.Warning `json:"warnings,omitempty"`
	Refusal  *refusal.Refusal  `json:"refusal,omitempty"`
	Decision *refusal.Decision `json:"decision,omitempty"`
}

// Reply is the outcome as the operation first answered it.
func (o Outcome) Reply() (wire.Reply, error) {
	if o.Refusal != nil {
		return wire.Reply{}, o.Refusal
	}
	return wire.Reply{Data: o.Data, Warnings: o.Warnings, Decision: o.Decision}, nil
}

func outcomeOf(reply wire.Reply, err error) (Outcome, error) {
	var refused *refusal.Refusal
	if errors.As(err, &refused) {
		return Outcome{Refusal: refused}, nil
	}
	if err != nil {
		return Outcome{}, err
	}
	data, err := json.Marshal(reply.Data)
	if err != nil {
		return Outcome{}, fmt.Errorf("encode an outcome: %w", err)
	}
	return Outcome{Data: data, Warnings: reply.Warnings, Decision: reply.Decision}, nil
}

// Write runs one operation in one transaction. With an idempotency key, the
// outcome is kept in the same transaction: a repeat with the same body gets it
// again and changes nothing; another body is IDEMPOTENCY_KEY_REUSED; a repeat
// that arrives while the first is still running waits for it, and is
// REQUEST_IN_PROGRESS when that takes longer than the lock timeout. Only
// refusals that are Kept are stored.
func (s *Store) Write(ctx context.Context, call domain.Call, operation func(*Records) (any, error)) (wire.Reply, error) {
	return s.WriteWarning(ctx, call, func(r *Records) (wire.Reply, error) {
		data, err := operation(r)
		return wire.Reply{Data: data}, err
	})
}

// WriteWarning is Write for an operation that may also warn, or name a decision. A repeat gets
// the same again.
func (s *Store) WriteWarning(ctx context.Context, call domain.Call, operation func(*Records) (wire.Reply, error)) (wire.Reply, error) {
	outcome, err := s.write(ctx, call, operation)
	if err != nil {
		return wire.Reply{}, err
	}
	return outcome.Reply()
}

func (s *Store) write(ctx context.Context, call domain.Call, operation func(*Records) (wire.Reply, error)) (outcome Outcome, err error) {
	after := db.AfterCommit{}
	err = s.db.InScope(ctx, call.Scope, func(tx pgx.Tx) error {
		r := &Records{q: tx, scope: call.Scope, actor: call.Actor, at: s.db.Clock(), clock: s.db.Clock, moment: s.db.Moment(), trace: call.TraceParent, quotas: s.quotas, counts: &s.counts, deliveries: s.deliveries, after: &after, account: new(uuid.UUID)}
		if call.IdempotencyKey == "" {
			reply, err := operation(r)
			if err != nil {
				return err
			}
			outcome, err = outcomeOf(reply, nil)
			return err
		}
		kept, repeated, err := reserveKey(ctx, tx, call, r.at)
		if err != nil || repeated {
			outcome = kept
			return err
		}
		if err := r.roomForOutcome(ctx); err != nil {
			return err
		}
		if outcome, err = attempt(ctx, tx, r, operation); err != nil {
			return err
		}
		return keepOutcome(ctx, tx, call, outcome)
	})
	if err == nil {
		after.Run(ctx)
	}
	return outcome, err
}

// attempt runs the operation under a savepoint, so that a refusal worth
// keeping leaves nothing else behind.
func attempt(ctx context.Context, tx pgx.Tx, r *Records, operation func(*Records) (wire.Reply, error)) (Outcome, error) {
	var outcome Outcome
	err := pgx.BeginFunc(ctx, tx, func(inner pgx.Tx) error {
		nested := *r
		var after db.AfterCommit
		nested.q, nested.after = inner, &after
		reply, err := operation(&nested)
		if err != nil {
			return err
		}
		r.after.Do(after.Run)
		outcome, err = outcomeOf(reply, nil)
		return err
	})
	var refused *refusal.Refusal
	if errors.As(err, &refused) && refused.Kept() {
		return Outcome{Refusal: refused}, nil
	}
	return outcome, err
}

// roomForOutcome refuses an idempotency key when too many outcomes are kept;
// they are pruned with time.
func (r *Records) roomForOutcome(ctx context.Context) error {
	return r.room(ctx, countsLife, "idempotency keys", r.scope.Tenant(), r.quotas.Outcomes, 1, func() *refusal.Refusal {
		return refusal.TooMany(refusal.Limit{Limit: float64(r.quotas.Outcomes), Scope: refusal.ScopeOrganization, Of: "outcomes"}, time.Hour,
			"The outcomes of %d requests with an Idempotency-Key are kept, as many as may be; send fewer, or send this one without.", r.quotas.Outcomes)
	}, `SELECT FROM idempotency WHERE organization_id = $1 AND environment = $2`, r.scope.OrganizationID, r.scope.Environment)
}

// KeptOutcome looks for the outcome of an earlier request with the call's
// idempotency key; false when there is none, or no key. Another body is
// IDEMPOTENCY_KEY_REUSED.
func (s *Store) KeptOutcome(ctx context.Context, call domain.Call) (Outcome, bool, error) {
	if call.IdempotencyKey == "" {
		return Outcome{}, false, nil
	}
	return kept(ctx, s.db.Scoped(call.Scope), call)
}

// reserveKey inserts the row of the call's idempotency key, or finds its
// outcome. The primary key makes a concurrent repeat wait for this transaction.
func reserveKey(ctx context.Context, tx pgx.Tx, call domain.Call, at time.Time) (Outcome, bool, error) {
	tag, err := tx.Exec(ctx, `
		INSERT INTO idempotency (organization_id, environment, operation, key, body_sha256, created_at)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
		call.Scope.OrganizationID, call.Scope.Environment, call.Operation, call.IdempotencyKey, call.BodySHA256, at)
	switch {
	case db.LockTimedOut(err):
		return Outcome{}, false, refusal.New(refusal.RequestInProgress, "A request with this Idempotency-Key is still running: try again in a second.")
	case err != nil:
		return Outcome{}, false, fmt.Errorf("claim an idempotency key: %w", err)
	case tag.RowsAffected() == 1:
		return Outcome{}, false, nil
	}
	return kept(ctx, tx, call)
}

func kept(ctx context.Context, q db.Querier, call domain.Call) (Outcome, bool, error) {
	type row struct {
		SameBody bool
		Outcome  json.RawMessage
	}
	found, ok, err := db.One[row](ctx, q, `
		SELECT body_sha256 = $5 AS same_body, outcome FROM idempotency
		WHERE organization_id = $1 AND environment = $2 AND operation = $3 AND key = $4`,
		call.Scope.OrganizationID, call.Scope.Environment, call.Operation, call.IdempotencyKey, call.BodySHA256)
	switch {
	case err != nil:
		return Outcome{}, false, fmt.Errorf("read an idempotency record: %w", err)
	case !ok:
		return Outcome{}, false, nil
	case !found.SameBody:
		return Outcome{}, false, KeyReused()
	}
	var outcome Outcome
	if err := json.Unmarshal(found.Outcome, &outcome); err != nil {
		return Outcome{}, false, fmt.Errorf("read an idempotency record: %w", err)
	}
	return outcome, true, nil
}

// KeyReused refuses an idempotency key that came with another body before.
func KeyReused() *refusal.Refusal {
	return refusal.New(refusal.IdempotencyKeyReused,
		"This Idempotency-Key was sent before with another body; use a new key for a new request.")
}

func keepOutcome(ctx context.Context, tx pgx.Tx, call domain.Call, outcome Outcome) error {
	data, err := json.Marshal(outcome)
	if err != nil {
		return fmt.Errorf("encode an outcome: %w", err)
	}
	err = db.Queue(ctx, tx, nil, `
		UPDATE idempotency SET outcome = $5
		WHERE organization_id = $1 AND environment = $2 AND operation = $3 AND key = $4`,
		call.Scope.OrganizationID, call.Scope.Environment, call.Operation, call.IdempotencyKey, data)
	if err != nil {
		return fmt.Errorf("keep an outcome: %w", err)
	}
	return nil
}

// Environment is the scope's.
func (r *Records) Environment() domain.Environment { return r.scope.Environment }

// Now is the timestamp of everything that one operation writes.
func (r *Records) Now() time.Time { return r.at }
