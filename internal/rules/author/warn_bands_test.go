package author

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
)

// ofRules returns the gaps and overlaps of rules with these conditions.
func ofRules(t *testing.T, entityType string, conditions ...string) (said []string) {
	t.Helper()
	rs := manyRules(len(conditions), entityType, "")
	for i, when := range conditions {
		rs.Documents[i].When = when
	}
	rs.Definitions = map[string]string{
		"us":     `country == "US"`,
		"middle": "average_yearly_credit_sales > 100000 && average_yearly_credit_sales <= 500000",
	}
	for _, w := range warned(t, rs) {
		if strings.Contains(w.Message, "neither this nor") || strings.Contains(w.Message, "both this and") {
			text, _, _ := strings.Cut(w.Message, ":")
			said = append(said, fmt.Sprint(w.Path, " ", w.Severity, " ", text))
		}
	}
	return said
}

func TestWarnings_OfGapsBetweenBandsThatOtherRulesRead(t *testing.T) {
	const low, middle, high = "average_yearly_credit_sales <= 100000", "average_yearly_credit_sales > 100000 && average_yearly_credit_sales <= 500000", "average_yearly_credit_sales > 600000"
	gap := func(at, after int) string {
		return fmt.Sprintf("documents[%d].when WARNING neither this nor documents[%d].when holds for average_yearly_credit_sales from 500000.01 to 600000", at, after)
	}
	for _, others := range [][]string{
		nil,
		{"average_yearly_credit_sales > 50000"},
		{"average_yearly_credit_sales > 200000", "average_yearly_credit_sales > 50000 && evaluation_score < 500"},
		{"average_yearly_credit_sales >= 1000", `country == "US" && average_yearly_credit_sales > 250000`},
	} {
		require.Equal(t, []string{gap(2, 1)}, ofRules(t, fact.EntityBusiness, append([]string{low, middle, high}, others...)...), others)
	}
	// Beside the same other parts, also in definitions.
	us := "definitions.us && "
	require.Equal(t, []string{gap(2, 1)}, ofRules(t, fact.EntityBusiness, us+low, us+middle, us+high, "average_yearly_credit_sales > 50000"))
	require.Equal(t, []string{gap(2, 1)}, ofRules(t, fact.EntityBusiness, us+low, us+"definitions.middle", high+" && definitions.us"))
	require.Equal(t, []string{gap(2, 1)}, ofRules(t, fact.EntityBusiness, low, "definitions.middle", high, "average_yearly_credit_sales > 50000"))

	const closed = "average_yearly_credit_sales > 500000"
	for _, fine := range [][]string{
		{low, middle, closed, "average_yearly_credit_sales > 600000"},
		{low, closed, "average_yearly_credit_sales > 50000"},
		{us + low, us + middle, us + closed},
		{us + low, middle, us + high},
		{us + low, us + high},
		{us + "average_yearly_credit_sales > 1000 && average_yearly_credit_sales < 5000", us + "average_yearly_credit_sales > 2000 && average_yearly_credit_sales < 9000"},
	} {
		require.Empty(t, ofRules(t, fact.EntityBusiness, fine...), fine)
	}
}

func TestWarnings_OfALimitThatNeitherOfTwoRulesHas(t *testing.T) {
	for _, c := range []struct{ first, second, what string }{ // the second lies above
		{`country == "US" && evaluation_score < 600`, `evaluation_score > 600 && country == "US"`, "evaluation_score exactly 600"},
		{`country == "US" || evaluation_score < 600`, `country == "US" || evaluation_score > 600`, "evaluation_score exactly 600"},
		{`(country == "US" || highest_ticket_sale < 50) && size(persons) > 1`, `(country == "US" || highest_ticket_sale > 50) && size(persons) > 1`, "highest_ticket_sale exactly 50"},
		{`persons.exists(p, p.ownership_percentage < 25 && p.citizenship == "US")`, `persons.exists(p, p.ownership_percentage > 25 && p.citizenship == "US")`, "ownership_percentage exactly 25"},
		{`years_since(person.date_of_birth) < 18 && person.citizenship != "US"`, `years_since(person.date_of_birth) > 18 && person.citizenship != "US"`, "years_since(person.date_of_birth) exactly 18"},
		{`country == "US" ? evaluation_score < 600 : false`, `country == "US" ? evaluation_score > 600 : false`, "evaluation_score exactly 600"},
	} {
		require.Equal(t, []string{"documents[1].when WARNING neither this nor documents[0].when holds for " + c.what}, ofRules(t, fact.EntityPerson, c.first, c.second), c)
		require.Empty(t, ofRules(t, fact.EntityPerson, c.first, strings.Replace(c.second, ">", ">=", 1)), c)
		require.Empty(t, ofRules(t, fact.EntityPerson, c.first, c.second+" && business_age_years > 3"), "the rules differ in more")
	}
	require.Empty(t, ofRules(t, fact.EntityPerson, `!(country == "US" && evaluation_score > 600)`, `!(country == "US" && evaluation_score < 600)`))
}
