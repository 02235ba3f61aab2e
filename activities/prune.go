package activities

import (
	"context"

	"requisite/internal/postgres"
)

// Prune deletes what has expired.
func (a *Activities) Prune(ctx context.Context) (postgres.Pruned, error) {
	return a.store.Prune(ctx)
}
