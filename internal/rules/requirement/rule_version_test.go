package requirement

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
)

// TestLanguageVersion_LacksWhatCameLater: conditions of an older version cannot use what a
// later one added, and messages do not offer it.
func TestLanguageVersion_LacksWhatCameLater(t *testing.T) {
	for version := 1; version <= newestVersion; version++ {
		names := scope{version: version, table: fact.BuiltIn, withPerson: true, withScore: true}
		language := &language{scope: names, costLimit: DefaultCostLimit}
		for _, row := range slices.Concat(fact.BuiltIn.Facts, fact.BuiltIn.Fields) {
			source, has := row.Name+" == "+row.Name, slices.Contains(names.factNames(), row.Name)
			if row.OfPerson() {
				source, has = "person."+row.Name+" == person."+row.Name, slices.Contains(names.fieldNames(), row.Name)
			}
			requireSince(t, language, source, row.Name, "fact", row.Since, has || row.List != nil)
		}
		for name, of := range dateFunctions {
			source, since := name+"(established_date) > 3", 2
			if of.dates == 2 {
				source, since = name+"(established_date, established_date) > 3", 3
			}
			requireSince(t, language, source, name, "function", since, slices.Contains(names.functionNames(), name))
		}
	}
	require.Equal(t, 4, newestVersion)
	_, problems := Compile(defined(fact.EntityBusiness, "persons.exists(p, p.definitions.us)", map[string]string{"us": `person.citizenship == "US"`}), Options{EnvironmentVersion: 3})
	require.Len(t, problems, 1)
	require.Contains(t, problems[0].Message, "a person has no field definitions")
}

func requireSince(t *testing.T, language *language, source, name, kind string, since int, has bool) {
	_, problems, _ := language.compile(source)
	if since > language.version {
		require.False(t, has, name)
		require.NotEmpty(t, problems, source)
		require.Equal(t, fmt.Sprintf("%s is a %s since version %d of the language, and these rules were published under version %d: publish them again to use it", name, kind, since, language.version), problems[0].Message)
		return
	}
	require.True(t, has, name)
	for _, p := range problems {
		require.NotContains(t, p.Message, "since version", source)
	}
}

// TestStoredRules_KeepTheNamesOfTheirVersion: a stored rule set may use a name that a fact, a
// function or a word of the language has today. It compiles, and decides as before.
func TestStoredRules_KeepTheNamesOfTheirVersion(t *testing.T) {
	later := []string{"country", "date_of_birth", "country_of_residence", daysSince, monthsSince, yearsSince, "custom", nameDefinitions, sumName, daysBetween, monthsBetween, yearsBetween}
	for _, name := range later {
		set := RuleSet{
			Lists: map[string][]string{name: {"US", "0742"}},
			Documents: []DocumentRule{
				documentRule(fact.EntityBusiness, fmt.Sprintf(`persons.exists(%[1]s, %[1]s.citizenship in lists.%[1]s) && industry_category_code.exists(%[1]s, %[1]s in lists.%[1]s)`, name)),
			},
		}
		content := set.CanonicalJSON()
		decide := func(opts Options) (documents int) {
			program, problems, err := LoadRuleSet(t.Context(), content, opts)
			require.NoError(t, err)
			require.Empty(t, problems, name)
			for _, citizenship := range []string{"US", "CA"} {
				result, err := program.Evaluate(t.Context(), fact.Facts{IndustryCategoryCode: []string{"0742"}, Persons: []fact.PersonFacts{{PersonID: "p", Citizenship: &citizenship}}})
				require.NoError(t, err)
				documents += len(result.Required)
			}
			return documents
		}
		require.Equal(t, 1, decide(Options{EnvironmentVersion: 1}), name)
	}
	// What is new today may not use the name of a fact.
	_, problems := Compile(oneRule(fact.EntityBusiness, `persons.exists(country, country.citizenship == "US")`), Options{})
	require.Len(t, problems, 1)
	require.Contains(t, problems[0].Message, "already stands for something else here")
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
