package store

import (
	"context"
	"fmt"
	"time"

	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
)

// BackgroundState is the state of background work, for metrics.
type BackgroundState struct {
	Backlog []deliveries.Backlog
	// Overdue is how many deliveries could have been sent for two minutes and were not. At most a
	// thousand are counted for each endpoint.
	Overdue   int64
	Endpoints deliveries.Endpoints
	// LastSuccess has the last success of each Schedule, of the Backup and of the Restore. For one that
	// has never succeeded, it is the time when the schema was created.
	LastSuccess map[Schedule]time.Time
}

// Upkeep does the work that repeats by the clock, and keeps when it last succeeded.
type Upkeep struct{ *base }

// BackgroundState reads the state of background work. It counts the deliveries of all tenants only
// on request: the worker's role sees them, the api's does not.
func (s Upkeep) BackgroundState(ctx context.Context, deliveries bool) (now BackgroundState, err error) {
	if deliveries {
		if now.Backlog, err = s.deliveries.Overview.Backlog(ctx); err != nil {
			return now, err
		}
		if now.Overdue, err = s.deliveries.Overview.Overdue(ctx); err != nil {
			return now, err
		}
		if now.Endpoints, err = s.deliveries.Overview.Endpoints(ctx); err != nil {
			return now, err
		}
	}
	now.LastSuccess, err = s.lastSuccess(ctx)
	return now, err
}

// Schedule is a Temporal schedule of the service.
type Schedule string

// The schedules.
const (
	SchedulePrune     Schedule = "prune"
	ScheduleReconcile Schedule = "reconcile"
	ScheduleDeadlines Schedule = "deadlines"
	// ScheduleRecalculations starts the recalculations that are due.
	ScheduleRecalculations Schedule = "recalculations"
)

// These are not Temporal schedules. The operator's jobs record their success, with the statements in
// docs/operating/backup.md.
const (
	Backup Schedule = "backup"
	// Restore restores a backup into a scratch database, and verifies its decisions.
	Restore Schedule = "restore"
)

// Succeeded records when a run of a schedule last succeeded, by the database's clock. A worker's
// clock may be ahead, and would for that long hide that the work has stopped.
func (s Upkeep) Succeeded(ctx context.Context, what Schedule) error {
	_, err := s.db.Exec(ctx, `
		INSERT INTO schedule_success (schedule, at) VALUES ($2, `+db.MomentSQL+`)
		ON CONFLICT (schedule) DO UPDATE SET at = excluded.at`, s.db.Moment(), what)
	if err != nil {
		return fmt.Errorf("record the success of %s: %w", what, err)
	}
	return nil
}

func (s Upkeep) lastSuccess(ctx context.Context) (map[Schedule]time.Time, error) {
	rows, err := db.Many[struct {
		Schedule Schedule
		At       time.Time
	}](ctx, s.db, `SELECT schedule, at FROM schedule_success`)
	if err != nil {
		return nil, fmt.Errorf("read when schedules last worked: %w", err)
	}
	last := map[Schedule]time.Time{}
	for _, r := range rows {
		last[r.Schedule] = r.At
	}
	return last, nil
}
