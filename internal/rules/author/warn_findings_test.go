package author

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulestest"
)

// TestWarnings_OfFindings are those of documents, in their own words.
func TestWarnings_OfFindings(t *testing.T) {
	t.Parallel()
	finding := func(code, when string) requirement.FindingRule {
		return requirement.FindingRule{FindingCode: code, Kind: requirement.KindHold, Name: "Name of " + code, Message: "Message of " + code, EntityType: fact.EntityBusiness, When: when}
	}
	example := func(score int, findings ...requirement.ExpectedFinding) requirement.Example {
		e := requirement.Example{Name: "e", Facts: fact.ExampleFacts{EvaluationScore: rulestest.Decimal(float64(score))}}
		e.Expect.Documents, e.Expect.Findings = []requirement.ExpectedDocument{}, findings
		return e
	}
	rs := func(examples []requirement.Example, findings ...requirement.FindingRule) requirement.RuleSet {
		return requirement.RuleSet{Documents: []requirement.DocumentRule{}, Findings: findings, Examples: examples}
	}
	const when = "evaluation_score > 5"
	found := requirement.ExpectedFinding{FindingCode: "F"}
	alike := finding("G", when)
	alike.Name, alike.Message = "Name of F", "Message of F"
	hidden := finding("F", when)
	hidden.Message = "a\u202eb"
	for name, c := range map[string]struct {
		rs   requirement.RuleSet
		path string
		want string // of which there is no warning if it begins with !
	}{
		"never":                       {rs(nil, finding("F", "persons.size() < 0")), "findings[0].when", "so it is never found"},
		"always":                      {rs(nil, finding("F", "persons.size() >= 0")), "findings[0].when", "so it is found of every application"},
		"untried":                     {rs([]requirement.Example{example(6)}, finding("F", when)), "findings[0]", "no example expects the finding F: add one that does"},
		"tried by an example of none": {rs([]requirement.Example{example(6, found)}, finding("F", when)), "findings[0]", "every example with findings expects F: add one that does not"},
		"alike":                       {rs(nil, finding("F", when), alike), "findings[1]", "G asks for the same as findings[0] (F), under the same condition"},
		"copied":                      {rs(nil, finding("F", when), finding("G", when)), "findings[1].when", "if both are always found together, add an example that expects both"},
		"together": {rs([]requirement.Example{example(6, found, requirement.ExpectedFinding{FindingCode: "G"})}, finding("F", when), finding("G", when)),
			"findings[1].when", "!found together"},
		"condition of a document": {requirement.RuleSet{Documents: []requirement.DocumentRule{documentRule(fact.EntityBusiness, when)}, Findings: []requirement.FindingRule{finding("F", when)}},
			"findings[0].when", "!is the condition of"},
		"hidden character": {rs(nil, hidden), "findings[0].message", "holds U+202E"},
	} {
		said := ""
		for _, w := range warned(t, c.rs) {
			if w.Path == c.path {
				said += w.Message + "\n"
			}
		}
		if c.want[0] == '!' {
			require.NotContains(t, said, c.want[1:], name)
		} else {
			require.Contains(t, said, c.want, name)
		}
	}
	lists := rs(nil, finding("F", "country in lists.used"))
	lists.Lists = map[string][]string{"used": {"US"}}
	require.Empty(t, likelyMistakes(t, lists), "a list that a finding uses is used")
}
