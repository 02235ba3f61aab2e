package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"requisite/activities"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/operations/app"
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

// operatorCall is the call of an operator on the command line.
func operatorCall(scope domain.Scope, command string) domain.Call {
	return domain.Call{Scope: scope, Actor: operatorActor, Operation: "starter " + command}
}

// runAndWait starts a run and waits for its result. A refusal is printed.
func runAndWait[T any](ctx context.Context, o *operator, out io.Writer, start workflows.Start) (T, error) {
	var none T
	c, err := app.DialTemporal(ctx, &o.Service, "starter", nil)
	if err != nil {
		return none, err
	}
	defer c.Close()
	fresh := id.New()
	run, err := c.ExecuteWorkflow(ctx, start.Options(fmt.Sprintf("%s/%s/%s", start.Prefix, start.Subject, id.Base62(fresh[:])), "Started by an operator with starter."),
		start.Workflow, start.Input)
	if err != nil {
		return none, fmt.Errorf("start the run: %w", err)
	}
	patience, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var answer workflows.Answer[T]
	err = run.Get(patience, &answer)
	switch {
	case patience.Err() != nil && err != nil:
		return none, fmt.Errorf("no result within a minute; run %s goes on: is a worker running?", run.GetID())
	case err != nil:
		return none, fmt.Errorf("run %s: %w", run.GetID(), err)
	case answer.Refusal != nil:
		if err := printJSON(out, refusedHere(answer.Refusal)); err != nil {
			return none, err
		}
		return none, errRefused
	}
	return answer.Get()
}
