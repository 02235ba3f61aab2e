package author

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

const policies = "testdata/policies"

func policy(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(policies, name+".yaml"))
	require.NoError(t, err)
	return string(data)
}

// shipped are the files that match, at least so many.
func shipped(t *testing.T, pattern string, least int) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), least, pattern)
	return files
}

// The policies of acquirers, marketplaces, lenders and others, written as rules, and the examples.
func TestLint_PublishedPoliciesHaveNoWarnings(t *testing.T) {
	for _, file := range append(shipped(t, filepath.Join(policies, "*.yaml"), 6), shipped(t, "../../../examples/rules/*.yaml", 1)...) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			checked := CheckRuleSet(rulefile.YAMLFile(data))
			require.Empty(t, checked.Problems)
			require.Empty(t, checked.Warnings)
		})
	}
	for _, file := range shipped(t, "../../../examples/pricing/*.yaml", 1) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		checked := CheckPricingModel(rulefile.YAMLFile(data))
		require.Empty(t, checked.Problems)
		require.Empty(t, checked.Warnings)
	}
}

// TestLint_PagesShowNoMistakes: every rule set on a page but docs/rules.md, whose own test holds each of
// its blocks to what the check says.
func TestLint_PagesShowNoMistakes(t *testing.T) {
	ruleSet := regexp.MustCompile("(?ms)^```yaml[^\n]*\n((?:[^`]*\n)?documents:\n.*?)^```")
	found := 0
	for _, file := range slices.Concat(shipped(t, "../../../*.md", 1), shipped(t, "../../../docs/*.md", 1), shipped(t, "../../../docs/*/*.md", 1), shipped(t, "../../../examples/*.md", 1)) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if filepath.Base(file) == "rules.md" {
			continue
		}
		for _, block := range ruleSet.FindAllSubmatch(text, -1) {
			checked := CheckRuleSet(rulefile.YAMLFile(block[1]))
			require.Empty(t, checked.Problems, file)
			require.Empty(t, slices.DeleteFunc(checked.Warnings, func(w requirement.Problem) bool { return w.Severity == requirement.SeverityHint }), file)
			found++
		}
	}
	require.GreaterOrEqual(t, found, 2)
}

// TestLint_FindsPlantedMistakes plants one mistake at a time in a policy that is
// free of them. If an example would fail because of the mistake, the test leaves the examples out,
// as in a file whose author has not written any.
func TestLint_FindsPlantedMistakes(t *testing.T) {
	for i, c := range []struct {
		policy, old, new string
		prefix           string // path and severity
		says             string
	}{
		// Contradictions and tautologies over one fact.
		{"card-acquirer", "average_monthly_credit_sales > 50000 ||", "average_monthly_credit_sales < 0 ||", "documents[2].when WARNING", "is never true: an amount is 0 or more"},
		{"card-acquirer", "business_age_months < 6", "business_age_months >= 0", "documents[2].when WARNING", "is always true: an age"},
		{"lender", "when: business_age_years < 2", "when: business_age_years < 0", "documents[1].when WARNING", "is never true: an age"},
		{"lender", "when: business_age_years < 2", "when: business_age_years < -2", "documents[1].when WARNING", "an age is 0 or more"},
		{"crowdfunding", `!(p.citizenship in ["US", "CA"])`, `(!(p.citizenship in ["US"]) || !(p.citizenship in ["CA"]))`, "documents[5].when WARNING", "one is always true: write &&"},
		{"crypto-on-ramp", "person.citizenship in lists.home'", `person.citizenship in lists.home && person.citizenship in lists.high_risk_countries'`, "documents[2].when WARNING", "are never true together"},
		{"lender", "size(persons) > 3", "size(persons) > 300", "documents[5].when WARNING", "at most 200 persons"},
		{"lender", "size(persons) > 3", "size(persons) >= 0", "documents[5].when WARNING", "is always true"},
		{"money-transmitter", "persons.all(p, p.ownership_percentage < 10)", "persons.all(p, p.ownership_percentage <= 100)", "documents[5].when WARNING", "is always true: ownership"},
		{"card-acquirer", "person.ownership_percentage >= 25", "person.ownership_percentage > 100", "documents[1].when WARNING", "is never true: ownership"},
		{"crypto-on-ramp", "average_monthly_credit_sales > 500000 :", "(evaluation_score > 300 ? average_monthly_credit_sales > 500000 : false) :", "documents[5].when WARNING", "evaluation_score > 300 is always true where it is looked at, so false is never reached"},
		{"crypto-on-ramp", "(evaluation_score >= 400 ?", "(evaluation_score >= 400 || evaluation_score < 400 ?", "documents[5].when WARNING", "one is always true"},
		{"marketplace", "average_yearly_credit_sales >= 200 * average_individual_sale}\n  - {document_type_code: PAYOUT", "average_yearly_credit_sales < 5000}\n  - {document_type_code: PAYOUT", "documents[1].when WARNING", "are never true together"},
		{"money-transmitter", "average_monthly_credit_sales >= 25000", "average_monthly_credit_sales / 2 >= 25000 && average_monthly_credit_sales < 40000", "documents[1].when WARNING", "are never true together"},
		{"crowdfunding", "average_yearly_credit_sales <= 618000", "average_yearly_credit_sales < 618000", "documents[2].when WARNING", "neither this nor documents[1].when holds for average_yearly_credit_sales exactly 618000"},
		{"crowdfunding", "when: average_yearly_credit_sales > 618000", "when: average_yearly_credit_sales > 500000", "documents[2].when HINT", "both this and documents[1].when hold for average_yearly_credit_sales from 500000.01 to 618000"},
		{"crowdfunding", "when: average_yearly_credit_sales > 618000", "when: average_yearly_credit_sales > 681000", "documents[2].when HINT", "neither this nor documents[1].when holds for average_yearly_credit_sales from 618000.01 to 681000"},
		{"lender", `date("2020-03-01")`, `date("1970-01-01")`, "documents[5].when WARNING", "programs write 1970-01-01 where no date is known"},
		{"lender", `date("2020-03-01")`, `date("2920-03-01")`, "documents[5].when WARNING", "2920-03-01 is after today"},
		{"marketplace", `person.citizenship != "US"`, `person.citizenship != "5942"`, "documents[4].when WARNING", "a citizenship is an ISO 3166-1 code"},
		// Industry codes.
		{"crypto-on-ramp", "c in lists.money_services", "c in lists.home", "documents[4].when WARNING", "compares industry category codes with lists.home, which holds countries"},
		{"marketplace", `"5942" in`, `"US" in`, "documents[5].when WARNING", `compares an industry category code with "US", which looks like a country`},
		{"marketplace", `!("5942" in industry_category_code)`, `industry_category_code.exists(c, c != "5942")`, "documents[5].when WARNING", `if none of its codes may be "5942", write !("5942" in industry_category_code)`},
		{"card-acquirer", `"5122", "5912"`, `"742", "5912"`, "lists.restricted[0] WARNING", `did you mean "0742"?`},
		{"card-acquirer", `"5122", "5912"`, `"O742", "5912"`, "lists.restricted[0] WARNING", `did you mean "0742"?`},
		{"marketplace", `"5942" in`, `"942" in`, "documents[5].when WARNING", `did you mean "0942"?`},
		{"money-transmitter", `c >= "6000" && c <= "6299"`, `c >= "6299" && c <= "6000"`, "documents[2].when WARNING", "are never true together"},
		{"crypto-on-ramp", `"AF", "HT"`, `"AF", "ZZ"`, "lists.high_risk_countries[1] WARNING", "but no record can contain it"},
		{"crypto-on-ramp", `"FR", "GB"`, `"FR", "UK"`, "lists.home[4] WARNING", "did you mean GB?"},
		{"marketplace", `person.citizenship != "US"`, `person.citizenship != (evaluation_score > 5 ? "USA" : "CA")`, "documents[4].when WARNING", "did you mean US?"},
		// Rules beside each other.
		{"marketplace", "name: Proof of the payout account, category: FINANCIAL, requirement_text: A bank letter., entity_type: Business, when: average_yearly_credit_sales >= 5000", "name: Proof of the tax number, category: FINANCIAL, requirement_text: A letter of the authority., entity_type: Business, when: average_yearly_credit_sales >= 6000", "documents[2] WARNING", "has the name and the text of documents[1] (TAX_NUMBER)"},
		{"marketplace", "name: Proof of the payout account", "name: Proof of the tax number", "documents[2] WARNING", "under the same condition"},
		{"lender", "when: business_age_years < 2", "when: business_age_years >= 2", "documents[1].when HINT", "is the condition of documents[0] (BUSINESS_TAX_RETURN) too"},
		{"lender", "evaluation_score > 500 && evaluation_score <= 580 && average_yearly_credit_sales > 250000", `size(persons) > 3 || established_date < date("2020-03-01")`, "documents[5].when HINT", "is the condition of documents[4] (COLLATERAL_LIST) too"},
		// Loops.
		{"crowdfunding", "persons.exists(p, p.ownership_percentage > 50)", "persons.exists(p, average_yearly_credit_sales > 50)", "documents[4].when WARNING", "never looks at p"},
		// Files.
		{"lender", "name: Schedule of debts, category: CREDIT, requirement_text: All loans and leases., entity_type: Business, when: 'established_date < date(\"2020-03-01\") || size(persons) > 3'}", "name: Schedule of debts, category: CREDIT, requirement_text: All loans and leases., entity_type: Business, when:\n    evaluation_score > 300 # && size(persons) > 3\n    }", "documents[5].when WARNING", "reads a blank and # as the start of a comment"},
		// Examples.
		{"card-acquirer", "evaluation_score: 600, average_monthly_credit_sales: 50000,", "evaluation_score: 600, average_monthly_credit_sales: 49999,", "documents[2].when HINT", "no example has average_monthly_credit_sales exactly 50000"},
		{"crypto-on-ramp", `["6051"]`, `["5912"]`, "documents[4] HINT", "no example requires LICENSE"},
	} {
		t.Run(fmt.Sprint(i, " ", c.policy, " ", c.new), func(t *testing.T) {
			t.Parallel()
			source := policy(t, c.policy)
			require.Contains(t, source, c.old)
			source = strings.Replace(source, c.old, c.new, 1)
			if c.says == "no example requires LICENSE" {
				source = strings.Replace(source, "person_id: p2}, LICENSE]", "person_id: p2}]", 1)
			}
			checked := CheckRuleSet(rulefile.YAMLFile([]byte(source)))
			if len(checked.Problems) > 0 {
				without, _, _ := strings.Cut(source, "\nexamples:")
				checked = CheckRuleSet(rulefile.YAMLFile([]byte(without + "\n")))
			}
			require.Empty(t, checked.Problems)
			var found []string
			for _, w := range checked.Warnings {
				found = append(found, fmt.Sprintf("%s %s: %s", w.Path, w.Severity, w.Message))
				require.NotZero(t, w.Line)
				require.NotZero(t, w.Column)
			}
			reported := false
			for _, text := range found {
				reported = reported || strings.HasPrefix(text, c.prefix+": ") && strings.Contains(text, c.says)
			}
			require.True(t, reported, "%q is not among\n%s", c.says, strings.Join(found, "\n"))
		})
	}
}

// mistakesOf are the warnings of a long policy without advice about examples, which most of them lack,
// and about defaults and sizes, which are no mistakes of a text.
func mistakesOf(t *testing.T, source string) (found []requirement.Problem) {
	t.Helper()
	checked := CheckRuleSet(rulefile.YAMLFile([]byte(source)))
	require.Empty(t, checked.Problems, source)
	require.GreaterOrEqual(t, len(checked.Set.Documents)+len(checked.Set.Findings), 30)
	return slices.DeleteFunc(checked.Warnings, func(w requirement.Problem) bool {
		return slices.ContainsFunc([]string{
			"there are none", "no example states", "add an example that expects both", "counts what nobody has stated", "so the service would refuse to calculate it",
		}, func(advice string) bool { return strings.Contains(w.Message, advice) })
	})
}

// TestLint_LongPolicies: policies of about thirty rules, with definitions, declared facts, loops, shares, ages,
// bands and terms, have no mistakes; with one that is planted, it is found.
func TestLint_LongPolicies(t *testing.T) {
	t.Parallel()
	sources := map[string]string{}
	for _, file := range shipped(t, "testdata/long/*.yaml", 6) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Empty(t, mistakesOf(t, string(data)), file)
		sources[strings.TrimSuffix(filepath.Base(file), ".yaml")] = string(data)
	}
	for _, c := range []struct{ policy, old, new, says string }{
		// A rule that never holds, through definitions.
		{"eu-bank", `definitions.company && !custom.listed', not`, `definitions.company && custom.legal_form == "PARTNERSHIP"', not`, "are never true together"},
		{"eu-bank", "definitions.no_owner && !custom.listed && size(persons) > 0", "'definitions.no_owner && persons.exists(p, p.ownership_percentage >= 50)'", "are never true together"},
		{"eu-bank", "when: definitions.risky_country && definitions.abroad", "when: definitions.risky_country && !definitions.high_risk", "are never true together"},
		{"us-msb", "definitions.large && definitions.young", "definitions.large && definitions.small", "are never true together"},
		{"us-msb", "when: definitions.young}", "when: definitions.young && business_age_months >= 30}", "are never true together"},
		{"uk-emi", "definitions.controls && !definitions.adult", "definitions.controls && !definitions.relevant", "are never true together"},
		{"lender", "definitions.long_term && !definitions.micro", "definitions.long_term && definitions.short", "are never true together"},
		{"marketplace", "definitions.grown && definitions.business,", "definitions.grown && definitions.starter,", "are never true together"},
		// A gap between bands.
		{"eu-bank", "custom.turnover > 2000000, renew", "custom.turnover > 3000000, renew", "holds for custom.turnover from 2000000.01 to 3000000"},
		{"us-msb", "average_monthly_credit_sales > 100000 &&", "average_monthly_credit_sales > 150000 &&", "from 100000.01 to 150000"},
		{"uk-emi", "custom.monthly_payments >= 150000", "custom.monthly_payments > 160000", "custom.monthly_payments from 150000 to 160000"},
		{"lender", "custom.months > 60", "custom.months > 66", "custom.months from 60.000001 to 66"},
		{"crypto-exchange", "custom.monthly_volume > 250000 && !definitions.institutional", "custom.monthly_volume > 300000 && !definitions.institutional", "from 250000.01 to 300000"},
		{"crypto-exchange", "custom.tracing_score >= 7}", "custom.tracing_score > 7}", "custom.tracing_score exactly 7"},
		{"marketplace", "custom.revenue_year > 100000", "custom.revenue_year > 110000", "from 100000.01 to 110000"},
		// The wrong side of a list.
		{"eu-bank", "industry_category_code.exists(c, c in lists.supervised_sectors)", "industry_category_code.exists(c, c in lists.supervised_sectors) && country in lists.eea || industry_category_code.exists(c, !(c in lists.supervised_sectors))", "write !industry_category_code.exists(c, c in lists.supervised_sectors)"},
		{"crypto-exchange", "definitions.risky || definitions.pep", "'industry_category_code.exists(c, !(c in lists.high_risk_sectors))'", "write !industry_category_code.exists"},
		{"lender", "industry_category_code.exists(c, c in lists.excluded_sectors)", "industry_category_code.exists(c, !(c in lists.excluded_sectors))", "write !industry_category_code.exists"},
		{"uk-emi", "custom.destinations.exists(d, d in lists.embargoed)", "custom.destinations.exists(d, !(d in lists.embargoed))", "write !custom.destinations.exists"},
		// Codes.
		{"us-msb", `"4829", "6012", "6051"`, `"4829", "6012", "605l", "6211"`, `"605l" has a letter that looks like a digit`},
		{"lender", `"0780", "4722", "7011"`, `"0780", "47220", "7011"`, `"47220" is written unlike`},
		{"us-msb", "CA, FL, IL, NY", "CA, FL, il, NY", `"il" is written unlike all other codes of the list: did you mean "IL"?`},
		{"us-msb", "CA, FL, IL, NY", `CA, "FL ", IL, NY`, `did you mean "FL"?`},
		{"uk-emi", "BY, IR, KP, RU", "BY, IR, PRK, RU", `"PRK"`},
		{"marketplace", "FR/BUSINESS, IT/BUSINESS", "FR/BUSINESS, IT_BUSINESS", `"IT_BUSINESS" is written unlike`},
		{"marketplace", `"5045", "5099"`, `"5045", "5099x"`, `"5099x" is written unlike`},
		// A choice without a rule.
		{"us-msb", `custom.entity == "LLP"`, `custom.state == "LLP"`, "no rule names LLP"},
		{"lender", `custom.purpose == "REFINANCING"`, `custom.debt > 100`, "no rule names REFINANCING"},
		{"crypto-exchange", `'custom.client_type == "DAO"'`, "custom.licensed", "no rule names DAO"},
		{"uk-emi", `person.custom.position == "MEMBER" &&`, "person.ownership_percentage < 1 &&", "no rule names MEMBER"},
		// Percentages.
		{"eu-bank", "p.ownership_percentage) < 75", "p.ownership_percentage) < 0.75", "so a quarter is 25, not 0.25"},
		{"eu-bank", "person.custom.voting > 25", "person.custom.voting > 0.25", "so a quarter is 25, not 0.25"},
		{"lender", "person.ownership_percentage >= 20", "person.ownership_percentage >= 0.2", "so a quarter is 25, not 0.25"},
		{"lender", "p.ownership_percentage) < 80", "p.ownership_percentage) != 100", "write persons.sum(p, p.ownership_percentage) < 99.5"},
		// Ages.
		{"uk-emi", "years_since(person.date_of_birth) >= 18", "days_since(person.date_of_birth) / 365 >= 18", "count with years_since(person.date_of_birth)"},
		{"lender", "years_since(p.date_of_birth) >= 70", "years_since(p.date_of_birth) - business_age_years >= 70", "years_between(p.date_of_birth, established_date)"},
		// Terms.
		{"lender", "renew_after: 3 years, remind_before: 3 months", "renew_after: 3 months, remind_before: 3 months", "so the reminder is sent at once"},
		{"marketplace", "renew_after: 1 year, due_within: 90 days", "renew_after: 60 days, due_within: 90 days", "is longer than renew_after"},
		{"us-msb", "when: definitions.young}", "when: '!definitions.young', due_within: 1 year, due_from: established_date}", "so the document is overdue at once"},
		{"marketplace", "due_within: 1 month, due_from", "renew_after: 1 year, due_within: 1 month, due_from", "so each renewal is overdue at once"},
		// A limit that neither of two rules has.
		{"lender", "custom.months <= 12", "custom.months < 12", "custom.months exactly 12"},
		{"us-msb", "average_monthly_credit_sales <= 100000", "average_monthly_credit_sales < 100000", "average_monthly_credit_sales exactly 100000"},
		{"crypto-exchange", "custom.monthly_volume <= 10000 &&", "custom.monthly_volume < 10000 &&", "custom.monthly_volume exactly 10000"},
	} {
		source := sources[c.policy]
		require.Contains(t, source, c.old)
		var said []string
		for _, w := range mistakesOf(t, strings.Replace(source, c.old, c.new, 1)) {
			said = append(said, fmt.Sprint(w.Severity, " ", w.Path, " ", w.Message))
		}
		if !strings.Contains(strings.Join(said, "\n"), c.says) {
			t.Errorf("%s: %s\n%s", c.policy, c.new, strings.Join(said, "\n"))
		}
	}
}
