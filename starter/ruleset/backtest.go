package ruleset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/decision"
	"requisite/internal/decision/replay"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/changes"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/starter/cli"
	"requisite/starter/progress"
)

// BacktestCommand is `starter rules backtest`.
func BacktestCommand() *cobra.Command {
	var run backtestRun
	var c *cobra.Command
	c = new(cli.Operator).Command(&cobra.Command{
		Use:   "backtest FILE --account ACCOUNT_ID --since DATE",
		Short: "Try a rule set on the facts of past decisions; it writes nothing",
		Long: `Evaluate a rule set and the version in force on the recorded facts of the last
calculation of each application since a date in the account's time zone, as of
the day of that calculation. It shows how many applications would gain or lose
which document, and by which rule, whose documents would have another text, and
which would be overdue at once, and names some of the decisions; "starter
decision show" explains each. An approval of a document that is COMPLETED today
returns to review if its text changes, unless the application has ended or
--keep-approvals names it. --csv writes a line for each application and change.
Examples of the rule set may fail: they are listed.

Facts that the rule set needs and the record lacks are counted as missing.
Decisions whose facts were erased are left out, and counted. It writes nothing.`,
		Example: `  starter rules backtest draft.yaml --account sb_… --since 2025-11-01`,
		Args:    cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		draft, err := readDraft(out, args[0])
		if err != nil {
			return err
		}
		run.store, run.file, run.program, run.failing = store, args[0], draft.Program, draft.Failing
		var scope domain.Scope
		if run.accountID, scope, err = cli.AccountScope(ctx, store.Scopes, run.account); err != nil {
			return err
		}
		since, err := run.sinceIn(ctx, scope)
		if err != nil {
			return err
		}
		version, err := store.Records(scope).Rules.Version(ctx, run.accountID, id.RuleSetVersionID{})
		if err != nil {
			return err
		}
		inForce, err := replay.LoadRuleSet(ctx, version.Publication)
		if err != nil {
			return fmt.Errorf("version %d in force: %w", version.Version, err)
		}
		if err := errors.Join(run.keeps(run.keep), run.begin(inForce.RuleSet.RulesInFull())); err != nil {
			return err
		}
		if err := run.changes.close(run.all(ctx, since, inForce.RuleSet, &progress.Narrator{Out: c.ErrOrStderr()})); err != nil {
			return err
		}
		source := RuleSource{VersionID: version.WireID().String(), Version: version.Version}
		heading := fmt.Sprintf("Of %s with a calculation since %s, on the facts of then, compared with %s:",
			cli.Counted(run.report.Applications, "application"), since.Format(time.RFC3339), source)
		return run.print(out, heading, trialReport{Since: &since, InForce: &source})
	})
	run.flags(c)
	c.Flags().StringVar(&run.since, "since", "", "only calculations since this date, such as 2025-11-01, or this time")
	keepFlag(c.Flags(), &run.keep)
	return c
}

// sinceIn is the time that --since names. A date begins in the account's time zone.
func (b *backtestRun) sinceIn(ctx context.Context, scope domain.Scope) (time.Time, error) {
	account, err := b.store.Records(scope).Tenants.Get(ctx, b.accountID)
	if err != nil {
		return time.Time{}, err
	}
	zone, err := domain.Zone(account.TimeZone)
	if err != nil {
		return time.Time{}, err
	}
	return sinceDate(b.since, zone)
}

// sinceDate reads a date in a time zone, or a time.
func sinceDate(text string, zone *time.Location) (time.Time, error) {
	if text == "" {
		return time.Time{}, errors.New("--since is missing: give the date of the first calculations to look at, such as 2025-11-01")
	}
	if date, err := time.ParseInLocation(time.DateOnly, text, zone); err == nil {
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
	trial
	since string
	keep  []string
}

func (b *backtestRun) all(ctx context.Context, since time.Time, inForce *requirement.Program, say *progress.Narrator) error {
	total, err := b.store.AllDecisions.CountDecidedSince(ctx, b.accountID, since)
	if err != nil {
		return err
	}
	step := say.Start("Try " + b.file + " on the decisions of up to " + cli.Counted(total, "application"))
	backtest := replay.NewBacktest(inForce, b.program, b.keep...)
	seen := 0
	read := func(ctx context.Context, send func([]store.LatestCalculation) error) error {
		return b.store.AllDecisions.EachLatestCalculation(ctx, b.accountID, since, backtest.TextsChanged(), send)
	}
	try := func(ctx context.Context, d store.LatestCalculation) (*changes.Application, error) {
		if d.Facts == "" {
			return nil, nil // erased
		}
		var facts decision.Facts
		if err := json.Unmarshal([]byte(d.Facts), &facts); err != nil {
			return nil, fmt.Errorf("the facts of decision %s: %w", d.DecisionID, err)
		}
		tried, err := backtest.Try(ctx, replay.Application{
			WorkflowID: d.WorkflowID, ExternalID: d.ExternalID, DecisionID: d.DecisionID, AsOf: d.AsOf, Facts: facts, Approved: d.Approved,
		})
		return &tried, err
	}
	err = replay.Each(ctx, read, try, func(a *changes.Application) error {
		if a == nil {
			b.report.Erased++
		} else if err := b.add(*a); err != nil {
			return err
		}
		if seen++; seen%progressEvery == 0 {
			step.Progress(fmt.Sprintf("%d of %d", seen, max(total, seen)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	step.Done(cli.Counted(b.report.Applications, "application") + " evaluated")
	return nil
}

// progressEvery is how many applications are evaluated between two reports.
const progressEvery = 200
