package ruleset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	requisite "requisite/clients/go"
	"requisite/internal/config"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/starter/cli"
	"requisite/starter/progress"
)

// RecalculationCommand has the commands for recalculations.
func RecalculationCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "recalculation",
		Short: "Calculate the open applications of an account anew",
		Long: `Calculate the open applications of an account anew, for example after new rules
came into force. The worker does it; the command shows how far it is. An account
that shall be recalculated by itself has a setting:
"starter account update ACCOUNT_ID --recalculation ON_FORCE" or DAILY.`,
	}
	c.AddCommand(recalculationStartCommand(), recalculationGetCommand(), recalculationCancelCommand())
	return c
}

func recalculationStartCommand() *cobra.Command {
	var account, report string
	var all bool
	var o cli.AsOperator
	c := &cobra.Command{
		Use:   "start --account ACCOUNT_ID",
		Short: "Start a recalculation, and wait until it has ended",
		Long: `Start a recalculation, and wait until it has ended. It calculates the
applications whose facts or rules have changed since, or whose rules count days;
with --all, each that has not ended. It goes on when this command is
interrupted. --report writes a line for each fact that an application lacks, and
for each application that the rules cannot evaluate.`,
		Args:    cobra.NoArgs,
		PreRunE: config.Load,
	}
	o.Bind(c.Flags())
	accountFlag(c, &account)
	c.Flags().BoolVar(&all, "all", false, "also applications that are up to date")
	reportFlag(c, &report)
	c.RunE = func(c *cobra.Command, _ []string) error {
		body, err := json.Marshal(map[string]any{"account_id": account, "only_stale": !all})
		if err != nil {
			return err
		}
		file, err := createChanges("report", report)
		if err != nil {
			return err
		}
		say := func(ctx context.Context, out io.Writer, st *store.Store, scope domain.Scope, a requisite.Answer) error {
			var made struct {
				ID id.RecalculationID `json:"run_id"`
			}
			if err := json.Unmarshal(a.Data, &made); err != nil {
				return err
			}
			return follow(ctx, out, c.ErrOrStderr(), st, scope, made.ID, file)
		}
		return file.close(o.Call(c, cli.OfAccount(account), "account.recalculation.start", body, say))
	}
	return c
}

func reportFlag(c *cobra.Command, report *string) {
	c.Flags().StringVar(report, "report", "", "write what could not be calculated, and why, to this `FILE`, as CSV")
}

func recalculationGetCommand() *cobra.Command {
	var report string
	var wait bool
	var c *cobra.Command
	c = new(cli.Operator).Command(&cobra.Command{
		Use:   "get RUN_ID",
		Short: "Show how far a recalculation is",
		Args:  cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, st *store.Store, args []string) error {
		run, scope, err := recalculationScope(ctx, st, args[0])
		if err != nil {
			return err
		}
		file, err := createChanges("report", report)
		if err != nil {
			return err
		}
		if wait {
			return file.close(follow(ctx, out, c.ErrOrStderr(), st, scope, run, file))
		}
		found, err := st.Records(scope).Recalculations.Get(ctx, run)
		if err == nil {
			err = ended(ctx, out, st, found, file)
		}
		return file.close(err)
	})
	c.Flags().BoolVar(&wait, "wait", false, "wait until it has ended")
	reportFlag(c, &report)
	return c
}

func recalculationCancelCommand() *cobra.Command {
	return cli.AboutCommand(&cobra.Command{
		Use:   "cancel RUN_ID",
		Short: "Cancel a recalculation; what it has calculated stays",
	}, "account.recalculation.cancel", "run_id", store.Scopes.Recalculation, func(run id.RecalculationID) cli.Say {
		return func(ctx context.Context, out io.Writer, st *store.Store, scope domain.Scope, _ requisite.Answer) error {
			found, err := st.Records(scope).Recalculations.Get(ctx, run)
			if err == nil {
				fmt.Fprintln(out, recalculationText(found))
			}
			return err
		}
	})
}

func recalculationScope(ctx context.Context, st *store.Store, text string) (run id.RecalculationID, scope domain.Scope, err error) {
	if err := run.Parse(text); err != nil {
		return run, scope, err
	}
	scope, err = st.Scopes.Recalculation(ctx, run)
	return run, scope, err
}

// lookEvery is how often the progress of a recalculation is read.
const lookEvery = 500 * time.Millisecond

// follow shows a recalculation until it has ended, and then writes what it could not calculate.
func follow(ctx context.Context, out, terminal io.Writer, st *store.Store, scope domain.Scope, run id.RecalculationID, report *changesFile) error {
	step := (&progress.Narrator{Out: terminal}).Start("Recalculation " + run.String())
	for {
		found, err := st.Records(scope).Recalculations.Get(ctx, run)
		switch {
		case errors.Is(err, context.Canceled):
			return fmt.Errorf("%s goes on; `starter recalculation get %s --wait` shows how far it is, and cancel ends it: %w", run, run, err)
		case err != nil:
			return err
		case found.State == domain.RecalculationRunning:
			var total int64
			if found.Total != nil {
				total = *found.Total
			}
			step.Bar(found.Done(), total)
			select {
			case <-ctx.Done():
			case <-time.After(lookEvery):
			}
			continue
		}
		step.Done(string(found.State))
		return ended(ctx, out, st, found, report)
	}
}

// ended prints a recalculation, and writes what could not be calculated.
func ended(ctx context.Context, out io.Writer, st *store.Store, found domain.Recalculation, report *changesFile) error {
	fmt.Fprintln(out, recalculationText(found))
	if report == nil {
		return nil
	}
	return st.AllDecisions.EachNotCalculated(ctx, id.AccountID{UUID: found.AccountID}, func(batch []store.NotCalculated) (failed error) {
		for _, one := range batch {
			failed = errors.Join(failed, report.notCalculated(one))
		}
		return failed
	})
}

func recalculationText(r domain.Recalculation) string {
	return fmt.Sprintf("%s is %s: %s done; %d changed, %d unchanged, %d with missing facts, %d not evaluable",
		r.WireID(), r.State, cli.Counted(int(r.Done()), "application"), r.Changed, r.Unchanged, r.WithGaps, r.NotEvaluable)
}
