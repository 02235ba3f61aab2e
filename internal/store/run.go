package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/calculation"
	"requisite/internal/store/db"
)

// errRanBefore ends the second of two transactions of one run, or of two runs with one
// idempotency key.
var errRanBefore = errors.New("this run has written already")

// finish runs the writing step of a run at most once: the result is kept under
// the run's id, and under the call's idempotency key, in the transaction of the
// change.
func finish[T any](ctx context.Context, s *Store, run domain.Run, step func(*Records) (T, error)) (T, error) {
	value, _, err := finishOnce(ctx, s, run, func(r *Records) (T, *refusal.Refusal, error) {
		value, err := step(r)
		return value, nil, err
	})
	return value, err
}

// finishOnce is finish for a step that may also refuse, and record that it did. Such a
// refusal is kept under the run's id alone: a repeat of the request decides again. It also
// reports whether the step ran now.
func finishOnce[T any](ctx context.Context, s *Store, run domain.Run, step func(*Records) (T, *refusal.Refusal, error)) (value T, ran bool, err error) {
	var none T
	outcome, ran, err := s.commitRun(ctx, run, func(r *Records) (calculation.RunOutcome, error) {
		var refused *refusal.Refusal
		var err error
		if value, refused, err = step(r); err != nil || refused != nil {
			return calculation.RunOutcome{Refusal: refused}, err
		}
		data, err := json.Marshal(value)
		if err != nil {
			return calculation.RunOutcome{}, fmt.Errorf("encode a run's result: %w", err)
		}
		return calculation.RunOutcome{Result: data}, nil
	})
	switch {
	case err != nil:
		return none, false, err
	case outcome.Refusal != nil:
		return none, ran, outcome.Refusal
	case ran:
		return value, true, nil
	}
	value = none
	if err := json.Unmarshal(outcome.Result, &value); err != nil {
		return none, false, fmt.Errorf("read a run's result: %w", err)
	}
	return value, false, nil
}

// commitRun runs the step in a transaction that keeps its outcome. The run's row is written
// first, so that of two concurrent executions of a step, the second waits for the first and
// finds its outcome. The row of the idempotency key is written last: until then, nobody but
// another execution of the same request writes it.
func (s *Store) commitRun(ctx context.Context, run domain.Run, step func(*Records) (calculation.RunOutcome, error)) (outcome calculation.RunOutcome, ran bool, err error) {
	call, key := run.Call, run.Call.IdempotencyKey
	call.IdempotencyKey = ""
	once := func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() == 0 {
			return errRanBefore
		}
		return nil
	}
	_, err = s.write(ctx, call, func(r *Records) (wire.Reply, error) {
		err := db.Queue(ctx, r.q, once, `
			INSERT INTO run_outcome (run_id, organization_id, environment, outcome, created_at) VALUES ($1, $2, $3, 'null', $4) ON CONFLICT DO NOTHING`,
			run.ID, r.scope.OrganizationID, r.scope.Environment, r.at)
		if err != nil {
			return wire.Reply{}, fmt.Errorf("begin to write a run's outcome: %w", err)
		}
		if key != "" {
			if err := r.roomForOutcome(ctx); err != nil {
				return wire.Reply{}, err
			}
		}
		if outcome, err = step(r); err != nil {
			return wire.Reply{}, err
		}
		data, err := json.Marshal(outcome)
		if err != nil {
			return wire.Reply{}, fmt.Errorf("encode a run's outcome: %w", err)
		}
		if err := db.Queue(ctx, r.q, nil, `UPDATE run_outcome SET outcome = $2 WHERE run_id = $1`, run.ID, data); err != nil {
			return wire.Reply{}, err
		}
		if key == "" || outcome.Refusal != nil {
			return wire.Reply{}, nil
		}
		keyed, err := json.Marshal(Outcome{Data: outcome.Result})
		if err != nil {
			return wire.Reply{}, fmt.Errorf("encode an outcome: %w", err)
		}
		return wire.Reply{}, db.Queue(ctx, r.q, once, `
			INSERT INTO idempotency (organization_id, environment, operation, key, body_sha256, created_at, outcome)
			VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
			r.scope.OrganizationID, r.scope.Environment, call.Operation, key, call.BodySHA256, r.at, keyed)
	})
	var refused *refusal.Refusal
	switch {
	case err == nil:
		return outcome, true, nil
	case errors.Is(err, errRanBefore):
		outcome, err = s.RunOutcome(ctx, run)
		if err == nil && !outcome.Committed() {
			err = errors.New("an earlier try of the run has not ended")
		}
		return outcome, false, err
	case errors.As(err, &refused) && refused.Kept() && key != "":
		_, err = s.Write(ctx, run.Call, func(*Records) (any, error) { return nil, refused })
		if err == nil { // an earlier run with the key has succeeded
			outcome, err = s.RunOutcome(ctx, run)
			return outcome, false, err
		}
	}
	return calculation.RunOutcome{}, false, err
}

// RunOutcome is what a run has committed, or an earlier run with its idempotency key. It is
// empty when nothing was.
func (s *Store) RunOutcome(ctx context.Context, run domain.Run) (calculation.RunOutcome, error) {
	q := s.db.Scoped(run.Call.Scope)
	var data []byte
	var outcome calculation.RunOutcome
	err := q.QueryRow(ctx, `SELECT outcome FROM run_outcome WHERE run_id = $1`, run.ID).Scan(&data)
	if err == nil {
		err = json.Unmarshal(data, &outcome)
	}
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return keyOutcome(ctx, q, run.Call)
	case err != nil:
		return calculation.RunOutcome{}, fmt.Errorf("read a run's outcome: %w", err)
	}
	return outcome, nil
}

// keyOutcome is what an earlier run with the call's idempotency key has committed.
func keyOutcome(ctx context.Context, q db.Querier, call domain.Call) (calculation.RunOutcome, error) {
	if call.IdempotencyKey == "" {
		return calculation.RunOutcome{}, nil
	}
	earlier, _, err := kept(ctx, q, call)
	return calculation.RunOutcome{Result: earlier.Data, Refusal: earlier.Refusal}, err
}
