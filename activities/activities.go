// Package activities holds the steps of the workflows: thin layers over the
// rules and the database. Each may run more than once, and writes once.
package activities

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"time"

	"go.temporal.io/sdk/temporal"

	"requisite/internal/domain"
	"requisite/internal/postgres"
	"requisite/internal/refusal"
	"requisite/internal/share"
)

// Activities holds what the steps depend on. Its exported methods are the
// activities, registered under their own names.
type Activities struct {
	store      *postgres.Store
	programs   *programs
	evaluation time.Duration
	// Limits of one organization. A local activity that times out waiting for its
	// turn continues as an ordinary one.
	steps, evaluations *share.Places
}

// Limits limit the work of calculations in one process.
type Limits struct {
	// Evaluation is how much processor time evaluating the rules of one calculation
	// may take. Beyond that, the calculation is refused and not retried.
	Evaluation time.Duration
	// Evaluations is how many run at once, half of them at most for one
	// organization; zero is one for each processor, but no more than four, because
	// each may need a process with 80 MiB.
	Evaluations int
	// StepsEach is how many steps that hold a connection run at once for one
	// organization; zero is no limit.
	StepsEach int
	// CacheBytes is how much memory compiled rules may take, by estimate.
	CacheBytes int64
}

// New makes the activities over a store.
func New(store *postgres.Store, l Limits) *Activities {
	evaluations := cmp.Or(l.Evaluations, min(runtime.GOMAXPROCS(0), 4))
	return &Activities{
		store: store, programs: newPrograms(store, l.CacheBytes), evaluation: l.Evaluation,
		steps:       share.New("calculation_steps", 0, l.StepsEach),
		evaluations: share.New("evaluations", evaluations, max(1, evaluations/2)),
	}
}

// Measured returns what metrics report of the activities: the estimated memory of
// compiled rules, and the places that tenants share. It is not a method, because
// exported methods are activities.
func Measured(a *Activities) (cacheBytes func() int64, places []*share.Places) {
	return a.programs.bytes, []*share.Places{a.steps, a.evaluations}
}

// inTurn runs a step as soon as its organization has a place for it.
func inTurn[T any](ctx context.Context, p *share.Places, scope domain.Scope, do func() (T, error)) (T, error) {
	patience, bounded := ctx.Value(patienceKey{}).(time.Duration)
	if !bounded {
		patience = -1 // a run continues in any case
	}
	release, err := p.Take(ctx, scope.OrganizationID.String(), patience)
	if err != nil {
		var none T
		return none, err
	}
	defer release()
	return do()
}

type patienceKey struct{}

// Patient limits how long steps wait for their turn while a caller waits.
// Beyond that they fail with share.ErrBusy.
func Patient(ctx context.Context, patience time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey{}, patience)
}

// FactsChanged is the type of the failure of a step that found other facts or rules
// on record than those that it was to save a result for. It is final: the same step
// would find the same.
const FactsChanged = "FACTS_CHANGED"

// asFailure converts an error so that Temporal can distinguish what is final, a
// refusal or FactsChanged, from a fault, which is retried.
func asFailure(err error) error {
	if errors.Is(err, domain.ErrFactsChanged) {
		return temporal.NewApplicationErrorWithOptions(err.Error(), FactsChanged, temporal.ApplicationErrorOptions{
			NonRetryable: true,
			Category:     temporal.ApplicationErrorCategoryBenign,
		})
	}
	return refusal.AsFailure(err)
}
