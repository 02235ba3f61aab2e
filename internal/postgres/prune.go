package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// IdempotencyLife is how long the outcome of a request with an idempotency key
// is kept, and that of a Temporal run with it.
const IdempotencyLife = 48 * time.Hour

// DefaultEventLife is how long events, their deliveries and their attempts are
// kept once every delivery of an event has ended.
const DefaultEventLife = 30 * 24 * time.Hour

// MinEventLife is longer than a delivery's schedule, and than anybody needs to
// notice that one has failed.
const MinEventLife = 7 * 24 * time.Hour

// pruneBatch bounds the rows that one statement deletes, so that pruning never
// holds locks for long.
const pruneBatch = 5000

// Pruned counts the rows that were deleted.
type Pruned struct {
	Nonces      int64 `json:"nonces"`
	Idempotency int64 `json:"idempotency"`
	RunOutcomes int64 `json:"run_outcomes"`
	Events      int64 `json:"events"` // with their deliveries and attempts
	KeyDays     int64 `json:"key_days"`
}

// Prune deletes nonces that may be used again, outcomes that no repeat can ask
// for any more, and events of which everything has ended that are older than
// eventLife. What is still to be delivered stays, however old it is. It is safe
// to run at any time, many times at once.
func (s *Store) Prune(ctx context.Context, eventLife time.Duration) (Pruned, error) {
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
		{&p.KeyDays, `DELETE FROM webhook_key_day WHERE ctid = ANY (ARRAY(SELECT ctid FROM webhook_key_day WHERE day < $1::timestamptz::date LIMIT $2))`, now.Add(-7 * 24 * time.Hour)},
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
	var err error
	p.Events, err = s.pruneEvents(ctx, now.Add(-max(eventLife, MinEventLife)))
	return p, err
}

// pruneEvents deletes events in order of age, a batch in a transaction: the
// attempts go with their deliveries.
func (s *Store) pruneEvents(ctx context.Context, before time.Time) (total int64, err error) {
	var after uuid.UUID
	for {
		batch, err := s.eventBatch(ctx, before, after)
		if err != nil || len(batch) == 0 {
			return total, err
		}
		after = batch[len(batch)-1]
		err = s.inTx(ctx, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `
				DELETE FROM webhook_delivery d WHERE event_id = ANY ($1)
					AND NOT EXISTS (SELECT FROM webhook_delivery o WHERE o.event_id = d.event_id AND o.state NOT IN ('DELIVERED', 'FAILED', 'CANCELED'))`, batch)
			if err != nil {
				return err
			}
			tag, err := tx.Exec(ctx, `
				DELETE FROM webhook_event v WHERE id = ANY ($1) AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.event_id = v.id)`, batch)
			total += tag.RowsAffected()
			return err
		})
		if err != nil {
			return total, fmt.Errorf("prune events: %w", err)
		}
	}
}

// eventBatch lists old events after a given one. Their ids are in the order of
// their making.
func (s *Store) eventBatch(ctx context.Context, before time.Time, after uuid.UUID) ([]uuid.UUID, error) {
	rows, err := s.pool.Query(ctx, `SELECT id FROM webhook_event WHERE occurred_at < $1 AND id > $2 ORDER BY id LIMIT $3`, before, after, pruneBatch/5)
	if err != nil {
		return nil, fmt.Errorf("find old events: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}
