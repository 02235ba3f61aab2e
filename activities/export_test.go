package activities

import (
	"context"
	"reflect"

	"requisite/internal/domain"
	"requisite/internal/postgres"
)

// Calculate is a calculation whose evaluation a test does itself.
func (a *Activities) Calculate(ctx context.Context, run domain.Run, evaluate func(domain.Snapshot) (postgres.Finding, error)) (domain.RunResult, error) {
	return a.calculate(ctx, run, func(_ context.Context, _ source, snapshot domain.Snapshot) (postgres.Finding, error) {
		return evaluate(snapshot)
	})
}

// UnderLocks is the last round of a calculation of required documents.
func (a *Activities) UnderLocks(ctx context.Context, run domain.Run) (domain.RunResult, error) {
	return a.calculateUnderLocks(ctx, run, func(ctx context.Context, from source, snapshot domain.Snapshot) (postgres.Finding, error) {
		found, err := a.evaluateRules(ctx, from, snapshot)
		return postgres.Documents(found.Required), err
	})
}

// PreparedHere reports whether the rules and the pricing model that are compiled before
// the locks are taken are also evaluated in this process.
func (a *Activities) PreparedHere(ctx context.Context, run domain.Run) (bool, error) {
	from, err := a.prepare(ctx, run)
	if err != nil {
		return false, err
	}
	p := from.(prepared)
	return reflect.DeepEqual(p.program, p.program.Here()) && reflect.DeepEqual(p.pricing, p.pricing.Here()), nil
}

// Rounds is how often the facts are read before they are held still.
const Rounds = rounds
