package engine_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/limiter"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/engine"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

func compiled(t *testing.T, when string) *requirement.Program {
	t.Helper()
	loaded, problems := requirement.Compile(requirement.RuleSet{Documents: []requirement.DocumentRule{{
		DocumentTypeCode: "A", Name: "n", Category: "c", RequirementText: "t", EntityType: fact.EntityBusiness, When: when}}}, requirement.Options{})
	require.Empty(t, problems)
	return loaded
}

// snapshot is one of a tenant of its own, with as many persons as may be.
func snapshot() calculation.Snapshot {
	s := calculation.Snapshot{Scope: domain.Scope{OrganizationID: uuid.New(), Environment: domain.Sandbox}}
	for i := range fact.MaxPersons {
		s.Facts.Persons = append(s.Facts.Persons, fact.PersonFacts{PersonID: fmt.Sprint("p", i)})
	}
	return s
}

// They wait as long as the caller's patience. A long evaluation of one tenant leaves
// turns for another.
func TestPreviewAndCheck_WaitForASlot(t *testing.T) {
	t.Parallel()
	e := engine.New(nil, 0)
	evaluations := e.Limiters()[0]
	slots := evaluations.Take("another", evaluations.Free("another"))
	_, err := e.Preview(t.Context(), time.Millisecond, compiled(t, "size(persons) > 1"), "rul_1", snapshot())
	require.ErrorIs(t, err, limiter.ErrBusy)
	_, err = e.Check(t.Context(), snapshot().Scope, time.Millisecond, []byte(`{"documents":[]}`))
	require.ErrorIs(t, err, limiter.ErrBusy)
	evaluations.Release("another", slots)

	pairs := compiled(t, `persons.all(p, persons.all(q, p.person_id != "" && q.person_id != ""))`)
	ctx, stop := context.WithCancel(t.Context())
	hogs := make(chan error)
	for range slots {
		go func() {
			var err error
			for err == nil {
				_, err = e.Preview(ctx, time.Hour, pairs, "rul_1", snapshot())
			}
			hogs <- err
		}()
	}
	result, err := e.Preview(t.Context(), time.Hour, compiled(t, "size(persons) > 1"), "rul_1", snapshot())
	require.NoError(t, err)
	require.Len(t, result.Required, 1)
	stop()
	for range slots {
		require.ErrorIs(t, <-hogs, context.Canceled)
	}
	require.Zero(t, evaluations.Stat().InUse)
}
