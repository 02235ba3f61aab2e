package deployment

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"requisite/internal/config"
	"requisite/internal/metrics"
)

// AbandonedAfter is how long the current version may be without workers before one of
// another version takes over, unless that is for operators to decide.
const AbandonedAfter = 2 * time.Minute

// Keeper keeps the deployment in order for a worker: it makes the worker's version current
// when it should, and moves runs to where they are worked on.
type Keeper struct {
	*Deployment
	BuildID     string
	MakeCurrent string // config.MakeCurrentAtStart and its like
	Log         *slog.Logger

	seen      atomic.Pointer[metrics.WorkerVersion]
	abandoned time.Time // since when the current version is
	made      bool      // what is due at the start
}

const (
	// Until the server knows the worker.
	keepSoon = 500 * time.Millisecond
	keepEach = 10 * time.Second
	// Until then it may be starting; later an operator should read about it.
	quietFor = 30 * time.Second
)

// Seen is what the keeper saw last, for metrics.
func (k *Keeper) Seen() metrics.WorkerVersion {
	if seen := k.seen.Load(); seen != nil {
		return *seen
	}
	return metrics.WorkerVersion{BuildID: k.BuildID, Status: string(Inactive)}
}

func (k *Keeper) keepSeen(s State, now time.Time) {
	seen := metrics.WorkerVersion{BuildID: k.BuildID, Status: string(Inactive)}
	for _, v := range s.Versions {
		if v.BuildID == k.BuildID {
			seen.Status = string(v.Status)
		}
		if v.Stranded(now) {
			seen.Stranded += v.Runs
		}
	}
	k.seen.Store(&seen)
}

// Run keeps order until ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	started := time.Now()
	for {
		settled, err := k.once(ctx)
		if err != nil && ctx.Err() == nil && (time.Since(started) > quietFor || !errors.Is(err, ErrNotThere)) {
			k.Log.WarnContext(ctx, "keep the worker's versions in order; it is tried again", "error", err, "build_id", k.BuildID)
		}
		next := keepEach
		if !settled && time.Since(started) < quietFor {
			next = keepSoon
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(next):
		}
	}
}

// once looks, and does what is due. It is settled once nothing is due for the start.
func (k *Keeper) once(ctx context.Context) (settled bool, err error) {
	now := time.Now()
	s, err := k.state(ctx, func(v Version) bool { return v.Status == Draining || !v.Polled(now) })
	if err != nil {
		return false, err
	}
	k.keepSeen(s, now)
	if k.due(s, now) {
		if err := k.Deployment.MakeCurrent(ctx, k.BuildID); err != nil {
			return false, err
		}
		k.Log.InfoContext(ctx, "this worker's version is the current one: it begins all runs that have a version", "build_id", k.BuildID, "before", s.Current)
		k.made = true
		return false, nil // look again soon: there may be runs to move
	}
	begun, err := k.Move(ctx, s)
	if begun > 0 {
		k.Log.InfoContext(ctx, "runs were on a version that no worker serves, and were begun anew on the current one", "runs", begun, "current", s.Current)
	}
	return s.Current != "" || k.MakeCurrent == config.MakeCurrentNever, err
}

// due reports whether the worker's version is to become the current one now.
func (k *Keeper) due(s State, now time.Time) bool {
	if s.Current == k.BuildID {
		k.made, k.abandoned = true, time.Time{}
		return false
	}
	if k.MakeCurrent == config.MakeCurrentNever {
		return false
	}
	if k.MakeCurrent == config.MakeCurrentAtStart && !k.made || s.Current == "" {
		return true
	}
	if v := s.Version(s.Current); v != nil && v.Polled(now) {
		k.abandoned = time.Time{}
		return false
	}
	if k.abandoned.IsZero() {
		k.abandoned = now
	}
	return now.Sub(k.abandoned) >= AbandonedAfter
}
