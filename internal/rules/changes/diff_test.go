package changes

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// drawRuleSet draws a rule set that need not compile, from few names, so that
// two of them have much in common.
func drawRuleSet(t *rapid.T, label string) requirement.RuleSet {
	text, name := rapid.SampledFrom([]string{"a", "b", " a "}), rapid.SampledFrom([]string{"A", "B", "C"})
	var rs requirement.RuleSet
	for _, list := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"x", "y"}), 0, 2, rapid.ID).Draw(t, label+" lists") {
		if rs.Lists == nil {
			rs.Lists = map[string][]string{}
		}
		rs.Lists[list] = rapid.SliceOfN(text, 0, 3).Draw(t, label+" entries")
	}
	for _, code := range rapid.SliceOfN(name, 0, 4).Draw(t, label+" documents") {
		rs.Documents = append(rs.Documents, requirement.DocumentRule{
			DocumentTypeCode: code, EntityType: rapid.SampledFrom([]string{fact.EntityBusiness, fact.EntityPerson}).Draw(t, "entity"),
			Name: text.Draw(t, "name"), When: rapid.SampledFrom([]string{"", "true", "false"}).Draw(t, "when"),
		})
	}
	score := rational.Int(1)
	for _, example := range rapid.SliceOfN(name, 0, 3).Draw(t, label+" examples") {
		rs.Examples = append(rs.Examples, requirement.Example{
			Name:   example,
			Facts:  fact.ExampleFacts{EvaluationScore: rapid.SampledFrom([]*rational.Number{nil, &score}).Draw(t, "score")},
			Expect: requirement.Expectation{Documents: []requirement.ExpectedDocument{{DocumentTypeCode: name.Draw(t, "expected")}}},
		})
	}
	return rs
}

func TestCompare_IsEmptyExactlyForEqualCanonicalForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := drawRuleSet(t, "before")
		after := before
		after.Documents, after.Examples = slices.Clone(before.Documents), slices.Clone(before.Examples)
		switch rapid.IntRange(0, 5).Draw(t, "change") {
		case 0:
			after = drawRuleSet(t, "after")
		case 1:
			slices.Reverse(after.Documents)
		case 2:
			slices.Reverse(after.Examples)
		case 3:
			for i := range after.Documents {
				after.Documents[i].RequirementText += "."
			}
		case 4:
			for i := range after.Documents {
				d := &after.Documents[i]
				rapid.SampledFrom([]func(){
					func() { d.LegalBasis = "a" }, func() { d.MustBeValid = true }, func() { d.Hold = requirement.HoldWhenOpen },
					func() { d.AnyOf = []requirement.DocumentOption{{DocumentTypeCode: "A"}} },
				}).Draw(t, "term")()
			}
		}
		same := string(before.CanonicalJSON()) == string(after.CanonicalJSON())
		require.Equal(t, same, Compare(before, after).Empty())
	})
}

func TestCompare(t *testing.T) {
	one := rational.Int(1)
	was := requirement.RuleSet{
		Lists: map[string][]string{"gone": {"x"}, "grown": {"a", "b"}, "turned": {"a", "b"}, "same": {"s"}},
		Documents: []requirement.DocumentRule{
			{DocumentTypeCode: "STAYS", EntityType: fact.EntityBusiness, Name: "n"},
			{DocumentTypeCode: "CHANGES", EntityType: fact.EntityBusiness, Name: "old", When: "evaluation_score > 1"},
			{DocumentTypeCode: "CHANGES", EntityType: fact.EntityPerson},
		},
		Examples: []requirement.Example{{Name: "e1"}, {Name: "e2"}},
	}
	is := requirement.RuleSet{
		Lists: map[string][]string{"grown": {"b", "c"}, "turned": {"b", "a"}, "same": {"s"}, "new": {}},
		Documents: []requirement.DocumentRule{
			{DocumentTypeCode: "STAYS", EntityType: fact.EntityBusiness, Name: "n"},
			{DocumentTypeCode: "CHANGES", EntityType: fact.EntityBusiness, Name: "new"},
			{DocumentTypeCode: "NEW", EntityType: fact.EntityWorkflow},
		},
		Examples: []requirement.Example{{Name: "e2", Facts: fact.ExampleFacts{EvaluationScore: &one}}, {Name: "e3"}},
	}
	require.Equal(t, Diff{
		Added:   is.Documents[2:],
		Removed: was.Documents[2:],
		Changed: []DocumentChange{{"CHANGES", fact.EntityBusiness, []FieldChange{{"name", "old", "new"}, {"when", "evaluation_score > 1", ""}}}},
		Lists: []ListChange{
			{Name: "gone", Removed: []string{"x"}, Gone: true},
			{Name: "grown", Added: []string{"c"}, Removed: []string{"a"}},
			{Name: "new", New: true},
			{Name: "turned"},
		},
		Examples: []ExampleChange{{Name: "e2"}, {Name: "e3", New: true}, {Name: "e1", Gone: true}},
	}, Compare(was, is))
	require.True(t, Compare(was, was).Empty())
}
