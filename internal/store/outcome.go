package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/calculation"
	"requisite/internal/store/db"
)

// Outcome is what a run or a request has committed: its result, with warnings, or a refusal. It is
// empty if nothing was committed.
type Outcome struct {
	Result   json.RawMessage      `json:"result,omitempty"`
	Warnings []refusal.Warning    `json:"warnings,omitempty"`
	Refusal  *refusal.Refusal     `json:"refusal,omitempty"`
	Decision *refusal.DecisionRef `json:"decision,omitempty"`
}

// Committed reports whether there is an outcome.
func (o Outcome) Committed() bool { return o.Result != nil || o.Refusal != nil }

// RunResult is the outcome of a calculation.
func (o Outcome) RunResult() (calculation.RunResult, error) {
	return resultOf[calculation.RunResult](o)
}

// outcomeOf is the outcome of a step that was not refused.
func outcomeOf(result any) (Outcome, error) {
	data, err := json.Marshal(result)
	if err != nil {
		return Outcome{}, fmt.Errorf("encode an outcome: %w", err)
	}
	return Outcome{Result: data}, nil
}

// resultOf returns the result of an outcome. A refusal is the error.
func resultOf[T any](o Outcome) (result T, err error) {
	if o.Refusal != nil {
		return result, o.Refusal
	}
	if err := json.Unmarshal(o.Result, &result); err != nil {
		return result, fmt.Errorf("read an outcome: %w", err)
	}
	return result, nil
}

// reply is the operation's first answer. replayed reports that an earlier request got it.
func (o Outcome) reply(replayed bool) (wire.Reply, error) {
	switch {
	case o.Refusal != nil && replayed:
		return wire.Reply{}, o.Refusal.AsReplayed()
	case o.Refusal != nil:
		return wire.Reply{}, o.Refusal
	}
	return wire.Reply{Data: o.Result, Warnings: o.Warnings, Decision: o.Decision, Replayed: replayed}, nil
}

// requestPrefix begins the ids of outcomes that belong to requests and not to Temporal runs.
const requestPrefix = "request/"

// Write runs one operation in one transaction. With an idempotency key, the same transaction stores
// the outcome. A repeat with the same body gets the stored outcome and changes nothing. A repeat
// with another body is IDEMPOTENCY_KEY_REUSED. A repeat that arrives while the first request runs
// waits for it; after the lock timeout it is REQUEST_IN_PROGRESS. A refusal is stored only if it is
// Final.
func (s *Store) Write(ctx context.Context, call domain.Call, operation func(*Records) (any, error)) (wire.Reply, error) {
	return s.WriteWarning(ctx, call, func(r *Records) (wire.Reply, error) {
		data, err := operation(r)
		return wire.Reply{Data: data}, err
	})
}

// WriteWarning is Write for an operation that may also warn, or name a decision. A repeat gets them
// again.
func (s *Store) WriteWarning(ctx context.Context, call domain.Call, operation func(*Records) (wire.Reply, error)) (wire.Reply, error) {
	var outcome Outcome
	step := func(r *unit, _ *pgx.Batch) (Outcome, error) {
		reply, err := operation(newRecords(r))
		if err != nil {
			return Outcome{}, err
		}
		written, err := outcomeOf(reply.Data)
		written.Warnings, written.Decision = reply.Warnings, reply.Decision
		return written, err
	}
	var err error
	ran := true
	if call.IdempotencyKey == "" {
		err = s.inTx(ctx, call, func(_ pgx.Tx, r *unit) (err error) {
			outcome, err = step(r, nil)
			return err
		})
	} else {
		outcome, ran, err = s.writeOnce(ctx, domain.Run{ID: requestPrefix + id.New().String(), Call: call}, step)
	}
	switch {
	case errors.Is(err, errStillRuns):
		return wire.Reply{}, refusal.New(refusal.RequestInProgress, "A request with this Idempotency-Key is still running: try again in a second.")
	case err != nil:
		return wire.Reply{}, err
	}
	return outcome.reply(!ran)
}

// finish runs the writing step of a run at most once. A second execution gets the result of the
// first.
func finish[T any](ctx context.Context, b *base, run domain.Run, step func(*unit) (T, error)) (none T, _ error) {
	outcome, _, err := b.writeOnce(ctx, run, func(r *unit, _ *pgx.Batch) (Outcome, error) {
		value, err := step(r)
		if err != nil {
			return Outcome{}, err
		}
		return outcomeOf(value)
	})
	if err != nil {
		return none, err
	}
	return resultOf[T](outcome)
}

// errStillRuns reports that another execution of the run, or another run with its idempotency key,
// holds the row of the outcome for longer than the lock timeout.
var errStillRuns = errors.New("an earlier try has not ended")

// writeOnce runs the step in a transaction that stores its outcome under the run's id and under the
// call's idempotency key. It writes the row first, so that a concurrent execution of the run, or a
// repeat of the request, waits for it and gets the same outcome. A refusal that the step records is
// stored only under the run's id, unless it is Final. writeOnce reports whether the step ran now. It
// sends what the step queues with the commit.
func (b *base) writeOnce(ctx context.Context, run domain.Run, step func(r *unit, last *pgx.Batch) (Outcome, error)) (outcome Outcome, ran bool, err error) {
	keyed := run.Call.IdempotencyKey != ""
	err = b.inTx(ctx, run.Call, func(tx pgx.Tx, r *unit) (err error) {
		if ran, err = r.reserve(ctx, run); err != nil {
			return err
		}
		if !ran {
			outcome, err = committed(ctx, r.q, run)
			if err == nil && !outcome.Committed() {
				err = errStillRuns
			}
			return err
		}
		if keyed {
			if err := r.roomForOutcome(ctx); err != nil {
				return err
			}
		}
		last := &pgx.Batch{}
		if outcome, err = step(r, last); err != nil {
			return err
		}
		if err := queueOutcome(last, run, outcome); err != nil {
			return err
		}
		return db.CommitWith(ctx, tx, last)
	})
	var refused *refusal.Refusal
	switch {
	case err == nil:
		return outcome, ran, nil
	case keyed && errors.As(err, &refused) && refused.Final(): // a refused request stores only its refusal
		return b.writeOnce(ctx, run, func(*unit, *pgx.Batch) (Outcome, error) { return Outcome{Refusal: refused}, nil })
	}
	return Outcome{}, false, err
}

// reserve inserts the row of the run's outcome. It returns false if the run, or another run with
// its idempotency key, has committed. It waits for a run that is about to commit.
func (r *unit) reserve(ctx context.Context, run domain.Run) (bool, error) {
	call := run.Call
	tag, err := r.q.Exec(ctx, `
		INSERT INTO outcome (run_id, organization_id, environment, operation, key, body_sha256, created_at)
		VALUES ($1, $2, $3, $4, nullif($5, ''), CASE WHEN $5 <> '' THEN $6::bytea END, $7) ON CONFLICT DO NOTHING`,
		run.ID, r.scope.OrganizationID, r.scope.Environment, call.Operation, call.IdempotencyKey, call.BodySHA256, r.at)
	switch {
	case db.LockTimedOut(err):
		return false, fmt.Errorf("%w: %w", errStillRuns, err)
	case err != nil:
		return false, fmt.Errorf("begin to write an outcome: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

// queueOutcome queues the statement that writes an outcome into its row.
func queueOutcome(batch *pgx.Batch, run domain.Run, outcome Outcome) error {
	data, err := json.Marshal(outcome)
	if err != nil {
		return fmt.Errorf("encode an outcome: %w", err)
	}
	again := outcome.Refusal == nil || outcome.Refusal.Final() // what a repeat of the request gets
	batch.Queue(`
		UPDATE outcome SET content = $2, key = CASE WHEN $3 THEN key END, body_sha256 = CASE WHEN $3 THEN body_sha256 END WHERE run_id = $1`,
		run.ID, data, again)
	return nil
}

// roomForOutcome refuses an idempotency key when too many outcomes are stored. Prune makes room
// with time.
func (r *unit) roomForOutcome(ctx context.Context) error {
	return r.withinQuota(ctx, countsLife, "idempotency keys", r.scope.Tenant(), r.quotas.Outcomes, 1, func() *refusal.Refusal {
		return refusal.TooMany(refusal.Limit{Limit: float64(r.quotas.Outcomes), Scope: refusal.ScopeOrganization, Of: refusal.LimitOutcomes}, time.Hour,
			"The outcomes of %d requests with an Idempotency-Key are kept, as many as may be; send fewer, or send this one without.", r.quotas.Outcomes)
	}, `SELECT FROM outcome WHERE organization_id = $1 AND environment = $2 AND key IS NOT NULL`, r.scope.OrganizationID, r.scope.Environment)
}

// Outcome returns what the run, or another run with its call's idempotency key, has committed. It
// is empty if nothing was. A key with another body is IDEMPOTENCY_KEY_REUSED.
func (s *Store) Outcome(ctx context.Context, run domain.Run) (Outcome, error) {
	return committed(ctx, s.db.Scoped(run.Call.Scope), run)
}

func committed(ctx context.Context, q db.Querier, run domain.Run) (Outcome, error) {
	call := run.Call
	if run.ID == "" && call.IdempotencyKey == "" {
		return Outcome{}, nil
	}
	found, ok, err := db.One[struct {
		Same    bool
		Content json.RawMessage
	}](ctx, q, `
		SELECT run_id = $1 OR body_sha256 IS NOT DISTINCT FROM $6 AS same, content FROM outcome
		WHERE run_id = $1 OR organization_id = $2 AND environment = $3 AND operation = $4 AND key = $5 ORDER BY run_id <> $1 LIMIT 1`,
		run.ID, call.Scope.OrganizationID, call.Scope.Environment, call.Operation, call.IdempotencyKey, call.BodySHA256)
	switch {
	case err != nil:
		return Outcome{}, fmt.Errorf("read an outcome: %w", err)
	case !ok:
		return Outcome{}, nil
	case !found.Same:
		return Outcome{}, refusal.New(refusal.IdempotencyKeyReused, "This Idempotency-Key was sent before with another body; use a new key for a new request.")
	}
	var outcome Outcome
	if err := json.Unmarshal(found.Content, &outcome); err != nil {
		return Outcome{}, fmt.Errorf("read an outcome: %w", err)
	}
	return outcome, nil
}
