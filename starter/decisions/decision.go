// Package decisions holds the commands on the record of decisions.
package decisions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/starter/cli"
)

func DecisionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "decision",
		Short: "Show, export, verify and replay the record of decisions",
		Long: `Show, export, verify and replay the record of decisions: each calculation, price
and change of a document's status, with the facts, rules and results of then.`,
	}
	c.AddCommand(exportCommand(), listCommand(), ReplayCommand(), showCommand(), verifyCommand())
	return c
}

// kinds are the kinds of decisions.
var kinds = []string{string(decision.Calculation), string(decision.Pricing), string(decision.DocumentStatus), string(decision.Erasure)}

func listCommand() *cobra.Command {
	var kind, since string
	var limit int
	var l cli.List
	var c *cobra.Command
	c = new(cli.Operator).Command(&cobra.Command{
		Use:   "list WORKFLOW_ID",
		Short: "List the decisions about a workflow, newest first",
		Args:  cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		var workflowID id.WorkflowID
		wrong := workflowID.Parse(args[0])
		if kind != "" && !isKind(kind) {
			wrong = errors.Join(wrong, fmt.Errorf("--kind must be one of %s", strings.Join(kinds, ", ")))
		}
		if limit < 1 || limit > cli.MostListed {
			wrong = errors.Join(wrong, fmt.Errorf("--limit must be a number from 1 to %d, not %d", cli.MostListed, limit))
		}
		from, err := parseSince(since)
		if wrong = errors.Join(wrong, err); wrong != nil {
			return wrong
		}
		scope, err := store.Scopes.Workflow(ctx, workflowID)
		if err != nil {
			return err
		}
		found, next, err := store.Records(scope).Decisions.List(ctx, workflowID, decision.Kind(strings.ToUpper(kind)), from, domain.Page{Limit: limit})
		if err != nil {
			return err
		}
		var rows [][]any
		for _, d := range found {
			rows = append(rows, []any{d.ID, d.Number, d.Kind, d.Outcome, cli.Moment(&d.DecidedAt), d.UserID, version(d), d.Erased()})
		}
		if err := l.Print(out, "DECISION\tNUMBER\tKIND\tOUTCOME\tDECIDED\tBY\tVERSION\tERASED", rows...); err != nil {
			return err
		}
		if next != "" {
			l.More(c, "since")
		}
		return nil
	})
	l.Flag(c)
	c.Flags().StringVar(&kind, "kind", "", "only those of a kind, such as PRICING")
	c.Flags().StringVar(&since, "since", "", "only those since a date or a time")
	c.Flags().IntVar(&limit, "limit", 50, fmt.Sprintf("how many to show, %d at most", cli.MostListed))
	return c
}

func isKind(text string) bool {
	for _, kind := range kinds {
		if strings.EqualFold(kind, text) {
			return true
		}
	}
	return false
}

// version names the version of the rules or of the prices that a decision used.
func version(d decision.Recorded) any {
	switch {
	case d.Kind == decision.Pricing && d.PricingModel != nil:
		return d.PricingModel.ID
	case d.RuleSet != nil:
		return d.RuleSet.ID
	}
	return "-"
}

// parseSince reads --since: a date (UTC) or a time. It is nil without one.
func parseSince(text string) (*time.Time, error) {
	if text == "" {
		return nil, nil
	}
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(form, text); err == nil {
			return &at, nil
		}
	}
	return nil, fmt.Errorf("--since must be a date such as 2026-11-20, or a time such as 2026-11-20T00:00:00Z, not %q", text)
}

// recordOwner finds the account whose decisions a command reads: the named one, or the one of the
// named workflow. The id of the workflow is zero if the command reads all decisions of the account.
func recordOwner(
	ctx context.Context, store *store.Store, account, workflow string,
) (accountID id.AccountID, scope domain.Scope, workflowID id.WorkflowID, err error) {
	if workflow == "" {
		accountID, scope, err = cli.AccountScope(ctx, store.Scopes, account)
		return accountID, scope, workflowID, err
	}
	if err = workflowID.Parse(workflow); err != nil {
		return accountID, scope, workflowID, err
	}
	if scope, err = store.Scopes.Workflow(ctx, workflowID); err != nil {
		return accountID, scope, workflowID, err
	}
	w, err := store.Records(scope).Workflows.Get(ctx, workflowID)
	return scope.Environment.Account(w.AccountID), scope, workflowID, err
}
