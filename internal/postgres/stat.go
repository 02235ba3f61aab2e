package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// PoolStat tells how the connections are used.
func (s *Store) PoolStat() *pgxpool.Stat { return s.pool.Stat() }

// Backlog is what is not delivered, of one state.
type Backlog struct {
	State DeliveryState
	Count int64
	// Oldest is how long the next attempt of the most overdue has been due, or
	// since when a delivery is HELD or FAILED.
	Oldest time.Duration
}

// Backlog counts deliveries that have not ended well, by state; every state is
// there, also with none.
func (s *Store) Backlog(ctx context.Context) ([]Backlog, error) {
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
