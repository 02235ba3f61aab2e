package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/wire"
)

// Run identifies the Temporal run that writes, so that it writes once.
type Run struct {
	ID   string `json:"id"`
	Call Call   `json:"call"`
	// WorkflowID is the application that the run is about, where it is about
	// one.
	WorkflowID string `json:"workflow_id,omitempty"`
	// StartedAt is the run's one reading of the clock.
	StartedAt time.Time `json:"started_at"`
}

// written is what the writing step of a run gives, and what its caller is
// answered with.
type written interface{ Reply() wire.Reply }

// errRanBefore ends the second of two transactions of one run.
var errRanBefore = errors.New("this run has written already")

// finish runs the writing step of a run at most once: the result is kept under
// the run's id, and the outcome under the call's idempotency key, in the
// transaction of the change. The run's row is written first, so that the same
// step running twice at once waits for itself and finds its own result.
func finish[T written](ctx context.Context, s *Store, run Run, step func(*Records) (T, error)) (T, error) {
	var value, none T
	if run.Call.IdempotencyKey != "" {
		// The kept outcome holds the answer; the run's result may hold more.
		if value, done, err := finished[T](ctx, s.seeing(run.Call.Scope), run.ID); done || err != nil {
			return value, err
		}
	}
	ran := false
	outcome, err := s.write(ctx, run.Call, func(r *Records) (wire.Reply, error) {
		tag, err := r.q.Exec(ctx, `
			INSERT INTO run_outcome (run_id, organization_id, environment, outcome, created_at) VALUES ($1, $2, $3, 'null', $4) ON CONFLICT DO NOTHING`,
			run.ID, r.scope.OrganizationID, r.scope.Environment, r.at)
		switch {
		case err != nil:
			return wire.Reply{}, fmt.Errorf("begin to write a run's result: %w", err)
		case tag.RowsAffected() == 0:
			return wire.Reply{}, errRanBefore
		}
		if value, err = step(r); err != nil {
			return wire.Reply{}, err
		}
		data, err := json.Marshal(value)
		if err != nil {
			return wire.Reply{}, fmt.Errorf("encode a run's result: %w", err)
		}
		ran = true
		_, err = r.q.Exec(ctx, `UPDATE run_outcome SET outcome = $2 WHERE run_id = $1`, run.ID, data)
		return value.Reply(), err
	})
	switch {
	case errors.Is(err, errRanBefore):
		value, _, err = finished[T](ctx, s.seeing(run.Call.Scope), run.ID)
		return value, err
	case err != nil:
		return none, err
	case outcome.Refusal != nil:
		return none, outcome.Refusal
	case ran:
		return value, nil
	}
	return keptBefore[T](ctx, s.seeing(run.Call.Scope), run.ID, outcome)
}

// keptBefore is the result when the call's outcome was there already: this
// run's own, written a moment ago, or an earlier run's answer.
func keptBefore[T written](ctx context.Context, q querier, run string, outcome Outcome) (T, error) {
	value, done, err := finished[T](ctx, q, run)
	if done || err != nil {
		return value, err
	}
	if err := json.Unmarshal(outcome.Data, &value); err != nil {
		return value, fmt.Errorf("read a kept outcome: %w", err)
	}
	if w, ok := any(&value).(interface{ warn([]wire.Warning) }); ok {
		w.warn(outcome.Warnings)
	}
	return value, nil
}

// finished reads what a run has written; false when it has not.
func finished[T any](ctx context.Context, q querier, run string) (T, bool, error) {
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
