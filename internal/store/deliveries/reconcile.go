package deliveries

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/id"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
)

// Reconciled counts what a reconciliation repaired. All counts should be zero. It does not count
// regular work: the canceled deliveries of deleted endpoints, and the removed parked endpoints.
type Reconciled struct {
	Lost    int64 `json:"lost,omitempty"`    // attempts without an outcome
	Unready int64 `json:"unready,omitempty"` // endpoints that no session looked at
	NoRun   int64 `json:"no_run,omitempty"`  // endpoints in trouble with no wake-up recorded for their run
	Overdue int64 `json:"overdue,omitempty"` // overdue deliveries; counted, not changed
}

// Repairs finds and repairs what no other step repairs.
type Repairs struct{ *base }

// Reconcile repairs what no other step repairs. Repeating it changes nothing. Locked rows are left
// to the next call. An error in one part, or for one endpoint, does not stop the others.
func (s Repairs) Reconcile(ctx context.Context) (Reconciled, error) {
	lost, lostErr := s.ends().MarkExpired(ctx)
	found := Reconciled{Lost: int64(lost)}
	repairErr := errors.Join(s.collect(ctx), s.claims().removeParked(ctx), s.reopen(ctx, &found), s.wakeForgotten(ctx, &found))
	overdue, overdueErr := s.overview().Overdue(ctx)
	found.Overdue = overdue
	if found != (Reconciled{}) {
		s.notifier.due()
	}
	return found, errors.Join(lostErr, repairErr, overdueErr)
}

// collectBatch limits how many deliveries one statement cancels, and collectFor how long one
// reconciliation spends on it.
const (
	collectBatch = 5000
	collectFor   = 2 * time.Second
)

// collect stores CANCELED in the open deliveries of deleted endpoints. They count as canceled since
// the endpoint was deleted. Once stored, they no longer count as waiting, and can be pruned. Locked
// ones are left to the next call.
func (s Repairs) collect(ctx context.Context) error {
	deleted, err := db.Column[id.UUID](ctx, s.db, `
		SELECT e.id FROM `+OpenEndpointsSQL+` AS w JOIN webhook_endpoint e ON e.id = w.endpoint_id
		WHERE e.deleted_at IS NOT NULL ORDER BY e.deleted_at, e.id`)
	if err != nil {
		return fmt.Errorf("find deliveries of deleted endpoints: %w", err)
	}
	var errs []error
	began, c := time.Now(), delivery.Cancel()
	for _, e := range deleted {
		for more := true; more && time.Since(began) < collectFor; {
			tag, err := s.db.Exec(ctx, `
				UPDATE webhook_delivery SET `+ChangeSQL(c)+` WHERE id IN (
					SELECT d.id FROM webhook_delivery d WHERE d.endpoint_id = $2 AND `+FromSQL(c)+` LIMIT $3 FOR UPDATE SKIP LOCKED)`, s.db.Moment(), e, collectBatch)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s deliveries of %s: %w", c.Name, id.Format(id.WebhookConfig, e), err))
				break
			}
			s.ended.add(c.To, tag.RowsAffected())
			more = tag.RowsAffected() == collectBatch
		}
	}
	return errors.Join(errs...)
}

// reopen makes endpoints ready that have deliveries to send and that no session looks at.
func (s Repairs) reopen(ctx context.Context, found *Reconciled) error {
	endpoints, err := db.Column[id.UUID](ctx, s.db, `
		SELECT e.id FROM `+walkSQL(delivery.Pending)+` AS w JOIN webhook_endpoint e ON e.id = w.endpoint_id JOIN webhook_endpoint_health h ON h.endpoint_id = e.id
		LEFT JOIN webhook_ready q ON q.endpoint_id = e.id
		WHERE `+SendableSQL+` AND h.failures < $1 AND coalesce(q.session_at, 'infinity') = 'infinity'`, delivery.FailingAfter)
	if err != nil {
		return fmt.Errorf("find endpoints that are not ready: %w", err)
	}
	var errs []error
	for _, e := range endpoints {
		err := s.db.InBriefTx(ctx, func(tx pgx.Tx) error {
			batch := &pgx.Batch{}
			MakeReady(batch, e)
			return tx.SendBatch(ctx, batch).Close()
		})
		switch {
		case err == nil:
			found.Unready++
		case !db.Busy(err):
			errs = append(errs, fmt.Errorf("make %s ready: %w", id.Format(id.WebhookConfig, e), err))
		}
	}
	return errors.Join(errs...)
}

// wakeForgotten finds endpoints in trouble whose run does not look and has no wake-up scheduled.
func (s Repairs) wakeForgotten(ctx context.Context, found *Reconciled) error {
	tag, err := s.db.Exec(ctx, `
		WITH mine AS MATERIALIZED (
			SELECT h.endpoint_id FROM webhook_endpoint_health h JOIN webhook_endpoint e ON e.id = h.endpoint_id JOIN (
				SELECT endpoint_id FROM `+walkSQL(delivery.Retrying)+` AS retrying
				UNION SELECT p.endpoint_id FROM `+walkSQL(delivery.Pending)+` AS p
					JOIN webhook_endpoint_health f ON f.endpoint_id = p.endpoint_id
					WHERE f.failures >= $2) AS owed
				ON owed.endpoint_id = h.endpoint_id
			WHERE `+SendableSQL+` AND h.looks_at IS NULL AND h.wake_at IS NULL FOR UPDATE OF h SKIP LOCKED)
		UPDATE webhook_endpoint_health h SET wake_at = `+db.MomentSQL+`, wake_lease = NULL FROM mine WHERE mine.endpoint_id = h.endpoint_id`,
		s.db.Moment(), delivery.FailingAfter)
	if err != nil {
		return fmt.Errorf("find endpoints without a run: %w", err)
	}
	found.NoRun = tag.RowsAffected()
	return nil
}

// OpenEndpointsSQL selects the endpoints of all tenants that have open deliveries.
var OpenEndpointsSQL = `(` + walkSQL(delivery.Pending) + ` UNION ` + walkSQL(delivery.Retrying) + `)`

// walkSQL finds the endpoints that have deliveries in a state that is not final. It jumps from
// endpoint to endpoint along the index.
func walkSQL(state delivery.State) string {
	from := `FROM webhook_delivery d WHERE d.state = '` + string(state) + `'`
	return `(WITH RECURSIVE walk AS (
		(SELECT d.endpoint_id ` + from + ` ORDER BY d.endpoint_id LIMIT 1)
		UNION ALL
		SELECT (SELECT d.endpoint_id ` + from + ` AND d.endpoint_id > walk.endpoint_id ORDER BY d.endpoint_id LIMIT 1) FROM walk WHERE walk.endpoint_id IS NOT NULL)
		SELECT endpoint_id FROM walk WHERE endpoint_id IS NOT NULL)`
}
