package ruleset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/decision"
	"requisite/internal/decision/replay"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/changes"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/starter/cli"
	"requisite/starter/progress"
)

// backtestOptions are the flags of `starter rules backtest`.
type backtestOptions struct {
	account, since, csv string
	json                bool
}

// BacktestCommand is `starter rules backtest`.
func BacktestCommand() *cobra.Command {
	var f backtestOptions
	var c *cobra.Command
	c = new(cli.Operator).Command(&cobra.Command{
		Use:   "backtest FILE --account ACCOUNT_ID --since DATE",
		Short: "Try a rule set on the facts of past decisions; it writes nothing",
		Long: `Evaluate a rule set and the version in force on the recorded facts of the last
calculation of each application since a date (UTC), as of the day of that
calculation. It shows how many applications would gain or lose which document,
and by which rule, and whose documents would have another text, with up to ten
decisions as examples; "starter decision show" explains each. An approval of a
document that is COMPLETED today returns to review if its text changes, unless
the application has ended. --csv writes a line for each application and change.
Examples of the rule set may fail: they are listed.

Facts that the rule set needs and the record lacks are counted as missing.
Decisions whose facts were erased are left out, and counted. It writes nothing.`,
		Example: `  starter rules backtest draft.yaml --account sb_… --since 2025-11-01`,
		Args:    cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		since, err := sinceDate(f.since)
		if err != nil {
			return err
		}
		draft, err := readDraft(out, args[0])
		if err != nil {
			return err
		}
		accountID, scope, err := cli.AccountScope(ctx, store, f.account)
		if err != nil {
			return err
		}
		inForce, err := store.Records(scope).RuleSet(ctx, accountID, id.RuleSetVersionID{})
		if err != nil {
			return err
		}
		run := backtestRun{backtestOptions: f, store: store, accountID: accountID, since: since, file: args[0], draft: draft.Program, failing: draft.Failing, version: inForce.Publication}
		if run.changes, err = createChanges("csv", f.csv); err != nil {
			return err
		}
		return run.changes.close(run.all(ctx, out, &progress.Narrator{Out: c.ErrOrStderr()}))
	})
	accountFlag(c, &f.account)
	c.Flags().StringVar(&f.since, "since", "", "only calculations since this date, such as 2025-11-01, or this time")
	c.Flags().StringVar(&f.csv, "csv", "", "write each application and change to this `FILE`, as CSV")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return c
}

// sinceDate reads a date, UTC, or a time.
func sinceDate(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, errors.New("--since is missing: give the date of the first calculations to look at, such as 2025-11-01")
	}
	if date, err := time.Parse(time.DateOnly, text); err == nil {
		return date, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, fmt.Errorf("--since must be a date such as 2025-11-01, or a time such as 2025-11-01T00:00:00Z, not %q", text)
	}
	return at, nil
}

// backtestRun tries one rule set on recorded facts.
type backtestRun struct {
	backtestOptions
	store     *store.Store
	accountID id.AccountID
	since     time.Time
	file      string
	draft     *requirement.Program
	failing   []requirement.FailingExample
	version   calculation.Publication
	changes   *changesFile
}

// backtestReport is what `starter rules backtest --json` prints.
type backtestReport struct {
	File      string    `json:"file"`
	AccountID string    `json:"account_id"`
	Since     time.Time `json:"since"`
	// InForce is the version that the file was compared with.
	InForce RuleSource `json:"in_force"`
	*replay.Backtest
	FailingExamples []requirement.FailingExample `json:"failing_examples"`
}

func (b *backtestRun) all(ctx context.Context, out io.Writer, say *progress.Narrator) error {
	inForce, err := replay.LoadRuleSet(ctx, b.version)
	if err != nil {
		return fmt.Errorf("version %d in force: %w", b.version.Version, err)
	}
	total, err := b.store.CountDecidedSince(ctx, b.accountID, b.since)
	if err != nil {
		return err
	}
	step := say.Start("Try " + b.file + " on the decisions of up to " + cli.Counted(total, "application"))
	found := replay.NewBacktest(inForce.RuleSet.RulesInFull(), b.draft.RulesInFull())
	seen := 0
	read := func(ctx context.Context, send func([]store.LatestCalculation) error) error {
		return b.store.EachLatestCalculation(ctx, b.accountID, b.since, found.TextsChanged(), send)
	}
	compare := func(ctx context.Context, d store.LatestCalculation) (*replay.Compared, error) {
		if d.Facts == "" {
			return nil, nil // erased
		}
		var facts decision.Facts
		if err := json.Unmarshal([]byte(d.Facts), &facts); err != nil {
			return nil, fmt.Errorf("the facts of decision %s: %w", d.DecisionID, err)
		}
		a := replay.Application{WorkflowID: d.WorkflowID, ExternalID: d.ExternalID, DecisionID: d.DecisionID, AsOf: d.AsOf, Facts: facts, Approved: d.Approved}
		compared, err := replay.Compare(ctx, inForce.RuleSet, b.draft, a)
		return &compared, err
	}
	err = replay.Each(ctx, read, compare, func(c *replay.Compared) error {
		if c == nil {
			found.Erased++
		} else {
			found.Add(*c)
			if err := b.changes.backtested(found, *c); err != nil {
				return err
			}
		}
		if seen++; seen%progressEvery == 0 {
			step.Progress(fmt.Sprintf("%d of %d", seen, max(total, seen)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	step.Done(cli.Counted(found.Applications, "application") + " evaluated")
	found.Sum()
	source := RuleSource{VersionID: b.version.WireID().String(), Version: b.version.Version}
	if b.json {
		return cli.PrintJSON(out, backtestReport{File: b.file, AccountID: b.account, Since: b.since, InForce: source, Backtest: found, FailingExamples: append([]requirement.FailingExample{}, b.failing...)})
	}
	b.print(out, source, found)
	printFailing(out, b.file, b.failing)
	return nil
}

// progressEvery is how many applications are evaluated between two reports.
const progressEvery = 200

func (b *backtestRun) print(out io.Writer, source RuleSource, found *replay.Backtest) {
	fmt.Fprintf(out, "Of %s with a calculation since %s, on the facts of then, compared with %s:\n",
		cli.Counted(found.Applications, "application"), b.since.Format(time.RFC3339), source)
	for _, part := range []struct {
		count int
		text  string
	}{
		{found.Changed.Applications, "would gain or lose documents or findings, or see another text"},
		{found.Unchanged.Applications, "would require the same documents"},
		{found.NewlyDecided.Applications, "could be decided, and cannot by the version in force"},
		{found.LackingFacts.Applications, "cannot be decided: the record lacks facts"},
		{found.NotEvaluable.Applications, "cannot be evaluated"},
	} {
		if part.count > 0 {
			fmt.Fprintf(out, "  %d %s\n", part.count, part.text)
		}
	}
	if found.Same() {
		of := ""
		if found.LackingFacts.Applications+found.NotEvaluable.Applications > 0 {
			of = " Of those that cannot be decided, nothing is known."
		}
		fmt.Fprintln(out, "Nothing would be decided otherwise."+of)
	}
	if found.Erased > 0 {
		fmt.Fprintf(out, "Left out, because their facts were erased: %d\n", found.Erased)
	}
	for _, d := range found.Documents {
		name := d.DocumentTypeCode
		if d.FindingCode != "" {
			name = "finding " + d.FindingCode
		}
		fmt.Fprintf(out, "\n%s of %s\n", name, d.EntityType)
		for _, rule := range []struct{ name, text string }{{"in force: ", d.RuleInForce}, {"draft:    ", d.Rule}} {
			text := strings.Join(strings.Fields(rule.text), " ")
			if text == "" {
				text = "no such rule"
			}
			if rule.name == "draft:    " && d.Rule == d.RuleInForce {
				text = "the same"
			}
			fmt.Fprintf(out, "  %s%s\n", rule.name, text)
		}
		printCount(out, "gained by ", d.Gained, d.Gained.Documents)
		printCount(out, "lost by ", d.Lost, d.Lost.Documents)
		if d.TextChanged.Applications > 0 {
			fmt.Fprintf(out, "  %s\n", changes.TextSentence(d.TextChanged.Applications, d.Reopened.Documents, d.DocumentTypeCode))
			printCount(out, "in ", d.TextChanged, d.TextChanged.Documents)
		}
	}
	if len(found.Gaps) > 0 {
		fmt.Fprintln(out, "\nMissing facts")
	}
	for _, g := range found.Gaps {
		fmt.Fprintf(out, "  %s, needed by %s\n", g.Fact, strings.Join(b.draft.NeededBy(g.Fact), ", "))
		printCount(out, "  missing for ", g.Count, 0)
		if g.New.Applications < g.Applications {
			fmt.Fprintf(out, "      the version in force lacks it too for %d\n", g.Applications-g.New.Applications)
		}
	}
	for _, f := range found.Failures {
		fmt.Fprintf(out, "\n%s\n", f.Message)
		printCount(out, "no answer for ", f.Count, 0)
		if f.New.Applications < f.Applications {
			fmt.Fprintf(out, "    the version in force has no answer either for %d\n", f.Applications-f.New.Applications)
		}
	}
}

// printCount prints a count of applications with its examples, and of documents where they are
// more.
func printCount(out io.Writer, text string, c replay.Count, documents int) {
	if c.Applications == 0 {
		return
	}
	fmt.Fprintf(out, "  %s%s", text, cli.Counted(c.Applications, "application"))
	if documents > c.Applications {
		fmt.Fprintf(out, " (%d documents)", documents)
	}
	more := ""
	if c.Applications > len(c.Examples) {
		more = "such as "
	}
	fmt.Fprintln(out, ":")
	for line := range cli.Wrapped(more+strings.Join(c.Examples, ", "), 90) {
		fmt.Fprintf(out, "      %s\n", line)
	}
}
