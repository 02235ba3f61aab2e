package ruleset_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/starter/startertest"
)

// TestRulesTest_AcceptsOneExpectation, and leaves comments and layout as they are.
func TestRulesTest_AcceptsOneExpectation(t *testing.T) {
	const text = `# The rules of spring.
documents:
  - {document_type_code: PASSPORT, name: n, category: c, requirement_text: t, entity_type: Person, when: 'person.citizenship != "US"'}
  - {document_type_code: REGISTER, name: n, category: c, requirement_text: t, entity_type: Business} # always
examples:
  - name: block
    facts: {persons: [{person_id: p1, citizenship: FR}]}
    expect:
      documents:
        - REGISTER
        # nothing of p1

  # An example in braces.
  - {name: flow, facts: {persons: [{person_id: "p #1", citizenship: FR}]}, expect: {includes: ["REGISTER"], excludes: [PASSPORT]}} # it's so
  - name: gaps
    facts: {}
    expect: {documents: [REGISTER]}
`
	file := startertest.RulesFile(t, "rules.yaml", text)
	out, err := startertest.Run(t, "rules", "test", file)
	require.Error(t, err)
	require.Contains(t, out, "3 examples: 0 ok, 3 failed")
	want := text
	for _, change := range [][3]string{
		{"flow", `{includes: ["REGISTER"], excludes: [PASSPORT]}`, `{documents: [{document_type_code: PASSPORT, person_id: 'p #1'}, REGISTER]}`},
		{"gaps", `{documents: [REGISTER]}`, `{gaps: [person.citizenship]}`},
		{"block", "\n      documents:\n        - REGISTER\n", ` {documents: [{document_type_code: PASSPORT, person_id: p1}, REGISTER]}` + "\n"},
	} {
		out, err := startertest.Run(t, "rules", "test", file, "--accept", change[0])
		require.NoError(t, err, out)
		require.Contains(t, out, fmt.Sprintf("%q expects from now on\n", change[0]))
		want = strings.Replace(want, change[1], change[2], 1)
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, want, string(got), change[0])
	}
	out, err = startertest.Run(t, "rules", "test", file)
	require.NoError(t, err, out)
	out, err = startertest.Run(t, "rules", "test", file, "--accept", "flow")
	require.NoError(t, err)
	require.Contains(t, out, "holds already; nothing was written")
	_, err = startertest.Run(t, "rules", "test", file, "--accept", "none")
	require.ErrorContains(t, err, `has no example "none"`)
	_, err = startertest.Run(t, "rules", "test", file, file, "--accept", "flow")
	require.ErrorContains(t, err, "name one file")

	json := startertest.RulesFile(t, "rules.json", `{"documents": [],
  "examples": [{"name": "a", "facts": {}, "expect": {"documents": ["X"]}}]}`)
	_, err = startertest.Run(t, "rules", "test", json, "--accept", "a")
	require.NoError(t, err)
	got, err := os.ReadFile(json)
	require.NoError(t, err)
	require.Equal(t, `{"documents": [],
  "examples": [{"name": "a", "facts": {}, "expect": {"documents": []}}]}`, string(got))
}

// TestRulesTest_AcceptsOptions of the documents whose options the example expects.
func TestRulesTest_AcceptsOptions(t *testing.T) {
	file := startertest.RulesFile(t, "rules.yaml", `documents:
  - document_type_code: IDENTITY
    name: n
    category: c
    requirement_text: t
    entity_type: Business
    any_of:
      - {document_type_code: PASSPORT, name: n, valid_for: 6 months, when: country != "GB"}
      - {document_type_code: PASSPORT, name: n, must_be_valid: true, when: country == "GB"}
      - all_of: [{document_type_code: BILL, name: n}, {document_type_code: DEED, name: n}]
      - {document_type_code: NOTARY, name: n}
examples:
  - {name: abroad, facts: {country: FR}, expect: {documents: [{document_type_code: IDENTITY, any_of: [NOTARY]}]}}
`)
	out, err := startertest.Run(t, "rules", "test", file)
	require.Error(t, err)
	require.Contains(t, out, "IDENTITY of the business with any_of [NOTARY]")
	out, err = startertest.Run(t, "rules", "test", file, "--accept", "abroad")
	require.NoError(t, err, out)
	require.Contains(t, out, "valid_for: 6 months")
	out, err = startertest.Run(t, "rules", "test", file)
	require.NoError(t, err, out)
}

// TestRulesTest_ExpectsSomeOfTheDocuments.
func TestRulesTest_ExpectsSomeOfTheDocuments(t *testing.T) {
	rules := func(expect string) (string, error) {
		return startertest.Run(t, "rules", "test", startertest.RulesFile(t, "rules.yaml", `documents:
  - {document_type_code: PASSPORT, name: n, category: c, requirement_text: t, entity_type: Person, when: 'person.citizenship != "US"'}
  - {document_type_code: REGISTER, name: n, category: c, requirement_text: t, entity_type: Business}
  - {document_type_code: BIG, name: n, category: c, requirement_text: t, entity_type: Business, when: size(persons) > 2}
examples:
  - name: two
    facts: {persons: [{person_id: p1, citizenship: FR}, {person_id: p2, citizenship: US}]}
    expect: `+expect+"\n"))
	}
	for _, expect := range []string{
		"{includes: [PASSPORT]}", "{excludes: [BIG]}", "{includes: [{document_type_code: PASSPORT, person_id: p1}], excludes: [BIG, {document_type_code: PASSPORT, person_id: p2}]}",
	} {
		out, err := rules(expect)
		require.NoError(t, err, out)
	}
	for expect, want := range map[string]string{
		"{includes: [BIG]}":                        "      - document BIG of the business\n",
		"{excludes: [PASSPORT]}":                   "      + document PASSPORT of person p1\n",
		"{includes: [BIG], excludes: [REGISTER]}":  "      + document REGISTER of the business\n",
		"{includes: [BIG], documents: [REGISTER]}": "must expect either documents, or gaps, or includes and excludes",
		"{includes: []}":                           "includes or excludes no document: name one, or leave the list out",
		"{}":                                       "must expect either documents, or gaps, or includes and excludes",
		"{excludes: [passport]}":                   "a document_type_code is 1 to 64",
		"{excludes: [{document_type_code: A, entity_type: Persn}]}": "did you mean Person?",
	} {
		out, err := rules(expect)
		require.Error(t, err)
		require.Contains(t, out, want, expect)
	}
}
