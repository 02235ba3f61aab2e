package changes

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

func TestImpact(t *testing.T) {
	doc := func(code string) requirement.Document {
		return requirement.Document{DocumentTypeCode: code, EntityType: fact.EntityPerson}
	}
	type byChange = requirement.ByChange[[]requirement.Document, []requirement.Document]
	i := NewImpact(2)
	i.AddChanges("w_1", requirement.Changes{ByChange: byChange{Added: []requirement.Document{doc("B"), doc("B"), doc("A")}, Kept: []requirement.Document{doc("C")}}})
	i.AddChanges("w_2", requirement.Changes{ByChange: byChange{Kept: []requirement.Document{doc("C")}}})
	i.AddChanges("w_3", requirement.Changes{ByChange: byChange{Removed: []requirement.Document{doc("C")}, Restored: []requirement.Document{doc("A")}}})
	for _, id := range []string{"w_4", "w_5", "w_6"} {
		i.AddGaps(id, []fact.Gap{{Fact: "person.citizenship"}, {Fact: "person.citizenship"}, {Fact: "evaluation_score"}})
	}
	i.AddFailure("w_7", "no answer")
	i.Sum()
	require.Equal(t, 7, i.Workflows)
	require.Equal(t, Tally{2, 2, []string{"w_1", "w_3"}}, i.Changed)
	require.Equal(t, Tally{1, 1, []string{"w_2"}}, i.Unchanged)
	require.Equal(t, Tally{3, 3, []string{"w_4", "w_5"}}, i.Blocked)
	require.Equal(t, []DocumentImpact{
		{DocumentTypeCode: "A", EntityType: fact.EntityPerson, Added: Tally{1, 1, []string{"w_1"}}, Restored: Tally{1, 1, []string{"w_3"}}},
		{DocumentTypeCode: "B", EntityType: fact.EntityPerson, Added: Tally{2, 1, []string{"w_1"}}},
		{DocumentTypeCode: "C", EntityType: fact.EntityPerson, Kept: Tally{2, 2, []string{"w_1", "w_2"}}, Removed: Tally{1, 1, []string{"w_3"}}},
	}, i.Documents)
	require.Equal(t, []GapImpact{{"evaluation_score", Tally{3, 3, []string{"w_4", "w_5"}}}, {"person.citizenship", Tally{6, 3, []string{"w_4", "w_5"}}}}, i.Missing)
	require.Equal(t, []FailureImpact{{"no answer", Tally{1, 1, []string{"w_7"}}}}, i.Failures)

	for n := range 1000 {
		i.AddFailure("w_8", fmt.Sprint("no answer but ", n))
	}
	require.Len(t, i.Sum().Failures, maxFailures+1)
	require.Equal(t, 1001, i.Failed.Workflows)
	require.Equal(t, 1000-(maxFailures-1), i.failures[otherFailures].Workflows)
}
