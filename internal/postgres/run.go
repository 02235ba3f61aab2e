package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"requisite/internal/domain"
	"requisite/internal/postgres/db"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
)

// errRanBefore ends the second of two transactions of one run.
var errRanBefore = errors.New("this run has written already")

// finish runs the writing step of a run at most once: the result is kept under
// the run's id, and under the call's idempotency key, in the transaction of the
// change. The run's row is written first, so that of two concurrent executions
// of a step, the second waits for the first and finds its result.
func finish[T any](ctx context.Context, s *Store, run domain.Run, step func(*Records) (T, error)) (T, error) {
	value, _, err := finishOnce(ctx, s, run, step)
	return value, err
}

// finishOnce is finish; it also reports whether the step ran now.
func finishOnce[T any](ctx context.Context, s *Store, run domain.Run, step func(*Records) (T, error)) (value T, ran bool, err error) {
	var none T
	if run.Call.IdempotencyKey != "" {
		if value, done, err := finished[T](ctx, s.db.Scoped(run.Call.Scope), run.ID); done || err != nil {
			return value, false, err
		}
	}
	outcome, err := s.write(ctx, run.Call, func(r *Records) (wire.Reply, error) {
		once := func(tag pgconn.CommandTag) error {
			if tag.RowsAffected() == 0 {
				return errRanBefore
			}
			return nil
		}
		err := db.Queue(ctx, r.q, once, `
			INSERT INTO run_outcome (run_id, organization_id, environment, outcome, created_at) VALUES ($1, $2, $3, 'null', $4) ON CONFLICT DO NOTHING`,
			run.ID, r.scope.OrganizationID, r.scope.Environment, r.at)
		if err != nil {
			return wire.Reply{}, fmt.Errorf("begin to write a run's result: %w", err)
		}
		if value, err = step(r); err != nil {
			return wire.Reply{}, err
		}
		data, err := json.Marshal(value)
		if err != nil {
			return wire.Reply{}, fmt.Errorf("encode a run's result: %w", err)
		}
		ran = true
		return wire.Reply{Data: json.RawMessage(data)}, db.Queue(ctx, r.q, nil, `UPDATE run_outcome SET outcome = $2 WHERE run_id = $1`, run.ID, data)
	})
	var refused *refusal.Refusal
	switch {
	case errors.As(err, &refused) && refused.Code == refusal.RequestInProgress:
		// An earlier try holds the key still, and may yet write: this one is repeated.
		return none, false, fmt.Errorf("an earlier try of the run has not ended: %s", refused.Message)
	case errors.Is(err, errRanBefore):
		value, _, err = finished[T](ctx, s.db.Scoped(run.Call.Scope), run.ID)
		return value, false, err
	case err != nil:
		return none, false, err
	case outcome.Refusal != nil:
		return none, false, outcome.Refusal
	case ran:
		return value, true, nil
	}
	// The call already had an outcome: of an earlier run, or of another
	// execution of this one.
	if err := json.Unmarshal(outcome.Data, &value); err != nil {
		return none, false, fmt.Errorf("read a kept outcome: %w", err)
	}
	return value, false, nil
}

// finished reads what a run has written; false when it has not.
func finished[T any](ctx context.Context, q db.Querier, run string) (T, bool, error) {
	var value T
	var data []byte
	err := q.QueryRow(ctx, `SELECT outcome FROM run_outcome WHERE run_id = $1`, run).Scan(&data)
	if errors.Is(err, pgx.ErrNoRows) {
		return value, false, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &value)
	}
	if err != nil {
		return value, false, fmt.Errorf("read a run's result: %w", err)
	}
	return value, true, nil
}
