package requirement

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
	"requisite/internal/rules/rulestest"
)

const optionsYAML = `
facts:
  - {name: abroad, entity_type: Business, type: BOOLEAN, label: abroad, ask: Whether it is abroad.}
  - {name: listed, entity_type: Business, type: BOOLEAN, label: listed, ask: Whether it is listed.}
documents:
  - document_type_code: PROOF
    name: Proof
    category: c
    requirement_text: r
    entity_type: Business
    any_of:
      - {document_type_code: PASSPORT, name: Passport, valid_for: 6 months, when: custom.abroad}
      - {document_type_code: PASSPORT, name: Passport at home, when: "!custom.abroad && custom.listed"}
      - {all_of: [{document_type_code: BILL, name: Bill}, {document_type_code: DEED, name: Deed}], when: custom.listed}
`

// The facts of an option are needed as those of the rule are. A rule of which no option is offered
// gives no document, and says why.
func TestOptions_AreOfferedByTheirConditions(t *testing.T) {
	rs, problems := ReadRuleSet(rulefile.YAMLFile([]byte(optionsYAML)))
	require.Empty(t, problems)
	program, problems := Compile(rs, Options{})
	require.Empty(t, problems)
	facts := func(abroad, listed string) fact.Facts {
		f := rulestest.CompleteFacts()
		f.Custom = fact.Values{}
		for name, text := range map[string]string{"abroad": abroad, "listed": listed} {
			if text != "" {
				v, err := fact.ParseValue([]byte(text))
				require.NoError(t, err)
				f.Custom[name] = v
			}
		}
		return f
	}
	result, err := program.Evaluate(t.Context(), facts("true", ""))
	require.NoError(t, err)
	require.Equal(t, "custom.listed", result.Gaps[0].Fact)

	for _, c := range []struct {
		abroad, listed string
		offered        []int
		names          string
	}{{"true", "true", []int{0, 2}, "Passport, Bill and Deed"}, {"false", "true", []int{1, 2}, "Passport at home, Bill and Deed"}, {"true", "false", []int{0}, "Passport"}} {
		result, err = program.Evaluate(t.Context(), facts(c.abroad, c.listed))
		require.NoError(t, err)
		require.Len(t, result.Required, 1)
		require.Equal(t, c.offered, result.Required[0].Offered)
		var names []string
		for _, o := range result.Rules[0].Document.Offer(result.Required[0].Offers) {
			require.Empty(t, o.When)
			names = append(names, o.label())
		}
		require.Equal(t, c.names, strings.Join(names, ", "))
	}
	result, err = program.Evaluate(t.Context(), facts("false", "false"))
	require.NoError(t, err)
	require.Empty(t, result.Required)
	require.Equal(t, `Proof: not required, because no option is offered: Passport: not offered because "abroad" is false; `+
		`Passport at home: not offered because "listed" is false; Bill and Deed: not offered because "listed" is false.`, result.NotRequired[0].Reason.Message)
	require.Equal(t, ReasonFacts{"custom.abroad": false, "custom.listed": false}, result.NotRequired[0].Reason.Facts)

	var explained []RuleExplanation
	_, err = program.ExplainEach(t.Context(), facts("false", "false"), func(r RuleExplanation, steps func() *Step) error {
		r.Steps = steps()
		explained = append(explained, r)
		return nil
	})
	require.NoError(t, err)
	require.False(t, explained[0].Required)
	require.Len(t, explained[0].Steps.Steps, 3)
}

func TestOptions_AreChecked(t *testing.T) {
	option := func(code, when string) DocumentOption {
		return DocumentOption{OptionPart: OptionPart{DocumentTypeCode: code, Name: "n"}, When: when}
	}
	dated := func(o DocumentOption) DocumentOption { o.NotOlderThan = rulestest.Period("1 day"); return o }
	allOf := func(codes ...string) (o DocumentOption) {
		for _, code := range codes {
			o.AllOf = append(o.AllOf, OptionPart{DocumentTypeCode: code, Name: "n"})
		}
		return o
	}
	var large []DocumentOption
	for i := range 5 {
		large = append(large, allOf(rulestest.Numbered(string(rune('A'+i)), 5)...))
	}
	both := allOf("A", "B")
	both.DocumentTypeCode = "C"
	for name, c := range map[string]struct {
		terms Terms
		want  string
	}{
		"a code in two options, with the same terms": {Terms{AnyOf: []DocumentOption{allOf("A", "B"), allOf("A", "C")}}, ""},
		"two of one code, each with a condition":     {Terms{AnyOf: []DocumentOption{option("A", "true"), dated(option("A", "false"))}}, ""},
		"two of one code, one with a condition":      {Terms{AnyOf: []DocumentOption{option("A", "true"), option("A", "")}}, "d.any_of[1].document_type_code A is already any_of[0]: write each option once, or give each of the two a when"},
		"a code with other terms":                    {Terms{AnyOf: []DocumentOption{dated(option("A", "")), allOf("A", "C")}}, "d.any_of[1].all_of A has other terms in any_of[0]: write the same, or give each of the two options a when"},
		"the same parts twice":                       {Terms{AnyOf: []DocumentOption{allOf("A", "B"), allOf("B", "A")}}, "d.any_of[1].all_of A, B is already any_of[0]: write each option once, or give each of the two a when"},
		"one part":                                   {Terms{AnyOf: []DocumentOption{option("A", ""), allOf("B")}}, "d.any_of[1].all_of holds 1; write 2 to 5 parts, or write the one as the option itself"},
		"a part twice":                               {Terms{AnyOf: []DocumentOption{option("A", ""), allOf("B", "B")}}, "d.any_of[1].all_of[1].document_type_code B is already all_of[0]: write each part once"},
		"a code beside its parts":                    {Terms{AnyOf: []DocumentOption{option("D", ""), both}}, "d.any_of[1].all_of has the parts of the option: write code, name and terms in each part, and not beside all_of"},
		"at_least without options":                   {Terms{AtLeast: 2}, "d.at_least counts options: add any_of, or leave at_least out"},
		"at_least of one":                            {Terms{AtLeast: 1, AnyOf: []DocumentOption{option("A", ""), option("B", "")}}, "d.at_least is 1 of 2 options: write 2 or more, at most the number of options, or leave it out where one option suffices"},
		"at_least of too many":                       {Terms{AtLeast: 3, AnyOf: []DocumentOption{option("A", ""), option("B", "")}}, "d.at_least is 3 of 2 options: write 2 or more, at most the number of options, or leave it out where one option suffices"},
		"twenty entries":                             {Terms{AtLeast: 4, AnyOf: large}, ""},
		"more than twenty entries":                   {Terms{AtLeast: 5, AnyOf: large}, "d.any_of may need 25 entries of evidence, and a document has at most 20: ask for fewer options or parts at once"},
		"expired, and valid":                         {Terms{MustBeValid: true, ExpiredAtMost: rulestest.Period("1 day")}, "d.expired_at_most accepts expired evidence, and must_be_valid does not: leave one of the two out"},
		"expired, and valid for":                     {Terms{ValidFor: rulestest.Period("1 day"), ExpiredAtMost: rulestest.Period("1 day")}, "d.expired_at_most accepts expired evidence, and valid_for does not: leave one of the two out"},
		"a reminder of expired evidence":             {Terms{ExpiredAtMost: rulestest.Period("1 year"), RemindBefore: rulestest.Period("1 day")}, ""},
		"bound to nothing":                           {Terms{BoundTo: []string{}}, "d.bound_to holds 0 names; write 1 to 10, or leave bound_to out"},
		"bound twice":                                {Terms{BoundTo: []string{"address", "address"}}, "d.bound_to[1] address is written twice: leave one out"},
		"bound to a person in a rule of businesses": {Terms{BoundTo: []string{"ownership_percentage"}},
			"d.bound_to[0] ownership_percentage is a fact of persons: bind a rule of persons to it, or this rule to persons"},
		"bound to a fact that nobody declares": {Terms{BoundTo: []string{"custom.from"}}, "d.bound_to[0] custom.from is not a declared fact; did you mean custom.form?"},
		"bound to an age": {Terms{BoundTo: []string{"business_age_years"}}, "d.bound_to[0] business_age_years is nothing that an approval can be bound to; those are " +
			"address, average_individual_sale, average_monthly_credit_sales, average_yearly_credit_sales, country, custom.form, established_date, highest_ticket_sale, industry_category_code, persons"},
		"bound to what is stored": {Terms{BoundTo: []string{"address", "persons", "custom.form", "country", "established_date"}}, ""},
	} {
		declared := []fact.Declaration{{Name: "form", EntityType: fact.EntityBusiness, Type: fact.DeclaredText}}
		var found []string
		for _, problem := range c.terms.validate("d", fact.EntityBusiness, declared) {
			found = append(found, problem.Path+" "+problem.Message)
		}
		require.Equal(t, c.want, strings.Join(found, "\n"), name)
	}
	ofPerson := Terms{BoundTo: []string{"ownership_percentage", "person.citizenship", "country"}}
	require.Empty(t, ofPerson.validate("d", fact.EntityPerson, nil))
	for _, name := range []string{"business_age_years", "evaluation_score", "person_id", "definitions.a"} {
		require.Len(t, Terms{BoundTo: []string{name}}.validate("d", fact.EntityPerson, nil), 1, name)
	}
}

// The order of options and parts does not change a text, nor how a period is written.
func TestDocumentText_OptionsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var options []DocumentOption
		for _, code := range []string{"A", "B", "C"} {
			o := DocumentOption{When: rapid.SampledFrom([]string{"", "true"}).Draw(t, "when")}
			part := OptionPart{DocumentTypeCode: code, Name: "n", ValidFor: rapid.SampledFrom([]*fact.Period{nil, rulestest.Period("1 year")}).Draw(t, "valid for")}
			if rapid.Bool().Draw(t, "all of") {
				o.AllOf = []OptionPart{part, {DocumentTypeCode: "D", Name: "n"}}
			} else {
				o.OptionPart = part
			}
			options = append(options, o)
		}
		one := DocumentText{AnyOf: options, AtLeast: 2}
		other := DocumentText{AnyOf: rapid.Permutation(options).Draw(t, "order"), AtLeast: 2}
		for i := range other.AnyOf {
			o := &other.AnyOf[i]
			o.AllOf = rapid.Permutation(o.AllOf).Draw(t, "parts")
			if o.ValidFor != nil {
				o.ValidFor = rulestest.Period("12 months")
			}
		}
		require.True(t, one.Same(other))
		require.Equal(t, one.Digest(), other.Digest())
		changed := rapid.IntRange(0, 2).Draw(t, "changed")
		other.AnyOf[changed].When += " "
		require.False(t, one.Same(other))
		require.NotEqual(t, one.Digest(), other.Digest())
	})
}
