package requirement

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

func TestReasons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ entityType, when, message, facts string }{
		{fact.EntityBusiness, ``, "A document: always required.", `{}`},
		{fact.EntityBusiness, `average_monthly_credit_sales > 50000 || evaluation_score < 700`, "A document: required because average monthly credit sales are 62000.5 USD, more than 50000 USD.", `{"average_monthly_credit_sales":62000.5}`},
		{fact.EntityBusiness, `average_yearly_credit_sales / 12 > 1000`, "A document: required because average yearly credit sales divided by 12 is 62000.5 USD, more than 1000 USD.", `{"average_yearly_credit_sales":744006}`},
		{fact.EntityBusiness, `established_date >= date("2025-01-01")`, "A document: required because the business's established date is 2025-01-31, on or after 2025-01-01.", `{"established_date":"2025-01-31"}`},
		{fact.EntityBusiness, `industry_category_code.exists(c, c in lists.high_risk)`, "A document: required because an industry category code is 7995, which is in the list high_risk.", `{"industry_category_code":["7995"]}`},
		{fact.EntityBusiness, `!industry_category_code.exists(c, c.startsWith("F."))`, "A document: required because no industry category code starts with F.", `{"industry_category_code":["0742","7995"]}`},
		{fact.EntityBusiness, `"7995" in industry_category_code`, "A document: required because the industry category codes include 7995.", `{"industry_category_code":["7995"]}`},
		{fact.EntityBusiness, `!("1111" in industry_category_code)`, "A document: required because the industry category codes do not include 1111.", `{"industry_category_code":["0742","7995"]}`},
		{fact.EntityBusiness, `persons.filter(p, p.ownership_percentage > 50).all(p, p.citizenship == "US")`, "A document: required because the citizenship of every person for whom their ownership percentage is more than 50% is US.", `{"persons":{"p_1":{"citizenship":"US","ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		// Who was counted, and who was not where that decides as well.
		{fact.EntityBusiness, `size(persons.filter(p, p.ownership_percentage > 25)) >= 1`, "A document: required because the number of persons for whom their ownership percentage is more than 25% is 1, at least 1; and the ownership percentage of person p_1 is 70%, more than 25%.", `{"persons":{"p_1":{"ownership_percentage":70}}}`},
		{fact.EntityBusiness, `0 < size(persons.filter(p, p.ownership_percentage > 25))`, "A document: required because the number of persons for whom their ownership percentage is more than 25% is 1, more than 0; and the ownership percentage of person p_1 is 70%, more than 25%.", `{"persons":{"p_1":{"ownership_percentage":70}}}`},
		{fact.EntityBusiness, `!(size(persons.filter(p, p.ownership_percentage > 25)) >= 2)`, "A document: required because the number of persons for whom their ownership percentage is more than 25% is 1, less than 2; and the ownership percentage of person p_1 is 70%, more than 25%.", `{"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		{fact.EntityBusiness, `size(persons.filter(p, p.ownership_percentage > 25)) + 1 >= 2`, "A document: required because the number of persons for whom their ownership percentage is more than 25% plus 1 is 2, at least 2; and the ownership percentage of person p_1 is 70%, more than 25%.", `{"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		{fact.EntityBusiness, `industry_category_code.filter(c, c.startsWith("79")).size() == 1`, `A document: required because the number of industry category codes of which the code starts with 79 is 1; and an industry category code is 7995, which starts with 79.`, `{"industry_category_code":["0742","7995"]}`},
		{fact.EntityBusiness, `!("DE" in persons.map(p, p.citizenship))`, "A document: required because no person's citizenship is DE.", `{"persons":{"p_1":{"citizenship":"US"},"p_2":{"citizenship":"CA"}}}`},
		{fact.EntityBusiness, `persons.exists_one(p, p.ownership_percentage > 50)`, "A document: required because the ownership percentage of person p_1 is 70%, more than 50%; and the ownership percentage of person p_2 is 25%, at most 50%.", `{"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		// Dates that are counted from.
		{fact.EntityBusiness, `months_since(established_date) >= 12`, "A document: required because it is 13 months since the business's established date, at least 12.", `{"established_date":"2025-01-31"}`},
		{fact.EntityBusiness, `years_since(established_date) == 1`, "A document: required because it is 1 year since the business's established date.", `{"established_date":"2025-01-31"}`},
		{fact.EntityBusiness, `400 < days_since(established_date)`, "A document: required because it is 408 days since the business's established date, more than 400.", `{"established_date":"2025-01-31"}`},
		{fact.EntityPerson, `years_since(person.date_of_birth) < 18`, "A document: required because it is 17 years since the date of birth of person p_2, less than 18.", `{"persons":{"p_2":{"date_of_birth":"2008-03-16"}}}`},
		{fact.EntityBusiness, `persons.exists(p, years_since(p.date_of_birth) < 18)`, "A document: required because it is 17 years since the date of birth of person p_2, less than 18.", `{"persons":{"p_2":{"date_of_birth":"2008-03-16"}}}`},
		{fact.EntityBusiness, `!persons.exists(p, years_since(p.date_of_birth) > 50)`, "A document: required because for no person the years since their date of birth are more than 50.", `{"persons":{"p_1":{"date_of_birth":"1980-02-29"},"p_2":{"date_of_birth":"2008-03-16"}}}`},
		{fact.EntityBusiness, `months_since(date("2026-12-15")) < 0`, "A document: required because it is 9 months until 2026-12-15 (counted as -9), less than 0.", `{}`},
		{fact.EntityBusiness, `days_since(established_date) > days_since(date("2025-02-01")) * 1`, "A document: required because it is 408 days since the business's established date, more than the days since 2025-02-01 times 1 (407).", `{"established_date":"2025-01-31"}`},
		{fact.EntityPerson, `years_between(person.date_of_birth, established_date) < 18`, "A document: required because it is 16 years from the date of birth of person p_2 to the business's established date, less than 18.", `{"established_date":"2025-01-31","persons":{"p_2":{"date_of_birth":"2008-03-16"}}}`},
		{fact.EntityBusiness, `months_between(date("2025-03-15"), established_date) == -1`, "A document: required because it is 1 month from the business's established date to 2025-03-15 (counted as -1).", `{"established_date":"2025-01-31"}`},
		{fact.EntityBusiness, `0 < days_between(established_date, date("2025-02-01"))`, "A document: required because it is 1 day from the business's established date to 2025-02-01, more than 0.", `{"established_date":"2025-01-31"}`},
		{fact.EntityBusiness, `persons.all(p, years_between(p.date_of_birth, established_date) < 50)`, "A document: required because for every person the years from their date of birth to the business's established date are less than 50.", `{"established_date":"2025-01-31","persons":{"p_1":{"date_of_birth":"1980-02-29"},"p_2":{"date_of_birth":"2008-03-16"}}}`},
		{fact.EntityPerson, `country + "/" + person.citizenship in ["US/CA", "GB/CA"]`, "A document: required because the country of the business joined with \"/\" and the citizenship of person p_2 is US/CA, one of US/CA or GB/CA.", `{"country":"US","persons":{"p_2":{"citizenship":"CA"}}}`},
		{fact.EntityBusiness, `!(country + "/" + country in lists.nations)`, "A document: required because the country of the business joined with \"/\" and the country of the business is US/US, which is not in the list nations.", `{"country":"US"}`},
		// Sums: who, and how much.
		{fact.EntityBusiness, `persons.sum(p, p.ownership_percentage) >= 75`, "A document: required because the sum of every person's ownership percentage is 95%, at least 75%; the ownership percentage of person p_1 is 70%; and the ownership percentage of person p_2 is 25%.", `{"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		{fact.EntityBusiness, `persons.filter(p, p.citizenship != "US").sum(p, p.ownership_percentage) < 50`, "A document: required because the sum of the ownership percentage of every person for whom their citizenship is not US is 25%, less than 50%; the citizenship of person p_2 is CA, not US; and the ownership percentage of person p_2 is 25%.", `{"persons":{"p_1":{"citizenship":"US"},"p_2":{"citizenship":"CA","ownership_percentage":25}}}`},
		{fact.EntityBusiness, `100 - persons.sum(p, p.ownership_percentage * 1) == 5`, "A document: required because 100 minus the sum of every person's ownership percentage times 1 is 5; the ownership percentage of person p_1 times 1 is 70; and the ownership percentage of person p_2 times 1 is 25.", `{"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		{fact.EntityBusiness, `persons.sum(p, p.citizenship == "US" ? p.ownership_percentage : 0) == 70`, "A document: required because the sum of the values calculated for every person is 70%; the citizenship of person p_1 is US; (if the citizenship of person p_1 is US the ownership percentage of person p_1, otherwise 0%) is 70%; and the citizenship of person p_2 is CA, not US.", `{"persons":{"p_1":{"citizenship":"US","ownership_percentage":70},"p_2":{"citizenship":"CA"}}}`},
		{fact.EntityBusiness, `country == "US"`, "A document: required because the country of the business is US.", `{"country":"US"}`},
		{fact.EntityPerson, `person.country_of_residence != country`, "A document: required because the country of residence of person p_2 is GB, not the country of the business (US).", `{"country":"US","persons":{"p_2":{"country_of_residence":"GB"}}}`},
		{fact.EntityBusiness, `true`, "A document: required because its condition always holds.", `{}`},
		{fact.EntityBusiness, `persons.exists(p, p.citizenship in ["DE", "CA"])`, "A document: required because the citizenship of person p_2 is CA, one of DE or CA.", `{"persons":{"p_2":{"citizenship":"CA"}}}`},
		{fact.EntityBusiness, `persons.exists(p, !(p.citizenship in ["DE", "CA"]))`, "A document: required because the citizenship of person p_1 is US, not DE or CA.", `{"persons":{"p_1":{"citizenship":"US"}}}`},
		{fact.EntityBusiness, `(average_monthly_credit_sales + average_individual_sale) * 12 > 1`, "A document: required because (average monthly credit sales plus the average individual sale) times 12 is 744486 USD, more than 1 USD.", `{"average_individual_sale":40,"average_monthly_credit_sales":62000.5}`},
		// Each comparison, denied and with its sides exchanged.
		{fact.EntityBusiness, `established_date > date("2025-01-01")`, "A document: required because the business's established date is 2025-01-31, after 2025-01-01.", `{"established_date":"2025-01-31"}`},
		{fact.EntityBusiness, `established_date < date("2025-02-01")`, "A document: required because the business's established date is 2025-01-31, before 2025-02-01.", `{"established_date":"2025-01-31"}`},
		{fact.EntityBusiness, `!(established_date > date("2025-02-01"))`, "A document: required because the business's established date is 2025-01-31, on or before 2025-02-01.", `{"established_date":"2025-01-31"}`},
		{fact.EntityBusiness, `!(evaluation_score <= 5)`, "A document: required because the evaluation score is 620, more than 5.", `{"evaluation_score":620}`},
		{fact.EntityBusiness, `persons.exists(p, p.citizenship.contains("A"))`, "A document: required because the citizenship of person p_2 is CA, which contains A.", `{"persons":{"p_2":{"citizenship":"CA"}}}`},
		{fact.EntityBusiness, `persons.exists(p, p.citizenship.endsWith("A"))`, "A document: required because the citizenship of person p_2 is CA, which ends with A.", `{"persons":{"p_2":{"citizenship":"CA"}}}`},
		{fact.EntityBusiness, `persons.exists(p, !p.citizenship.contains("A"))`, "A document: required because the citizenship of person p_1 is US, which does not contain A.", `{"persons":{"p_1":{"citizenship":"US"}}}`},
		{fact.EntityBusiness, `persons.exists(p, !p.citizenship.startsWith("U"))`, "A document: required because the citizenship of person p_2 is CA, which does not start with U.", `{"persons":{"p_2":{"citizenship":"CA"}}}`},
		{fact.EntityBusiness, `persons.exists(p, !p.citizenship.endsWith("S"))`, "A document: required because the citizenship of person p_2 is CA, which does not end with S.", `{"persons":{"p_2":{"citizenship":"CA"}}}`},
		{fact.EntityBusiness, `1 < 2 && evaluation_score > 5`, "A document: required because the evaluation score is 620, more than 5.", `{"evaluation_score":620}`},
		{fact.EntityBusiness, `true || evaluation_score > 5`, "A document: required because this always holds or the evaluation score is more than 5.", `{}`},
		{fact.EntityBusiness, `(evaluation_score > 5) == (highest_ticket_sale > 1)`, "A document: required because the evaluation score is 620, more than 5; and the highest ticket sale is 900 USD, more than 1 USD.", `{"evaluation_score":620,"highest_ticket_sale":900}`},
		{fact.EntityBusiness, `(evaluation_score > 5 ? size(persons.filter(p, p.ownership_percentage > 50)) : 0) >= 1`, "A document: required because (if the evaluation score is more than 5 the number of persons for whom their ownership percentage is more than 50%, otherwise 0) is 1, at least 1; the evaluation score is 620, more than 5; and the ownership percentage of person p_1 is 70%, more than 50%.", `{"evaluation_score":620,"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		// What was calculated of each, where "no" instead would mean something else.
		{fact.EntityBusiness, `4 in industry_category_code.map(c, size(c))`, "A document: required because the length of an industry category code is 4.", `{"industry_category_code":["0742","7995"]}`},
		{fact.EntityBusiness, `persons.all(p, "7995" in lists.high_risk.filter(c, c != p.citizenship))`, "A document: required because for every person an entry of the list high_risk of which the entry is not their citizenship is 7995.", `{"persons":{"p_1":{"citizenship":"US"},"p_2":{"citizenship":"CA"}}}`},
		{fact.EntityBusiness, `persons.map(p, p.ownership_percentage > 50, p.ownership_percentage / 2).all(o, o > 10)`, "A document: required because the ownership percentage of every person for whom their ownership percentage is more than 50% divided by 2 is more than 10.", `{"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		{fact.EntityBusiness, `persons.map(p, evaluation_score > 5 ? p.citizenship : "US").exists(c, c == "CA")`, "A document: required because the evaluation score is 620, more than 5; and the value for person p_2 is CA.", `{"evaluation_score":620,"persons":{"p_2":{"citizenship":"CA"}}}`},
		{fact.EntityBusiness, `persons.exists(p, persons.exists(q, p.ownership_percentage != q.ownership_percentage && p.ownership_percentage + q.ownership_percentage > 90))`, "A document: required because the ownership percentage of person p_1 is 70%, not the ownership percentage of person p_2 (25%); a person's ownership percentage plus a person's ownership percentage is 95%, more than 90%; and the ownership percentage of person p_2 is 25%, not the ownership percentage of person p_1 (70%).", `{"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		{fact.EntityPerson, `!(person.citizenship in persons.filter(p, p.ownership_percentage > 50).map(p, p.citizenship))`, "A document: required because the ownership percentage of person p_1 is 70%, more than 50%; and the citizenship of person p_2 is CA, and the citizenship of no person for whom their ownership percentage is more than 50% is the same.", `{"persons":{"p_1":{"citizenship":"US","ownership_percentage":70},"p_2":{"citizenship":"CA","ownership_percentage":25}}}`},
		{fact.EntityPerson, `person.citizenship in lists.nations`, "A document: required because the citizenship of person p_2 is CA, which is in the list nations.", `{"persons":{"p_2":{"citizenship":"CA"}}}`},
		{fact.EntityPerson, `!(person.citizenship in lists.nations)`, "A document: required because the citizenship of person p_1 is US, which is not in the list nations.", `{"persons":{"p_1":{"citizenship":"US"}}}`},
		{fact.EntityBusiness, `persons.exists(p, p.ownership_percentage > 50 && "US" in persons.filter(q, q.person_id == p.person_id).map(q, q.citizenship))`, "A document: required because the ownership percentage of person p_1 is 70%, more than 50%; the id of person p_1 is p_1, the same as the id of person p_1 (p_1); and the citizenship of person p_1 is US.", `{"persons":{"p_1":{"citizenship":"US","ownership_percentage":70,"person_id":"p_1"}}}`},
		{fact.EntityBusiness, `evaluation_score in [620, 5] == true`, "A document: required because the evaluation score is 620, one of 620 or 5.", `{"evaluation_score":620}`},
		{fact.EntityBusiness, `industry_category_code.exists(c, industry_category_code.exists(d, c < d))`, "A document: required because an industry category code is 0742, less than the code (7995).", `{"industry_category_code":["0742","7995"]}`},
		{fact.EntityBusiness, `persons.map(p, p.ownership_percentage).exists(o, o == average_individual_sale + 30)`, "A document: required because the ownership percentage of person p_1 is 70%, the same as the average individual sale plus 30 USD (70 USD).", `{"average_individual_sale":40,"persons":{"p_1":{"ownership_percentage":70}}}`},
		{fact.EntityBusiness, `persons.map(p, p.ownership_percentage).filter(o, o > 50).exists(o, o < 100)`, "A document: required because the ownership percentage of person p_1 is 70%, more than 50%; and the ownership percentage of person p_1 is 70%, less than 100%.", `{"persons":{"p_1":{"ownership_percentage":70}}}`},
		{fact.EntityBusiness, `[evaluation_score, highest_ticket_sale].exists(x, x > 700)`, "A document: required because the entry is 900, more than 700.", `{"highest_ticket_sale":900}`},
		{fact.EntityBusiness, `highest_ticket_sale / (highest_ticket_sale + 100 * evaluation_score) > 0.01`, "A document: required because the highest ticket sale divided by (the highest ticket sale plus 100 times the evaluation score) is about 0.014308, more than 0.01.", `{"evaluation_score":620,"highest_ticket_sale":900}`},
		{fact.EntityBusiness, `average_individual_sale / 3 > 1`, "A document: required because the average individual sale divided by 3 is about 13.333333 USD, more than 1 USD.", `{"average_individual_sale":40}`},
		{fact.EntityPerson, `"CA" in industry_category_code.map(c, person.citizenship)`, "A document: required because the citizenship of person p_2 is CA.", `{"persons":{"p_2":{"citizenship":"CA"}}}`},
		{fact.EntityBusiness, `highest_ticket_sale in persons.map(p, p.ownership_percentage * 36)`, "A document: required because the highest ticket sale is 900 USD, the same as a person's ownership percentage times 36.", `{"highest_ticket_sale":900,"persons":{"p_2":{"ownership_percentage":25}}}`},
		{fact.EntityBusiness, `!(evaluation_score in persons.map(p, p.ownership_percentage * 36))`, "A document: required because the evaluation score is 620, and no person's ownership percentage times 36 is the same.", `{"evaluation_score":620,"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		{fact.EntityBusiness, `"7995" in industry_category_code.filter(c, c.startsWith("79"))`, "A document: required because an industry category code is 7995, which starts with 79; and an industry category code of which the code starts with 79 is 7995.", `{"industry_category_code":["7995"]}`},
		// Numbers of a unit: amounts and percentages, and what is calculated of them.
		{fact.EntityBusiness, `highest_ticket_sale * 2 - 100 > 1000`, "A document: required because the highest ticket sale times 2 minus 100 USD is 1700 USD, more than 1000 USD.", `{"highest_ticket_sale":900}`},
		{fact.EntityBusiness, `highest_ticket_sale / average_individual_sale > 20`, "A document: required because the highest ticket sale divided by the average individual sale is 22.5, more than 20.", `{"average_individual_sale":40,"highest_ticket_sale":900}`},
		{fact.EntityBusiness, `highest_ticket_sale in [900, 1000]`, "A document: required because the highest ticket sale is 900 USD, one of 900 USD or 1000 USD.", `{"highest_ticket_sale":900}`},
		{fact.EntityPerson, `person.ownership_percentage / 100 < 0.5`, "A document: required because the ownership percentage of person p_2 divided by 100 is 0.25, less than 0.5.", `{"persons":{"p_2":{"ownership_percentage":25}}}`},
		{fact.EntityPerson, `25 == person.ownership_percentage`, "A document: required because the ownership percentage of person p_2 is 25%.", `{"persons":{"p_2":{"ownership_percentage":25}}}`},
		{fact.EntityPerson, `25 in persons.map(p, p.ownership_percentage) && person.citizenship == "CA"`, "A document: required because the ownership percentage of person p_2 is 25%; and the citizenship of person p_2 is CA.", `{"persons":{"p_2":{"citizenship":"CA","ownership_percentage":25}}}`},
		{fact.EntityBusiness, `!persons.exists(p, p.ownership_percentage in [10, 20])`, "A document: required because no person's ownership percentage is 10% or 20%.", `{"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		{fact.EntityPerson, `person.ownership_percentage + evaluation_score < 650`, "A document: required because the ownership percentage of person p_2 plus the evaluation score is 645, less than 650.", `{"evaluation_score":620,"persons":{"p_2":{"ownership_percentage":25}}}`},
	} {
		rs := oneRule(c.entityType, c.when)
		rs.Lists["nations"] = []string{"CA", "MX"}
		f := rulestest.CompleteFacts()
		f.Currency = "USD"
		result := evaluate(t, rs, f)
		require.Len(t, result.Required, 1, c.when)
		reason := result.Required[0].Reason
		require.Equal(t, c.message, reason.Message, c.when)
		facts, err := json.Marshal(reason.Facts)
		require.NoError(t, err)
		require.JSONEq(t, c.facts, string(facts), c.when)
	}
}

func TestReason_NamesEightValuesAndCountsTheRest(t *testing.T) {
	for n, c := range map[int]struct{ each, together string }{
		1:  {"the citizenship of person p_00 is CA.", " of person p_00 is CA."},
		2:  {"the citizenship of person p_00 is CA; and the citizenship of person p_01 is CA.", " of persons p_00, p_01 is CA."},
		8:  {"person p_06 is CA; and the citizenship of person p_07 is CA.", "p_06, p_07 is CA."},
		9:  {"person p_07 is CA; and 1 more such value.", "p_06, p_07, and 1 more is CA."},
		10: {"person p_07 is CA; and 2 more such values.", "p_06, p_07, and 2 more is CA."},
	} {
		f := rulestest.CompleteFacts()
		f.Persons = nil
		for i := range n {
			f.Persons = append(f.Persons, fact.PersonFacts{PersonID: fmt.Sprintf("p_%02d", i), Citizenship: rulestest.Ptr("CA")})
		}
		message := func(when string) string {
			reason := evaluate(t, oneRule(fact.EntityBusiness, when), f).Required[0].Reason
			require.Len(t, reason.Facts[fact.NamePersons], n, "no fact is left out")
			return reason.Message
		}
		each, together := message(`persons.exists(p, p.citizenship == "CA")`), message(`"CA" in persons.map(p, p.citizenship)`)
		require.True(t, strings.HasSuffix(each, c.each), each)
		require.True(t, strings.HasSuffix(together, c.together), together)
	}
}

func TestReason_MentionsTheStatementThatThereAreNoPersons(t *testing.T) {
	const stated = "; the business has stated that it has no persons."
	for _, c := range []struct {
		when             string
		attested, nobody bool
		mentioned        bool
	}{
		{"size(persons) < 5", true, true, true}, {"size(persons) < 5", true, false, false}, {"evaluation_score > 5", true, true, false}, {"size(persons) < 5", false, false, false},
	} {
		f := rulestest.CompleteFacts()
		f.NoPersonsAttested = c.attested
		if c.nobody {
			f.Persons = nil
		}
		reason := evaluate(t, oneRule(fact.EntityBusiness, c.when), f).Required[0].Reason
		require.Equal(t, c.mentioned, strings.HasSuffix(reason.Message, stated), reason.Message)
		if c.mentioned {
			require.Equal(t, true, reason.Facts[fact.NameNoPersons])
		} else {
			require.NotContains(t, reason.Facts, fact.NameNoPersons)
		}
	}
}
