// Package activities holds the steps of the workflows: thin layers over the
// rules and the database. Each may run more than once, and writes once.
package activities

import (
	"errors"
	"runtime"

	"go.temporal.io/sdk/temporal"

	"requisite/internal/domain"
	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
)

// Activities holds the dependencies of the activities. Its exported methods are the
// activities, registered under their own names.
type Activities struct {
	store       *store.Store
	programs    *programs
	evaluations *limiter.Turns   // everything that rules compute
	checks      *limiter.Limiter // rule sets that are being checked
}

// checksEach limits the concurrent checks of rule sets of one organization. A check keeps
// some MiB in memory while it waits for its turns.
const checksEach = 1

// New makes the activities over a store. Compiled rules may take cacheBytes of memory,
// by estimate. Rules are evaluated on half of the processors at most.
func New(store *store.Store, cacheBytes int64) *Activities {
	evaluations := limiter.NewTurns("evaluations", max(1, runtime.GOMAXPROCS(0)/2))
	return &Activities{
		store: store, programs: newPrograms(store, cacheBytes, evaluations), evaluations: evaluations,
		checks: limiter.New("rule_checks", 0, checksEach),
	}
}

// Measured returns the estimated memory of compiled rules and the limiters, for metrics.
// It is not a method, because exported methods are activities.
func Measured(a *Activities) (cacheBytes func() int64, limiters []*limiter.Limiter) {
	return a.programs.bytes, append(a.evaluations.Limiters(), a.checks)
}

// FactsChanged is the type of the failure of a step that saves a result for facts or rules
// that have changed since. It is final: a retry would fail again.
const FactsChanged = "FACTS_CHANGED"

// asFailure marks refusals and FactsChanged as final. Temporal retries other errors.
func asFailure(err error) error {
	if errors.Is(err, domain.ErrFactsChanged) {
		return temporal.NewApplicationErrorWithOptions(err.Error(), FactsChanged, temporal.ApplicationErrorOptions{
			NonRetryable: true,
			Category:     temporal.ApplicationErrorCategoryBenign,
		})
	}
	return refusal.AsFailure(err)
}
