package ruleset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"requisite/api/server"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/author"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/changes"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/internal/store"
	"requisite/starter/cli"
	"requisite/starter/progress"
)

// PreviewPage is how many workflows are previewed in one transaction.
const PreviewPage = 100

func rulesPreviewCommand() *cobra.Command {
	var run previewRun
	var c *cobra.Command
	c = new(cli.Operator).Command(&cobra.Command{
		Use:   "preview FILE | PROPOSAL_ID --account ACCOUNT_ID",
		Short: "Show what a rule set would change for open workflows",
		Long: `Evaluate a rule set for all open workflows of an account, or for one of them,
and compare the result with the documents on record: which it would add, keep,
restore and remove, which would be overdue at once, whose text it would change,
which approvals would return to review, which findings would begin and end, and
which facts would be missing. It writes nothing on record, and does not delay
calculations. Examples of the rule set may fail: they are listed. A proposal is
shown with the approvals that it keeps; --keep-approvals shows a file with those
that it would keep.

It counts documents and findings by kind and missing facts by name, and names
some of the workflows, by external_id where they have one. --csv writes a line
for each workflow and change. A workflow with missing facts keeps its documents.
Many workflows are read page by page, so the result may or may not include
changes made meanwhile.`,
		Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, st *store.Store, args []string) error {
		var err error
		if run.accountID, run.scope, err = cli.AccountScope(ctx, st.Scopes, run.account); err != nil {
			return err
		}
		var found author.Checked
		force := calculation.Validity{KeepApprovals: run.keep}
		if strings.HasPrefix(args[0], string(id.RuleProposal)) {
			if found, force, err = proposed(ctx, out, st, args[0]); err != nil {
				return err
			}
		} else if found, err = readDraft(out, args[0]); err != nil {
			return err
		}
		run.store, run.file, run.program, run.failing = st, args[0], found.Program, found.Failing
		run.rules = store.Tried{Draft: found.Set.CanonicalJSON(), Validity: force}
		if err := errors.Join(run.keeps(run.keep), run.begin(nil)); err != nil {
			return err
		}
		if run.workflow != "" {
			err = run.one(ctx, out)
		} else {
			err = run.all(ctx, out, &progress.Narrator{Out: c.ErrOrStderr()})
		}
		return run.changes.close(err)
	})
	run.flags(c)
	c.Flags().StringVar(&run.workflow, "workflow", "", "only this workflow, w_…")
	keepFlag(c.Flags(), &run.keep)
	return c
}

// proposed returns the rules of a proposal, when they come into force, and the approvals that they keep.
func proposed(ctx context.Context, out io.Writer, st *store.Store, text string) (author.Checked, calculation.Validity, error) {
	proposal, scope, err := proposalScope(ctx, st, text)
	if err != nil {
		return author.Checked{}, calculation.Validity{}, err
	}
	p, err := st.Records(scope).Rules.Proposal(ctx, proposal)
	if err != nil {
		return author.Checked{}, calculation.Validity{}, err
	}
	if p.AppliesTo == calculation.AppliesToNew {
		fmt.Fprintf(out, "%s applies to applications that are opened from then on. If it applied to those on file:\n\n", text)
	}
	found := author.CheckDraft(rulefile.JSONFile([]byte(p.Content)))
	return found, p.Validity, report(out, text, found.Problems)
}

// previewRun tries one rule set on the facts on file.
type previewRun struct {
	trial
	workflow string
	keep     []string
	scope    domain.Scope
	rules    store.Tried
}

func (p *previewRun) decide(ctx context.Context, s calculation.Snapshot) (requirement.Result, error) {
	return p.program.Evaluate(ctx, s.Facts)
}

// one previews the workflow that a flag names.
func (p *previewRun) one(ctx context.Context, out io.Writer) error {
	var workflowID id.WorkflowID
	if err := workflowID.Parse(p.workflow); err != nil {
		return err
	}
	w, err := p.store.Records(p.scope).Workflows.Get(ctx, workflowID)
	if err != nil {
		return err
	}
	if w.AccountID != p.accountID.UUID {
		return refusal.NotFound(refusal.EntityWorkflow, p.workflow)
	}
	preview, err := p.store.Preview(ctx, p.scope, workflowID, p.rules, fact.Date{}, func(ctx context.Context, s calculation.Snapshot) (requirement.Result, error) {
		found, err := p.decide(ctx, s)
		if err != nil {
			return found, err
		}
		return found, explainMissingScore(ctx, p.store.Versions, s, found.Gaps)
	})
	if err != nil {
		return err
	}
	if err := p.see(calculation.WorkflowPreview{WorkflowID: p.workflow, ExternalID: w.ExternalID, Preview: preview}); err != nil {
		return err
	}
	if p.json {
		return p.print(out, "", trialReport{WorkflowID: p.workflow, Workflow: new(server.PreviewData(preview, p.failing))})
	}
	fmt.Fprintf(out, "%s for workflow %s; nothing was written\n", p.file, p.workflow)
	c := preview.Changes
	reopened := func(why document.StatusReason) []document.Document {
		return slices.DeleteFunc(slices.Clone(c.Reopened), func(d document.Document) bool { return d.StatusReason != why })
	}
	for _, part := range []struct {
		title     string
		documents []document.Document
	}{
		{"added", c.Added}, {"kept", c.Kept}, {"restored", c.Restored}, {"removed", c.Removed},
		{"reopened, because the text changes", reopened(document.TextChanged)},
		{"reopened, because the identity has changed", reopened(document.IdentityChanged)},
		{"reopened, because a fact has changed", reopened(document.FactsChanged)},
		{"reinstated, because what was approved is required again", c.Reinstated},
		{"carried over from the previous workflow", c.Carried},
	} {
		printPreviewed(out, part.title, part.documents, c.TextChanged)
	}
	findings := c.Findings
	kept := slices.DeleteFunc(slices.Clone(findings.Now), func(f document.Finding) bool {
		return slices.ContainsFunc(findings.Added, func(added document.Finding) bool { return added.SameAs(f) })
	})
	printFindings(out, "findings that begin", findings.Added)
	printFindings(out, "findings that stay", kept)
	printFindings(out, "findings that end", findings.Removed)
	printGaps(out, p.program, preview.Gaps)
	printFailing(out, p.file, p.failing)
	return nil
}

// printPreviewed prints documents, some of which are kept with another text.
func printPreviewed(out io.Writer, title string, documents, textChanged []document.Document) {
	if len(documents) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", title)
	for _, d := range documents {
		changed := title == "kept" && slices.ContainsFunc(textChanged, func(other document.Document) bool { return other.ID == d.ID })
		fmt.Fprintf(out, "  %s of %s%s\n", d.DocumentTypeCode, entityText(d.EntityType, d.EntityID), rulefile.Pick(changed, ", its text changes", ""))
		message := ""
		if len(d.Reasons) > 0 {
			message = d.Reasons[0].Message
		}
		for line := range cli.Wrapped(rulefile.Pick(title == "removed", "Until now: ", "")+message, 90) {
			fmt.Fprintf(out, "      %s\n", line)
		}
		if d.Explanation != "" && title != "removed" {
			fmt.Fprintf(out, "      for the applicant: %s\n", d.Explanation)
		}
	}
}

func printFindings(out io.Writer, title string, findings []document.Finding) {
	if len(findings) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", title)
	for _, f := range findings {
		fmt.Fprintf(out, "  %s %s of %s\n", f.Kind, f.FindingCode, entityText(f.EntityType, f.EntityID))
		for _, reason := range f.Reasons {
			for line := range cli.Wrapped(reason.Message, 90) {
				fmt.Fprintf(out, "      %s\n", line)
			}
		}
	}
}

// see counts what a calculation of a workflow would do.
func (p *previewRun) see(w calculation.WorkflowPreview) error {
	a := changes.Application{WorkflowID: w.WorkflowID, ExternalID: text(w.ExternalID), Undecided: changes.Undecided{Gaps: w.Gaps}}
	if w.Err != nil {
		a.Failure = w.Err.Error()
	}
	if a.Decided() {
		a.Changes = changes.OfDocuments(w.Changes)
	}
	return p.add(a)
}

// all previews every open workflow of the account.
func (p *previewRun) all(ctx context.Context, out io.Writer, say *progress.Narrator) error {
	total, err := p.store.Records(p.scope).Previews.CountOpen(ctx, p.accountID)
	if err != nil {
		return err
	}
	step := say.Start("Try " + p.file + " on " + cli.Counted(total, "open workflow"))
	begun, page := time.Now(), domain.Page{Limit: PreviewPage}
	for {
		var unwritten error
		page.After, err = p.store.PreviewOpen(ctx, p.scope, p.accountID, page, p.rules, begun, p.decide, func(w calculation.WorkflowPreview) {
			unwritten = errors.Join(unwritten, p.see(w))
		})
		if err = errors.Join(err, unwritten); err != nil {
			return err
		}
		if page.After == "" {
			break
		}
		// There may be more workflows than counted before.
		step.Progress(fmt.Sprintf("%d of %d", p.report.Applications, max(total, p.report.Applications)))
	}
	step.Done(cli.Counted(p.report.Applications, "workflow") + " evaluated")
	return p.print(out, fmt.Sprintf("Of %s, with nothing written:", cli.Counted(p.report.Applications, "open workflow")), trialReport{})
}
