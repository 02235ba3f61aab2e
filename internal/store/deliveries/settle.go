package deliveries

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/id"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
)

// Disabling, enabling or deleting an endpoint, and activating a key, can affect
// any number of deliveries. The transaction writes only the decision, which alone
// determines whether deliveries may be sent, and marks the endpoint (settle_at).
// Workers settle the deliveries of marked endpoints afterwards, batch by batch.
const (
	settleBatch = 1000
	// settleLook is how many marked endpoints one round serves, with a batch each.
	settleLook = 100
)

// MarkToSettle marks the endpoints of which a column, id or account_id, has a
// value: their deliveries follow a decision. A decision about an account does not
// concern its deleted endpoints. The caller holds the lock of the account's endpoints.
func MarkToSettle(ctx context.Context, q db.Querier, moment *time.Time, column string, id uuid.UUID) error {
	_, err := q.Exec(ctx, `UPDATE webhook_endpoint SET settle_at = `+db.MomentSQL+` WHERE `+column+` = $2 AND (deleted_at IS NULL OR id = $2)`, moment, id)
	if err != nil {
		return fmt.Errorf("mark endpoints to settle: %w", err)
	}
	// What was PENDING all along contradicts no decision, and goes on now.
	_, err = q.Exec(ctx, `
		INSERT INTO webhook_ready (endpoint_id, account_id) SELECT e.id, e.account_id FROM webhook_endpoint e WHERE e.`+column+` = $1 AND `+SendableSQL+` ORDER BY e.id
		ON CONFLICT DO NOTHING`, id)
	if err != nil {
		return fmt.Errorf("make endpoints ready: %w", err)
	}
	return nil
}

// Settle brings deliveries in line with decisions about their endpoints: one batch
// for each marked endpoint. Accounts take turns, and within an account the endpoint
// that has waited longest comes first. It reports whether it got anywhere: then there
// may be more. An endpoint that failed, or whose account is locked, goes to the end of
// the queue; a locked account is tried once in a round.
func (s *Store) Settle(ctx context.Context) (progress bool, err error) {
	marked, err := db.Many[struct{ ID, AccountID uuid.UUID }](ctx, s.db, `
		SELECT id, account_id FROM (
			SELECT id, account_id, settle_at, row_number() OVER (PARTITION BY account_id ORDER BY settle_at) AS turn FROM webhook_endpoint WHERE settle_at IS NOT NULL) AS e
		ORDER BY turn, settle_at LIMIT $1`, settleLook)
	if err != nil {
		return false, fmt.Errorf("find endpoints to settle: %w", err)
	}
	var errs, busy []error
	locked := map[uuid.UUID]bool{}
	for _, e := range marked {
		if locked[e.AccountID] {
			continue
		}
		n, done, err := s.settleEndpoint(ctx, e.ID)
		progress = progress || n > 0 || done
		if err == nil {
			continue
		}
		err = fmt.Errorf("settle the deliveries of %s: %w", id.Format(id.WebhookConfig, e.ID), err)
		if locked[e.AccountID] = db.Busy(err); locked[e.AccountID] {
			busy = append(busy, err)
		} else {
			errs = append(errs, err)
		}
		if err := s.requeue(ctx, e.ID); err != nil {
			errs = append(errs, err)
		}
	}
	if progress {
		s.notifier.due()
	} else {
		errs = append(errs, busy...)
	}
	return progress, errors.Join(errs...)
}

// requeue puts a marked endpoint at the end of the queue, unless somebody has locked it.
func (s *Store) requeue(ctx context.Context, endpoint uuid.UUID) error {
	_, err := s.db.Exec(ctx, `
		WITH mine AS MATERIALIZED (SELECT id FROM webhook_endpoint WHERE id = $2 AND settle_at IS NOT NULL FOR NO KEY UPDATE SKIP LOCKED)
		UPDATE webhook_endpoint e SET settle_at = `+db.MomentSQL+` FROM mine WHERE e.id = mine.id`, s.db.Moment(), endpoint)
	if err != nil {
		return fmt.Errorf("let other endpoints settle first: %w", err)
	}
	return nil
}

// settleEndpoint settles a batch of an endpoint's deliveries, and removes the mark
// when none is left.
func (s *Store) settleEndpoint(ctx context.Context, endpoint uuid.UUID) (n int64, done bool, err error) {
	var left bool
	for _, c := range delivery.Settlements() {
		some, err := s.settleSome(ctx, c, endpoint)
		if err != nil {
			return n, false, err
		}
		n += some
		left = left || some == settleBatch
		s.settled.add(c.To, some)
	}
	if left { // the others come first
		return n, false, s.requeue(ctx, endpoint)
	}
	err = s.db.InBriefTx(ctx, func(tx pgx.Tx) error {
		// Whoever wrote deliveries before has committed by now, and whoever writes some
		// afterwards sees the decision.
		_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(`+endpointsLockOf(`account_id`)+`) FROM webhook_endpoint WHERE id = $1`, endpoint)
		if err != nil {
			return err
		}
		for _, c := range delivery.Settlements() {
			err := tx.QueryRow(ctx, `
				SELECT EXISTS (SELECT FROM webhook_endpoint e JOIN webhook_delivery d ON d.endpoint_id = e.id WHERE e.id = $1 AND `+settlesSQL(c)+` AND `+FromSQL(c)+`)`,
				endpoint).Scan(&left)
			if err != nil || left {
				return err
			}
		}
		done = true
		_, err = tx.Exec(ctx, `UPDATE webhook_endpoint SET settle_at = NULL WHERE id = $1`, endpoint)
		return err
	})
	return n, done && err == nil, err
}

// settleSome changes a batch of an endpoint's deliveries, while the change follows
// from how the endpoint is. Locked deliveries are left to the next time.
func (s *Store) settleSome(ctx context.Context, c delivery.Change, endpoint uuid.UUID) (n int64, err error) {
	err = s.db.InBriefTx(ctx, func(tx pgx.Tx) error {
		if c.To == "" { // releasing deliveries takes the same shared lock as writing them
			_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock_shared(`+endpointsLockOf(`account_id`)+`) FROM webhook_endpoint WHERE id = $1`, endpoint)
			if err != nil {
				return fmt.Errorf("share an account's endpoints: %w", err)
			}
			if _, err := LockHealth(ctx, tx, endpoint); err != nil {
				return err
			}
		}
		tag, err := tx.Exec(ctx, `
			UPDATE webhook_delivery SET `+ChangeSQL(c)+` WHERE id IN (
				SELECT d.id FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
				WHERE d.endpoint_id = $2 AND `+FromSQL(c)+` AND `+settlesSQL(c)+` LIMIT $3 FOR UPDATE OF d SKIP LOCKED)`, s.db.Moment(), endpoint, settleBatch)
		if err != nil {
			return fmt.Errorf("%s deliveries: %w", c.Name, err)
		}
		n = tag.RowsAffected()
		if c.To == "" && n > 0 {
			batch := &pgx.Batch{}
			MakeReady(batch, []uuid.UUID{endpoint})
			WakeRunNow(batch, endpoint, s.db.Moment())
			return tx.SendBatch(ctx, batch).Close()
		}
		return nil
	})
	return n, err
}

// walkSQL finds the endpoints that have deliveries in a state that is not
// final, by walking along the index.
func walkSQL(state delivery.State) string {
	from := `FROM webhook_delivery d WHERE d.state = '` + string(state) + `'`
	return `(WITH RECURSIVE walk AS (
		(SELECT d.endpoint_id ` + from + ` ORDER BY d.endpoint_id LIMIT 1)
		UNION ALL
		SELECT (SELECT d.endpoint_id ` + from + ` AND d.endpoint_id > walk.endpoint_id ORDER BY d.endpoint_id LIMIT 1) FROM walk WHERE walk.endpoint_id IS NOT NULL)
		SELECT endpoint_id FROM walk WHERE endpoint_id IS NOT NULL)`
}
