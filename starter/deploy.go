package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/config"
	"requisite/internal/deployment"
	"requisite/internal/temporalclient"
	"requisite/internal/visible"
)

func deployCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "deploy",
		Short: "See the worker's versions, and say which one begins runs: upgrade, ramp, roll back",
		Long: `See the worker's versions, and say which one begins runs: upgrade, ramp, roll back.

Each build of the worker is a version, named by its build id. The runs of endpoints in
trouble, recoveries, flushes, replays, reconciliation and pruning stay on the version
that began them; those that last move between two of their steps once another version
is current. Runs that callers wait for, and sessions, have no version: workers of every
version serve them.

A worker makes its own version current unless it is started with --make-current never.
So these commands are for ramping a version, for rolling back, and for looking.`,
	}
	c.AddCommand(deployCurrentCommand(), deployListCommand(), deployRampCommand(), deployRollbackCommand())
	return c
}

// versions is a command that works on the worker's versions.
type versions struct {
	config.Service
	config.Deployment
}

type versionsWork = func(ctx context.Context, out io.Writer, d *deployment.Deployment, args []string) error

func (v *versions) command(c *cobra.Command, do versionsWork) *cobra.Command {
	v.BindTemporal(c.Flags())
	c.PreRunE = config.Load
	c.RunE = func(c *cobra.Command, args []string) error {
		// Nothing that it does there has a payload of its own.
		client, err := temporalclient.Dial(c.Context(), temporalclient.Options{Address: v.TemporalAddress, Namespace: v.TemporalNamespace, Identity: "requisite-starter"})
		if err != nil {
			return err
		}
		defer client.Close()
		return do(c.Context(), c.OutOrStdout(), deployment.New(client, v.TemporalNamespace), args)
	}
	return c
}

func deployListCommand() *cobra.Command {
	var asJSON bool
	c := new(versions).command(&cobra.Command{
		Use:   "list",
		Short: "List the worker's versions, newest first, with their runs and whether a worker serves them",
		Long: `List the worker's versions, newest first.

STATUS is CURRENT, RAMPING with its part of the runs, DRAINING while runs are on a version
that begins none any more, DRAINED when none is left, or INACTIVE for a version that never
began any. RUNS counts the open runs that stay on the version. WORKER says when one last
asked for work; a version with runs and without a worker is marked, and what to do is
said below. Workers begin such runs anew on the current version, unless the version is
itself current or being ramped.`,
		Args: cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, d *deployment.Deployment, _ []string) error {
		s, err := d.State(ctx)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(out, s.Versions)
		}
		return showVersions(out, s, time.Now())
	})
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func showVersions(out io.Writer, s deployment.State, now time.Time) error {
	if len(s.Versions) == 0 {
		fmt.Fprintln(out, "No worker has asked for work yet: start one.")
		return nil
	}
	var rows [][]any
	var stranded []string
	for _, v := range s.Versions {
		status, polled := string(v.Status), "none"
		if v.Status == deployment.Ramping {
			status += fmt.Sprintf(" %g%%", v.Percent)
		}
		if !v.PolledAt.IsZero() {
			polled = fmt.Sprintf("%s ago", max(0, now.Sub(v.PolledAt)).Round(time.Second))
		}
		if v.Stranded(now) {
			polled += " !"
			stranded = append(stranded, v.BuildID)
		}
		rows = append(rows, []any{v.BuildID, status, v.Runs, polled, v.CreatedAt.UTC().Format(time.RFC3339)})
	}
	if err := table(out, "BUILD ID\tSTATUS\tRUNS\tWORKER\tSINCE", rows...); err != nil {
		return err
	}
	if s.Current == "" {
		fmt.Fprintln(out, "\nNo version is current: the runs of endpoints and of upkeep wait. Say which one begins them with `starter deploy current BUILD_ID`.")
	}
	for _, id := range stranded {
		fmt.Fprintf(out, "\n! Runs wait on %s, which no worker serves. Start a worker of it, or let another version take over: `starter deploy rollback`, or `starter deploy current BUILD_ID`.\n", visible.Line(id))
	}
	return nil
}

// moving are the flags of commands after which runs move.
type moving struct {
	detach bool
	force  bool
	within time.Duration
}

func (m *moving) bind(c *cobra.Command) {
	c.Flags().BoolVar(&m.detach, "detach", false, "do not wait until no run is left on other versions")
	c.Flags().BoolVar(&m.force, "without-worker", false, "also for a version that no worker serves now: its runs wait until one starts")
	c.Flags().DurationVar(&m.within, "within", 10*time.Minute, "how long to wait for that; afterwards it goes on in the workers")
}

func deployCurrentCommand() *cobra.Command {
	var v versions
	var m moving
	c := v.command(&cobra.Command{
		Use:   "current [BUILD_ID]",
		Short: "Make a version the current one, which begins runs, and wait until no run is left on the others",
		Long: `Make a version the current one, which begins all runs that have a version, and wait until
no run is left on the others. Without BUILD_ID it is --build-id, or the build of this
program: with the image of a worker, the worker's own.

Ctrl-C ends the waiting only.`,
		Example: "  starter deploy current v1.2.0",
		Args:    cobra.MaximumNArgs(1),
	}, func(ctx context.Context, out io.Writer, d *deployment.Deployment, args []string) error {
		if len(args) > 0 {
			v.BuildID = args[0]
		}
		if err := v.Deployment.Check(); err != nil {
			return err
		}
		return m.makeCurrent(ctx, out, d, v.BuildID)
	})
	v.BindBuildID(c.Flags())
	m.bind(c)
	return c
}

func (m *moving) makeCurrent(ctx context.Context, out io.Writer, d *deployment.Deployment, id string) error {
	s, err := m.served(ctx, d, id)
	if err != nil {
		return err
	}
	if s.Current == id {
		fmt.Fprintf(out, "%s is the current version already.\n", visible.Line(id))
	} else if err := patiently(ctx, func() error { return d.MakeCurrent(ctx, id) }); err != nil {
		return err
	} else {
		fmt.Fprintf(out, "%s is the current version now%s.\n", visible.Line(id), instead(s.Current))
	}
	return m.drain(ctx, out, d)
}

func instead(before string) string {
	if before == "" {
		return ""
	}
	return ", instead of " + visible.Line(before)
}

// served looks the version up, and refuses one that no worker serves.
func (m *moving) served(ctx context.Context, d *deployment.Deployment, id string) (deployment.State, error) {
	s, err := d.State(ctx)
	if err != nil {
		return s, err
	}
	v := s.Version(id)
	var known []string
	for _, other := range s.Versions {
		known = append(known, other.BuildID)
	}
	switch {
	case v == nil && len(known) == 0:
		return s, fmt.Errorf("there is no version %s: no worker has asked for work yet; start one", id)
	case v == nil:
		return s, fmt.Errorf("there is no version %s; the versions are %s. Start a worker of it first: it is known once it has asked for work", id, strings.Join(known, ", "))
	case !v.Polled(time.Now()) && !m.force:
		return s, fmt.Errorf("no worker of version %s asks for work, so the runs that it begins would wait. Start one and repeat this, or give --without-worker", id)
	}
	return s, nil
}

// patiently repeats what fails for as long as the server does not know all of a worker's
// task queues: that takes a moment after its start.
func patiently(ctx context.Context, do func() error) error {
	for deadline := time.Now().Add(15 * time.Second); ; {
		err := do()
		if err == nil || !errors.Is(err, deployment.ErrNotThere) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// drain moves runs, and shows how many are left, until none is on a version that begins none.
func (m *moving) drain(ctx context.Context, out io.Writer, d *deployment.Deployment) error {
	if m.detach {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, m.within)
	defer cancel()
	last, quiet := int64(-1), 0
	for {
		s, err := d.State(ctx)
		if err == nil {
			_, err = d.Move(ctx, s)
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%d runs are still on other versions; the workers go on moving them, and `starter deploy list` shows it", max(last, 0))
		}
		if err != nil {
			return err
		}
		left := left(s)
		if left != last {
			fmt.Fprintln(out, leftText(left))
		}
		last = left
		// A run that was just begun is listed a moment later.
		if quiet++; left > 0 {
			quiet = 0
		}
		if quiet >= 3 {
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// left counts the runs on versions that begin none.
func left(s deployment.State) (n int64) {
	for _, v := range s.Versions {
		if v.Status == deployment.Draining {
			n += v.Runs
		}
	}
	return n
}

func leftText(n int64) string {
	switch n {
	case 0:
		return "No run is left on other versions: their workers may be stopped."
	case 1:
		return "1 run is left on other versions."
	}
	return strconv.FormatInt(n, 10) + " runs are left on other versions."
}

func deployRampCommand() *cobra.Command {
	var v versions
	var m moving
	c := v.command(&cobra.Command{
		Use:   "ramp BUILD_ID PERCENT",
		Short: "Let a version begin a part of the runs, while the current one begins the others",
		Long: `Let a version begin a part of the runs, while the current one begins the others. An
endpoint's run falls into the same part every time. Watch the version with "starter deploy
list", the metrics and the UI; then raise the part, make it current, or roll it back.

Start workers of the version first, with --make-current never, and keep those of the
current version running.`,
		Example: "  starter deploy ramp v1.2.0 10",
		Args:    cobra.ExactArgs(2),
	}, func(ctx context.Context, out io.Writer, d *deployment.Deployment, args []string) error {
		percent, err := strconv.ParseFloat(strings.TrimSuffix(args[1], "%"), 32)
		if err != nil || !(percent > 0 && percent <= 100) {
			return fmt.Errorf("PERCENT must be above 0 and at most 100, not %q; `starter deploy rollback` ends a ramp", args[1])
		}
		s, err := m.served(ctx, d, args[0])
		switch {
		case err != nil:
			return err
		case s.Current == "":
			return fmt.Errorf("no version is current, so nothing would begin the other runs: `starter deploy current %s`", args[0])
		case s.Current == args[0]:
			return fmt.Errorf("version %s is the current one and begins all runs already; name the version that is to take a part", args[0])
		}
		if err := patiently(ctx, func() error { return d.Ramp(ctx, args[0], float32(percent)) }); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s begins %g%% of the runs now, and %s the others.\n", visible.Line(args[0]), percent, visible.Line(s.Current))
		return nil
	})
	c.Flags().BoolVar(&m.force, "without-worker", false, "also for a version that no worker serves now: its runs wait until one starts")
	return c
}

func deployRollbackCommand() *cobra.Command {
	var v versions
	var m moving
	c := v.command(&cobra.Command{
		Use:   "rollback [BUILD_ID]",
		Short: "End a ramp, or go back to the version before the current one, and move the runs there",
		Long: `End a ramp if there is one: the current version begins all runs again. Otherwise make the
version before the current one current again, or BUILD_ID. Then wait until no run is left
on other versions.

Runs of the version that is rolled back move at their next step. Those that its workers
do not get on with, or that have no worker any more, are begun anew within two minutes.
Their state is in the database, so nothing that they send is lost.`,
		Args: cobra.MaximumNArgs(1),
	}, func(ctx context.Context, out io.Writer, d *deployment.Deployment, args []string) error {
		s, err := d.State(ctx)
		if err != nil {
			return err
		}
		if len(args) > 0 {
			if s.Ramping != "" {
				if err := d.EndRamp(ctx); err != nil {
					return err
				}
			}
			return m.makeCurrent(ctx, out, d, args[0])
		}
		if s.Ramping != "" {
			if err := d.EndRamp(ctx); err != nil {
				return err
			}
			fmt.Fprintf(out, "The ramp of %s has ended: %s begins all runs.\n", visible.Line(s.Ramping), visible.Line(s.Current))
			return m.drain(ctx, out, d)
		}
		previous := s.Previous()
		if previous == nil {
			return errors.New("no version was current before this one; name the one to go back to: `starter deploy rollback BUILD_ID`, see `starter deploy list`")
		}
		return m.makeCurrent(ctx, out, d, previous.BuildID)
	})
	m.bind(c)
	return c
}
