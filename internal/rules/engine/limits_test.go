package engine_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/limiter"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/engine"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/testkit/await"
)

func compiled(t *testing.T, when string) *requirement.Program {
	t.Helper()
	loaded, problems := requirement.Compile(requirement.RuleSet{Documents: []requirement.DocumentRule{{
		DocumentTypeCode: "A", Name: "n", Category: "c", RequirementText: "t", EntityType: fact.EntityBusiness, When: when}}}, requirement.Options{CostLimit: 1 << 62})
	require.Empty(t, problems)
	return loaded
}

// snapshot is one of a tenant of its own, with as many persons as may be.
func snapshot() calculation.Snapshot {
	s := calculation.Snapshot{Scope: domain.Scope{OrganizationID: id.New(), Environment: domain.Sandbox}}
	for i := range fact.MaxPersons {
		s.Facts.Persons = append(s.Facts.Persons, fact.PersonFacts{PersonID: fmt.Sprint("p", i)})
	}
	return s
}

// They wait as long as the caller's patience, and not for each other.
func TestPreviewAndCheck_HaveSlotsOfTheirOwn(t *testing.T) {
	t.Parallel()
	e := engine.New(nil, 0)
	preview := func() error {
		_, err := e.Preview(t.Context(), time.Millisecond, compiled(t, "size(persons) > 1"), "rul_1", snapshot())
		return err
	}
	check := func() error {
		_, err := e.Check(t.Context(), snapshot().Scope, time.Millisecond, fact.Date{}, []byte(`{"documents":[]}`))
		return err
	}
	for _, c := range []struct {
		full           *limiter.Limiter
		refused, other func() error
	}{{e.Limiters()[0], preview, check}, {e.Limiters()[1], check, preview}} {
		var taken []string
		for tenant := range 100 { // one tenant may hold only some of the slots
			if name := fmt.Sprint(tenant); c.full.TakeAll(name, 1) {
				taken = append(taken, name)
			}
		}
		require.ErrorIs(t, c.refused(), limiter.ErrBusy)
		require.NoError(t, c.other())
		for _, name := range taken {
			c.full.Release(name, 1)
		}
		require.NoError(t, c.refused())
	}
}

// Evaluations that never end hold all slots. They lend them to another tenant.
func TestPreview_LongEvaluationsLendTheirSlots(t *testing.T) {
	t.Parallel()
	e := engine.New(nil, 0)
	evaluations := e.Limiters()[0]
	endless := compiled(t, "persons.all(p, persons.all(q, persons.all(r, persons.all(s, persons.all(u, p.person_id != \"\")))))")
	ctx, stop := context.WithCancel(t.Context())
	slots := evaluations.Unused()
	hogs := make(chan error)
	for range slots {
		go func() {
			_, err := e.Preview(ctx, time.Hour, endless, "rul_1", snapshot())
			hogs <- err
		}()
	}
	await.True(t, "the slots to be taken", func(context.Context) error {
		if free := evaluations.Unused(); free > 0 {
			return fmt.Errorf("%d are free", free)
		}
		return nil
	})
	result, err := e.Preview(t.Context(), time.Hour, compiled(t, "size(persons) > 1"), "rul_1", snapshot())
	require.NoError(t, err)
	require.Len(t, result.Required, 1)
	stop()
	for range slots {
		require.ErrorIs(t, <-hogs, context.Canceled)
	}
	require.Zero(t, evaluations.Stat().InUse)
}

// TestRequiredInRecalculation_LendsItsSlotToCallers also of the same organization.
func TestRequiredInRecalculation_LendsItsSlotToCallers(t *testing.T) {
	t.Parallel()
	endless := requirement.RuleSet{Documents: []requirement.DocumentRule{{DocumentTypeCode: "A", Name: "n", Category: "c", RequirementText: "t", EntityType: fact.EntityBusiness,
		When: `persons.all(p, persons.all(q, persons.all(r, persons.all(s, persons.all(u, p.person_id != "")))))`}}}
	e := engine.New(versions{version: calculation.Publication{Content: string(endless.CanonicalJSON()), EnvironmentVersion: requirement.Newest().EnvironmentVersion, CostLimit: 1 << 62}}, 0)
	evaluations := e.Limiters()[0]
	ctx, stop := context.WithCancel(t.Context())
	of := snapshot()
	of.RuleSet = &calculation.VersionRef{}
	slots := evaluations.Unused()
	ended := make(chan error)
	for range slots {
		go func() {
			_, err := e.RequiredInRecalculation(ctx, of)
			ended <- err
		}()
	}
	await.True(t, "the slots to be taken", func(context.Context) error {
		if free := evaluations.Unused(); free > 0 {
			return fmt.Errorf("%d are free", free)
		}
		return nil
	})
	_, err := e.Preview(t.Context(), time.Hour, compiled(t, "size(persons) > 1"), "rul_1", of)
	require.NoError(t, err)
	stop()
	for range slots {
		require.ErrorIs(t, <-ended, context.Canceled)
	}
}

// versions has one version.
type versions struct {
	engine.Versions
	version calculation.Publication
}

func (v versions) RuleSetByID(context.Context, domain.Scope, id.UUID) (calculation.Publication, error) {
	return v.version, nil
}

// New rules may have another limit since the version was published.
func TestRequired_StopsAtTheLimitOfTheVersion(t *testing.T) {
	t.Parallel()
	rules := requirement.RuleSet{}
	for i := range 20 {
		rules.Documents = append(rules.Documents, requirement.DocumentRule{
			DocumentTypeCode: fmt.Sprint("D", i), Name: "n", Category: "c", RequirementText: "t", EntityType: fact.EntityBusiness,
			When: `persons.all(p, persons.all(q, p.person_id != "" && q.person_id != ""))`,
		})
	}
	required := func(limit uint64) error {
		version := calculation.Publication{Content: string(rules.CanonicalJSON()), EnvironmentVersion: requirement.Newest().EnvironmentVersion, CostLimit: int64(limit)}
		s := snapshot()
		s.RuleSet = &calculation.VersionRef{}
		_, err := engine.New(versions{version: version}, 0).Required(t.Context(), s)
		return err
	}
	require.NoError(t, required(10*requirement.DefaultCostLimit))
	for _, limit := range []uint64{requirement.DefaultCostLimit, requirement.DefaultCostLimit / 10} {
		require.ErrorContains(t, required(limit), requirement.ErrCostLimit.Error())
	}
}
