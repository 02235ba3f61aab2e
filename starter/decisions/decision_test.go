package decisions_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/secrets/vault"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/needs"
	"requisite/starter/cli"
	"requisite/starter/command"
	"requisite/starter/startertest"
)

func TestMain(m *testing.M) { startertest.Main(m) }

type bundle struct{ *startertest.Bundle }

// setup makes a bundle whose decisions are old enough for an export.
func setup(t *testing.T) *bundle {
	return &bundle{startertest.SetupAt(t, func() time.Time { return time.Now().Add(-time.Hour) })}
}

func (b *bundle) setCitizenship(code string) {
	b.Helper()
	b.Write(func(r *store.Records) error {
		return r.Persons.Update(b.Context(), id.Must[id.PersonID](b.Person), domain.CustomChange{}, func(p *domain.Person) { p.Citizenship = &code })
	})
}

func (b *bundle) publishRules(text string) string {
	b.Helper()
	return regexp.MustCompile(`rul_\w+`).FindString(b.Publish(startertest.RulesFile(b.T, "rules.yaml", text)))
}

const oldRules = `lists:
  risky: ["7995"]
documents:
  - {document_type_code: OLD, name: Old business, category: c, requirement_text: t, entity_type: Business, when: business_age_years > 3}
  - {document_type_code: PASSPORT, name: Passport, category: c, requirement_text: t, entity_type: Person, when: 'person.citizenship != "US"'}
  - {document_type_code: GONE, name: Gone, category: c, requirement_text: t, entity_type: Business}
`

const newRules = `lists:
  risky: ["7995", "5967"]
documents:
  - {document_type_code: OLD, name: Old business, category: c, requirement_text: t, entity_type: Business, when: business_age_years > 1000 || business_age_months < 3}
  - {document_type_code: PASSPORT, name: Passport, category: c, requirement_text: t, entity_type: Person, when: 'person.citizenship != "US" && person.ownership_percentage >= 25'}
  - {document_type_code: NEW, name: Anything new, category: c, requirement_text: t, entity_type: Workflow}
`

const pricingModel = "base: 500\nrules:\n  - {name: NEW, when: business_age_years < 1, points: -100}\n  - {name: FOREIGN, when: 'persons.exists(p, p.citizenship != \"US\")', points: 40.5}\n"

// TestDecisionShow_ExplainsByTheFactsAndRulesOfThen: later changes make no difference.
func TestDecisionShow_ExplainsByTheFactsAndRulesOfThen(t *testing.T) {
	b := setup(t)
	version := b.publishRules(oldRules)
	first := b.DecideByRules(b.Workflow)
	explained := b.MustRun("decision", "show", b.Workflow, "--steps")
	b.setCitizenship("US")
	b.publishRules(newRules)
	second := b.DecideByRules(b.Workflow)

	out := b.MustRun("decision", "show", first.DecisionID.String(), "--steps")
	require.Regexp(t, `^Decision `+first.DecisionID.String()+`: number 1 of workflow `+b.Workflow+`\nCALCULATION: CALCULATED, [0-9TZ:-]+, ages counted on [0-9-]+\nDecided by SYSTEM\nDocuments: 3 added.\n`, out)
	require.Contains(t, out, "\nEvaluation\nRules: version 1 ("+version+")\nFacts: those on file then\n")
	require.Equal(t, explained, out, "the last calculation of then")
	require.Contains(t, out, `person.citizenship  = "CA"`)
	require.Contains(t, out, "\n  OLD, Old business, of Secret Name Ltd ("+b.Business+")\n  In this decision      added\n  Status                PENDING\n")
	require.Contains(t, out, "\n  This decision         "+first.Digest+"\n")
	require.NotContains(t, b.MustRun("decision", "show", first.DecisionID.String()), "Evaluation")
	out = b.MustRun("decision", "show", first.DecisionID.String(), "--document", "PASSPORT")
	require.Contains(t, out, "PASSPORT")
	require.NotContains(t, out, "OLD, Old business")
	require.Contains(t, out, "\nDocuments: 3 added.\n", "of all of them")
	_, err := b.Try("decision", "show", first.DecisionID.String(), "--document", "NONE")
	require.ErrorContains(t, err, "--document: the decision has no NONE; its codes are GONE, OLD, PASSPORT")

	require.Contains(t, b.MustRun("decision", "show", second.DecisionID.String(), "--steps"), `person.citizenship  = "US"`)
	_, err = b.Try("decision", "show", id.DecisionID{UUID: id.New()}.String())
	require.Contains(t, cli.ErrorText(err), "there is no such decision: dec_")
}

// TestDecision_OutlivesEverythingElse: when all else of six years is pruned, the decisions
// explain themselves, replay and verify.
func TestDecision_OutlivesEverythingElse(t *testing.T) {
	b := setup(t)
	b.publishRules(oldRules)
	first := b.DecideByRules(b.Workflow)
	b.publishRules(newRules)
	b.setCitizenship("US")
	second := b.DecideByRules(b.Workflow)
	b.publishRules("documents: []")
	b.DecideByRules(b.Workflow) // no document names a version any more
	show := func() (shown []string) {
		for _, d := range []refusal.DecisionRef{first, second} {
			shown = append(shown, b.MustRun("decision", "show", d.DecisionID.String()))
		}
		return shown
	}
	before := show()

	keys, err := vault.Ephemeral()
	require.NoError(t, err)
	later, err := store.Open(t.Context(), pgtest.As(b.URL, pgtest.Owner), keys, store.Options{Now: func() time.Time { return time.Now().AddDate(6, 0, 0) }})
	require.NoError(t, err)
	defer later.Close()
	pruned, err := later.Upkeep.Prune(t.Context(), store.Retention{}, func(domain.Pruned) {}, func(string, error) {})
	require.NoError(t, err)
	require.Positive(t, pruned.Events)
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_event`)+b.Count(`SELECT count(*) FROM outcome`))
	require.Zero(t, pruned.RuleVersions, "decisions name them")

	require.Equal(t, before, show())
	require.Contains(t, b.MustRun("decision", "replay", "--account", b.Account), "Of 3 decisions, 3 were replayed: 3 the same, 0 different.\n")
	require.Equal(t, "0 problems: 3 decisions of 1 workflow\n", b.MustRun("decision", "verify", "--account", b.Account))
}

// TestDecisionShow_NamesTheBusinessOfARecordThatDoesNotExist, and not the record by the id of the business.
func TestDecisionShow_NamesTheBusinessOfARecordThatDoesNotExist(t *testing.T) {
	b := setup(t)
	b.publishRules(strings.ReplaceAll(oldRules, "business_age_years > 3", "average_monthly_credit_sales > 3"))
	out := b.MustRun("decision", "show", b.DecideByRules(b.Workflow).DecisionID.String())
	require.Regexp(t, `\n  \S+ of a new \S+ of Secret Name Ltd\s+\(`+b.Business+`\)\n`, out)
}

// TestDecisionShow_OfEachKindOfDecision.
func TestDecisionShow_OfEachKindOfDecision(t *testing.T) {
	b := setup(t)
	show := func(d refusal.DecisionRef) string { return b.MustRun("decision", "show", d.DecisionID.String()) }
	b.publishRules(strings.ReplaceAll(oldRules, "business_age_years > 3", "evaluation_score < 3"))
	out := show(b.DecideByRules(b.Workflow))
	require.Contains(t, out, "CALCULATION: MISSING_REQUIREMENTS, ")
	require.Contains(t, out, "\nNothing was decided while facts were missing (1)\n  evaluation_score of the application\n    The evaluation score of this workflow has not been calculated:")

	b.MustRun("pricing", "publish", startertest.RulesFile(t, "pricing.yaml", pricingModel), "--account", b.Account)
	out = show(b.DecideScore(b.Workflow))
	require.Regexp(t, `\n  Pricing model         version 1 \(rul_\w+\)\n +Published \S+Z by OPERATOR\n`, out)
	require.Regexp(t, `\n  Base                  500 points\n`, out)
	require.Regexp(t, `\nPoints\n  FOREIGN: \+40\.5\n(    .*\n)+  NEW: does not apply\n`, out)
	require.Contains(t, out, "\nThe evaluation score is 540.5.\n")

	b.DecideByRules(b.Workflow)
	failed := b.Decide(b.Workflow, func(calculation.Snapshot) store.Found {
		return store.Refused{Kind: decision.Calculation, Refusal: refusal.Rule(refusal.EntityWorkflow, b.Workflow, refusal.RuleNotEvaluable, "OLD divides by zero")}
	})
	out = show(failed)
	require.Contains(t, out, "CALCULATION: RULE_NOT_EVALUABLE, ")
	require.Contains(t, out, "\nNothing was decided: RULE_NOT_EVALUABLE.\n")
	require.Contains(t, out, "\nNothing was decided\n  RULE_NOT_EVALUABLE: OLD divides by zero\n")

	var moved refusal.DecisionRef
	b.Write(func(r *store.Records) error {
		documents, _, err := r.Documents.List(t.Context(), id.Must[id.WorkflowID](b.Workflow), calculation.DocumentFilter{}, nil)
		if err != nil {
			return err
		}
		moved, err = r.Documents.Update(t.Context(), id.Must[id.RequiredDocumentID](documents[0].ID), document.Review{Status: document.NeedsReview}, id.DecisionID{})
		return err
	})
	require.Contains(t, show(moved), "\n  In this decision      updated\n  Status                NEEDS_REVIEW, was PENDING\n")

	listed := b.MustRun("decision", "list", b.Workflow)
	require.Regexp(t, `(?m)^DECISION +NUMBER +KIND +OUTCOME +DECIDED +BY +VERSION +ERASED\n`+moved.DecisionID.String()+` +5 +DOCUMENT_STATUS +UPDATED `, listed)
	require.Equal(t, 2, strings.Count(b.MustRun("decision", "list", b.Workflow, "--kind", "pricing"), "\n"))
	require.Equal(t, 1, strings.Count(b.MustRun("decision", "list", b.Workflow, "--since", time.Now().Add(time.Hour).UTC().Format(time.RFC3339)), "\n"))
	var rows []map[string]any
	require.NoError(t, json.Unmarshal([]byte(b.MustRun("decision", "list", b.Workflow, "--json")), &rows))
	require.Len(t, rows, 5)
	require.Contains(t, b.MustRun("decision", "list", b.Workflow, "--limit", "1"), "There are more")
	for args, want := range map[string]string{"--kind NONE": "--kind must be one of CALCULATION, PRICING", "--since yesterday": "--since must be a date", "--limit 0": "--limit must be"} {
		_, err := b.Try(append([]string{"decision", "list", b.Workflow}, strings.Fields(args)...)...)
		require.ErrorContains(t, err, want)
	}

	b.erase()
	out = show(moved)
	require.Contains(t, out, "\nErased on ")
	require.NotContains(t, out, "Secret")
	out = b.MustRun("decision", "list", b.Workflow)
	require.Contains(t, out, " ERASURE ")
	require.Equal(t, 5, strings.Count(out, " true"))
	erasure := regexp.MustCompile(`dec_\w+`).FindString(out)
	require.Contains(t, b.MustRun("decision", "show", erasure), "The personal parts of the decisions before it were erased.\n")
	require.Contains(t, b.MustRun("decision", "show", moved.DecisionID.String(), "--json"), `"erased": true`)
}

func (b *bundle) erase() {
	b.Helper()
	_, err := b.Store.Erase(b.Context(), b.Call.Scope, id.Must[id.BusinessID](b.Business), false)
	require.NoError(b, err)
}

// TestDecisionShow_WithoutTheRulesShowsTheResultsAsRecorded.
func TestDecisionShow_WithoutTheRulesShowsTheResultsAsRecorded(t *testing.T) {
	b := setup(t)
	version := b.publishRules(oldRules)
	first := b.DecideByRules(b.Workflow)
	b.publishRules(newRules)
	b.Exec(`DELETE FROM rule_set WHERE version = 1`)
	out := b.MustRun("decision", "show", first.DecisionID.String(), "--steps")
	require.Contains(t, out, "  Rules                 version "+version+", which is not stored\n                        any more\n")
	require.Contains(t, out, "\n  PASSPORT, of Planted Name ("+b.Person+")\n")
	require.Contains(t, out, `Rule: person.citizenship != "US"`)
	require.Contains(t, out, "\nEvaluation\nThe rules are not stored any more.\n")
	out, err := b.Try("decision", "verify", "--account", b.Account)
	require.Equal(t, cli.ExitFailed, cli.ExitCode(new(bytes.Buffer), err))
	require.Contains(t, out, "version "+version+" of the rules was removed: it is not stored any more")
}

// TestDecisionShow_SaysWhenTheProgramDecidesOtherwise than was recorded.
func TestDecisionShow_SaysWhenTheProgramDecidesOtherwise(t *testing.T) {
	b := setup(t)
	b.publishRules(oldRules)
	first := b.DecideByRules(b.Workflow)
	require.NotContains(t, b.MustRun("decision", "show", first.DecisionID.String(), "--steps"), "evaluates the rules otherwise")
	b.Exec(`UPDATE decision SET results = replace(results, 'true', 'false')`)
	out := b.MustRun("decision", "show", first.DecisionID.String(), "--steps")
	require.Contains(t, out, "\nThis program evaluates the rules otherwise than was decided. What was decided stands above.\n")
	require.Contains(t, out, "\n  OLD, Old business of Secret Name Ltd ("+b.Business+")\n", "the result as recorded")
}

// recorded makes two workflows with five decisions.
func (b *bundle) recorded() (first, last refusal.DecisionRef) {
	b.Helper()
	b.publishRules(oldRules)
	first = b.DecideByRules(b.Workflow)
	b.DecideByRules(b.Workflow)
	b.setCitizenship("US")
	last = b.DecideByRules(b.Workflow)
	other := b.OpenWorkflow()
	b.DecideByRules(other)
	b.setCitizenship("FR")
	b.DecideByRules(other)
	return first, last
}

// TestDecisionExport_GoesOnAfterAnInterruption, wherever it was cut off.
func TestDecisionExport_GoesOnAfterAnInterruption(t *testing.T) {
	b := setup(t)
	b.recorded()
	file := filepath.Join(t.TempDir(), "export.jsonl")
	args := []string{"decision", "export", "--account", b.Account, "--out", file}
	b.MustRun(args...)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, 10, bytes.Count(whole, []byte("\n")))
	require.Regexp(t, claim+"0 problems: 5 decisions of 2 workflows\n$", b.MustRun("decision", "verify", file))
	require.Equal(t, lines(string(whole))[1:], lines(b.MustRun("decision", "export", "--account", b.Account))[1:])

	require.Regexp(t, `^Nothing was written: `+regexp.QuoteMeta(file)+` is complete already, until [0-9TZ:-]+, with 5 decisions of 2 workflows\. For later decisions, name another file\.\n$`,
		b.told(args...))
	unchanged, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, whole, unchanged)
	sizes, at := []int{0, 1, 150, 900, 2500, len(whole) / 2, len(whole) * 3 / 4, len(whole) - 70, len(whole) - 1}, 0
	for _, line := range lines(string(whole))[:9] {
		at += len(line)
		sizes = append(sizes, at)
	}
	for _, size := range sizes {
		require.NoError(t, os.WriteFile(file, whole[:size], 0o600))
		b.MustRun(args...)
		again, err := os.ReadFile(file)
		require.NoError(t, err)
		// The times of the header are of the beginning.
		require.Equal(t, lines(string(whole))[1:], lines(string(again))[1:], "%d bytes", size)
	}
	_, err = b.Try(append(args, "--since", "2026-05-15")...)
	require.ErrorContains(t, err, "it is an export of another account, or begins with another month; name another file, or delete this one")
	old := regexp.MustCompile(`"complete_since":"\d+`).ReplaceAll(whole, []byte(`"complete_since":"2001`))
	require.NoError(t, os.WriteFile(file, old[:2500], 0o600))
	_, err = b.Try(args...) // decisions may have been pruned since
	require.ErrorContains(t, err, "it is an export of another account, or begins with another month; name another file, or delete this one")
	require.NoError(t, os.WriteFile(file, []byte("{}\n"), 0o600))
	_, err = b.Try(args...)
	require.ErrorContains(t, err, "line 1 cannot be read")
}

func TestDecisionExport_WithoutDecisionsSaysSo(t *testing.T) {
	b := setup(t)
	require.Regexp(t, `0 decisions of 0 workflows: there is none since [0-9-]+, and those of the last 5 minutes are left out \(`,
		b.told("decision", "export", "--account", b.Account, "--out", filepath.Join(t.TempDir(), "export.jsonl")))
}

func lines(text string) []string { return slices.Collect(strings.Lines(text)) }

// told is what a command that succeeds says on standard error.
func (b *bundle) told(args ...string) string {
	b.Helper()
	root := command.New()
	var out, progress bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&progress)
	root.SetArgs(args)
	require.NoError(b, root.ExecuteContext(b.Context()))
	return progress.String()
}

// TestDecision_NothingOnRecordSteersTheTerminal, and an export that is printed verifies.
func TestDecision_NothingOnRecordSteersTheTerminal(t *testing.T) {
	b := setup(t)
	b.Write(func(r *store.Records) error {
		return r.Businesses.Update(t.Context(), id.Must[id.BusinessID](b.Business), domain.CustomChange{}, func(b *domain.Business) { b.LegalName = startertest.Hostile })
	})
	b.publishRules(strings.ReplaceAll(`documents:
  - {document_type_code: A, name: "x\u202e\nstarter: all is well", category: "\u2066", requirement_text: t, entity_type: Business, when: '!("aRLOb" in industry_category_code)'}
`, "RLO", "\u202e"))
	b.Write(func(r *store.Records) error {
		return r.Businesses.Update(t.Context(), id.Must[id.BusinessID](b.Business), domain.CustomChange{}, func(b *domain.Business) { b.IndustryCategoryCode = []string{"0742"} })
	})
	d := b.DecideByRules(b.Workflow)
	for _, args := range [][]string{{"list", b.Workflow}, {"show", d.DecisionID.String()}, {"show", d.DecisionID.String(), "--steps"}, {"show", d.DecisionID.String(), "--json"}, {"export", "--account", b.Account}} {
		startertest.RequireHarmless(t, b.MustRun(append([]string{"decision"}, args...)...))
	}
	printed := startertest.RulesFile(t, "export.jsonl", b.MustRun("decision", "export", "--account", b.Account))
	require.Regexp(t, claim+"0 problems: 1 decision of 1 workflow\n$", b.MustRun("decision", "verify", printed))
}

// TestDecisionExport_BeginsWithAMonth: the one of --since. The record may begin late then.
func TestDecisionExport_BeginsWithAMonth(t *testing.T) {
	ago := 40 * 24 * time.Hour
	b := &bundle{startertest.SetupAt(t, func() time.Time { return time.Now().Add(-ago) })}
	b.recorded()
	ago = time.Hour
	now := time.Now().Add(-ago)
	b.DecideByRules(b.Workflow)
	file := filepath.Join(t.TempDir(), "export.jsonl")
	require.Contains(t, b.told("decision", "export", "--account", b.Account, "--since", now.UTC().Format(time.RFC3339), "--out", file),
		"--since is moved to "+decision.Month(now).Format(time.DateOnly)+" (UTC), because whole months are pruned.\n")
	require.Regexp(t, claim+"0 problems: 1 decision of 1 workflow\n$", b.MustRun("decision", "verify", file))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	whole := startertest.RulesFile(t, "whole.jsonl", regexp.MustCompile(`"complete_since":"\d+`).ReplaceAllString(string(text), `"complete_since":"2001`))
	out, err := b.Try("decision", "verify", whole)
	require.Error(t, err)
	require.Contains(t, out, "the 3 before it were removed, although they are to be kept\n")
}

// TestDecisionExport_EndsBeforeWhatMayNotBeCommitted: the header says when, and a digest that
// was received later is not missed.
func TestDecisionExport_EndsBeforeWhatMayNotBeCommitted(t *testing.T) {
	ago := time.Hour
	b := &bundle{startertest.SetupAt(t, func() time.Time { return time.Now().Add(-ago) })}
	first, _ := b.recorded()
	ago = time.Minute
	later := b.DecideByRules(b.Workflow)
	received := startertest.RulesFile(t, "received", fmt.Sprintf("%s %s\n%s %s\n", first.DecisionID, first.Digest, later.DecisionID, later.Digest))
	file := filepath.Join(t.TempDir(), "export.jsonl")
	verify := func() string {
		return b.MustRun("decision", "verify", file, "--received", received)
	}
	b.MustRun("decision", "export", "--account", b.Account, "--out", file)
	require.Contains(t, verify(), "0 problems: 5 decisions of 2 workflows, 1 of 2 received digests found, 1 too new to be in the export\n")
	b.erase()
	require.NoError(t, os.Remove(file))
	b.MustRun("decision", "export", "--account", b.Account, "--out", file)
	require.Contains(t, verify(), "0 problems: 8 decisions of 2 workflows, 2 of 2 received digests found\n", "an erasure is part of it")
}

// TestDecisionExport_WritesABusinessFromOneMoment: an erasure after an interruption is seen in
// all that the file has of the business.
func TestDecisionExport_WritesABusinessFromOneMoment(t *testing.T) {
	b := setup(t)
	b.recorded()
	file := filepath.Join(t.TempDir(), "export.jsonl")
	args := []string{"decision", "export", "--account", b.Account, "--out", file}
	b.MustRun(args...)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	b.erase()
	for _, kept := range []int{1, 2, 3, 5, 6, 7, 9} { // lines; 10 are the header, the rules, 3 decisions, the end, 2 decisions, the end and the summary
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(lines(string(whole))[:kept], "")), 0o600))
		b.MustRun(args...)
		require.Regexp(t, claim+"0 problems: 7 decisions of 2 workflows\n$", b.MustRun("decision", "verify", file), "%d lines", kept)
	}
}

// TestDecisionVerify_OfTheDatabase: the account, a workflow, received digests, and the rules
// that were used.
func TestDecisionVerify_OfTheDatabase(t *testing.T) {
	b := setup(t)
	first, last := b.recorded()
	require.Equal(t, "0 problems: 5 decisions of 2 workflows\n", b.MustRun("decision", "verify", "--account", b.Account))
	require.Equal(t, "0 problems: 5 decisions of 2 workflows\n", b.MustRun("decision", "verify", "--all"))
	received := startertest.RulesFile(t, "received", fmt.Sprintf("%s %s\n{\"content\":{\"decision_id\":%q,\"digest\":%q}}\n", first.DecisionID, first.Digest, last.DecisionID, last.Digest))
	require.Equal(t, "0 problems: 3 decisions of 1 workflow, 2 of 2 received digests found\n", b.MustRun("decision", "verify", "--workflow", b.Workflow, "--received", received))
	b.erase()
	require.Contains(t, b.MustRun("decision", "verify", "--account", b.Account, "--received", received), "0 problems: 7 decisions")

	b.Exec(`ALTER TABLE rule_set DISABLE TRIGGER USER`)
	b.Exec(`UPDATE rule_set SET content = content || ' '`)
	out, err := b.Try("decision", "verify", "--account", b.Account)
	require.Equal(t, cli.ExitFailed, cli.ExitCode(new(bytes.Buffer), err))
	require.Regexp(t, `^workflow `+b.Workflow+`, decision 1 \(`+first.DecisionID.String()+`\): version rul_\w+ of the rules was changed: .*\n1 problem: 7 decisions of 2 workflows\n$`, out)

	b.Exec(`DELETE FROM decision WHERE number = 3`)
	out, err = b.Try("decision", "verify", "--account", b.Account, "--received", received, "--json")
	require.Error(t, err)
	var verified decision.Verified
	require.NoError(t, json.Unmarshal([]byte(out), &verified))
	var texts []string
	for _, p := range verified.Problems {
		texts = append(texts, p.String())
	}
	require.Contains(t, strings.Join(texts, "\n"), "decision "+last.DecisionID.String()+": was received, and is not in the record: it was removed")
	for _, args := range [][]string{{}, {"--account", b.Account, "--workflow", b.Workflow}, {"x", "--account", b.Account}, {"--all", "--account", b.Account}} {
		_, err := b.Try(append([]string{"decision", "verify"}, args...)...)
		require.ErrorContains(t, err, "name one of these")
	}
}

// TestDecisionVerify_AgreesWithTheProgramInPython, which has no code of ours, on an export and
// on one whose facts were changed. The tests of internal/decision compare more.
func TestDecisionVerify_AgreesWithTheProgramInPython(t *testing.T) {
	python := needs.Program(t, "python3", "install Python 3")
	b := setup(t)
	first, last := b.recorded()
	later := id.DecisionID{UUID: id.New()} // made after the export ends
	received := startertest.RulesFile(t, "received", fmt.Sprintf("%s %s\n{\"event_type\":\"X\",\n\"content\":{\"decision_id\":%q,\"digest\":%q}}\n%s ab\n", first.DecisionID, first.Digest, last.DecisionID, last.Digest, later))
	text := b.MustRun("decision", "export", "--account", b.Account)
	t.Setenv("DATABASE_URL", "") // a file needs none
	verify := func(text string) (ours, theirs string) {
		file := startertest.RulesFile(t, "export.jsonl", text)
		ours, err := startertest.Run(t, "decision", "verify", file, "--received", received)
		out, theirErr := exec.CommandContext(t.Context(), python, "../../examples/decisions/verify.py", file, received).CombinedOutput()
		require.Equal(t, err == nil, theirErr == nil, "%s\nand\n%s", ours, out)
		return ours, string(out)
	}
	ours, theirs := verify(text)
	require.Regexp(t, claim+`0 problems: 5 decisions of 2 workflows, 2 of 3 received digests found, 1 too new to be in the export\n$`, ours)
	require.Regexp(t, claim+`0 problem\(s\): 5 decision\(s\) of 2 workflow\(s\), 2 of 3 received digest\(s\) found, 0 too old and 1 too new to be in the export\n$`, theirs)
	ours, theirs = verify(strings.Replace(text, "Secret", "Sacred", 1))
	for _, out := range []string{ours, theirs} {
		require.Contains(t, out, "("+first.DecisionID.String()+"): was changed: its personal part is not the one that was recorded\n")
	}
}

// claim is what a verifier says of an export's header.
const claim = `^The export claims to hold every decision of sb_\w+ from [0-9TZ:-]+ until [0-9TZ:-]+\.\n`
