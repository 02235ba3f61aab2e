package requirement

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
	"requisite/internal/rules/rulestest"
	"requisite/internal/text/visible"
)

// drawRuleSet draws a rule set that need not compile, from few names, so that
// two of them have much in common.
func drawRuleSet(t *rapid.T, label string) RuleSet {
	text := rapid.OneOf(rapid.SampledFrom([]string{"a", "b", "7995", "yes", "~", "2026-01-15", " a ", "a\nb\n", "- a: b #", "'\"", "\x00\x1b", "<<", "1_000", "=", "é\u2028", "\t\n", "\n x\n"}), rapid.String())
	name := rapid.SampledFrom([]string{"A", "B", "C"})
	var rs RuleSet
	for _, list := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"x", "y"}), 0, 2, rapid.ID).Draw(t, label+" lists") {
		if rs.Lists == nil {
			rs.Lists = map[string][]string{}
		}
		rs.Lists[list] = rapid.SliceOfN(text, 0, 3).Draw(t, label+" entries")
	}
	for _, code := range rapid.SliceOfN(name, 0, 4).Draw(t, label+" documents") {
		rs.Documents = append(rs.Documents, DocumentRule{
			DocumentTypeCode: code, EntityType: rapid.SampledFrom([]string{fact.EntityBusiness, fact.EntityPerson}).Draw(t, "entity"),
			Name: text.Draw(t, "name"), When: rapid.SampledFrom([]string{"", "true", "false"}).Draw(t, "when"),
		})
	}
	for _, example := range rapid.SliceOfN(name, 0, 3).Draw(t, label+" examples") {
		rs.Examples = append(rs.Examples, Example{Name: example, Facts: fact.ExampleFacts{
			AsOf: rulestest.Ptr(rulestest.Date("2026-01-15")), EvaluationScore: rapid.SampledFrom([]*fact.Number{nil, rulestest.Decimal(1.0), rulestest.Decimal(1e11), rulestest.Decimal(-2.5)}).Draw(t, "score"),
		}, Expect: Expectation{Documents: []ExpectedDocument{{DocumentTypeCode: name.Draw(t, "expected")}}}})
	}
	return rs
}

func TestYAML_OfARuleSetReadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rs := drawRuleSet(t, "set")
		for i := range rs.Documents {
			if rs.Documents[i].When == "" { // reads back as left out, which it is
				rs.Documents[i].When = "true"
			}
		}
		written := rs.YAML()
		back, problems := ReadRuleSet(rulefile.YAMLFile(written))
		require.Empty(t, problems, "%s", written)
		require.Equal(t, string(rs.CanonicalJSON()), string(back.CanonicalJSON()), "%s", written)
	})
}

func TestYAML_ShowsHiddenCharactersAsEscapes(t *testing.T) {
	rs := RuleSet{
		Lists:     map[string][]string{"l": {"\u200e7995"}},
		Documents: []DocumentRule{{DocumentTypeCode: "A", Name: "exe.\u202efdp", Category: "c \U000e0041", RequirementText: "One.\nTwo\u2066.\n", EntityType: fact.EntityBusiness}},
	}
	written := string(rs.YAML())
	require.Contains(t, written, `name: "exe.\u202Efdp"`)
	require.Equal(t, visible.Terminal(written), written)
	back, problems := ReadRuleSet(rulefile.YAMLFile([]byte(written)))
	require.Empty(t, problems, written)
	require.Equal(t, string(rs.CanonicalJSON()), string(back.CanonicalJSON()))
}

func TestYAML_IsFormattedForReading(t *testing.T) {
	rs := RuleSet{
		Lists:     map[string][]string{"high_risk": {"7995", "A1"}},
		Documents: []DocumentRule{{DocumentTypeCode: "A", Name: "true", Category: "c", RequirementText: "One.\nTwo.\n", EntityType: fact.EntityBusiness, When: `evaluation_score > 1 && "7995" in industry_category_code`}},
		Examples:  []Example{{Name: "e", Facts: fact.ExampleFacts{AsOf: rulestest.Ptr(rulestest.Date("2026-01-15")), EvaluationScore: rulestest.Decimal(2.5)}, Expect: Expectation{Documents: []ExpectedDocument{}}}},
	}
	require.Equal(t, `lists:
  high_risk: ["7995", A1]
documents:
  - document_type_code: A
    name: "true"
    category: c
    requirement_text: |
      One.
      Two.
    entity_type: Business
    when: evaluation_score > 1 && "7995" in industry_category_code
examples:
  - name: e
    facts:
      as_of: "2026-01-15"
      evaluation_score: 2.5
    expect:
      documents: []
`, string(rs.YAML()))
	require.Equal(t, "documents: []\n", string(RuleSet{}.YAML()))
}

func TestGapNames_AreTheFactsOfGaps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		when, _ := rulestest.DrawCondition(t, true)
		program := mustCompile(t, oneRule(fact.EntityPerson, when))
		somebody := fact.Facts{Persons: []fact.PersonFacts{{PersonID: "p"}}}
		for _, f := range []fact.Facts{{}, somebody} {
			result, err := program.Evaluate(t.Context(), f)
			require.NoError(t, err)
			gaps := []string{}
			for _, gap := range result.Gaps {
				gaps = append(gaps, gap.Fact)
				require.Equal(t, []string{"DOC"}, program.NeededBy(gap.Fact))
			}
			slices.Sort(gaps)
			names := slices.DeleteFunc(program.GapNames(), func(name string) bool { return name == "persons" && len(f.Persons) > 0 })
			require.Equal(t, gaps, append([]string{}, names...))
		}
		require.Empty(t, program.NeededBy("nothing"))
	})
}
