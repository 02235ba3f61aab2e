package requirement

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
)

// TestLanguageVersion_LacksLaterFacts: conditions of an older version cannot refer to a fact that
// a later one added, and messages do not name it.
func TestLanguageVersion_LacksLaterFacts(t *testing.T) {
	before := scope{version: 0, table: fact.BuiltIn, withPerson: true, withScore: true}
	require.Equal(t, []string{fact.NamePersons, fact.NamePerson}, before.factNames())
	require.Empty(t, before.fieldNames())
	old := &language{before, DefaultCostLimit}
	for source, row := range map[string]*fact.Row{
		`evaluation_score > 500`:                      fact.BuiltIn.Lookup("evaluation_score"),
		`"5999" in industry_category_code`:            fact.BuiltIn.Lookup(fact.NameIndustryCodes),
		`person.ownership_percentage > 25`:            fact.BuiltIn.Lookup("ownership_percentage"),
		`persons.exists(p, p.citizenship == "US")`:    fact.BuiltIn.Lookup(fact.NameCitizenship),
		`business_age_years > 2 && size(persons) > 1`: fact.BuiltIn.Lookup("business_age_years"),
	} {
		_, problems, _ := old.compile(source)
		require.Len(t, problems, 1, source)
		require.Equal(t, fmt.Sprintf("%s is a fact since version 1 of the language, and these rules were published under version 0: publish them again to use it", row.Name), problems[0].Message)
	}
	for _, row := range slices.Concat(fact.BuiltIn.Facts, fact.BuiltIn.Fields) {
		require.LessOrEqual(t, row.Since, EnvironmentVersion, row.Name)
	}
	_, problems, _ := old.compile(`size(persons) > 1`)
	require.Empty(t, problems)
}

// TestStoredExamples_LoadWithFactsThatAreInvalidNow: a stored rule set still loads if its example
// has a value that records may no longer hold. A new one with such a value is refused.
func TestStoredExamples_LoadWithFactsThatAreInvalidNow(t *testing.T) {
	for _, facts := range []string{
		`{"persons": [{"person_id": "p1", "citizenship": "ZZ"}]}`, `{"persons": [{"person_id": "p1", "ownership_percentage": 101}]}`,
		`{"industry_category_code": ["07-42"]}`, `{"highest_ticket_sale": -1}`, `{"evaluation_score": 1e13}`,
	} {
		content := []byte(`{"documents": [], "examples": [{"name": "e", "facts": ` + facts + `, "expect": {"documents": []}}]}`)
		_, problems := ParseRuleSetJSON(content)
		require.Len(t, problems, 1, facts)
		set, problems := ParseStoredRuleSet(content)
		require.Empty(t, problems, facts)
		program, problems, err := Load(t.Context(), set, Newest())
		require.NoError(t, err)
		require.Empty(t, problems, facts)
		require.NotNil(t, program)
	}
	_, problems := ParseStoredRuleSet([]byte(`{"documents": [], "exampels": []}`))
	require.Len(t, problems, 1)
}
