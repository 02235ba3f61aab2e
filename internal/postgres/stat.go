package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"requisite/internal/webhook"
)

// PoolStat tells how the connections are used.
func (s *Store) PoolStat() *pgxpool.Stat { return s.pool.Stat() }

// Standing is how the work stands, for those who watch it.
type Standing struct {
	Backlog []Backlog
	// Overdue is how many deliveries nobody sends although they should have gone
	// two minutes ago; of one endpoint, a thousand are counted at most.
	Overdue int64
	// LastSuccess of what runs by the clock, by Schedule. One that has never worked
	// has the time when the schema was made.
	LastSuccess map[Schedule]time.Time
}

// Standing reads how the work stands. Deliveries are of all tenants, and counted
// only when they are asked for: the worker's role sees them, the api's does not.
func (s *Store) Standing(ctx context.Context, deliveries bool) (now Standing, err error) {
	if deliveries {
		if now.Backlog, err = s.backlog(ctx); err != nil {
			return now, err
		}
		if now.Overdue, err = s.leftWaiting(ctx); err != nil {
			return now, err
		}
	}
	now.LastSuccess, err = s.lastSuccess(ctx)
	return now, err
}

// Backlog is what is not delivered, of one state.
type Backlog struct {
	State DeliveryState
	Count int64
	// Oldest is how long the next attempt of the most overdue has been due, or
	// since when a delivery is HELD or FAILED.
	Oldest time.Duration
}

// backlog counts deliveries that have not ended well, by state; every state is
// there, also with none.
func (s *Store) backlog(ctx context.Context) ([]Backlog, error) {
	type row struct {
		State   DeliveryState
		Count   int64
		Seconds float64
	}
	rows, err := many[row](ctx, s.pool, `
		SELECT t.state, count(d.id) AS count,
			coalesce(greatest(extract(epoch FROM $1 - min(coalesce(d.next_attempt_at, d.updated_at))), 0), 0)::float8 AS seconds
		FROM unnest(ARRAY['PENDING', 'RETRYING', 'HELD', 'FAILED']) AS t (state) LEFT JOIN webhook_delivery d
			ON d.state = t.state AND d.state IN ('PENDING', 'RETRYING', 'HELD', 'FAILED')
		GROUP BY t.state ORDER BY t.state`, s.clock())
	if err != nil {
		return nil, fmt.Errorf("count the backlog: %w", err)
	}
	list := make([]Backlog, len(rows))
	for i, r := range rows {
		list[i] = Backlog{r.State, r.Count, time.Duration(r.Seconds * float64(time.Second))}
	}
	return list, nil
}

// tooLong is how long a delivery may wait for a dispatcher while its endpoint is
// well.
const tooLong = 2 * time.Minute

// leftWaiting counts deliveries that wait for a dispatcher for too long, and those
// whose run does not begin the attempt that is due. Those of an
// endpoint that fails wait by design, and so do those of one that is sent to as
// fast as it answers: neither is counted. The walk finds the endpoints with
// something waiting, however much that is, and the order keeps to the index of
// what is due at each.
func (s *Store) leftWaiting(ctx context.Context) (n int64, err error) {
	at := s.clock()
	err = s.pool.QueryRow(ctx, `
		WITH RECURSIVE waiting AS (
			(SELECT endpoint_id FROM webhook_delivery WHERE state IN ('PENDING', 'RETRYING') AND dispatched_at IS NULL ORDER BY endpoint_id LIMIT 1)
			UNION ALL
			SELECT (SELECT d.endpoint_id FROM webhook_delivery d WHERE d.state IN ('PENDING', 'RETRYING') AND d.dispatched_at IS NULL
				AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
			FROM waiting w WHERE w.endpoint_id IS NOT NULL),
		left_alone AS MATERIALIZED (
			SELECT w.endpoint_id FROM waiting w JOIN webhook_endpoint_health h ON h.endpoint_id = w.endpoint_id JOIN webhook_endpoint e ON e.id = w.endpoint_id
			WHERE e.status = 'ACTIVE' AND e.deleted_at IS NULL AND h.failures < $2 AND coalesce(h.recovered_at < $1, true)
				AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = w.endpoint_id AND d.state IN ('PENDING', 'RETRYING')
					AND d.dispatched_at IS NOT NULL AND d.next_attempt_at BETWEEN $1 AND $3))
		SELECT (SELECT count(*) FROM webhook_delivery d JOIN webhook_endpoint_health h ON h.endpoint_id = d.endpoint_id JOIN webhook_endpoint e ON e.id = d.endpoint_id
			WHERE d.state IN ('PENDING', 'RETRYING') AND d.dispatched_at < $1 AND d.next_attempt_at < $1
				AND e.status = 'ACTIVE' AND e.deleted_at IS NULL AND h.failures < $2 AND coalesce(h.recovered_at < $1, true) AND `+idle+`)
			+ coalesce(sum(late.n), 0)::bigint FROM left_alone, LATERAL (
			SELECT count(*) AS n FROM (
				SELECT FROM webhook_delivery d WHERE d.endpoint_id = left_alone.endpoint_id AND d.state IN ('PENDING', 'RETRYING')
					AND d.dispatched_at IS NULL AND d.next_attempt_at < $1 ORDER BY d.next_attempt_at LIMIT 1000) AS d) AS late`,
		at.Add(-tooLong), webhook.FailingAfter, at, at.Add(-sendingLife)).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count overdue deliveries: %w", err)
	}
	return n, nil
}

// Schedule is something that runs by the clock.
type Schedule string

// The schedules.
const (
	SchedulePrune     Schedule = "prune"
	ScheduleReconcile Schedule = "reconcile"
)

// Succeeded records that a run of a schedule has come to its good end.
func (s *Store) Succeeded(ctx context.Context, what Schedule) error {
	_, err := s.pool.Exec(ctx, `
		INSERT INTO schedule_success AS s (schedule, at) VALUES ($1, $2)
		ON CONFLICT (schedule) DO UPDATE SET at = greatest(s.at, excluded.at)`, what, s.clock())
	if err != nil {
		return fmt.Errorf("record the success of %s: %w", what, err)
	}
	return nil
}

func (s *Store) lastSuccess(ctx context.Context) (map[Schedule]time.Time, error) {
	rows, err := many[struct {
		Schedule Schedule
		At       time.Time
	}](ctx, s.pool, `SELECT schedule, at FROM schedule_success`)
	if err != nil {
		return nil, fmt.Errorf("read when schedules last worked: %w", err)
	}
	last := map[Schedule]time.Time{}
	for _, r := range rows {
		last[r.Schedule] = r.At
	}
	return last, nil
}
