package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/internal/refusal"
	"requisite/internal/visible"
	"requisite/workflows"
)

func deliveryCommand() *cobra.Command {
	c := &cobra.Command{Use: "delivery", Short: "List, retry and recover an account's webhook deliveries"}
	c.AddCommand(deliveryListCommand(), deliveryRetryCommand(), deliveryRecoverCommand())
	return c
}

// accountScope finds the scope of the account that a command names.
func accountScope(ctx context.Context, store *postgres.Store, account string) (postgres.Scope, error) {
	if account == "" {
		return postgres.Scope{}, errors.New("--account is not set; `starter account list` shows ids")
	}
	return store.AccountScope(ctx, account)
}

var deliveryStates = []postgres.DeliveryState{postgres.Pending, postgres.Retrying, postgres.Held, postgres.Delivered, postgres.Failed, postgres.Canceled}

func deliveryListCommand() *cobra.Command {
	var account, status string
	var limit int
	c := new(operator).reading(&cobra.Command{
		Use:   "list --account ACCOUNT_ID",
		Short: "List deliveries, newest first: where they stand and why",
		Args:  cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, _ []string) error {
		status = strings.ToUpper(status)
		if status != "" && !slices.Contains(deliveryStates, postgres.DeliveryState(status)) {
			return fmt.Errorf("--status must be one of %v, not %q", deliveryStates, status)
		}
		in, err := accountScope(ctx, store, account)
		if err != nil {
			return err
		}
		found, next, err := store.Records(in).Deliveries(ctx, account, postgres.DeliveryFilter{State: postgres.DeliveryState(status)}, postgres.Page{Limit: limit})
		if err != nil {
			return err
		}
		var rows [][]any
		for _, d := range found {
			why := "-"
			if d.LastError != nil {
				why = *d.LastError
			}
			rows = append(rows, []any{d.WireID(), d.EventType, id.Format(id.WebhookConfig, d.EndpointID), d.State, d.AttemptCount, orDash(d.NextAttemptAt), why})
		}
		if err := table(out, "DELIVERY\tEVENT\tENDPOINT\tSTATUS\tATTEMPTS\tNEXT\tLAST ERROR", rows...); err != nil {
			return err
		}
		if next != "" {
			fmt.Fprintf(out, "There are more; --limit shows them.\n")
		}
		return nil
	})
	c.Flags().StringVar(&account, "account", "", "the account")
	c.Flags().StringVar(&status, "status", "", "only PENDING, RETRYING, HELD, DELIVERED, FAILED or CANCELED ones")
	c.Flags().IntVar(&limit, "limit", 50, "how many to show")
	return c
}

func deliveryRetryCommand() *cobra.Command {
	var account string
	c := new(operator).command(&cobra.Command{
		Use:   "retry DELIVERY_ID --account ACCOUNT_ID",
		Short: "Try a delivery again at once, from the start of its schedule",
		Args:  cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, args []string) error {
		in, err := accountScope(ctx, store, account)
		if err != nil {
			return err
		}
		_, err = store.Write(ctx, operatorCall(in, "delivery retry"), func(r *postgres.Records) (any, error) {
			return nil, r.RetryDelivery(ctx, args[0])
		})
		if refused, ok := refusal.FromError(err); ok {
			return errors.Join(printJSON(out, refusedHere(refused)), errRefused)
		}
		if err == nil {
			fmt.Fprintln(out, "it is due now; a worker tries it at once")
		}
		return err
	})
	c.Flags().StringVar(&account, "account", "", "the account")
	return c
}

func deliveryRecoverCommand() *cobra.Command {
	var o operator
	var account, since string
	c := o.command(&cobra.Command{
		Use:   "recover CONFIG_ID --account ACCOUNT_ID --since TIME",
		Short: "Send an endpoint again what FAILED of the events since a time",
		Args:  cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, args []string) error {
		in, err := accountScope(ctx, store, account)
		if err != nil {
			return err
		}
		if _, err := time.Parse(time.RFC3339, since); err != nil {
			return fmt.Errorf("--since must be a time such as 2026-11-20T00:00:00Z, not %q", since)
		}
		var recovered postgres.Recovered
		err = o.run(ctx, out, errand{
			workflow: workflows.RecoverDeliveriesName, prefix: "recover", subject: args[0], account: account,
			summary: fmt.Sprintf("Send again what %s did not get since %s", visible.Markdown(args[0]), visible.Markdown(since)),
			input:   workflows.RecoverRequest{Call: operatorCall(in, "delivery recover"), AccountID: account, ConfigID: args[0], Since: since},
		}, &recovered)
		if err == nil {
			fmt.Fprintf(out, "%d deliveries go out again\n", recovered.Count)
		}
		return err
	})
	c.Flags().StringVar(&account, "account", "", "the account")
	c.Flags().StringVar(&since, "since", "", "beginning of the time, RFC 3339")
	return c
}
