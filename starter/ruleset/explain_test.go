package ruleset_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/starter/cli"
	"requisite/starter/ruleset"
	"requisite/starter/startertest"
)

// steps are how the last calculation came to its result.
func steps(b *startertest.Bundle, args ...string) string {
	b.Helper()
	_, shown, found := strings.Cut(b.MustRun(append([]string{"decision", "show", b.Workflow, "--steps"}, args...)...), "\nEvaluation\n")
	require.True(b, found)
	return shown
}

// decide calculates by the rules of a text, which it publishes.
func decide(b *startertest.Bundle, rules string) {
	b.Helper()
	b.Publish(startertest.RulesFile(b.T, "rules.yaml", rules))
	b.DecideByRules(b.Workflow)
}

func TestExplain_ShowsEveryRule(t *testing.T) {
	b := startertest.Setup(t)
	_, err := b.Try("decision", "show", b.Workflow)
	require.EqualError(t, err, "no calculation of the documents of workflow "+b.Workflow+" is on record")
	decide(b, oldRules)
	shown := regexp.MustCompile(`rul_\w+`).ReplaceAllString(strings.NewReplacer(b.Business, "BUSINESS", b.Person, "PERSON").Replace(steps(b)), "VERSION")
	require.Equal(t, `Rules: version 1 (VERSION)
Facts: those on file then
  business_age_years = YEARS
  persons = 1
  of each person citizenship

OLD of business Secret Name Ltd (BUSINESS): required
  business_age_years > 3  = true
  └─ business_age_years  = YEARS

PASSPORT of person Planted Name (PERSON): required
  person.citizenship != "US"  = true
  └─ person.citizenship  = "CA"

GONE of business Secret Name Ltd (BUSINESS): required
  always required

3 documents evaluated, 3 required
`, regexp.MustCompile(`(years +)= \d+`).ReplaceAllString(shown, "$1= YEARS"))
	shown = steps(b, "--document", "OLD")
	require.Contains(t, shown, "1 document evaluated, 1 required\n")
	require.NotContains(t, shown, "PASSPORT")

	decide(b, strings.ReplaceAll(oldRules, "business_age_years > 3", "business_age_years < 3 && business_age_months > 7"))
	shown = steps(b)
	require.Contains(t, shown, "Rules: version 2 (")
	require.Contains(t, shown, "└─ business_age_months > 7  (not looked at)\n")
	_, err = b.Try("decision", "show", "w_"+strings.Repeat("1", 21))
	require.Equal(t, "there is no such workflow: w_"+strings.Repeat("1", 21), cli.ErrorText(err))
}

func TestExplain_GroupsPersonsWithTheSameResult(t *testing.T) {
	b := startertest.Setup(t)
	var persons []domain.Person
	for i := range 11 {
		name, citizenship, share := fmt.Sprint("P", i), []string{"US", "CA", "FR"}[i%3], rational.Decimal(50)
		persons = append(persons, domain.Person{FirstName: &name, Citizenship: &citizenship, OwnershipHundredths: &share})
	}
	b.Write(func(r *store.Records) error {
		_, err := r.Persons.Create(t.Context(), id.Must[id.BusinessID](b.Business), store.PersonPath, persons...)
		return err
	})
	decide(b, `documents:
  - {document_type_code: PASSPORT, name: n, category: c, requirement_text: t, entity_type: Person, when: 'person.citizenship != "US"'}
  - {document_type_code: OWNERS, name: n, category: c, requirement_text: t, entity_type: Business, when: 'persons.exists(p, p.ownership_percentage > 50.0 || p.citizenship == "DE")'}
`)
	shown := steps(b)
	require.Contains(t, shown, "PASSPORT of person Planted Name ("+b.Person+"): required\n")
	require.Regexp(t, `\n  and required of 7 persons more, such as P1 \(p_\w+\), P2 \(p_\w+\), P4 \(p_\w+\); --all shows each\n`, shown)
	require.Regexp(t, `\nPASSPORT of person P0 \(p_\w+\): not required\n`, shown)
	require.Contains(t, shown, "\n  and not required of 3 persons more, such as P3 (")
	require.Contains(t, shown, "13 documents evaluated, 8 required\n")
	require.Equal(t, 12, strings.Count(steps(b, "--all", "--document", "PASSPORT"), "PASSPORT of person "))
}

// TestExplain_NamesPersonsAndShowsExplanations, as does a preview. The decision has the name of then.
func TestExplain_NamesPersonsAndShowsExplanations(t *testing.T) {
	b := startertest.Setup(t)
	const rules = `documents:
  - {document_type_code: OWNERS, name: n, category: c, requirement_text: t, entity_type: Business, when: 'persons.exists(p, p.ownership_percentage >= 25)', explanation: We have to know who owns you.}
`
	const reason = "n: required because the ownership percentage of Planted Name is 50%, at least 25%.\n      for the applicant: We have to know who owns you.\n"
	require.Contains(t, b.MustRun("rules", "preview", startertest.RulesFile(t, "draft.yaml", rules), "--account", b.Account, "--workflow", b.Workflow), reason)
	decide(b, rules)
	b.Write(func(r *store.Records) error {
		return r.Persons.Update(t.Context(), id.Must[id.PersonID](b.Person), domain.CustomChange{}, func(p *domain.Person) { p.FirstName = new("Renamed") })
	})
	shown := steps(b)
	require.Contains(t, shown, "[p = Planted Name ("+b.Person+")] p.ownership_percentage >= 25")
	require.Contains(t, shown, "\n  for the applicant: We have to know who owns you.\n")
}

func TestExplain_ShowsGapsAndHowToSupplyThem(t *testing.T) {
	b := startertest.Setup(t)
	rules := strings.ReplaceAll(oldRules, "business_age_years > 3", "evaluation_score < 3")
	decide(b, rules)
	require.Contains(t, steps(b), "Nothing is decided while facts are missing (1):\n  evaluation_score of "+b.Workflow+", needed by OLD\n      The evaluation score of this workflow has not been calculated:")
	pricing := filepath.Join(t.TempDir(), "pricing.yaml")
	require.NoError(t, os.WriteFile(pricing, []byte("base: 1\nrules: [{name: n, when: highest_ticket_sale > 5, points: 1}]\n"), 0o600))
	b.MustRun("pricing", "publish", pricing, "--account", b.Account)
	out := b.MustRun("rules", "preview", startertest.RulesFile(t, "scored.yaml", rules), "--account", b.Account, "--workflow", b.Workflow)
	require.Contains(t, out, "pricing_missing: highest_ticket_sale of "+b.Business+"\n")
	oneLine := strings.Join(strings.Fields(out), " ")
	require.Contains(t, oneLine, "pricing lacks the highest ticket sale: supply what pricing_missing lists.")
	require.Contains(t, oneLine, "HIGHEST_TICKET_SALE in USD")
}

func TestExplain_BusinessWithoutPersons(t *testing.T) {
	b := startertest.Setup(t)
	b.Write(func(r *store.Records) error {
		if err := r.Persons.Delete(t.Context(), id.Must[id.PersonID](b.Person)); err != nil {
			return err
		}
		return r.Businesses.Update(t.Context(), id.Must[id.BusinessID](b.Business), domain.CustomChange{}, func(business *domain.Business) { business.NoPersonsAttested = true })
	})
	decide(b, oldRules)
	shown := steps(b)
	require.Contains(t, shown, "\nPersons: none, as the business has stated (no_persons_attested)\n")
	require.Contains(t, shown, "\nOf each person, and so of nobody: PASSPORT\n\n2 documents evaluated, 2 required\n")
	require.NotContains(t, steps(b, "--document", "OLD"), "PASSPORT")
}

func TestPrintRule_CountsOmittedSteps(t *testing.T) {
	values := make([]any, 12)
	for i := range values {
		values[i] = rational.Int(int64(i))
	}
	var out bytes.Buffer
	ruleset.PrintRule(&out, "", "workflow w", requirement.RuleExplanation{DocumentTypeCode: "A", EntityType: "Workflow", EntityID: "w", Steps: &requirement.Step{
		Expression: "x", Omitted: 7, Steps: []requirement.Step{{Expression: "y", Value: values}, {Expression: "z", Value: true}},
	}}, false)
	require.Equal(t, `A of workflow w: not required
  x  = no answer
  ├─ y  = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, … 2 more]
  ├─ z  = true
  └─ … and 7 more
`, out.String())
}
