package activities

import (
	"context"
	"time"

	"requisite/internal/postgres"
)

// Retention is how long things are kept that have no life of their own.
type Retention struct {
	// Events, with their deliveries and attempts; zero is the default, and less
	// than the least is the least.
	Events time.Duration `json:"events,omitempty"`
}

// Prune deletes what has expired.
func (a *Activities) Prune(ctx context.Context, keep Retention) (postgres.Pruned, error) {
	life := keep.Events
	if life == 0 {
		life = postgres.DefaultEventLife
	}
	return a.store.Prune(ctx, life)
}
