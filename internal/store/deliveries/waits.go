package deliveries

import (
	"context"
	"fmt"
	"time"

	"requisite/internal/id"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
)

// Waits returns why each of some deliveries waits. It leaves out deliveries that have ended.
func Waits(ctx context.Context, q db.Querier, moment *time.Time, ids ...id.UUID) (map[id.UUID][]delivery.Wait, error) {
	rows, err := db.Many[struct {
		HealthRow
		RatePerSecond    *int
		Concurrency      *int
		ID               id.UUID
		State            delivery.State
		DueAt            time.Time
		RetryRequestedAt *time.Time
		Enabled          bool
		Keyed            bool
		InFlight         int
		Sending          bool
		Earlier          bool
		WorkerSeen       *time.Time
		At               time.Time
	}](ctx, q, `
		SELECT d.id, d.state, w.due_at, d.retry_requested_at,
			e.status = 'ACTIVE' AS enabled, `+KeyedSQL+` AS keyed,
			`+inFlightSQL(`m.at`)+` AS in_flight,
			NOT `+IdleSQL+` AS sending,
			`+earlierSQL(delivery.Pending)+` OR `+earlierSQL(delivery.Retrying)+` AS earlier,
			(SELECT s.at FROM schedule_success s WHERE s.schedule = 'reconcile') AS worker_seen,
			m.at,
			`+healthRowColumns+`, e.rate_per_second, e.concurrency
		FROM (SELECT `+db.MomentSQL+` AS at) m, webhook_delivery d
			JOIN webhook_endpoint e ON e.id = d.endpoint_id
			JOIN webhook_endpoint_health h ON h.endpoint_id = d.endpoint_id,
			LATERAL (SELECT d.id, d.endpoint_id, CASE WHEN `+ReleasedSQL+` THEN greatest(h.released_at, d.created_at) ELSE d.next_attempt_at END AS due_at) w
		WHERE d.id = ANY ($2) AND d.state IN ('PENDING', 'RETRYING') AND e.deleted_at IS NULL`, moment, ids)
	if err != nil {
		return nil, fmt.Errorf("find out why deliveries wait: %w", err)
	}
	waits := map[id.UUID][]delivery.Wait{}
	for _, r := range rows {
		waits[r.ID] = delivery.Waits(delivery.Delivery{State: r.State, DueAt: r.DueAt, RetryRequestedAt: db.OrZero(r.RetryRequestedAt)}, delivery.Situation{
			Enabled: r.Enabled, Keyed: r.Keyed, Health: r.Health(), Limits: limitsRow{r.RatePerSecond, r.Concurrency, r.OpensAt}.limits(),
			InFlight: r.InFlight, Sending: r.Sending, Earlier: r.Earlier, WorkerSeen: db.OrZero(r.WorkerSeen),
		}, r.At)
	}
	return waits, nil
}

// earlierSQL holds if another delivery of the endpoint in a state has been due for longer than w.
// It reads one entry of an index, and the attempts in flight.
func earlierSQL(state delivery.State) string {
	return `(
		SELECT true FROM webhook_delivery d
		WHERE d.endpoint_id = w.endpoint_id
			AND d.state = '` + string(state) + `'
			AND (d.next_attempt_at, d.id) < (w.due_at, w.id)
			AND ` + IdleSQL + `
		ORDER BY d.next_attempt_at LIMIT 1) IS NOT NULL`
}
