// Package activities is what the workflows touch: thin steps over the rules and
// the database. Every one may run twice and writes once.
package activities

import (
	"errors"

	"go.temporal.io/sdk/temporal"

	"requisite/internal/postgres"
	"requisite/internal/refusal"
)

// Activities holds what the steps depend on. Its exported methods are the
// activities, registered under their own names.
type Activities struct {
	store    *postgres.Store
	programs *programs
}

// New makes the activities over a store.
func New(store *postgres.Store) (*Activities, error) {
	cache, err := newPrograms(store)
	if err != nil {
		return nil, err
	}
	return &Activities{store: store, programs: cache}, nil
}

// factsChangedType marks a write that came too late: the workflow reads again.
const factsChangedType = "FACTS_CHANGED"

// IsFactsChanged reports that a step wrote nothing because facts or rules had
// changed since they were read.
func IsFactsChanged(err error) bool {
	var app *temporal.ApplicationError
	return errors.As(err, &app) && app.Type() == factsChangedType
}

// asFailure passes an error on in the form that Temporal needs to tell a
// refusal, which is final, from a fault, which is retried.
func asFailure(err error) error {
	if errors.Is(err, postgres.ErrFactsChanged) {
		return temporal.NewApplicationErrorWithOptions(err.Error(), factsChangedType, temporal.ApplicationErrorOptions{
			NonRetryable: true,
			Category:     temporal.ApplicationErrorCategoryBenign,
		})
	}
	return refusal.AsFailure(err)
}
