// Command worker runs the workflows and activities of Requisite.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // accounts have time zones, wherever the program runs

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"requisite/activities"
	"requisite/internal/config"
	"requisite/internal/temporalclient"
	"requisite/workflows"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	var settings config.Service
	c := &cobra.Command{
		Use:           "worker",
		Short:         "Run workflows and activities",
		Long:          "Run the workflows and activities of Requisite.\n\nEvery setting is a flag or an environment variable; the flag comes first.",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		PreRunE:       config.Load,
		RunE:          func(c *cobra.Command, _ []string) error { return run(c.Context(), &settings) },
	}
	settings.Bind(c.Flags())
	return c
}

func run(ctx context.Context, settings *config.Service) error {
	if err := settings.Check(); err != nil {
		return err
	}
	ctx, cancel := settings.Lifetime(ctx)
	defer cancel()
	log := settings.Logger("worker")
	log.Info("starting", "settings", settings)
	parts, err := settings.Open(ctx, "worker", log)
	if err != nil {
		return err
	}
	defer parts.Close()
	acts, err := activities.New(parts.Store)
	if err != nil {
		return err
	}
	w := workflows.NewWorker(parts.Temporal, temporalclient.Sync, acts)
	if err := w.Start(); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	defer w.Stop()
	if err := schedulePruning(ctx, parts.Temporal); err != nil {
		return err
	}
	log.Info("working", "task_queue", temporalclient.Sync)
	<-ctx.Done()
	log.Info("stopping: work in hand is finished first")
	return nil
}

// schedulePruning makes the Temporal Schedule that prunes, where it is missing.
func schedulePruning(ctx context.Context, c client.Client) error {
	_, err := c.ScheduleClient().Create(ctx, client.ScheduleOptions{
		ID:   "prune",
		Spec: client.ScheduleSpec{Intervals: []client.ScheduleIntervalSpec{{Every: 10 * time.Minute}}},
		Action: &client.ScheduleWorkflowAction{
			ID:            "prune",
			Workflow:      workflows.PruneName,
			TaskQueue:     temporalclient.Sync,
			StaticSummary: "Delete used nonces and kept outcomes whose time has passed",
		},
	})
	if err != nil && !errors.Is(err, temporal.ErrScheduleAlreadyRunning) {
		return fmt.Errorf("schedule pruning: %w", err)
	}
	return nil
}
