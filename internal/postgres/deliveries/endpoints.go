package deliveries

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"requisite/internal/postgres/db"
)

// MaxEndpoints is how many endpoints an account may have; the schema has that
// many slots.
const MaxEndpoints = 20

// An advisory lock serializes writers of an account's deliveries, who share it, with
// three others: the beginning of a replay, which must see every earlier event, an erasure,
// which no replay may pass, and the removal of a ready endpoint, which must see every
// delivery.
var endpointsLock = endpointsLockOf(`$1`)

func endpointsLockOf(account string) string {
	return `hashtextextended('webhook_endpoints/' || ` + account + `::text, 0)`
}

// HoldEndpoints waits for the writers of an account's deliveries.
func HoldEndpoints(ctx context.Context, q db.Querier, accountID uuid.UUID) error {
	if _, err := q.Exec(ctx, `SELECT pg_advisory_xact_lock(`+endpointsLock+`)`, accountID); err != nil {
		return fmt.Errorf("hold an account's endpoints: %w", err)
	}
	return nil
}
