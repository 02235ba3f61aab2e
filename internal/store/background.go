package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
)

// RunToStart is a recalculation, or a replay to an endpoint, whose run must be started.
type RunToStart struct {
	ID          id.UUID
	AccountID   id.UUID
	Environment domain.Environment
	EndpointID  id.NullUUID // null for a recalculation
	URL         string      // of the endpoint
}

// startLease is how long a worker has to start a run before another worker tries. Later, each step
// of the run leases its row for domain.RunLease.
const startLease = 30 * time.Second

// LongRuns keeps how far runs in steps have come: recalculations, replays and recoveries.
type LongRuns struct{ *base }

// ToStart leases up to most recalculations, and as many replays, whose runs must be started:
// they are new, or their runs have written nothing for a while. It returns the leased runs even
// with an error.
func (s LongRuns) ToStart(ctx context.Context, most int) ([]RunToStart, error) {
	recalculations, err := s.lease(ctx, "recalculation", "true", "NULL::uuid", most)
	replays, errOfReplays := s.lease(ctx, "webhook_replay", deliveries.AllEndedSQL, "r.endpoint_id", most)
	return append(recalculations, replays...), errors.Join(err, errOfReplays)
}

// lease leases rows r of a table. mayStart is a condition on them, and endpoint is the SQL of
// their endpoint's id.
func (s LongRuns) lease(ctx context.Context, table, mayStart, endpoint string, most int) ([]RunToStart, error) {
	leased, err := db.Many[RunToStart](ctx, s.db, `
		WITH due AS MATERIALIZED (
			SELECT r.id FROM `+table+` r WHERE r.state = 'RUNNING' AND r.lease < `+db.MomentSQL+` AND `+mayStart+`
			ORDER BY r.id LIMIT $2 FOR UPDATE SKIP LOCKED),
		leased AS (UPDATE `+table+` r SET lease = `+db.MomentSQL+` + make_interval(secs => $3) FROM due WHERE r.id = due.id RETURNING r.*)
		SELECT r.id, r.account_id, a.environment, e.id AS endpoint_id, coalesce(e.url, '') AS url
		FROM leased r JOIN account a ON a.id = r.account_id LEFT JOIN webhook_endpoint e ON e.id = `+endpoint, s.db.Moment(), most, startLease.Seconds())
	if err != nil {
		return nil, fmt.Errorf("find runs to start in %s: %w", table, err)
	}
	return leased, nil
}
