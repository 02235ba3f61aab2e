package deliveries

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"requisite/internal/store/db"
)

// MaxEndpoints is how many endpoints an account may have; the schema has that
// many slots.
const MaxEndpoints = 20

// An advisory lock protects the endpoints of an account: shared by transactions
// that write deliveries, exclusive for those that disable, enable or delete an
// endpoint, so that neither misses the other. Row locks would do the same, but a
// steady stream of shared locks would starve an exclusive one; advisory locks
// are granted in the order in which they are requested. Read endpoints in a
// statement after the one that locks, because a statement sees what was
// committed when it began.
var endpointsLock = endpointsLockOf(`$1`)

func endpointsLockOf(account string) string {
	return `hashtextextended('webhook_endpoints/' || ` + account + `::text, 0)`
}

// ShareEndpoints takes the lock of an account's endpoints to write deliveries.
func ShareEndpoints(ctx context.Context, q db.Querier, accountID uuid.UUID) error {
	if _, err := q.Exec(ctx, `SELECT pg_advisory_xact_lock_shared(`+endpointsLock+`)`, accountID); err != nil {
		return fmt.Errorf("share an account's endpoints: %w", err)
	}
	return nil
}

// HoldEndpoints takes the lock of an account's endpoints to change one.
func HoldEndpoints(ctx context.Context, q db.Querier, accountID uuid.UUID) error {
	if _, err := q.Exec(ctx, `SELECT pg_advisory_xact_lock(`+endpointsLock+`)`, accountID); err != nil {
		return fmt.Errorf("hold an account's endpoints: %w", err)
	}
	return nil
}
