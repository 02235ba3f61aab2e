package admin

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"requisite/app"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/text/visible"
	"requisite/starter/cli"
)

func EraseCommand() *cobra.Command {
	var o cli.Operator
	var account string
	var yes bool
	var in io.Reader
	c := o.With(cli.Runs, cli.Changing(&cobra.Command{
		Use:   "erase BUSINESS_ID --account ACCOUNT_ID",
		Short: "Erase the personal data of a business and its persons, for good",
		Long: `Erase the personal data of one business and its persons, for good: names,
addresses, external ids (those of its workflows too), birth dates, citizenships,
residences and shares, all values of facts that the account declares, the facts
in the reasons of its documents and findings, evidence and reviewers, what was
approved and why, texts of documents required by hand, the answers of receivers
to its webhooks, later ones too, and the histories of its calculations in
Temporal.

What stays: ids, states and times, amounts, industry codes, the date of
establishment, which documents were required and what was found by which rule,
when documents are due, and how long approvals are valid.

It shows what it will erase and asks, unless --yes is given. It does not touch
backups, or the logs of receivers. Running it again is harmless.`,
		Args: cobra.ExactArgs(1),
	}), func(ctx context.Context, out io.Writer, st *store.Store, args []string) error {
		_, scope, err := cli.AccountScope(ctx, st.Scopes, account)
		if err != nil {
			return err
		}
		var businessID id.BusinessID
		if err := businessID.Parse(args[0]); err != nil {
			return err
		}
		erase := func(dry bool) (store.Erasure, error) {
			return retryBusy(ctx, out, eraseAgainAfter, func() (store.Erasure, error) { return st.Erase(ctx, scope, businessID, dry) })
		}
		planned, err := erase(true)
		if refused, ok := refusal.FromError(err); ok {
			return errors.Join(cli.PrintJSON(out, cli.OperatorRefusal(refused)), cli.ErrRefused)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "Of business %s, %s: its names and addresses, %d person(s), the reasons of %d document(s), "+
			"%d answer(s) of receivers, and the runs of %d workflow(s).\n",
			planned.BusinessID, visible.Line(planned.LegalName), planned.Persons, planned.Documents, planned.Answers, len(planned.WorkflowIDs))
		if !yes {
			fmt.Fprint(out, "This cannot be undone. Type erase to go on: ")
			line, _ := bufio.NewReader(in).ReadString('\n')
			if strings.TrimSpace(line) != "erase" {
				return errors.New("nothing was erased")
			}
		}
		temporal, err := app.DialTemporal(ctx, &o.Service, "starter", nil)
		if err != nil {
			return err
		}
		defer temporal.Close()
		done, err := erase(false)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, "They are erased from the database. Deleting the histories, which may take half a minute.")
		deleted, err := deleteRuns(ctx, temporal, o.TemporalNamespace, done.WorkflowIDs)
		fmt.Fprintf(out, "%d run(s) deleted from Temporal.\n", deleted)
		return err
	})
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		in = c.InOrStdin()
		return run(c, args)
	}
	c.Flags().StringVar(&account, "account", "", "the account that the business belongs to")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

const (
	// eraseTries is how often the erasure is tried if other transactions stop it.
	eraseTries      = 5
	eraseAgainAfter = 200 * time.Millisecond
)

// retryBusy repeats a transaction that failed because of another one: a deadlock, a
// serialization failure, or a lock that it did not get in time. It tells the operator.
func retryBusy[T any](ctx context.Context, out io.Writer, pause time.Duration, try func() (T, error)) (T, error) {
	for n := 1; ; n++ {
		result, err := try()
		if !db.Busy(err) {
			return result, err
		}
		if n == eraseTries {
			return result, fmt.Errorf("nothing was erased: other transactions stopped each of %d tries; run this again: %w", eraseTries, err)
		}
		fmt.Fprintf(out, "Another transaction stopped try %d of %d (%v). Trying again.\n", n, eraseTries, err)
		select {
		case <-ctx.Done():
			return result, ctx.Err()
		case <-time.After(pause):
		}
	}
}

const (
	// Temporal's visibility shows a run with a delay. A run that began with facts from
	// before the erasure appears within this time.
	visibilityLag = 3 * time.Second
	erasePatience = 2 * time.Minute
)

// deleteRuns deletes the runs of workflows, open ones too, until Temporal shows none.
// Runs that have just ended take half a minute.
func deleteRuns(ctx context.Context, c client.Client, namespace string, workflowIDs []string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, erasePatience)
	defer cancel()
	deleted := map[string]bool{}
	for some := range slices.Chunk(workflowIDs, 50) {
		query := `ApplicationWorkflowId IN ("` + strings.Join(some, `", "`) + `")`
		for quiet := 0; quiet < 2; {
			runs, err := listRuns(ctx, c, query)
			if err != nil {
				return len(deleted), fmt.Errorf("find the runs of the business: %w", err)
			}
			quiet++
			if len(runs) > 0 {
				quiet = 0
			}
			for _, run := range runs {
				if deleted[run.RunId] { // Temporal still shows it
					continue
				}
				_, err := c.WorkflowService().DeleteWorkflowExecution(ctx, &workflowservice.DeleteWorkflowExecutionRequest{Namespace: namespace, WorkflowExecution: run})
				if err != nil && !isNotFound(err) {
					return len(deleted), fmt.Errorf("delete run %s: %w", run.WorkflowId, err)
				}
				deleted[run.RunId] = true
			}
			select {
			case <-ctx.Done():
				return len(deleted), errors.New("there are still runs of the business in Temporal; run this again")
			case <-time.After(visibilityLag / 2):
			}
		}
	}
	return len(deleted), nil
}

func listRuns(ctx context.Context, c client.Client, query string) ([]*commonpb.WorkflowExecution, error) {
	var runs []*commonpb.WorkflowExecution
	request := &workflowservice.ListWorkflowExecutionsRequest{Query: query, PageSize: 500}
	for {
		list, err := c.ListWorkflow(ctx, request)
		if err != nil {
			return nil, err
		}
		for _, e := range list.Executions {
			runs = append(runs, e.Execution)
		}
		if request.NextPageToken = list.NextPageToken; len(request.NextPageToken) == 0 {
			return runs, nil
		}
	}
}

func isNotFound(err error) bool {
	var none *serviceerror.NotFound
	return errors.As(err, &none)
}
