package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"requisite/internal/config"
	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/internal/refusal"
	"requisite/internal/temporalclient"
	"requisite/workflows"
)

func calculateCommand() *cobra.Command {
	var o operator
	var account string
	c := o.command(&cobra.Command{
		Use:   "calculate WORKFLOW_ID --account ACCOUNT_ID",
		Short: "Calculate the required documents of a workflow through Temporal, without the API",
		Args:  cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, args []string) error {
		if err := config.Required(o.PayloadKeyFile, "payload-key-file", "REQUISITE_PAYLOAD_KEY_FILE"); err != nil {
			return err
		}
		scope, err := store.AccountScope(ctx, account)
		if err != nil {
			return err
		}
		if _, err := store.Records(scope).Workflow(ctx, args[0]); err != nil {
			return err
		}
		temporalClient, _, err := o.DialTemporal(ctx, "starter", nil)
		if err != nil {
			return err
		}
		defer temporalClient.Close()
		return calculate(ctx, out, temporalClient, workflows.Request{
			Call: postgres.Call{Scope: scope, Actor: operatorActor, Operation: "starter calculate"}, AccountID: account, WorkflowID: args[0],
		})
	})
	c.Flags().StringVar(&account, "account", "", "the account that the workflow belongs to")
	return c
}

func calculate(ctx context.Context, out io.Writer, c client.Client, in workflows.Request) error {
	fresh := id.New()
	run, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:            fmt.Sprintf("calculate/%s/%s", in.WorkflowID, id.Base62(fresh[:])),
		TaskQueue:     temporalclient.Sync,
		StaticSummary: "Calculate the required documents of " + in.WorkflowID,
		StaticDetails: "Asked by the operator from the command line.",
		TypedSearchAttributes: temporal.NewSearchAttributes(
			temporalclient.AccountID.ValueSet(in.AccountID),
			temporalclient.ApplicationWorkflowID.ValueSet(in.WorkflowID),
		),
	}, workflows.CalculateRequiredDocumentsName, in)
	if err != nil {
		return fmt.Errorf("start the run: %w", err)
	}
	fmt.Fprintf(out, "run %s started\n", run.GetID())
	patience, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var result workflows.Calculated
	err = run.Get(patience, &result)
	if refused, ok := refusal.FromError(err); ok {
		if err := printJSON(out, refused); err != nil {
			return err
		}
		return errRefused
	}
	if patience.Err() != nil {
		return errors.New("no result within a minute; the run goes on: is a worker running?")
	}
	if err != nil {
		return fmt.Errorf("run %s: %w", run.GetID(), err)
	}
	return printJSON(out, result)
}
