package deliveries

import (
	"context"
	"fmt"
	"time"

	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
)

// Backlog is the undelivered deliveries in one state.
type Backlog struct {
	State delivery.State
	Count int64
	// Oldest is how long the next attempt of the most overdue has been due, or
	// since when a delivery is HELD or FAILED.
	Oldest time.Duration
}

// Backlog counts undelivered deliveries by state; every state is present, even
// with none.
func (s *Store) Backlog(ctx context.Context) ([]Backlog, error) {
	type row struct {
		State   delivery.State
		Count   int64
		Seconds float64
	}
	rows, err := db.Many[row](ctx, s.db, `
		SELECT t.state, count(d.id) AS count,
			coalesce(greatest(extract(epoch FROM $1 - min(coalesce(d.next_attempt_at, d.updated_at))), 0), 0)::float8 AS seconds
		FROM unnest(ARRAY['PENDING', 'RETRYING', 'HELD', 'FAILED']) AS t (state) LEFT JOIN webhook_delivery d
			ON d.state = t.state AND d.state IN ('PENDING', 'RETRYING', 'HELD', 'FAILED')
		GROUP BY t.state ORDER BY t.state`, s.db.Clock())
	if err != nil {
		return nil, fmt.Errorf("count the backlog: %w", err)
	}
	list := make([]Backlog, len(rows))
	for i, r := range rows {
		list[i] = Backlog{r.State, r.Count, time.Duration(r.Seconds * float64(time.Second))}
	}
	return list, nil
}

// tooLong is how long a delivery that could be sent may wait.
const tooLong = 2 * time.Minute

// overdueCounted is where counting one endpoint's overdue deliveries stops.
const overdueCounted = 1000

// Overdue counts deliveries that are not sent although they could be: at healthy
// endpoints with no attempt in flight. Waiting for a failing endpoint, or for one
// that is sent to as fast as it answers, is by design.
func (s *Store) Overdue(ctx context.Context) (n int64, err error) {
	err = s.db.QueryRow(ctx, `
		WITH m AS (SELECT `+db.MomentSQL+` AS at, make_interval(secs => $2) AS late),
		idle AS MATERIALIZED (
			SELECT DISTINCT w.endpoint_id FROM m, (SELECT endpoint_id FROM `+walkSQL(delivery.Pending)+` AS p UNION SELECT endpoint_id FROM `+walkSQL(delivery.Retrying)+` AS r) AS w
			JOIN webhook_endpoint_health h ON h.endpoint_id = w.endpoint_id JOIN webhook_endpoint e ON e.id = w.endpoint_id
			WHERE `+SendableSQL+` AND h.failures < $3 AND coalesce(h.recovered_at < m.at - m.late, true)
				AND NOT EXISTS (SELECT FROM webhook_attempt a WHERE a.endpoint_id = h.endpoint_id AND a.outcome = 'SENDING' AND a.started_at > m.at - m.late))
		SELECT coalesce(sum(late.n), 0)::bigint FROM m, idle, LATERAL (
			SELECT (SELECT count(*) FROM (SELECT FROM webhook_delivery d WHERE d.endpoint_id = idle.endpoint_id AND d.state = 'PENDING' AND d.next_attempt_at < m.at - m.late LIMIT $4) AS d)
				+ (SELECT count(*) FROM (SELECT FROM webhook_delivery d WHERE d.endpoint_id = idle.endpoint_id AND d.state = 'RETRYING' AND d.next_attempt_at < m.at - m.late LIMIT $4) AS d) AS n) AS late`,
		s.db.Moment(), tooLong.Seconds(), delivery.FailingAfter, overdueCounted).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count overdue deliveries: %w", err)
	}
	return n, nil
}
