// Package activities holds the steps of the workflows: thin layers over the
// rules and the database. Each may run more than once, and writes once.
package activities

import (
	"errors"

	"go.temporal.io/sdk/temporal"

	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/engine"
	"requisite/internal/store"
)

// Activities holds the dependencies of the activities. Its exported methods are the
// activities, registered under their own names.
type Activities struct {
	store *store.Store
	rules *engine.Engine
}

// New makes the activities over a store and the rules in it.
func New(store *store.Store, rules *engine.Engine) *Activities {
	return &Activities{store: store, rules: rules}
}

// FactsChanged is the type of the failure of a step whose facts or rules have changed or have
// gone since they were read. It is final: a retry would fail again.
const FactsChanged = "FACTS_CHANGED"

// asFailure marks refusals and FactsChanged as final. Temporal retries other errors.
func asFailure(err error) error {
	if errors.Is(err, calculation.ErrFactsChanged) || errors.Is(err, calculation.ErrNoVersion) {
		return temporal.NewApplicationErrorWithOptions(err.Error(), FactsChanged, temporal.ApplicationErrorOptions{
			NonRetryable: true,
			Category:     temporal.ApplicationErrorCategoryBenign,
		})
	}
	return refusal.AsFailure(err)
}
