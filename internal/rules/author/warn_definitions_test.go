package author

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// ofOneRule returns the warnings at the condition of a rule beside definitions and declared facts.
func ofOneRule(t *testing.T, entityType, when string) (said []string) {
	t.Helper()
	rs := oneRule(entityType, when)
	rs.Lists["risky"] = []string{"IR", "KP"}
	rs.Facts = []fact.Declaration{{Name: "legal_form", EntityType: fact.EntityBusiness, Type: fact.DeclaredText, Choices: []string{"SOLE", "LLC", "CORPORATION"}, Label: "l", Ask: "a"}}
	rs.Definitions = map[string]string{
		"large":     "average_yearly_credit_sales > 100000",
		"small":     "average_yearly_credit_sales <= 100000",
		"company":   `custom.legal_form != "SOLE"`,
		"owner":     "person.ownership_percentage >= 25",
		"no_owner":  "persons.all(p, p.ownership_percentage < 25)",
		"risk":      "definitions.large || country in lists.risky",
		"old_large": "definitions.large && business_age_years >= 10",
		"never":     "evaluation_score > 5 && evaluation_score < 3",
	}
	for _, w := range likelyMistakes(t, rs) {
		if strings.HasPrefix(w.Path, "documents[0]") {
			said = append(said, w.Message)
		}
	}
	return said
}

func TestLint_FindsContradictionsThroughDefinitions(t *testing.T) {
	const never, always = "so the document is never required", "so the document is always required"
	for condition, want := range map[string]string{
		`definitions.large && definitions.small`:                                                                                          "definitions.large and definitions.small are never true together: write || if one of them is enough; " + never,
		`definitions.large || definitions.small`:                                                                                          "of definitions.large and definitions.small one is always true: write && if both must be true; " + always,
		`definitions.old_large && average_yearly_credit_sales < 5000`:                                                                     "definitions.old_large and average_yearly_credit_sales < 5000 are never true together",
		`definitions.old_large && business_age_years < 2`:                                                                                 "definitions.old_large and business_age_years < 2 are never true together",
		`!definitions.company && custom.legal_form == "LLC"`:                                                                              `are never true together`,
		`definitions.company && custom.legal_form == "SOLE" && evaluation_score > 5`:                                                      `definitions.company and custom.legal_form == "SOLE" are never true together`,
		`!definitions.risk && country in lists.risky`:                                                                                     `are never true together`,
		`!definitions.risk && definitions.old_large`:                                                                                      `are never true together`,
		`definitions.risk && !definitions.risk`:                                                                                           `are never true together`,
		`definitions.owner && person.ownership_percentage < 10`:                                                                           "definitions.owner and person.ownership_percentage < 10 are never true together",
		`definitions.never || size(persons) > 300`:                                                                                        "definitions.never",
		`definitions.no_owner && persons.exists(q, q.ownership_percentage > 50)`:                                                          "definitions.no_owner and persons.exists(q, q.ownership_percentage > 50) are never true together",
		`definitions.no_owner && !persons.all(p, p.ownership_percentage < 25)`:                                                            "are never true together",
		`persons.exists(p, p.ownership_percentage >= 50) && !persons.exists(p, p.ownership_percentage >= 25)`:                             "are never true together",
		`persons.exists(p, p.ownership_percentage >= 50 && p.citizenship == "US") && persons.all(p, p.citizenship in ["CA", "MX"])`:       "are never true together",
		`industry_category_code.all(c, c == "7995") && !("7995" in industry_category_code) && industry_category_code.all(c, c != "7995")`: "are never true together",
	} {
		said := ofOneRule(t, fact.EntityPerson, condition)
		require.True(t, strings.Contains(strings.Join(said, "\n"), want), "%s\n%s", condition, strings.Join(said, "\n"))
		require.LessOrEqual(t, len(said), 3, condition)
	}
	for _, condition := range []string{
		`definitions.large && definitions.owner`, `definitions.risk && country in lists.risky`, `definitions.risk && definitions.large`, `definitions.company && custom.legal_form == "LLC"`,
		`definitions.no_owner && persons.exists(p, p.ownership_percentage >= 24.99)`, `definitions.no_owner && persons.all(p, p.citizenship == "US")`,
		`persons.exists(p, p.citizenship == "US") && persons.exists(p, p.citizenship == "CA")`,
		`persons.all(p, p.ownership_percentage < 25) && persons.all(p, p.ownership_percentage > 50)`, // of nobody
		`persons.exists(p, p.ownership_percentage >= 25) && !persons.exists(p, p.ownership_percentage >= 50)`,
		`persons.exists_one(p, p.ownership_percentage >= 25) && persons.exists(p, p.ownership_percentage >= 50)`,
		`definitions.large ? definitions.owner : country in lists.risky`,
	} {
		require.Empty(t, ofOneRule(t, fact.EntityPerson, condition), condition)
	}
}

// TestLint_SaysWithinADefinitionOnlyWhatItHasItself: a rule that uses it does not repeat it.
func TestLint_SaysWithinADefinitionOnlyWhatItHasItself(t *testing.T) {
	rs := oneRule(fact.EntityPerson, "definitions.owner && size(persons) > 2")
	rs.Definitions = map[string]string{"owner": "person.ownership_percentage >= 0.25"}
	var at []string
	for _, w := range likelyMistakes(t, rs) {
		if strings.Contains(w.Message, "0.25") {
			at = append(at, w.Path)
		}
	}
	require.Equal(t, []string{"definitions.owner"}, at)
	require.NotEqual(t, requirement.SeverityHint, likelyMistakes(t, rs)[0].Severity)
}
