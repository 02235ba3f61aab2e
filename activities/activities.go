// Package activities is what the workflows touch: thin steps over the rules and
// the database. Every one may run twice and writes once.
package activities

import (
	"cmp"
	"context"
	"runtime"
	"time"

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
	// What one organization may do at once. A step that waits for its turn beyond
	// its time goes on as an ordinary activity.
	steps, evaluations *share.Places
}

// Limits bound the work of calculations in one process.
type Limits struct {
	// Evaluation is how long evaluating the rules of one calculation may take.
	// Beyond it there is no answer: it is refused, and not tried again.
	Evaluation time.Duration
	// Evaluations is how many run at once, half of them at most for one
	// organization; zero is one a processor.
	Evaluations int
	// StepsEach is how many steps that hold a connection run at once for one
	// organization; zero is no bound.
	StepsEach int
	// CacheBytes is how much memory compiled rules may take, by estimate.
	CacheBytes int64
}

// New makes the activities over a store.
func New(store *postgres.Store, l Limits) *Activities {
	evaluations := cmp.Or(l.Evaluations, runtime.GOMAXPROCS(0))
	return &Activities{
		store: store, programs: newPrograms(store, l.CacheBytes), evaluation: l.Evaluation,
		steps:       share.New("calculation_steps", 0, l.StepsEach),
		evaluations: share.New("evaluations", evaluations, max(1, evaluations/2)),
	}
}

// Measured gives what is to be measured of the activities: the memory of compiled
// rules by estimate, and the places that tenants share. It is no method: those
// that are exported are activities.
func Measured(a *Activities) (cacheBytes func() int64, places []*share.Places) {
	return a.programs.bytes, []*share.Places{a.steps, a.evaluations}
}

// inTurn does a step when its organization has a place for it.
func inTurn[T any](ctx context.Context, p *share.Places, scope domain.Scope, do func() (T, error)) (T, error) {
	patience, bounded := ctx.Value(patienceKey{}).(time.Duration)
	if !bounded {
		patience = -1 // a run goes on anyway
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

// Patient bounds how long steps wait for their turn, for a caller who waits for
// them. Beyond it they fail with share.ErrBusy.
func Patient(ctx context.Context, patience time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey{}, patience)
}

// asFailure passes an error on in the form that Temporal needs to tell a
// refusal, which is final, from a fault, which is retried.
func asFailure(err error) error { return refusal.AsFailure(err) }
