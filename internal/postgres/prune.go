package postgres

import (
	"context"
	"fmt"
	"time"
)

// IdempotencyLife is how long the outcome of a request with an idempotency key
// is kept, and that of a Temporal run with it.
const IdempotencyLife = 48 * time.Hour

// pruneBatch bounds the rows that one statement deletes, so that pruning never
// holds locks for long.
const pruneBatch = 5000

// Pruned counts the rows that were deleted.
type Pruned struct {
	Nonces      int64 `json:"nonces"`
	Idempotency int64 `json:"idempotency"`
	RunOutcomes int64 `json:"run_outcomes"`
}

// Prune deletes nonces that may be used again and outcomes that no repeat can
// ask for any more. It is safe to run at any time, many times at once.
func (s *Store) Prune(ctx context.Context) (Pruned, error) {
	now := s.clock()
	var p Pruned
	for _, step := range []struct {
		count *int64
		sql   string
		limit time.Time
	}{
		{&p.Nonces, `DELETE FROM nonce WHERE ctid = ANY (ARRAY(SELECT ctid FROM nonce WHERE expires_at <= $1 LIMIT $2))`, now},
		{&p.Idempotency, `DELETE FROM idempotency WHERE ctid = ANY (ARRAY(SELECT ctid FROM idempotency WHERE created_at <= $1 LIMIT $2))`, now.Add(-IdempotencyLife)},
		{&p.RunOutcomes, `DELETE FROM run_outcome WHERE ctid = ANY (ARRAY(SELECT ctid FROM run_outcome WHERE created_at <= $1 LIMIT $2))`, now.Add(-IdempotencyLife)},
	} {
		for {
			tag, err := s.pool.Exec(ctx, step.sql, step.limit, pruneBatch)
			if err != nil {
				return p, fmt.Errorf("prune: %w", err)
			}
			*step.count += tag.RowsAffected()
			if tag.RowsAffected() < pruneBatch {
				break
			}
		}
	}
	return p, nil
}
