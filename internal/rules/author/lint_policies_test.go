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

// TestLint_LongPoliciesHaveNoMistakes: policies of about thirty rules, with definitions, declared facts, loops,
// shares, ages, bands and terms. Most have no examples, so the advice about those is left out.
func TestLint_LongPoliciesHaveNoMistakes(t *testing.T) {
	for _, file := range shipped(t, "testdata/long/*.yaml", 6) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			checked := CheckRuleSet(rulefile.YAMLFile(data))
			require.Empty(t, checked.Problems)
			require.GreaterOrEqual(t, len(checked.Set.Documents)+len(checked.Set.Findings), 30)
			for _, w := range checked.Warnings {
				if !strings.Contains(w.Message, "there are none") && !strings.Contains(w.Message, "add an example that expects both") && !strings.Contains(w.Message, "no example states") && !strings.HasPrefix(w.Message, "counts what nobody has stated") {
					t.Errorf("%s:%d:%d: %s %s: %s", file, w.Line, w.Column, w.Severity, w.Path, w.Message)
				}
			}
		})
	}
}
