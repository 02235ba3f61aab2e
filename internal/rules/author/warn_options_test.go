package author

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// TestWarnings_OfOptions: the conditions of options are looked at as those of rules are, and what
// they use is used.
func TestWarnings_OfOptions(t *testing.T) {
	set, problems := requirement.ReadRuleSet(rulefile.YAMLFile([]byte(`
facts:
  - {name: form, entity_type: Business, type: TEXT, label: form, ask: The form.}
  - {name: roles, entity_type: Person, type: TEXT_LIST, label: roles, ask: The roles.}
definitions: {young: business_age_years < 2, unused: business_age_years > 5}
lists: {risky: ["5411", "5412", "5413"]}
documents:
  - document_type_code: PROOF
    name: Proof
    category: c
    requirement_text: r
    entity_type: Person
    bound_to: [custom.form, person.custom.roles]
    valid_for: 1 month
    any_of:
      - {document_type_code: A, name: A, must_be_valid: true, when: "definitions.young"}
      - {document_type_code: B, name: B, must_be_valid: true, when: "business_age_years < 2 && business_age_years > 3"}
      - all_of:
          - {document_type_code: C, name: "C\u200b", must_be_valid: true}
          - {document_type_code: D, name: D, not_older_than: 1 year}
        when: "industry_category_code.exists(c, c in lists.risky)"
`)))
	require.Empty(t, problems)
	program, problems := requirement.Compile(set, requirement.Options{})
	require.Empty(t, problems)
	found, err := Warnings(t.Context(), Today(), program, set)
	require.NoError(t, err)
	paths := map[string]string{}
	for _, w := range found {
		paths[w.Path] = w.Message
	}
	require.Contains(t, paths["documents[0].any_of[1].when"], "so the option is never offered")
	require.Contains(t, paths["documents[0].valid_for"], "is the term of no option")
	require.Contains(t, paths, "documents[0].any_of[2].all_of[0].name")
	require.Contains(t, paths, "definitions.unused")
	require.Contains(t, paths, "examples")
	require.NotContains(t, paths, "definitions.young")
	require.NotContains(t, paths, "lists.risky")
	require.NotContains(t, paths, "facts[0]")
	require.NotContains(t, paths, "facts[1]")
	require.NotContains(t, paths, "documents[0].any_of[0].when")
}
