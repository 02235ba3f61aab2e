package ruleset_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/api/server"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/changes"
	"requisite/internal/rules/document"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/starter/cli"
	"requisite/starter/ruleset"
	"requisite/starter/startertest"
)

func TestRulesPreview_WritesNothing(t *testing.T) {
	b := startertest.Setup(t)
	b.Publish(startertest.RulesFile(t, "old.yaml", oldRules))
	const everything = `SELECT (SELECT count(*) FROM required_document) + (SELECT count(*) FROM webhook_event) + (SELECT count(*) FROM rule_set)
		+ (SELECT count(*) FROM outcome) + (SELECT coalesce(sum(xmin::text::bigint), 0) FROM workflow)::bigint`
	second, ended := b.OpenWorkflow(), b.OpenWorkflow()
	b.Write(func(r *store.Records) error {
		_, err := r.Workflows.Complete(t.Context(), id.Must[id.WorkflowID](ended), false)
		return err
	})
	before := b.Count(everything)

	file := startertest.RulesFile(t, "new.yaml", newRules)
	out := b.MustRun("rules", "preview", file, "--account", b.Account, "--limit-examples", "1")
	require.Equal(t, `Of 2 open workflows, with nothing written:
  2 would change, such as SECOND

Documents
  CODE      OF        REQUIRED  ADDED  KEPT  RESTORED  REMOVED  OVERDUE AT ONCE
  NEW       Workflow  2         2      0     0         0        0
  OLD       Business  0         0      0     0         0        0
  PASSPORT  Person    2         2      0     0         0        0

  CODE      WOULD BE  WHERE
  NEW       added     in 2 applications, such as SECOND
  PASSPORT  added     in 2 applications, such as SECOND
`, strings.ReplaceAll(out, second, "SECOND"))

	var report struct {
		AccountID string `json:"account_id"`
		changes.Report
		Workflow *server.RulesPreviewData `json:"workflow"`
	}
	require.NoError(t, json.Unmarshal([]byte(b.MustRun("rules", "preview", file, "--account", b.Account, "--json")), &report))
	require.Equal(t, 2, report.Applications)
	require.Equal(t, b.Account, report.AccountID)
	require.Equal(t, []string{second, b.Workflow}, report.Rules[0].Of(changes.Added).Examples)
	require.Nil(t, report.Workflow)

	scored := startertest.RulesFile(t, "scored.yaml", strings.ReplaceAll(newRules, "business_age_months < 3", "evaluation_score < 3"))
	out = b.MustRun("rules", "preview", scored, "--account", b.Account)
	require.Contains(t, out, "  2 cannot be decided: facts are missing: "+second+", "+b.Workflow+"\n")
	require.Regexp(t, `\n  evaluation_score  2 +in 2 applications: .*  OLD\n`, out)

	out = b.MustRun("rules", "preview", file, "--account", b.Account, "--workflow", b.Workflow)
	require.Contains(t, out, "\nadded\n  PASSPORT of person "+b.Person+"\n      Passport: required because the citizenship of Planted Name is CA, not US; and the\n      ownership percentage of Planted Name is 50%, at least 25%.\n")
	require.NotContains(t, out, "kept")
	out = b.MustRun("rules", "preview", scored, "--account", b.Account, "--workflow", b.Workflow)
	require.Contains(t, out, "evaluation_score of "+b.Workflow+", needed by OLD\n      The evaluation score of this workflow")
	require.NoError(t, json.Unmarshal([]byte(b.MustRun("rules", "preview", file, "--account", b.Account, "--workflow", b.Workflow, "--json")), &report))
	require.Len(t, report.Workflow.Added, 2)

	_, err := b.Try("rules", "preview", file, "--account", b.Account, "--workflow", ended)
	require.ErrorContains(t, err, "WORKFLOW_ENDED")
	other, err := b.Store.Organizations.CreateAccount(t.Context(), b.Call.Scope, "other", "USD", "UTC")
	require.NoError(t, err)
	_, err = b.Try("rules", "preview", file, "--account", other.WireID().String(), "--workflow", b.Workflow)
	require.ErrorContains(t, err, "ENTITY_NOT_FOUND", "a workflow of another account")

	require.Equal(t, before, b.Count(everything))
	b.Publish(file)
	require.NotEqual(t, before, b.Count(everything), "the count notices a write")
}

func TestRulesPreview_ManyWorkflows(t *testing.T) {
	b := startertest.Setup(t)
	many := 2*ruleset.PreviewPage + 5
	b.Write(func(r *store.Records) error {
		for range many - 1 {
			if _, err := r.Workflows.Create(t.Context(), id.Must[id.AccountID](b.Account), id.Must[id.BusinessID](b.Business), domain.NewWorkflow{State: domain.Created}); err != nil {
				return err
			}
		}
		return nil
	})
	file := startertest.RulesFile(t, "new.yaml", newRules)
	out, err := startertest.Run(t, "rules", "preview", file, "--account", b.Account)
	require.NoError(t, err, out)
	require.Contains(t, out, "Try "+file+" on 205 open workflows\n")
	require.Contains(t, out, "205 workflows evaluated (")
	require.Contains(t, out, "  205 would change, such as ")
	require.Regexp(t, `PASSPORT +Person +205 +205 +0 +0 +0 +0`, out)
}

// TestRules_TriedBeforeTheyAreReady: a draft whose example fails is tried, and a changed text alone
// is a change.
func TestRules_TriedBeforeTheyAreReady(t *testing.T) {
	b := startertest.Setup(t)
	b.Publish(startertest.RulesFile(t, "old.yaml", oldRules))
	b.DecideByRules(b.Workflow)
	second := b.OpenWorkflow()
	b.DecideByRules(second)
	b.Exec(`UPDATE workflow SET external_id = '=PARTNER-17' WHERE id = $1`, id.Must[id.WorkflowID](b.Workflow).UUID)
	b.Write(func(r *store.Records) error {
		documents, _, err := r.Documents.List(t.Context(), id.Must[id.WorkflowID](b.Workflow), calculation.DocumentFilter{}, nil)
		for _, d := range documents {
			if d.DocumentTypeCode == "PASSPORT" && err == nil {
				_, err = r.Documents.Update(t.Context(), id.Must[id.RequiredDocumentID](d.ID), document.Review{Status: document.Completed}, id.DecisionID{})
			}
		}
		return err
	})
	draft := startertest.RulesFile(t, "draft.yaml", strings.Replace(oldRules, "name: Passport,", "name: Valid passport,", 1)+
		"examples:\n  - {name: nobody, facts: {as_of: 2026-01-01, established_date: 2025-01-01, persons: [], no_persons_attested: true}, expect: {documents: []}}\n")
	const failing = "\n1 example fails, so "
	file := filepath.Join(t.TempDir(), "changes.csv")
	csv := func() string {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		return string(text)
	}

	out := b.MustRun("rules", "preview", draft, "--account", b.Account, "--csv", file)
	require.Contains(t, out, "  2 would change: "+second+", =PARTNER-17\n")
	require.Contains(t, out, "\n2 applications: the text of PASSPORT changes, 1 approval returns to review: "+second+", =PARTNER-17\n")
	require.Contains(t, out, failing)
	require.Regexp(t, `^workflow_id,external_id,decision_id,change,document_type_code,finding_code,entity_type,entity_id,detail\n`+
		second+`,,,TEXT_CHANGED,PASSPORT,,Person,`+b.Person+`,"Valid passport: required because [^\n]+\n`+
		b.Workflow+`,'=PARTNER-17,,TEXT_CHANGED,PASSPORT,,Person,`+b.Person+`,[^\n]+\n`+
		b.Workflow+`,'=PARTNER-17,,REOPENED,PASSPORT,,Person,`+b.Person+`,[^\n]+\n$`, csv())
	out = b.MustRun("rules", "preview", draft, "--account", b.Account, "--workflow", b.Workflow)
	require.Contains(t, out, "  PASSPORT of person "+b.Person+", its text changes\n")
	require.Contains(t, out, "\nreopened, because the text changes\n  PASSPORT of person")

	since := []string{"rules", "backtest", draft, "--account", b.Account, "--since", "2020-01-01", "--csv", file}
	_, err := b.Try(since...)
	require.ErrorIs(t, err, os.ErrExist, "it does not replace a file")
	require.Contains(t, csv(), "REOPENED")
	require.NoError(t, os.Remove(file))
	out = b.MustRun(since...)
	require.Contains(t, out, "\n2 applications: the text of PASSPORT changes, 1 approval returns to review: ")
	require.Regexp(t, `=PARTNER-17 \(dec_\w+\)`, out)
	require.NotContains(t, out, "Nothing would be decided otherwise")
	require.Contains(t, out, failing)
	require.Regexp(t, b.Workflow+`,'=PARTNER-17,dec_\w+,REOPENED,PASSPORT,,Person,`+b.Person+`,`, csv())

	out, err = b.Try("rules", "diff", draft, "--account", b.Account)
	require.Equal(t, ruleset.ExitDifferent, cli.ExitCode(new(bytes.Buffer), err))
	require.Contains(t, out, "\n1 changed text: PASSPORT. Approvals of the earlier text return to review, unless --keep-approvals keeps them; rules preview counts them.\n")
	require.Contains(t, out, failing)
	var report struct {
		FailingExamples []requirement.FailingExample `json:"failing_examples"`
	}
	require.NoError(t, json.Unmarshal([]byte(b.MustRun("rules", "preview", draft, "--account", b.Account, "--json")), &report))
	require.Equal(t, "nobody", report.FailingExamples[0].Name)
	out, err = b.Try("rules", "publish", draft, "--as-operator", b.Account)
	require.Equal(t, cli.ExitRefused, cli.ExitCode(new(bytes.Buffer), err))
	require.Contains(t, out, "draft.yaml:8:5: examples[0]: ")

	b.Exec(`UPDATE person SET first_name = 'Somebody else'`)
	same := startertest.RulesFile(t, "same.yaml", oldRules)
	out = b.MustRun("rules", "preview", same, "--account", b.Account)
	require.Contains(t, out, "\n1 application: the identity behind PASSPORT has changed, 1 approval returns to review: =PARTNER-17\n")
	require.NotContains(t, out, "the text of PASSPORT")
	out = b.MustRun("rules", "preview", same, "--account", b.Account, "--workflow", b.Workflow)
	require.Contains(t, out, "\nreopened, because the identity has changed\n  PASSPORT of person")
	require.NotContains(t, out, "the text changes")
}
