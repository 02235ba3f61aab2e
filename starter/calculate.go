package main

import (
	"context"
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
	"requisite/internal/visible"
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
		scope, err := store.AccountScope(ctx, account)
		if err != nil {
			return err
		}
		if _, err := store.Records(scope).Workflow(ctx, args[0]); err != nil {
			return err
		}
		var result workflows.Calculated
		err = o.run(ctx, out, errand{
			workflow: workflows.CalculateRequiredDocumentsName, prefix: "calculate", subject: args[0],
			summary: "Calculate the required documents of " + visible.Markdown(args[0]), account: account,
			input:      workflows.Request{Call: operatorCall(scope, "calculate"), AccountID: account, WorkflowID: args[0]},
			attributes: []temporal.SearchAttributeUpdate{temporalclient.ApplicationWorkflowID.ValueSet(args[0])},
		}, &result)
		if err != nil {
			return err
		}
		return printJSON(out, result)
	})
	c.Flags().StringVar(&account, "account", "", "the account that the workflow belongs to")
	return c
}

// operatorCall is what the operator asks for on the command line.
func operatorCall(scope postgres.Scope, command string) postgres.Call {
	return postgres.Call{Scope: scope, Actor: operatorActor, Operation: "starter " + command}
}

// errand is a run that the operator starts directly through Temporal.
type errand struct {
	workflow, prefix, subject, summary, account string
	input                                       any
	attributes                                  []temporal.SearchAttributeUpdate
}

// run starts an errand and waits for its result. A refusal is printed.
func (o *operator) run(ctx context.Context, out io.Writer, e errand, result any) error {
	if err := config.Required(o.PayloadKeyFile, "payload-key-file", "REQUISITE_PAYLOAD_KEY_FILE"); err != nil {
		return err
	}
	c, err := o.DialTemporal(ctx, "starter", nil)
	if err != nil {
		return err
	}
	defer c.Close()
	fresh := id.New()
	run, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:                    fmt.Sprintf("%s/%s/%s", e.prefix, e.subject, id.Base62(fresh[:])),
		TaskQueue:             temporalclient.Sync,
		StaticSummary:         e.summary,
		StaticDetails:         "Asked by the operator from the command line.",
		TypedSearchAttributes: temporal.NewSearchAttributes(append(e.attributes, temporalclient.AccountID.ValueSet(e.account))...),
	}, e.workflow, e.input)
	if err != nil {
		return fmt.Errorf("start the run: %w", err)
	}
	patience, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	err = run.Get(patience, result)
	if refused, ok := refusal.FromError(err); ok {
		if err := printJSON(out, refusedHere(refused)); err != nil {
			return err
		}
		return errRefused
	}
	if patience.Err() != nil {
		return fmt.Errorf("no result within a minute; run %s goes on: is a worker running?", run.GetID())
	}
	if err != nil {
		return fmt.Errorf("run %s: %w", run.GetID(), err)
	}
	return nil
}
