package requirement

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/rulefile"
)

const optionsOfIdentity = `documents:
  - document_type_code: IDENTITY
    name: Proof of identity
    category: IDENTITY
    requirement_text: The photo page.
    entity_type: Person
    must_be_valid: true
    any_of:
      - {document_type_code: PASSPORT, name: Passport, valid_for: 6 months, when: person.country_of_residence != country}
      - {document_type_code: PASSPORT, name: Passport, expired_at_most: 2 years, when: person.country_of_residence == country}
      - all_of:
          - {document_type_code: LICENSE, name: License}
          - {document_type_code: BILL, name: Bill}
        when: person.country_of_residence == country
      - {document_type_code: NOTARY, name: Letter of a notary}
examples:
  - name: it
    facts: {country: GB, persons: [{person_id: p1, country_of_residence: FR}, {person_id: p2, country_of_residence: GB}]}
    expect: `

// An example that expects options fails when others are offered, and its message names both lists.
func TestExample_ExpectsTheOptionsThatAreOffered(t *testing.T) {
	const abroad = `document IDENTITY of person p1 with any_of [NOTARY, PASSPORT (valid_for: 6 months)]`
	const home = `document IDENTITY of person p2 with any_of [BILL and LICENSE, NOTARY, PASSPORT (expired_at_most: 2 years)]`
	entry := func(person, options string) string {
		return "{document_type_code: IDENTITY, person_id: " + person + ", any_of: [" + options + "]}"
	}
	atHome := entry("p2", "{all_of: [BILL, LICENSE]}, NOTARY, {document_type_code: PASSPORT, expired_at_most: 24 months}")
	for name, c := range map[string]struct{ expect, want string }{
		"what is offered":   {"{documents: [" + entry("p1", "NOTARY, {document_type_code: PASSPORT, valid_for: 6 months}") + ", " + atHome + "]}", ""},
		"of one person":     {"{documents: [{document_type_code: IDENTITY, person_id: p1}, " + atHome + "]}", ""},
		"in includes":       {"{includes: [" + atHome + "]}", ""},
		"of any person":     {"{includes: [{document_type_code: IDENTITY, any_of: [{document_type_code: PASSPORT, valid_for: 6 months}, NOTARY]}]}", ""},
		"terms not shared":  {"{includes: [" + entry("p1", "{document_type_code: PASSPORT, valid_for: 6 months}, {document_type_code: NOTARY, must_be_valid: true}") + "]}", "NOTARY (must_be_valid: true)"},
		"one too few":       {"{documents: [" + entry("p1", "NOTARY") + ", " + atHome + "]}", "expects document IDENTITY of person p1 with any_of [NOTARY], "},
		"the rules give":    {"{documents: [" + entry("p1", "NOTARY") + ", " + atHome + "]}", "the rules give " + abroad},
		"other terms":       {"{documents: [" + entry("p1", "NOTARY, {document_type_code: PASSPORT, valid_for: 5 months}") + ", " + atHome + "]}", "the rules give " + abroad},
		"a shared code":     {"{documents: [" + entry("p1", "NOTARY, PASSPORT") + ", " + atHome + "]}", "with any_of [NOTARY, PASSPORT], "},
		"includes others":   {"{includes: [" + entry("p2", "NOTARY") + "]}", `includes document IDENTITY of person p2 with any_of [NOTARY], which the rules do not give; and the rules give ` + home},
		"twice":             {"{includes: [" + entry("p1", "NOTARY, NOTARY") + "]}", "with any_of [NOTARY, NOTARY]"},
		"none":              {"{includes: [" + entry("p1", "") + "]}", "expects 0 options of IDENTITY: write 1 to 20"},
		"excluded":          {"{excludes: [" + entry("p1", "NOTARY") + "]}", "excludes a document with any_of"},
		"one part":          {"{includes: [" + entry("p1", "{all_of: [BILL]}") + "]}", "has 1 parts in all_of"},
		"parts and a code":  {"{includes: [" + entry("p1", "{document_type_code: BILL, all_of: [BILL, LICENSE]}") + "]}", "has more than all_of"},
		"a code of a name":  {"{includes: [" + entry("p1", "Notary") + "]}", `has the code "Notary"`},
		"an unknown person": {"{includes: [" + entry("p9", "NOTARY") + "]}", "includes document IDENTITY of person p9 with any_of [NOTARY], which the rules do not give"},
	} {
		set, unread := ReadRuleSet(rulefile.YAMLFile([]byte(optionsOfIdentity + c.expect + "\n")))
		require.Empty(t, unread, name)
		_, problems := Compile(set, Options{})
		if c.want == "" {
			require.Empty(t, problems, name)
			again, unread := ParseRuleSetJSON(set.CanonicalJSON())
			require.Empty(t, unread, name)
			require.Equal(t, set, again, name)
			continue
		}
		require.Len(t, problems, 1, name)
		require.Contains(t, problems[0].Message, c.want, name)
	}
}

func TestRunExamples_GivesTheOptionsThatAreOffered(t *testing.T) {
	set, unread := ReadRuleSet(rulefile.YAMLFile([]byte(optionsOfIdentity + "{documents: [{document_type_code: IDENTITY, person_id: p2, any_of: [NOTARY]}]}\n")))
	require.Empty(t, unread)
	_, results, problems := RunExamples(t.Context(), set, Options{})
	require.Empty(t, problems)
	require.Equal(t, []Difference{{Text: "document IDENTITY of person p2 with any_of [NOTARY]"}}, results[0].Missing)
	require.Len(t, results[0].Unexpected, 2)
	require.Len(t, results[0].Rules, 2)

	set.Examples[0].Expect = results[0].Given
	require.Nil(t, set.Examples[0].Expect.Documents[0].AnyOf, "what the example does not expect is not added")
	require.Len(t, set.Examples[0].Expect.Documents[1].AnyOf, 3)
	_, results, _ = RunExamples(t.Context(), set, Options{})
	require.Empty(t, results[0].Failure)

	set, unread = ReadRuleSet(rulefile.YAMLFile([]byte(optionsOfIdentity + "{includes: [{document_type_code: IDENTITY, any_of: [NOTARY]}]}\n")))
	require.Empty(t, unread)
	_, results, problems = RunExamples(t.Context(), set, Options{})
	require.Empty(t, problems)
	require.Equal(t, []Difference{
		{Text: "document IDENTITY of person p1 with any_of [NOTARY, PASSPORT (valid_for: 6 months)]"},
		{Text: "document IDENTITY of person p2 with any_of [BILL and LICENSE, NOTARY, PASSPORT (expired_at_most: 2 years)]"},
	}, results[0].Unexpected, "what is offered instead")
	for _, document := range results[0].Given.Documents {
		require.NotNil(t, document.AnyOf, "an example that takes what the rules give goes on to test the options")
	}
	for _, rule := range results[0].Rules {
		require.True(t, rule.Required, "the document is required, with other options")
	}
}
