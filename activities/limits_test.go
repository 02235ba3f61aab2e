package activities_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"requisite/activities"
	"requisite/internal/domain"
	"requisite/internal/evaluation"
	"requisite/internal/refusal"
	"requisite/internal/requirement"
	"requisite/internal/share"
)

func compiled(t *testing.T, rules int, when string) *evaluation.Rules {
	t.Helper()
	var set requirement.RuleSet
	for i := range rules {
		set.Documents = append(set.Documents, requirement.DocumentRule{
			DocumentTypeCode: fmt.Sprint("DOC_", i), Name: "n", Category: "c", RequirementText: "t", EntityType: requirement.EntityBusiness, When: when})
	}
	loaded, problems, err := evaluation.Load(t.Context(), set.CanonicalJSON(), requirement.Options{})
	require.NoError(t, err)
	require.Empty(t, problems)
	return loaded
}

// snapshot is one of a tenant of its own, with as many persons as may be.
func snapshot() domain.Snapshot {
	s := domain.Snapshot{Scope: domain.Scope{OrganizationID: uuid.New(), Environment: domain.Sandbox}}
	for i := range requirement.MaxPersons {
		s.Facts.Persons = append(s.Facts.Persons, requirement.PersonFacts{PersonID: fmt.Sprint("p", i)})
	}
	return s
}

// What takes too long once takes too long each time: it must not be retried for
// ever on a queue that others share.
func TestAnEvaluationThatTakesTooLongIsRefusedForGood(t *testing.T) {
	t.Parallel()
	a := activities.New(nil, activities.Limits{Evaluation: 3 * time.Millisecond})
	slow := compiled(t, 10, `persons.all(p, persons.all(q, p.person_id != "" && q.person_id != ""))`)
	_, err := a.Evaluate(t.Context(), slow, "rul_1", snapshot())
	var failure *temporal.ApplicationError
	require.ErrorAs(t, err, &failure)
	require.True(t, failure.NonRetryable())
	_, ok := refusal.FromError(err)
	require.True(t, ok)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = a.Evaluate(ctx, compiled(t, 1, `size(persons) > 1`), "rul_1", snapshot())
	require.False(t, errors.As(err, &failure) && failure.NonRetryable(), "that the process stops is no answer")
}

func TestOneTenantTakesNoMoreThanItsShareOfEvaluations(t *testing.T) {
	t.Parallel()
	a := activities.New(nil, activities.Limits{Evaluation: time.Minute, Evaluations: 4, StepsEach: 3})
	rules := compiled(t, 1, `size(persons) > 1`)
	hog, other := snapshot(), snapshot()
	_, places := activities.Measured(a)
	steps, evaluations := places[0], places[1]
	for range 2 { // half of them
		_, err := evaluations.Take(t.Context(), hog.Scope.OrganizationID.String(), 0)
		require.NoError(t, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := a.Evaluate(ctx, rules, "rul_1", hog)
	require.ErrorIs(t, err, context.DeadlineExceeded, "it waits for its turn")
	result, err := a.Evaluate(t.Context(), rules, "rul_1", other)
	require.NoError(t, err)
	require.Len(t, result.Required, 1)

	for range 3 {
		_, err := steps.Take(t.Context(), hog.Scope.OrganizationID.String(), 0)
		require.NoError(t, err)
	}
	_, err = a.LoadFacts(ctx, activities.Calculation{Run: domain.Run{Call: domain.Call{Scope: hog.Scope}}})
	require.ErrorIs(t, err, context.DeadlineExceeded, "it asks for no connection")
}

// TestACallerWhoWaitsIsToldInTime: only a run waits for its turn for as long as it
// takes.
func TestACallerWhoWaitsIsToldInTime(t *testing.T) {
	t.Parallel()
	a := activities.New(nil, activities.Limits{Evaluation: time.Minute, Evaluations: 2})
	hog := snapshot()
	_, places := activities.Measured(a)
	_, err := places[1].Take(t.Context(), hog.Scope.OrganizationID.String(), 0)
	require.NoError(t, err)
	_, err = a.Evaluate(activities.Patient(t.Context(), time.Millisecond), compiled(t, 1, `size(persons) > 1`), "rul_1", hog)
	require.ErrorIs(t, err, share.ErrBusy)
}
