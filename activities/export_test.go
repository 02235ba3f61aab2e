package activities

import (
	"context"

	"requisite/internal/postgres"
)

// Calculate is a calculation whose evaluation a test does itself.
func (a *Activities) Calculate(ctx context.Context, run postgres.Run, evaluate func(postgres.Snapshot) (postgres.Finding, error)) (postgres.RunResult, error) {
	return a.calculate(ctx, run, func(_ context.Context, _ source, snapshot postgres.Snapshot) (postgres.Finding, error) { return evaluate(snapshot) })
}

// UnderLocks is the last round of a calculation of required documents.
func (a *Activities) UnderLocks(ctx context.Context, run postgres.Run) (postgres.RunResult, error) {
	return a.calculateUnderLocks(ctx, run, func(ctx context.Context, from source, snapshot postgres.Snapshot) (postgres.Finding, error) {
		found, err := a.evaluateRules(ctx, from, snapshot)
		return postgres.Documents(found.Required), err
	})
}

// Rounds is how often the facts are read before they are held still.
const Rounds = rounds
