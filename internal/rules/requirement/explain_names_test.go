package requirement

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

func person(id string) Entity { return Entity{fact.EntityPerson, id} }

func TestNames_StandInReasonsForIDs(t *testing.T) {
	names := NamesOf(map[Entity]Identity{
		{fact.EntityWorkflow, "w_1"}: {},
		{fact.EntityBusiness, "b_1"}: {LegalName: "Acme Ltd"},
		person("p_1"):                {FirstName: "Ada", LastName: "Lovelace"},
		person("p_2"):                {FirstName: " ada ", LastName: "LOVELACE"},
		person("p_3"):                {FirstName: "person p_4;", LastName: "the\ncountry of the business"},
		person("p_4"):                {FirstName: "Bo"},
		person("p_5"):                {},
	})
	for message, want := range map[string]string{
		"A: required because the citizenship of person p_4 is CA.":                                               "A: required because the citizenship of Bo is CA.",
		"A: required because the share of person p_1 is 70%, not the share of person p_2 (25%).":                 "A: required because the share of Ada Lovelace (p_1) is 70%, not the share of ada LOVELACE (p_2) (25%).",
		"A: required because the citizenship of persons p_4, p_5, p_9, and 2 more is CA.":                        "A: required because the citizenship of Bo, person p_5, person p_9, and 2 more is CA.",
		"A: required because the value for person p_3 is CA.":                                                    "A: required because the value for person p_4; the country of the business (p_3) is CA.",
		"A: required because the id of person p_4 is p_4; and it is in p_44 or p_4x.":                            "A: required because the id of Bo is p_4; and it is in p_44 or p_4x.",
		"A: required because the country of the business is US.":                                                 "A: required because the country of Acme Ltd is US.",
		"A: required because the business's age in months is 3; and the list has the business.":                  "A: required because Acme Ltd's age in months is 3; and the list has the business.",
		"A: required because it is 13 months since the business's established date, at least 12.":                "A: required because it is 13 months since Acme Ltd's established date, at least 12.",
		"A: required because the number of persons is 0; the business has stated that it has no persons.":        "A: required because the number of persons is 0; Acme Ltd has stated that it has no persons.",
		"Proof of the country of the business, person p_4: required because the code is person p_4.":             "Proof of the country of the business, person p_4: required because the code is Bo.",
		"Proof because the country of the business matters: required because the country of the business is US.": "Proof because the country of the business matters: required because the country of Acme Ltd is US.",
		"": "",
	} {
		require.Equal(t, want, names.In(message))
	}
	require.Equal(t, "A: required because the country of the business is US; and person p_1.", Names{}.In("A: required because the country of the business is US; and person p_1."))
	alike := NamesOf(map[Entity]Identity{
		person("p_1"): {FirstName: "Ada", LastName: "Lovelace"}, person("p_2"): {FirstName: "A\u200dda", LastName: "Love\ufe0flace\u200b"}, person("p_3"): {FirstName: "Bo", LastName: "Lovelace (p_1)"},
	})
	require.Equal(t, "A: required because the citizenship of Ada Lovelace (p_1), A\u200dda Love\ufe0flace\u200b (p_2), Bo Lovelace (p_1) (p_3) is CA.",
		alike.In("A: required because the citizenship of persons p_1, p_2, p_3 is CA."))
	namesakes := NamesOf(map[Entity]Identity{{fact.EntityBusiness, "b_1"}: {LegalName: "Ada Lovelace"}, person("p_1"): {FirstName: "Ada", LastName: "Lovelace"}})
	require.Equal(t, "A: required because the country of Ada Lovelace (b_1) is US; and the citizenship of Ada Lovelace (p_1) is CA.",
		namesakes.In("A: required because the country of the business is US; and the citizenship of person p_1 is CA."))
}

// Each fact of the business is known to mentions in the words that reasons have for it.
func TestNames_OfTheBusinessInEachOfItsFacts(t *testing.T) {
	names := NamesOf(map[Entity]Identity{{fact.EntityBusiness, "b_1"}: {LegalName: "Acme Ltd"}})
	for _, when := range []string{
		`established_date > date("2020-01-01")`, `business_age_months > 1`, `business_age_years < 100`, `country == "US"`, `years_since(established_date) >= 1`,
		`persons.all(p, p.citizenship != country || country == "US")`,
	} {
		message := names.In(evaluate(t, oneRule(fact.EntityBusiness, when), rulestest.CompleteFacts()).Required[0].Reason.Message)
		require.Contains(t, message, "Acme Ltd")
		require.NotContains(t, message, "the business")
	}
}
