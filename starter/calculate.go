package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"requisite/activities"
	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/workflows"
)

func calculateCommand() *cobra.Command {
	var o operator
	var account string
	c := o.with(runs, &cobra.Command{
		Use:   "calculate WORKFLOW_ID --account ACCOUNT_ID",
		Short: "Calculate the required documents of a workflow without the API",
		Args:  cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, args []string) error {
		accountID, scope, err := accountScope(ctx, store, account)
		if err != nil {
			return err
		}
		var workflowID id.WorkflowID
		if err := workflowID.Parse(args[0]); err != nil {
			return err
		}
		if _, err := store.Records(scope).Workflow(ctx, workflowID); err != nil {
			return err
		}
		result, err := runAndWait[activities.Saved](ctx, &o, out, workflows.StartCalculation(
			workflows.Request{Call: operatorCall(scope, "calculate"), AccountID: accountID, WorkflowID: workflowID}))
		if err != nil {
			return err
		}
		return printJSON(out, result)
	})
	c.Flags().StringVar(&account, "account", "", "the account that the workflow belongs to")
	return c
}
