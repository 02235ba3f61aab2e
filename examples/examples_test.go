// Package examples_test checks that the rule sets and pricing models of this directory can
// be published, and that every application requires the documents that it expects.
package examples_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rational"
	"requisite/internal/rules/author"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/internal/rules/rulestest"
)

// organizations are the names of rule sets and pricing models. The applications belong to
// the first.
var organizations = []string{"us-card-acquirer", "eu-payment-facilitator", "small-seller-marketplace"}

// ruleSets are the names of all rule sets.
var ruleSets = append(slices.Clone(organizations), "uk-limited-company", "country-legal-form")

// Applications must require the same documents on any day of the next twenty years, also
// at the ends of months and on the leap day.
var applicationDays = [...]string{
	"2026-11-20", "2026-12-31", "2027-02-28", "2027-03-01", "2027-03-31", "2027-04-30",
	"2028-02-29", "2028-04-29", "2028-08-31", "2032-05-09", "2036-10-31", "2046-11-20",
}

func TestOrganizations_HaveRulesAndPricing(t *testing.T) {
	t.Parallel()
	for dir, names := range map[string][]string{"rules": ruleSets, "pricing": organizations} {
		var want []string
		for _, name := range names {
			want = append(want, filepath.Join(dir, name+".yaml"))
		}
		require.ElementsMatch(t, want, glob(t, dir, "*.yaml"))
	}
}

func TestRuleSets_CompileWithoutWarnings(t *testing.T) {
	t.Parallel()
	for _, name := range ruleSets {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules := ruleSet(t, name)
			require.GreaterOrEqual(t, len(rules.Documents), 6)
			require.LessOrEqual(t, len(rules.Documents), 12)
			program := compile(t, rules)
			warnings, err := author.Warnings(t.Context(), author.Today(), program, rules)
			require.NoError(t, err)
			require.Empty(t, warnings)
			require.NotEmpty(t, rules.Facts)
			require.Equal(t, slices.Contains(organizations, name), slices.Contains(program.FactNames(), "evaluation_score"))
		})
	}
}

// TestExamples_FailWhenAnyRuleChanges removes each rule in turn, and then makes it
// unconditional. Some example must fail each time.
func TestExamples_FailWhenAnyRuleChanges(t *testing.T) {
	t.Parallel()
	for _, name := range ruleSets {
		for i, doc := range ruleSet(t, name).Documents {
			t.Run(name+"/"+doc.DocumentTypeCode, func(t *testing.T) {
				t.Parallel()
				never, always := ruleSet(t, name), ruleSet(t, name)
				never.Documents[i].When = "1 > 2"
				requireFailingExample(t, never)
				if doc.When != "" {
					always.Documents[i].When = ""
					requireFailingExample(t, always)
				}
			})
		}
	}
}

func TestPricingModels_Compile(t *testing.T) {
	t.Parallel()
	for _, name := range organizations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pricing(t, name)
		})
	}
}

func TestApplications_RequireTheExpectedDocuments(t *testing.T) {
	t.Parallel()
	for name, dir := range map[string]string{organizations[0]: "applications", organizations[1]: filepath.Join("applications", organizations[1])} {
		program, prices := compile(t, ruleSet(t, name)), pricing(t, name)
		files := glob(t, dir, "*.json")
		require.NotEmpty(t, files)
		for _, file := range files {
			t.Run(name+"/"+filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				app := readApplication(t, file)
				require.NotEqual(t, len(app.Expect.Documents) > 0, len(app.Expect.Missing) > 0,
					"an application expects either documents or gaps")
				for _, day := range applicationDays {
					documents, findings, missing := process(t, program, prices, app, day)
					require.Equal(t, app.Expect.Documents, documents, "on %s", day)
					require.Equal(t, app.Expect.Findings, findings, "on %s", day)
					require.Equal(t, app.Expect.Missing, missing, "on %s", day)
				}
				for _, r := range app.Reviews {
					of := func(document string) bool { return strings.Split(document, ":")[0] == r.DocumentTypeCode }
					require.True(t, slices.ContainsFunc(app.Expect.Documents, of), r.DocumentTypeCode)
				}
			})
		}
	}
}

// TestOrganizations_OneShowsWhatRulesCanSay, so that a newcomer finds each of these in a file that runs.
func TestOrganizations_OneShowsWhatRulesCanSay(t *testing.T) {
	t.Parallel()
	rules := ruleSet(t, organizations[1])
	require.NotEmpty(t, rules.Facts)
	require.NotEmpty(t, rules.Findings)
	text := string(rules.CanonicalJSON())
	for _, term := range []string{"any_of", "all_of", "not_older_than", "must_be_valid", "valid_for", "renew_after", "remind_before", "due_within", "hold", "bound_to", "explanation"} {
		require.Contains(t, text, `"`+term+`":`)
	}
}

// TestApplications_AProgramFillsTheirGaps for every rule set, as they are and with nothing but a
// sales record of one amount.
func TestApplications_AProgramFillsTheirGaps(t *testing.T) {
	t.Parallel()
	asOf, err := fact.ParseDate(applicationDays[0])
	require.NoError(t, err)
	for _, name := range organizations {
		program, prices := compile(t, ruleSet(t, name)), pricing(t, name)
		calculate := func(f fact.Facts) []fact.Gap {
			result, err := program.Evaluate(context.Background(), f)
			require.NoError(t, err)
			if score := fact.ScoreGap(result.Gaps); score != nil {
				require.NoError(t, requirement.ExplainScoreGap(t.Context(), score, prices, f))
			}
			return result.Gaps
		}
		for _, file := range glob(t, "applications", "*.json") {
			whole := readApplication(t, file).facts(t, asOf)
			whole.Currency = "USD"
			if name != organizations[0] { // which declares what the applications state
				whole.Custom = nil
				for i := range whole.Persons {
					whole.Persons[i].Custom = nil
				}
			}
			little := fact.Facts{AsOf: asOf, WorkflowID: "w_1", BusinessID: "b_1", Currency: "USD", SalesInfoID: "bsi_1", AverageIndividualSale: pointer(rational.Int(40))}
			for _, facts := range []fact.Facts{whole, little} {
				records := rulestest.Records{Facts: facts, Price: func(f fact.Facts) (*fact.Number, []fact.Gap, error) {
					score, err := prices.Score(context.Background(), f)
					return &score.Score, score.Gaps, err
				}}
				records.FillGaps(t, 2, calculate)
			}
		}
	}
}

// TestThresholds_AreExact to one cent and to one hundredth of a percent.
func TestThresholds_AreExact(t *testing.T) {
	t.Parallel()
	program, prices := compile(t, ruleSet(t, organizations[0])), pricing(t, organizations[0])
	app := readApplication(t, filepath.Join("applications", "08-exactly-at-the-threshold.json"))
	before, _, _ := process(t, program, prices, app, applicationDays[0])

	for i, amount := range app.SalesInfo.SalesAmount {
		if amount.Type == "AVERAGE_YEARLY_CREDIT_SALES" {
			less, err := amount.Value.Sub(rational.Hundredths(1))
			require.NoError(t, err)
			app.SalesInfo.SalesAmount[i].Value = less
		}
	}
	app.Persons[1].OwnershipPercentage = pointer(rational.Hundredths(2499))
	after, _, _ := process(t, program, prices, app, applicationDays[0])

	lost := slices.DeleteFunc(slices.Clone(before), func(document string) bool {
		return slices.Contains(after, document)
	})
	require.Equal(t, []string{"GOVERNMENT_ID: Owen Castellano", "FINANCIAL_STATEMENTS"}, lost)
	require.Len(t, after, len(before)-len(lost))
}

// process calculates the score and then the documents and findings of an application.
func process(
	t *testing.T, program *requirement.Program, prices *requirement.Pricing, app application, day string,
) (documents, findings []string, missing []gap) {
	t.Helper()
	asOf, err := fact.ParseDate(day)
	require.NoError(t, err)
	facts := app.facts(t, asOf)

	score, err := prices.Score(context.Background(), facts)
	require.NoError(t, err)
	if len(score.Gaps) == 0 {
		facts.EvaluationScore = &score.Score
	}
	result, err := program.Evaluate(context.Background(), facts)
	require.NoError(t, err)

	for _, required := range result.Required {
		if required.FindingCode != "" {
			findings = append(findings, app.describe(required))
		} else {
			documents = append(documents, app.describe(required))
		}
	}
	for _, g := range result.Gaps {
		require.NotEmpty(t, g.Message)
		require.NotEmpty(t, g.RelatedEndpoints)
		missing = append(missing, gap{EntityType: g.EntityType, Fields: g.Fields})
	}
	return documents, findings, missing
}

func ruleSet(t *testing.T, name string) requirement.RuleSet {
	t.Helper()
	rules, problems := requirement.ReadRuleSet(rulefile.YAMLFile(read(t, filepath.Join("rules", name+".yaml"))))
	require.Empty(t, problems)
	return rules
}

func compile(t *testing.T, rules requirement.RuleSet) *requirement.Program {
	t.Helper()
	program, problems := requirement.Compile(rules, requirement.Options{})
	require.Empty(t, problems)
	return program
}

func requireFailingExample(t *testing.T, rules requirement.RuleSet) {
	t.Helper()
	_, problems := requirement.Compile(rules, requirement.Options{})
	require.NotEmpty(t, problems, "no example notices the change")
	for _, problem := range problems {
		require.True(t, strings.HasPrefix(problem.Path, "examples["), "%s: %s", problem.Path, problem.Message)
	}
}

func pricing(t *testing.T, name string) *requirement.Pricing {
	t.Helper()
	model, problems := requirement.ReadPricingModel(rulefile.YAMLFile(read(t, filepath.Join("pricing", name+".yaml"))))
	require.Empty(t, problems)
	prices, problems := requirement.CompilePricing(model, requirement.Options{})
	require.Empty(t, problems)
	return prices
}

func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	require.NoError(t, err)
	return files
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	return data
}

func pointer[T any](value T) *T { return &value }
