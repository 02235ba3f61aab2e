package deliveries

import (
	"context"
	"fmt"
	"time"

	"requisite/internal/id"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
)

// Backlog counts the undelivered deliveries in one state.
type Backlog struct {
	State delivery.State
	Count int64
	// Oldest is how long the most overdue delivery has been due. For HELD and FAILED, it is the
	// time since the oldest one entered that state.
	Oldest time.Duration
}

// Overview counts the deliveries and endpoints of all tenants, for operators and metrics.
type Overview struct{ *base }

func (b *base) overview() Overview { return Overview{b} }

// Backlog counts undelivered deliveries by state. The result has every state, also one with no
// deliveries.
func (s Overview) Backlog(ctx context.Context) ([]Backlog, error) {
	type row struct {
		State   delivery.State
		Count   int64
		Seconds float64
	}
	rows, err := db.Many[row](ctx, s.db, `
		WITH unfinished AS MATERIALIZED ( -- grouped by endpoint first, so that the endpoint is looked up once
			SELECT d.endpoint_id, d.state,
				count(*) AS n,
				min(CASE WHEN `+ReleasedSQL+` THEN h.released_at ELSE d.next_attempt_at END) AS due,
				min(d.updated_at) AS changed
			FROM webhook_delivery d JOIN webhook_endpoint_health h ON h.endpoint_id = d.endpoint_id
			WHERE d.state IN ('PENDING', 'RETRYING', 'FAILED') GROUP BY d.endpoint_id, d.state),
		shown AS (
			SELECT CASE WHEN u.state = 'FAILED' OR s.sendable THEN u.state ELSE 'HELD' END AS state, u.n,
				CASE WHEN u.state = 'FAILED' THEN u.changed WHEN s.sendable THEN u.due ELSE greatest(u.changed, e.updated_at) END AS since
			FROM unfinished u JOIN webhook_endpoint e ON e.id = u.endpoint_id, LATERAL (SELECT `+SendableSQL+` AS sendable) s
			WHERE u.state = 'FAILED' OR e.deleted_at IS NULL)
		SELECT t.state, coalesce(sum(s.n), 0)::bigint AS count, coalesce(greatest(extract(epoch FROM $1 - min(s.since)), 0), 0)::float8 AS seconds
		FROM unnest(ARRAY['PENDING', 'RETRYING', 'HELD', 'FAILED']) AS t (state) LEFT JOIN shown s ON s.state = t.state
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

// Endpoints counts enabled endpoints.
type Endpoints struct{ Healthy, Failing int64 }

// Endpoints counts the enabled endpoints of all tenants. An endpoint to which nothing was sent yet
// is healthy.
func (s Overview) Endpoints(ctx context.Context) (n Endpoints, err error) {
	err = s.db.QueryRow(ctx, `
		SELECT count(*) FILTER (WHERE h.failures < $1), count(*) FILTER (WHERE h.failures >= $1)
		FROM webhook_endpoint e JOIN webhook_endpoint_health h ON h.endpoint_id = e.id WHERE e.deleted_at IS NULL AND e.status = 'ACTIVE'`,
		delivery.FailingAfter).Scan(&n.Healthy, &n.Failing)
	if err != nil {
		return n, fmt.Errorf("count endpoints: %w", err)
	}
	return n, nil
}

// FailingHosts counts enabled endpoints that fail, and the different hosts in their URLs.
type FailingHosts struct{ Endpoints, Hosts int64 }

// FailingWith counts the failing endpoints of all tenants whose last attempt failed with one of the errors.
func (s Overview) FailingWith(ctx context.Context, errors ...string) (n FailingHosts, err error) {
	err = s.db.QueryRow(ctx, `
		SELECT count(*), count(DISTINCT lower(substring(e.url FROM '^[a-z]+://([^/?#]+)')))
		FROM webhook_endpoint e JOIN webhook_endpoint_health h ON h.endpoint_id = e.id
		WHERE e.deleted_at IS NULL AND e.status = 'ACTIVE' AND h.failures >= $1 AND h.last_error = ANY ($2)`,
		delivery.FailingAfter, errors).Scan(&n.Endpoints, &n.Hosts)
	if err != nil {
		return n, fmt.Errorf("count failing endpoints by error: %w", err)
	}
	return n, nil
}

// tooLong is how long a delivery that can be sent may wait.
const tooLong = 2 * time.Minute

// overdueCounted is the limit of counting one endpoint's overdue deliveries.
const overdueCounted = 1000

// Overdue counts deliveries that could be sent and are not: those of healthy endpoints with no
// attempt in flight. It does not count deliveries that wait as designed: for a failing endpoint,
// for the end of a Retry-After, or for an endpoint that is sent to as fast as it answers.
func (s Overview) Overdue(ctx context.Context) (n int64, err error) {
	err = s.db.QueryRow(ctx, `
		WITH m AS (SELECT `+db.MomentSQL+` AS at, make_interval(secs => $2) AS late),
		idle AS MATERIALIZED (
			SELECT DISTINCT w.endpoint_id, h.released_at FROM m, `+OpenEndpointsSQL+` AS w
			JOIN webhook_endpoint_health h ON h.endpoint_id = w.endpoint_id JOIN webhook_endpoint e ON e.id = w.endpoint_id
			WHERE `+SendableSQL+`
				AND h.failures < $3
				AND coalesce(greatest(h.recovered_at, `+retryAfterSQL(`m.at`)+`) < m.at - m.late, true)
				AND h.released_at < m.at - m.late
				AND NOT EXISTS (SELECT FROM webhook_attempt a WHERE a.endpoint_id = h.endpoint_id AND a.outcome = 'SENDING' AND a.started_at > m.at - m.late))
		SELECT coalesce(sum(late.n), 0)::bigint FROM m, idle, LATERAL (
			SELECT (SELECT count(*) FROM (
					SELECT FROM webhook_delivery d
					WHERE d.endpoint_id = idle.endpoint_id
						AND d.state = 'PENDING'
						AND d.next_attempt_at < m.at - m.late
					LIMIT $4) AS d)
				+ (SELECT count(*) FROM (
					SELECT FROM webhook_delivery d
					WHERE d.endpoint_id = idle.endpoint_id
						AND d.state = 'RETRYING'
						AND d.next_attempt_at < m.at - m.late
					LIMIT $4) AS d)
				+ (SELECT count(*) FROM (
					SELECT FROM webhook_delivery d
					WHERE d.endpoint_id = idle.endpoint_id
						AND d.state = 'RETRYING'
						AND d.updated_at <= idle.released_at
						AND d.next_attempt_at >= m.at - m.late
					LIMIT $4) AS d) AS n) AS late`,
		s.db.Moment(), tooLong.Seconds(), delivery.FailingAfter, overdueCounted).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count overdue deliveries: %w", err)
	}
	return n, nil
}

// LongestWaiting returns the delivery that has been due for longest at a healthy endpoint, of all
// tenants. The endpoint's own limits, or the service, delay it. A delivery in flight does not wait.
func (s Overview) LongestWaiting(ctx context.Context) (d id.UUID, due time.Duration, found bool, err error) {
	row, found, err := db.One[struct {
		ID      id.UUID
		Seconds float64
	}](ctx, s.db, `
		SELECT first.id, extract(epoch FROM m.at - first.since)::float8 AS seconds
		FROM (SELECT `+db.MomentSQL+` AS at) m, `+OpenEndpointsSQL+` AS w
			JOIN webhook_endpoint_health h ON h.endpoint_id = w.endpoint_id JOIN webhook_endpoint e ON e.id = w.endpoint_id, LATERAL (
			SELECT o.id, greatest(o.next_attempt_at, h.released_at, h.recovered_at, `+retryAfterSQL(`m.at`)+`) AS since FROM (
				(`+firstSQL(delivery.Pending)+`) UNION ALL (`+firstSQL(delivery.Retrying)+`)) AS o) first
		WHERE `+SendableSQL+` AND h.failures < $2 AND first.since < m.at ORDER BY first.since, first.id LIMIT 1`, s.db.Moment(), delivery.FailingAfter)
	if err != nil {
		return id.Nil, 0, false, fmt.Errorf("find the delivery that waits longest: %w", err)
	}
	return row.ID, time.Duration(row.Seconds * float64(time.Second)), found, nil
}

// firstSQL selects the delivery of endpoint h in a state that is due first.
func firstSQL(state delivery.State) string {
	return `SELECT d.id, d.next_attempt_at
		FROM webhook_delivery d
		WHERE d.endpoint_id = h.endpoint_id
			AND d.state = '` + string(state) + `'
			AND ` + IdleSQL + `
		ORDER BY d.next_attempt_at, d.id LIMIT 1`
}
