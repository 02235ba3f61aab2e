package ruleset

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"requisite/api/server"
	"requisite/internal/id"
	"requisite/internal/rules/changes"
	"requisite/internal/rules/document"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/internal/store"
	"requisite/starter/cli"
)

// trial evaluates a rule set on applications: on the facts on file, or on those of recorded decisions.
type trial struct {
	account, csv string
	examples     int
	json         bool

	store     *store.Store
	accountID id.AccountID
	file      string
	program   *requirement.Program
	failing   []requirement.FailingExample
	changes   *changesFile
	report    *changes.Report
}

func (t *trial) flags(c *cobra.Command) {
	accountFlag(c, &t.account)
	c.Flags().IntVar(&t.examples, "limit-examples", 3, "how many applications to name of each kind")
	c.Flags().StringVar(&t.csv, "csv", "", "write each application and change to this `FILE`, as CSV")
	c.Flags().BoolVar(&t.json, "json", false, "print JSON")
}

// begin makes the report. It compares with the rules of the version in force, if there are any.
func (t *trial) begin(inForce []requirement.Rule) (err error) {
	t.report = changes.NewReport(t.examples, t.program.RulesInFull(), inForce)
	t.changes, err = createChanges("csv", t.csv)
	return err
}

// keeps refuses codes of --keep-approvals that the rules do not have, as publishing does.
func (t *trial) keeps(codes []string) error {
	if at, problem := document.UnknownKept(codes, t.program.Rules()); at >= 0 {
		return fmt.Errorf("--keep-approvals %s: %s", codes[at], problem.Message)
	}
	return nil
}

func (t *trial) add(a changes.Application) error {
	t.report.Add(a)
	return t.changes.application(a)
}

// trialReport is what rules preview and rules backtest print with --json.
type trialReport struct {
	File       string `json:"file"`
	AccountID  string `json:"account_id"`
	WorkflowID string `json:"workflow_id,omitempty"`
	// Since and InForce belong to a backtest. InForce is the version that the file was compared with.
	Since   *time.Time  `json:"since,omitempty"`
	InForce *RuleSource `json:"in_force,omitempty"`
	*changes.Report
	FailingExamples []requirement.FailingExample `json:"failing_examples"`
	// Workflow is the answer of account.documentRules.preview for the workflow that a flag names.
	Workflow *server.RulesPreviewData `json:"workflow,omitempty"`
}

// print prints the report: as JSON, with the other fields of more, or as text below a heading.
func (t *trial) print(out io.Writer, heading string, more trialReport) error {
	t.report.Sum()
	if t.json {
		more.File, more.AccountID, more.Report, more.FailingExamples = t.file, t.account, t.report, append([]requirement.FailingExample{}, t.failing...)
		return cli.PrintJSON(out, more)
	}
	fmt.Fprintln(out, heading)
	if err := t.printReport(out, more.InForce != nil); err != nil {
		return err
	}
	printFailing(out, t.file, t.failing)
	return nil
}

// printReport prints counts, with the names of some applications for each. After a comparison with a version in force, it
// also prints both conditions of the rules that differ.
func (t *trial) printReport(out io.Writer, compared bool) error {
	r := t.report
	for _, part := range []struct {
		tally changes.Tally
		text  string
	}{
		{r.Changed, "would change"},
		{r.Unchanged, "would require the same documents"},
		{r.NewlyDecided, "could be decided, and cannot by the version in force"},
		{r.LackingFacts, "cannot be decided: facts are missing"},
		{r.NotEvaluable, "cannot be evaluated"},
	} {
		if part.tally.Applications > 0 {
			fmt.Fprintf(out, "  %d %s%s\n", part.tally.Applications, part.text, suchAs(part.tally))
		}
	}
	if r.Same() {
		of := ""
		if r.LackingFacts.Applications+r.NotEvaluable.Applications > 0 {
			of = " Of those that cannot be decided, nothing is known."
		}
		fmt.Fprintln(out, "Nothing would be decided otherwise."+of)
	}
	if r.Erased > 0 {
		fmt.Fprintf(out, "Left out, because their facts were erased: %d\n", r.Erased)
	}
	if err := printRules(out, r.Rules); err != nil {
		return err
	}
	printTextChanges(out, r.Rules)
	if compared {
		printConditions(out, r.Rules)
	}
	if len(r.Gaps) > 0 {
		fmt.Fprintln(out, "\nMissing facts")
		var rows [][]any
		for _, g := range r.Gaps {
			rows = append(rows, []any{g.What, g.Count, "in " + where(g), strings.Join(t.program.NeededBy(g.What), ", ")})
		}
		if err := cli.Table(out, "  FACT\tGAPS\tWHERE\tNEEDED BY", rows...); err != nil {
			return err
		}
	}
	for _, f := range r.Failures {
		fmt.Fprintf(out, "\n%s\n  %s\n", where(f), f.What)
	}
	return nil
}

// columns are the changes that the table of documents counts.
var columns = []changes.Kind{changes.Added, changes.Kept, changes.Restored, changes.Removed, changes.OverdueAtOnce}

func printRules(out io.Writer, rules []changes.RuleReport) error {
	var documents, examples, findings [][]any
	for _, r := range rules {
		if r.FindingCode != "" {
			added, removed := r.Added, r.Removed
			both := changes.Tally{Applications: added.Applications + removed.Applications, Examples: slices.Concat(added.Examples, removed.Examples)}
			findings = append(findings, []any{r.FindingCode, r.FindingKind, r.EntityType, added.Count, removed.Count, "in " + applications(both)})
			continue
		}
		row := []any{r.DocumentTypeCode, r.EntityType, r.Required}
		for _, kind := range columns {
			tally := r.Of(kind)
			row = append(row, tally.Count)
			if kind != changes.Kept && len(tally.Examples) > 0 {
				examples = append(examples, []any{r.DocumentTypeCode, strings.ReplaceAll(string(kind), "_", " "), "in " + applications(tally)})
			}
		}
		documents = append(documents, row)
	}
	header := "  CODE\tOF\tREQUIRED"
	for _, kind := range columns {
		header += "\t" + strings.ToUpper(strings.ReplaceAll(string(kind), "_", " "))
	}
	for _, table := range []struct {
		title, header string
		rows          [][]any
	}{{"\nDocuments\n", header, documents}, {"\n", "  CODE\tWOULD BE\tWHERE", examples}, {"\nFindings\n", "  CODE\tKIND\tOF\tBEGIN\tEND\tWHERE", findings}} {
		if len(table.rows) == 0 {
			continue
		}
		fmt.Fprint(out, table.title)
		if err := cli.Table(out, table.header, table.rows...); err != nil {
			return err
		}
	}
	return nil
}

// printTextChanges prints the documents whose text, identity or bound facts change, and how many approvals return to review.
func printTextChanges(out io.Writer, rules []changes.RuleReport) {
	first := "\n"
	for _, r := range rules {
		texts, identities, facts := r.TextChanged, r.IdentityChanged, r.FactsChanged
		for _, part := range []struct {
			tally     changes.Tally
			text      string
			approvals int
		}{
			{texts, "the text of " + r.DocumentTypeCode + " changes", r.Reopened.Count - identities.Count - facts.Count},
			{identities, "the identity behind " + r.DocumentTypeCode + " has changed", identities.Count},
			{facts, "a fact behind " + r.DocumentTypeCode + " has changed", facts.Count},
		} {
			if part.tally.Applications == 0 {
				continue
			}
			returning := ""
			if part.approvals > 0 {
				returning = ", " + cli.Counted(part.approvals, "approval") + " return" + rulefile.Pick(part.approvals == 1, "s", "") + " to review"
			}
			fmt.Fprintf(out, "%s%s: %s%s%s\n", first, cli.Counted(part.tally.Applications, "application"), part.text, returning, suchAs(part.tally))
			first = ""
		}
	}
}

func printConditions(out io.Writer, rules []changes.RuleReport) {
	for _, r := range rules {
		if !r.Differs() {
			continue
		}
		name := rulefile.Pick(r.FindingCode != "", "finding "+r.FindingCode, r.DocumentTypeCode)
		draft := rulefile.Pick(r.Rule == r.RuleInForce, "the same", oneLine(r.Rule))
		fmt.Fprintf(out, "\n%s of %s\n  in force: %s\n  draft:    %s\n", name, r.EntityType, oneLine(r.RuleInForce), draft)
	}
}

func oneLine(condition string) string {
	return cmp.Or(strings.Join(strings.Fields(condition), " "), "no such rule")
}

// where names the applications that an obstacle keeps from being decided.
func where(o changes.Obstacle) string {
	also := ""
	if o.InForce > 0 {
		also = fmt.Sprintf(", %d of them under the version in force too", o.InForce)
	}
	return cli.Counted(o.Applications, "application") + also + suchAs(o.Tally)
}

func applications(t changes.Tally) string {
	return cli.Counted(t.Applications, "application") + suchAs(t)
}

func suchAs(t changes.Tally) string {
	switch {
	case len(t.Examples) == 0:
		return ""
	case len(t.Examples) == t.Applications:
		return ": " + strings.Join(t.Examples, ", ")
	}
	return ", such as " + strings.Join(t.Examples, ", ")
}
