package ruleset_test

import (
	"bytes"
	"encoding/json"
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
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/starter/cli"
	"requisite/starter/ruleset"
	"requisite/starter/startertest"
)

func TestExplain_ShowsEveryRule(t *testing.T) {
	b := startertest.Setup(t)
	require.Contains(t, b.MustRun("explain", b.Workflow), "Rules: none in force\n\nWithout rules nothing is required.")
	out := b.Publish(startertest.RulesFile(t, "old.yaml", oldRules))
	version := regexp.MustCompile(`rul_\w+`).FindString(out)
	ids := strings.NewReplacer(b.Workflow, "WORKFLOW", b.Business, "BUSINESS", b.Person, "PERSON", version, "VERSION")

	out = regexp.MustCompile(`= \d+\n|\d{4}-\d\d-\d\d\n`).ReplaceAllString(ids.Replace(b.MustRun("explain", b.Workflow)), "TODAY\n")
	require.Equal(t, `Workflow WORKFLOW (STARTED)
No calculation of its documents is on record.

Today, ages counted on TODAY
Rules: version 1 (VERSION)
Facts: those on file today
  business_age_years TODAY
  persons TODAY
  of each person citizenship

OLD of business Secret Name Ltd (BUSINESS): required
  business_age_years > 3  = true
  └─ business_age_years  TODAY

PASSPORT of person Planted Name (PERSON): required
  person.citizenship != "US"  = true
  └─ person.citizenship  = "CA"

GONE of business Secret Name Ltd (BUSINESS): required
  always required

3 documents evaluated, 3 required
`, out)

	file := startertest.RulesFile(t, "new.yaml", newRules)
	out = ids.Replace(b.MustRun("explain", b.Workflow, "--rules", file, "--document", "OLD"))
	require.Contains(t, out, "Rules: "+file+"\n")
	require.Contains(t, out, "OLD of business Secret Name Ltd (BUSINESS): not required\n")
	require.Contains(t, out, "1 document evaluated, 0 required\n")
	require.NotContains(t, out, "PASSPORT")
	_, err := b.Try("explain", b.Workflow, "--document", "OLDD")
	require.ErrorContains(t, err, "their codes are GONE, OLD, PASSPORT")

	skipping := startertest.RulesFile(t, "skip.yaml", strings.ReplaceAll(oldRules, "business_age_years > 3", "business_age_years < 3 && business_age_months > 7"))
	require.Contains(t, b.MustRun("explain", b.Workflow, "--rules", skipping), "└─ business_age_months > 7  (not looked at)\n")

	b.Write(func(r *store.Records) error {
		_, err := r.CompleteWorkflow(t.Context(), id.Must[id.WorkflowID](b.Workflow), false)
		return err
	})
	require.Equal(t, "Workflow "+b.Workflow+" (ENDED)\nNo calculation of its documents is on record.\n", b.MustRun("explain", b.Workflow), "today's rules have nothing to do with it")
	require.Contains(t, b.MustRun("explain", b.Workflow, "--now"), "3 documents evaluated")
	_, err = b.Try("explain", "w_"+strings.Repeat("1", 21))
	require.Equal(t, "there is no such workflow: w_"+strings.Repeat("1", 21), cli.ErrorText(err))
}

// explanation is how rules arrived at their results, in JSON.
type explanation struct {
	AsOf    fact.Date                     `json:"as_of"`
	RuleSet ruleset.RuleSource            `json:"rule_set"`
	Rules   []requirement.RuleExplanation `json:"rules"`
	Gaps    []ruleset.ExplainedGap        `json:"gaps"`
}

func TestExplain_BeginsWithTheDecisionThatStands(t *testing.T) {
	b := startertest.Setup(t)
	version := func(rules string) string {
		out := b.Publish(startertest.RulesFile(t, "rules.yaml", rules))
		return regexp.MustCompile(`rul_\w+`).FindString(out)
	}
	first := version(oldRules)
	decided := b.DecideByRules(b.Workflow).DecisionID.String()
	out := b.MustRun("explain", b.Workflow)
	require.Regexp(t, `^Workflow `+b.Workflow+` \(STARTED\)\nDecided [0-9TZ:-]+ by version 1 \(`+first+`\): CALCULATED, decision `+decided+` \(number 1\), ages counted on [0-9-]+\nRules: version 1 \(`+first+`\)\nFacts: those on file then\n`, out)
	require.Contains(t, out, "3 documents evaluated, 3 required\n")
	require.NotContains(t, out, "Today")

	second := version(strings.ReplaceAll(newRules, "person.ownership_percentage >= 25", "evaluation_score > 5"))
	out = b.MustRun("explain", b.Workflow)
	require.Contains(t, out, "\nIn force now is version 2 ("+second+"); --now shows what it would say.\nRules: version 1 ("+first+")\n")
	out = b.MustRun("explain", b.Workflow, "--now")
	require.Regexp(t, `(?s)Rules: version 1 .*3 documents evaluated, 3 required\n\nToday, ages counted on [0-9-]+\nRules: version 2 \(`+second+`\)\nFacts: those on file today\n.*Nothing is decided while facts are missing`, out)
	refused := b.DecideByRules(b.Workflow).DecisionID.String()
	out = b.MustRun("explain", b.Workflow)
	require.Regexp(t, `decision `+decided+`.*\nA calculation [0-9TZ:-]+ decided nothing: MISSING_REQUIREMENTS, decision `+refused+`\n`, out)

	out = b.MustRun("explain", b.Workflow, "--now", "--document", "GONE")
	require.Contains(t, out, "GONE of business Secret Name Ltd ("+b.Business+"): required\n")
	require.Contains(t, out, "--document: the rules have no GONE; their codes are NEW, OLD, PASSPORT\n")
	_, err := b.Try("explain", b.Workflow, "--now", "--document", "NONE")
	require.ErrorContains(t, err, "the rules have no NONE")

	b.Write(func(r *store.Records) error {
		_, err := r.CompleteWorkflow(t.Context(), id.Must[id.WorkflowID](b.Workflow), false)
		return err
	})
	out = b.MustRun("explain", b.Workflow)
	require.Contains(t, out, "\nThe workflow has ended: that decision stands.\nRules: version 1 ("+first+")\n")
	var printed struct {
		Decided struct {
			explanation
			DecisionID    string `json:"decision_id"`
			RuleVersionID string `json:"rule_version_id"`
			RefusedSince  string `json:"refused_since"`
		} `json:"decided"`
		Now *explanation `json:"now"`
	}
	require.NoError(t, json.Unmarshal([]byte(b.MustRun("explain", b.Workflow, "--json")), &printed))
	require.Equal(t, []string{decided, first, refused}, []string{printed.Decided.DecisionID, printed.Decided.RuleVersionID, printed.Decided.RefusedSince})
	require.Len(t, printed.Decided.Rules, 3)
	require.Nil(t, printed.Now)
	require.NoError(t, json.Unmarshal([]byte(b.MustRun("explain", b.Workflow, "--json", "--now")), &printed))
	require.Equal(t, 2, printed.Now.RuleSet.Version)

	b.Exec(`DELETE FROM rule_set WHERE version = 1`)
	out = b.MustRun("explain", b.Workflow)
	require.Contains(t, out, " by version "+first+": CALCULATED")
	require.Contains(t, out, "That version is not stored any more. \"starter decision show "+decided+"\" shows")
	_, err = b.Store.Erase(t.Context(), b.Call.Scope, id.Must[id.BusinessID](b.Business), false)
	require.NoError(t, err)
	require.Contains(t, b.MustRun("explain", b.Workflow), "Its facts and reasons were erased. \"starter decision show "+decided+"\" shows what is left.\n")
	require.Contains(t, b.MustRun("explain", b.Workflow, "--json"), `"erased":true`)
}

func TestExplain_ShowsTheFactsThatItUsed(t *testing.T) {
	b := startertest.Setup(t)
	b.Publish(startertest.RulesFile(t, "old.yaml", oldRules))
	// What the last calculation met, which has changed on file since.
	workflow, err := id.Parse(id.Workflow, b.Workflow)
	require.NoError(t, err)
	b.Exec(`
		INSERT INTO required_document (id, workflow_id, account_id, document_type_code, name, category, requirement_text, entity_type, entity_id, status, origin, due_since, approval, reasons, decision_id, created_at, updated_at)
		VALUES (gen_random_uuid(), $1, (SELECT account_id FROM workflow WHERE id = $1), 'PASSPORT', 'n', 'c', 'r', 'Person', $2, 'PENDING', 'RULE', now(), NULL, $3, gen_random_uuid(), now(), now())`,
		workflow, b.Person, `[{"rule": "x", "message": "m", "facts": {"business_age_years": 2, "persons": {"`+b.Person+`": {"citizenship": "DE"}}}}]`)
	out := b.MustRun("explain", b.Workflow)
	require.Regexp(t, `\nFacts: those on file today\n  business_age_years = \d+  \(at the last calculation 2\)\n  persons = 1\n`, out)
	require.Contains(t, out, "\n  citizenship of person "+b.Person+" = \"CA\"  (at the last calculation \"DE\")\n")

	// A document that is no longer required says what it was last required for.
	b.Exec("UPDATE required_document SET status = 'INACTIVE', previous_status = 'PENDING' WHERE workflow_id = $1", workflow)
	out = b.MustRun("explain", b.Workflow)
	require.Regexp(t, `\n  business_age_years = \d+  \(when PASSPORT was last required 2\)\n`, out)
	require.Contains(t, b.MustRun("explain", b.Workflow, "--json"), `"last_required":{"document_type_code":"PASSPORT","value":"DE"}`)
	b.Exec("UPDATE required_document SET status = 'PENDING', previous_status = NULL WHERE workflow_id = $1", workflow)

	given := startertest.RulesFile(t, "facts.yaml", "as_of: 2026-01-31\nestablished_date: 2016-01-31\npersons:\n  - {person_id: "+b.Person+", citizenship: US}\n  - {person_id: p2, citizenship: FR}\n")
	out = b.MustRun("explain", b.Workflow, "--facts", given)
	require.Contains(t, out, "ages counted on 2026-01-31\n")
	require.Contains(t, out, "\nFacts: those given in "+given+"\n")
	require.Regexp(t, `  business_age_years = 10  \(on file today \d+; at the last calculation 2\)\n  persons = 2  \(on file today 1\)\n`, out)
	require.Contains(t, out, "citizenship of person "+b.Person+" = \"US\"  (on file today \"CA\"; at the last calculation \"DE\")\n")
	require.Contains(t, out, "PASSPORT of person p2: required\n")
	require.Contains(t, b.MustRun("explain", b.Workflow, "--facts", given, "--json"), `"facts":{"source":"GIVEN"`)

	out, err = b.Try("explain", b.Workflow, "--facts", startertest.RulesFile(t, "wrong.yaml", "establishd_date: 2016-01-31\n"))
	require.Equal(t, cli.ExitRefused, cli.ExitCode(new(bytes.Buffer), err))
	require.Contains(t, out, "wrong.yaml:1:1: establishd_date: is not a name that belongs here; did you mean established_date?")
}

func TestExplain_GroupsPersonsWithTheSameResult(t *testing.T) {
	b := startertest.Setup(t)
	var persons strings.Builder
	for i := range fact.MaxPersons {
		fmt.Fprintf(&persons, "  - {person_id: p_%03d, citizenship: %s, ownership_percentage: 0.5}\n", i, []string{"US", "CA", "FR"}[i%3])
	}
	facts := startertest.RulesFile(t, "facts.yaml", "established_date: 2016-01-31\nindustry_category_code: [\"7995\"]\npersons:\n"+persons.String())
	rules := startertest.RulesFile(t, "rules.yaml", `documents:
  - {document_type_code: PASSPORT, name: n, category: c, requirement_text: t, entity_type: Person, when: 'person.citizenship != "US"'}
  - {document_type_code: ALL, name: n, category: c, requirement_text: t, entity_type: Person, when: 'persons.all(p, p.ownership_percentage < 1.0) && person.citizenship == "CA"'}
  - {document_type_code: OWNERS, name: n, category: c, requirement_text: t, entity_type: Business, when: 'persons.exists(p, p.ownership_percentage > 50.0 || p.citizenship == "DE")'}
`)
	out := b.MustRun("explain", b.Workflow, "--rules", rules, "--facts", facts)
	require.Less(t, strings.Count(out, "\n"), 66, out)
	require.Less(t, len(out), 6000, out)
	require.Contains(t, out, "PASSPORT of person p_000: not required\n")
	require.Contains(t, out, "\n  and not required of 66 persons more, such as p_003, p_006, p_009; --all shows each\n")
	require.Contains(t, out, "PASSPORT of person p_001: required\n")
	require.Contains(t, out, "\n  and required of 132 persons more, such as p_002, p_004, p_005; --all shows each\n")
	require.Contains(t, out, "401 documents evaluated, 200 required\n")
	require.Contains(t, b.MustRun("explain", b.Workflow, "--rules", rules, "--facts", facts, "--all", "--document", "PASSPORT"), "PASSPORT of person p_199: required\n")
	var explained struct {
		Now struct {
			Rules []ruleset.ShownRule `json:"rules"`
		} `json:"now"`
	}
	require.NoError(t, json.Unmarshal([]byte(b.MustRun("explain", b.Workflow, "--rules", rules, "--facts", facts, "--json")), &explained))
	require.Len(t, explained.Now.Rules, 5)
	require.Len(t, explained.Now.Rules[0].Same, 66)
}

// TestExplain_NamesPersonsAndShowsExplanations, as do a decision and a preview. The decision has the
// name of then.
func TestExplain_NamesPersonsAndShowsExplanations(t *testing.T) {
	b := startertest.Setup(t)
	rules := startertest.RulesFile(t, "rules.yaml", `documents:
  - {document_type_code: OWNERS, name: n, category: c, requirement_text: t, entity_type: Business, when: 'persons.exists(p, p.ownership_percentage >= 25)', explanation: We have to know who owns you.}
`)
	b.Publish(rules)
	const reason = "n: required because the ownership percentage of Planted Name is 50%, at least 25%.\n      for the applicant: We have to know who owns you.\n"
	require.Contains(t, b.MustRun("rules", "preview", rules, "--account", b.Account, "--workflow", b.Workflow), reason)
	decided := b.DecideByRules(b.Workflow).DecisionID.String()
	b.Write(func(r *store.Records) error {
		return r.UpdatePerson(t.Context(), id.Must[id.PersonID](b.Person), domain.CustomChange{}, func(p *domain.Person) { p.FirstName = new("Renamed") })
	})
	then := "[p = Planted Name (" + b.Person + ")] p.ownership_percentage >= 25"
	out := b.MustRun("explain", b.Workflow, "--now")
	require.Contains(t, out, then)
	require.Contains(t, out, "[p = Renamed Name ("+b.Person+")] p.ownership_percentage >= 25")
	require.Equal(t, 2, strings.Count(out, "\n  for the applicant: We have to know who owns you.\n"))
	require.Contains(t, b.MustRun("explain", b.Workflow, "--json"), `"explanation":"We have to know who owns you."`)
	require.Contains(t, b.MustRun("decision", "show", decided, "--steps"), then)
	require.Contains(t, b.MustRun("decision", "show", decided, "--json"), "the ownership percentage of Planted Name is 50%, at least 25%.")
}

func TestExplain_ShowsGapsAndHowToSupplyThem(t *testing.T) {
	b := startertest.Setup(t)
	file := startertest.RulesFile(t, "scored.yaml", strings.ReplaceAll(oldRules, "business_age_years > 3", "evaluation_score < 3"))
	out := b.MustRun("explain", b.Workflow, "--rules", file)
	require.Contains(t, out, "Nothing is decided while facts are missing (1):\n  evaluation_score of "+b.Workflow+", needed by OLD\n      The evaluation score of this workflow has not been calculated, and the")
	require.Contains(t, out, "ask the operator to publish one")
	pricing := filepath.Join(t.TempDir(), "pricing.yaml")
	require.NoError(t, os.WriteFile(pricing, []byte("base: 1\nrules: [{name: n, when: highest_ticket_sale > 5, points: 1}]\n"), 0o600))
	b.MustRun("pricing", "publish", pricing, "--account", b.Account)
	for _, out := range []string{b.MustRun("explain", b.Workflow, "--rules", file), b.MustRun("rules", "preview", file, "--account", b.Account, "--workflow", b.Workflow)} {
		require.Contains(t, out, "pricing_missing: highest_ticket_sale of "+b.Business+"\n")
		oneLine := strings.Join(strings.Fields(out), " ")
		require.Contains(t, oneLine, "pricing lacks the highest ticket sale: supply what pricing_missing lists.")
		require.Contains(t, oneLine, "HIGHEST_TICKET_SALE in USD")
	}

	var printed struct {
		WorkflowID string      `json:"workflow_id"`
		Now        explanation `json:"now"`
	}
	require.NoError(t, json.Unmarshal([]byte(b.MustRun("explain", b.Workflow, "--rules", file, "--json")), &printed))
	require.Equal(t, b.Workflow, printed.WorkflowID)
	explained := printed.Now
	require.Equal(t, ruleset.RuleSource{File: file}, explained.RuleSet)
	require.False(t, explained.AsOf.IsZero())
	require.Empty(t, explained.Rules)
	require.Equal(t, "CALCULATED_PRICING_REQUIRED", explained.Gaps[0].Code)
	require.Equal(t, []string{"OLD"}, explained.Gaps[0].NeededBy)
	require.Equal(t, []fact.MissingField{{Field: "sales_amount", ValueType: "AMOUNT", Type: "HIGHEST_TICKET_SALE", Currency: "USD"}}, explained.Gaps[0].PricingMissing[0].Missing)

	out = b.MustRun("explain", b.Workflow, "--rules", startertest.RulesFile(t, "old.yaml", oldRules), "--json")
	require.NoError(t, json.Unmarshal([]byte(out), &printed))
	explained = printed.Now
	require.Empty(t, explained.Gaps)
	require.Len(t, explained.Rules, 3)
	require.Equal(t, "CA", explained.Rules[1].Steps.Steps[0].Value)
	for _, planted := range []string{"Planted", "Secret"} {
		require.NotContains(t, out, planted, "persons and businesses appear by id")
	}
}

func TestExplain_BusinessWithoutPersons(t *testing.T) {
	b := startertest.Setup(t)
	b.Write(func(r *store.Records) error {
		if err := r.DeletePerson(t.Context(), id.Must[id.PersonID](b.Person)); err != nil {
			return err
		}
		return r.UpdateBusiness(t.Context(), id.Must[id.BusinessID](b.Business), domain.CustomChange{}, func(business *domain.Business) { business.NoPersonsAttested = true })
	})
	file := startertest.RulesFile(t, "old.yaml", oldRules)
	out := b.MustRun("explain", b.Workflow, "--rules", file)
	require.Contains(t, out, "\nPersons: none, as the business has stated (no_persons_attested)\n")
	require.Contains(t, out, "\nOf each person, and so of nobody: PASSPORT\n\n2 documents evaluated, 2 required\n")
	require.NotContains(t, b.MustRun("explain", b.Workflow, "--rules", file, "--document", "OLD"), "PASSPORT")
	require.Contains(t, b.MustRun("explain", b.Workflow, "--rules", file, "--json"), `"no_persons_attested":true`)
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
