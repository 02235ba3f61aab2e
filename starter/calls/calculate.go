package calls

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"requisite/activities"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/starter/cli"
	"requisite/workflows"
)

func CalculateCommand() *cobra.Command {
	var o cli.Operator
	var account string
	c := o.With(cli.Runs, &cobra.Command{
		Use:   "calculate WORKFLOW_ID --account ACCOUNT_ID",
		Short: "Calculate the required documents of a workflow without the API",
		Args:  cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		accountID, scope, err := cli.AccountScope(ctx, store, account)
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
		result, err := cli.RunAndWait[activities.Saved](ctx, &o, out, workflows.StartCalculation(
			workflows.Request{Call: cli.OperatorCall(scope, "calculate"), AccountID: accountID, WorkflowID: workflowID}))
		if err != nil {
			return err
		}
		return cli.PrintJSON(out, result)
	})
	c.Flags().StringVar(&account, "account", "", "the account that the workflow belongs to")
	return c
}
