package ruleset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/author"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/changes"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/internal/store"
	"requisite/starter/cli"
	"requisite/starter/progress"
)

// PreviewPage is how many workflows are previewed in one transaction.
const PreviewPage = 100

// previewOptions are the flags of `starter rules preview`.
type previewOptions struct {
	account, workflow, csv string
	examples               int
	json                   bool
	keep                   []string
}

func rulesPreviewCommand() *cobra.Command {
	var f previewOptions
	var c *cobra.Command
	c = new(cli.Operator).Command(&cobra.Command{
		Use:   "preview FILE | PROPOSAL_ID --account ACCOUNT_ID",
		Short: "Show what a rule set would change for open workflows",
		Long: `Evaluate a rule set for all open workflows of an account, or for one of them,
and compare the result with the documents on record: which it would add, keep,
restore and remove, whose text it would change, which approvals would return to
review, which findings would begin and end, and which facts would be missing. It
writes nothing on record, and does not delay calculations. Examples of the rule
set may fail: they are listed. A proposal is shown with the approvals that it
keeps; --keep-approvals shows a file with those that it would keep.

It counts documents and findings by kind and missing facts by name, and names
some of the workflows, by external_id where they have one. --csv writes a line
for each workflow and change. A workflow with missing facts keeps its documents.
Many workflows are read page by page, so the result may or may not include
changes made meanwhile.`,
		Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, st *store.Store, args []string) error {
		accountID, scope, err := cli.AccountScope(ctx, st, f.account)
		if err != nil {
			return err
		}
		var found author.Checked
		force := calculation.Force{KeepApprovals: f.keep}
		if strings.HasPrefix(args[0], string(id.RuleProposal)) {
			if found, force, err = proposed(ctx, out, st, args[0]); err != nil {
				return err
			}
		} else if found, err = readDraft(out, args[0]); err != nil {
			return err
		}
		run := previewRun{previewOptions: f, store: st, accountID: accountID, scope: scope, program: found.Program, failing: found.Failing, file: args[0]}
		run.rules = store.Tried{Draft: found.Set.CanonicalJSON(), Force: force}
		if run.changes, err = createChanges("csv", f.csv); err != nil {
			return err
		}
		if f.workflow != "" {
			err = run.one(ctx, out)
		} else {
			err = run.all(ctx, out, &progress.Narrator{Out: c.ErrOrStderr()})
		}
		return run.changes.close(err)
	})
	accountFlag(c, &f.account)
	c.Flags().StringVar(&f.workflow, "workflow", "", "only this workflow, w_…")
	c.Flags().IntVar(&f.examples, "limit-examples", 3, "how many workflows to name of each kind")
	c.Flags().StringVar(&f.csv, "csv", "", "write each workflow and change to this `FILE`, as CSV")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	keepFlag(c.Flags(), &f.keep)
	return c
}

// proposed are the rules of a proposal, when they are to be in force, and the approvals that they keep.
func proposed(ctx context.Context, out io.Writer, st *store.Store, text string) (author.Checked, calculation.Force, error) {
	proposal, scope, err := proposalScope(ctx, st, text)
	if err != nil {
		return author.Checked{}, calculation.Force{}, err
	}
	p, err := st.Records(scope).Proposal(ctx, proposal)
	if err != nil {
		return author.Checked{}, calculation.Force{}, err
	}
	if p.AppliesTo == calculation.AppliesToNew {
		fmt.Fprintf(out, "%s applies to applications that are opened from then on. If it applied to those on file:\n\n", text)
	}
	found := author.CheckDraft(rulefile.JSONFile([]byte(p.Content)))
	return found, p.Force, report(out, text, found.Problems)
}

// previewRun tries one rule set.
type previewRun struct {
	previewOptions
	store     *store.Store
	accountID id.AccountID
	scope     domain.Scope
	program   *requirement.Program
	rules     store.Tried
	failing   []requirement.FailingExample
	file      string
	changes   *changesFile
}

func (p *previewRun) decide(ctx context.Context, s calculation.Snapshot) (requirement.Result, error) {
	return p.program.Evaluate(ctx, s.Facts)
}

// previewReport is what `starter rules preview --json` prints.
type previewReport struct {
	File       string `json:"file"`
	AccountID  string `json:"account_id"`
	WorkflowID string `json:"workflow_id,omitempty"`
	*changes.Impact
	FailingExamples []requirement.FailingExample `json:"failing_examples"`
	// Documents of the one workflow that was asked for, and its gaps.
	Workflow *PreviewedWorkflow `json:"workflow,omitempty"`
}

type PreviewedWorkflow struct {
	requirement.ByChange[[]previewedDocument, []previewedDocument]

	Findings previewedFindings `json:"findings"`

	Missing []fact.Gap `json:"missing"`
}

type previewedFindings struct {
	Now     []requirement.Finding `json:"now"`
	Added   []requirement.Finding `json:"added"`
	Removed []requirement.Finding `json:"removed"`
}

type previewedDocument struct {
	RequiredDocumentID string `json:"required_document_id,omitempty"`
	DocumentTypeCode   string `json:"document_type_code"`
	EntityType         string `json:"entity_type"`
	EntityID           string `json:"entity_id"`
	Message            string `json:"message"`
	Explanation        string `json:"explanation,omitempty"`
	TextChanged        bool   `json:"text_changed,omitempty"`

	StatusReason requirement.StatusReason `json:"status_reason,omitempty"`
}

// one previews the workflow that was asked for.
func (p *previewRun) one(ctx context.Context, out io.Writer) error {
	var workflowID id.WorkflowID
	if err := workflowID.Parse(p.workflow); err != nil {
		return err
	}
	w, err := p.store.Records(p.scope).Workflow(ctx, workflowID)
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
		return found, explainMissingScore(ctx, p.store, s, found.Gaps)
	})
	if err != nil {
		return err
	}
	impact := changes.NewImpact(p.examples)
	one := calculation.WorkflowPreview{WorkflowID: p.workflow, ExternalID: w.ExternalID, Preview: preview}
	count(impact, one)
	if err := p.changes.previewed(one); err != nil {
		return err
	}
	found := PreviewedWorkflow{
		ByChange: requirement.MapChanges(preview.Changes.ByChange, previewed, previewed),
		Missing:  append([]fact.Gap{}, preview.Gaps...),
	}
	findings := preview.Changes.Findings
	found.Findings = previewedFindings{append([]requirement.Finding{}, findings.Now...), append([]requirement.Finding{}, findings.Added...), append([]requirement.Finding{}, findings.Removed...)}
	for i, kept := range found.Kept {
		found.Kept[i].TextChanged = slices.ContainsFunc(preview.Changes.TextChanged, func(d requirement.Document) bool { return d.ID == kept.RequiredDocumentID })
	}
	if p.json {
		return cli.PrintJSON(out, previewReport{p.file, p.account, p.workflow, impact.Sum(), append([]requirement.FailingExample{}, p.failing...), &found})
	}
	fmt.Fprintf(out, "%s for workflow %s; nothing was written\n", p.file, p.workflow)
	printPreviewed(out, "added", found.Added)
	printPreviewed(out, "kept", found.Kept)
	printPreviewed(out, "restored", found.Restored)
	printPreviewed(out, "removed", found.Removed)
	for _, why := range []struct {
		reason requirement.StatusReason
		text   string
	}{{requirement.TextChanged, "the text changes"}, {requirement.IdentityChanged, "the identity has changed"}} {
		other := func(d previewedDocument) bool { return d.StatusReason != why.reason }
		printPreviewed(out, "reopened, because "+why.text, slices.DeleteFunc(slices.Clone(found.Reopened), other))
	}
	printPreviewed(out, "reinstated, because what was approved is required again", found.Reinstated)
	printPreviewed(out, "carried over from the previous workflow", found.Carried)
	kept := slices.DeleteFunc(slices.Clone(findings.Now), func(f requirement.Finding) bool {
		return slices.ContainsFunc(findings.Added, func(added requirement.Finding) bool { return added.SameAs(f) })
	})
	printFindings(out, "findings that begin", findings.Added)
	printFindings(out, "findings that stay", kept)
	printFindings(out, "findings that end", findings.Removed)
	printGaps(out, p.program, found.Missing)
	printFailing(out, p.file, p.failing)
	return nil
}

func previewed(documents []requirement.Document) []previewedDocument {
	list := make([]previewedDocument, len(documents))
	for i, d := range documents {
		list[i] = previewedDocument{d.ID, d.DocumentTypeCode, d.EntityType, d.EntityID, "", d.Explanation, false, d.StatusReason}
		if len(d.Reasons) > 0 {
			list[i].Message = d.Reasons[0].Message
		}
	}
	return list
}

func printPreviewed(out io.Writer, title string, documents []previewedDocument) {
	if len(documents) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", title)
	for _, d := range documents {
		changed := ""
		if d.TextChanged {
			changed = ", its text changes"
		}
		fmt.Fprintf(out, "  %s of %s%s\n", d.DocumentTypeCode, entityText(d.EntityType, d.EntityID), changed)
		message := d.Message
		if title == "removed" {
			message = "Until now: " + message
		}
		for line := range cli.Wrapped(message, 90) {
			fmt.Fprintf(out, "      %s\n", line)
		}
		if d.Explanation != "" && title != "removed" {
			fmt.Fprintf(out, "      for the applicant: %s\n", d.Explanation)
		}
	}
}

func printFindings(out io.Writer, title string, findings []requirement.Finding) {
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

func count(impact *changes.Impact, p calculation.WorkflowPreview) {
	name := cmp.Or(text(p.ExternalID), p.WorkflowID)
	switch {
	case p.Err != nil:
		impact.AddFailure(name, p.Err.Error())
	case len(p.Gaps) > 0:
		impact.AddGaps(name, p.Gaps)
	default:
		impact.AddChanges(name, p.Changes)
	}
}

// all previews every open workflow of the account.
func (p *previewRun) all(ctx context.Context, out io.Writer, say *progress.Narrator) error {
	total, err := p.store.Records(p.scope).CountOpen(ctx, p.accountID)
	if err != nil {
		return err
	}
	step := say.Start("Try " + p.file + " on " + cli.Counted(total, "open workflow"))
	impact := changes.NewImpact(p.examples)
	begun, page := time.Now(), domain.Page{Limit: PreviewPage}
	for {
		var unwritten error
		page.After, err = p.store.PreviewOpen(ctx, p.scope, p.accountID, page, p.rules, begun, p.decide, func(w calculation.WorkflowPreview) {
			count(impact, w)
			unwritten = errors.Join(unwritten, p.changes.previewed(w))
		})
		if err = errors.Join(err, unwritten); err != nil {
			return err
		}
		if page.After == "" {
			break
		}
		// There may be more workflows than counted before.
		step.Progress(fmt.Sprintf("%d of %d", impact.Workflows, max(total, impact.Workflows)))
	}
	step.Done(cli.Counted(impact.Workflows, "workflow") + " evaluated")
	impact.Sum()
	if p.json {
		return cli.PrintJSON(out, previewReport{File: p.file, AccountID: p.account, Impact: impact, FailingExamples: append([]requirement.FailingExample{}, p.failing...)})
	}
	if err := printImpact(out, p.program, impact); err != nil {
		return err
	}
	printFailing(out, p.file, p.failing)
	return nil
}

// printImpact prints counts, with the names of some workflows for each.
func printImpact(out io.Writer, program *requirement.Program, impact *changes.Impact) error {
	fmt.Fprintf(out, "Of %s, with nothing written:\n", cli.Counted(impact.Workflows, "open workflow"))
	for _, part := range []struct {
		tally changes.Tally
		text  string
	}{
		{impact.Changed, "would change"},
		{impact.Unchanged, "would require the same documents as now"},
		{impact.Blocked, "cannot be decided: facts are missing"},
		{impact.Failed, "cannot be evaluated"},
	} {
		if part.tally.Workflows > 0 {
			fmt.Fprintf(out, "  %d %s%s\n", part.tally.Workflows, part.text, suchAs(part.tally))
		}
	}
	if len(impact.Documents) > 0 {
		fmt.Fprintln(out, "\nDocuments")
		var rows, examples [][]any
		for _, d := range impact.Documents {
			rows = append(rows, []any{d.DocumentTypeCode, d.EntityType, d.Added.Count, d.Kept.Count, d.Restored.Count, d.Removed.Count})
			for _, part := range []struct {
				verb  string
				tally changes.Tally
			}{{"added", d.Added}, {"restored", d.Restored}, {"removed", d.Removed}} {
				if part.tally.Count > 0 && len(part.tally.Examples) > 0 {
					examples = append(examples, []any{d.DocumentTypeCode, part.verb, "in " + cli.Counted(part.tally.Workflows, "workflow") + suchAs(part.tally)})
				}
			}
		}
		if err := cli.Table(out, "  CODE\tOF\tADDED\tKEPT\tRESTORED\tREMOVED", rows...); err != nil {
			return err
		}
		if len(examples) > 0 {
			fmt.Fprintln(out)
			if err := cli.Table(out, "  CODE\tWOULD BE\tWHERE", examples...); err != nil {
				return err
			}
		}
	}
	if len(impact.Findings) > 0 {
		fmt.Fprintln(out, "\nFindings")
		var rows [][]any
		for _, f := range impact.Findings {
			both := changes.Tally{Workflows: f.Added.Workflows + f.Removed.Workflows, Examples: append(slices.Clone(f.Added.Examples), f.Removed.Examples...)}
			rows = append(rows, []any{f.FindingCode, f.Kind, f.EntityType, f.Added.Count, f.Removed.Count, "in " + cli.Counted(both.Workflows, "workflow") + suchAs(both)})
		}
		if err := cli.Table(out, "  CODE\tKIND\tOF\tBEGIN\tEND\tWHERE", rows...); err != nil {
			return err
		}
	}
	first := "\n"
	for _, d := range impact.Documents {
		if d.TextChanged.Workflows > 0 {
			fmt.Fprintf(out, "%s%s%s\n", first, changes.TextSentence(d.TextChanged.Workflows, d.Reopened.Count-d.IdentityChanged.Count, d.DocumentTypeCode), suchAs(d.TextChanged))
			first = ""
		}
		if d.IdentityChanged.Workflows > 0 {
			fmt.Fprintf(out, "%s%s%s\n", first, changes.IdentitySentence(d.IdentityChanged.Workflows, d.IdentityChanged.Count, d.DocumentTypeCode), suchAs(d.IdentityChanged))
			first = ""
		}
	}
	if len(impact.Missing) > 0 {
		fmt.Fprintln(out, "\nMissing facts")
		var rows [][]any
		for _, m := range impact.Missing {
			rows = append(rows, []any{m.Fact, m.Count, "in " + cli.Counted(m.Workflows, "workflow") + suchAs(m.Tally), strings.Join(program.NeededBy(m.Fact), ", ")})
		}
		if err := cli.Table(out, "  FACT\tGAPS\tWHERE\tNEEDED BY", rows...); err != nil {
			return err
		}
	}
	for _, failure := range impact.Failures {
		fmt.Fprintf(out, "\n%s%s\n  %s\n", cli.Counted(failure.Workflows, "workflow"), suchAs(failure.Tally), failure.Message)
	}
	return nil
}

func suchAs(t changes.Tally) string {
	switch {
	case len(t.Examples) == 0:
		return ""
	case len(t.Examples) == t.Workflows:
		return ": " + strings.Join(t.Examples, ", ")
	}
	return ", such as " + strings.Join(t.Examples, ", ")
}
