package changes

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

func value(text string) *fact.Value {
	v, err := fact.ParseValue([]byte(text))
	if err != nil {
		panic(err)
	}
	return &v
}

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
	for _, defined := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"d", "e"}), 0, 2, rapid.ID).Draw(t, label+" definitions") {
		if rs.Definitions == nil {
			rs.Definitions = map[string]string{}
		}
		rs.Definitions[defined] = rapid.SampledFrom([]string{"", "true", "definitions.d", "definitions.e"}).Draw(t, "definition")
	}
	for _, code := range rapid.SliceOfN(name, 0, 4).Draw(t, label+" documents") {
		rs.Documents = append(rs.Documents, requirement.DocumentRule{
			DocumentTypeCode: code, EntityType: rapid.SampledFrom([]string{fact.EntityBusiness, fact.EntityPerson}).Draw(t, "entity"),
			Name: text.Draw(t, "name"), When: rapid.SampledFrom([]string{"", "true", "false", "definitions.d", "definitions.("}).Draw(t, "when"),
		})
	}
	for _, of := range rapid.SliceOfN(rapid.SampledFrom([]string{"f", "g", "h"}), 0, 3).Draw(t, label+" facts") {
		d := fact.Declaration{Name: of, Label: text.Draw(t, "label"), Choices: rapid.SampledFrom([][]string{nil, {"a"}, {"a", "b"}}).Draw(t, "choices")}
		if rapid.Bool().Draw(t, "counts") {
			d.Default = rapid.SampledFrom([]*fact.Value{value("true"), value("false"), value("[]")}).Draw(t, "default")
			d.AskedWhen = rapid.SampledFrom([]string{"", "true", "false"}).Draw(t, "asked when")
		}
		rs.Facts = append(rs.Facts, d)
	}
	for _, code := range rapid.SliceOfN(name, 0, 2).Draw(t, label+" findings") {
		rs.Findings = append(rs.Findings, requirement.FindingRule{FindingCode: code, EntityType: fact.EntityPerson, Message: text.Draw(t, "message"), When: "true"})
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
		after.Facts = slices.Clone(before.Facts)
		switch rapid.IntRange(0, 7).Draw(t, "change") {
		case 0:
			after = drawRuleSet(t, "after")
		case 1:
			slices.Reverse(after.Documents)
		case 2:
			slices.Reverse(after.Examples)
		case 4:
			slices.Reverse(after.Facts)
		case 6:
			after.Findings = slices.Clone(before.Findings)
			slices.Reverse(after.Findings)
		case 3:
			for i := range after.Documents {
				after.Documents[i].RequirementText += "."
			}
		case 5:
			for i := range after.Documents {
				d := &after.Documents[i]
				rapid.SampledFrom([]func(){
					func() { d.LegalBasis = "a" }, func() { d.MustBeValid = true }, func() { d.Hold = requirement.HoldWhenOpen },
					func() {
						d.AnyOf = []requirement.DocumentOption{{OptionPart: requirement.OptionPart{DocumentTypeCode: "A"}}}
					},
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
		Findings: []requirement.FindingRule{{FindingCode: "CHANGES", EntityType: fact.EntityBusiness, Kind: requirement.KindHold, Message: "old", When: "true"}},
		Examples: []requirement.Example{{Name: "e1"}, {Name: "e2"}},
	}
	is := requirement.RuleSet{
		Lists: map[string][]string{"grown": {"b", "c"}, "turned": {"b", "a"}, "same": {"s"}, "new": {}},
		Documents: []requirement.DocumentRule{
			{DocumentTypeCode: "STAYS", EntityType: fact.EntityBusiness, Name: "n"},
			{DocumentTypeCode: "CHANGES", EntityType: fact.EntityBusiness, Name: "new"},
			{DocumentTypeCode: "NEW", EntityType: fact.EntityWorkflow},
		},
		Findings: []requirement.FindingRule{{FindingCode: "CHANGES", EntityType: fact.EntityBusiness, Kind: requirement.KindDecline, Message: "new", When: "true"}},
		Examples: []requirement.Example{{Name: "e2", Facts: fact.ExampleFacts{EvaluationScore: &one}}, {Name: "e3"}},
	}
	require.Equal(t, Diff{
		Added:   is.Rules()[2:3],
		Removed: was.Rules()[2:3],
		Changed: []RuleChange{
			{requirement.RuleKey{DocumentTypeCode: "CHANGES", EntityType: fact.EntityBusiness}, []FieldChange{{"name", "old", "new"}, {"when", "evaluation_score > 1", ""}}},
			{requirement.RuleKey{FindingCode: "CHANGES", EntityType: fact.EntityBusiness}, []FieldChange{{"kind", "HOLD", "DECLINE"}, {"message", "old", "new"}}},
		},
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

// TestCompare_ShowsADefinitionInTheRulesThatUseIt, also through another definition.
func TestCompare_ShowsADefinitionInTheRulesThatUseIt(t *testing.T) {
	rules := func(definitions map[string]string, whens ...string) (rs requirement.RuleSet) {
		rs.Definitions = definitions
		for i, when := range whens {
			rs.Documents = append(rs.Documents, requirement.DocumentRule{DocumentTypeCode: string(rune('A' + i)), EntityType: fact.EntityBusiness, When: when})
		}
		return rs
	}
	was := rules(map[string]string{"small": "evaluation_score < 5", "both": "definitions.small || definitions.old", "old": "true"}, "definitions.small", `"definitions.small" == country`, "persons.exists(p, definitions.both)", "", "persons.exists(p, p.definitions.both)")
	is := rules(map[string]string{"small": "evaluation_score < 6", "both": "definitions.small || definitions.old", "new": "false"}, "definitions.small", `"definitions.small" == country`, "persons.exists(p, definitions.both)", "", "persons.exists(p, p.definitions.both)")
	field := FieldChange{"definitions.small", "evaluation_score < 5", "evaluation_score < 6"}
	d := Compare(was, is)
	require.Equal(t, []RuleChange{
		{requirement.RuleKey{DocumentTypeCode: "A", EntityType: fact.EntityBusiness}, []FieldChange{field}}, {requirement.RuleKey{DocumentTypeCode: "C", EntityType: fact.EntityBusiness}, []FieldChange{field}},
		{requirement.RuleKey{DocumentTypeCode: "E", EntityType: fact.EntityBusiness}, []FieldChange{field}},
	}, d.Changed)
	require.Equal(t, []DefinitionChange{{"new", "", "false"}, {"old", "true", ""}, {"small", "evaluation_score < 5", "evaluation_score < 6"}}, d.Definitions)
}

// TestCompare_ShowsTheOptionsThatDiffer, as a rule file writes them.
func TestCompare_ShowsTheOptionsThatDiffer(t *testing.T) {
	rules := func(options ...requirement.DocumentOption) requirement.RuleSet {
		rule := requirement.DocumentRule{DocumentTypeCode: "D", EntityType: fact.EntityBusiness}
		rule.AnyOf = options
		return requirement.RuleSet{Documents: []requirement.DocumentRule{rule}}
	}
	option := func(code string, valid bool) (o requirement.DocumentOption) {
		o.DocumentTypeCode, o.Name = code, strings.ToLower(code)
		if valid {
			o.MustBeValid = &valid
		}
		return o
	}
	one, two, changed := option("ONE", false), option("TWO", false), option("TWO", true)
	fields := func(before, after requirement.RuleSet) []FieldChange { return Compare(before, after).Changed[0].Fields }
	require.Equal(t, []FieldChange{{"any_of", "{document_type_code: TWO, name: two}", "{document_type_code: TWO, name: two, must_be_valid: true}"}},
		fields(rules(one, two), rules(one, changed)))
	require.Equal(t, []FieldChange{{"any_of", "", "{document_type_code: ONE, name: one}\n{document_type_code: TWO, name: two}"}}, fields(rules(), rules(one, two)))
	require.Equal(t, []FieldChange{{
		"any_of", "{document_type_code: ONE, name: one}\n{document_type_code: TWO, name: two}", "{document_type_code: TWO, name: two}\n{document_type_code: ONE, name: one}",
	}}, fields(rules(one, two), rules(two, one)))
}
