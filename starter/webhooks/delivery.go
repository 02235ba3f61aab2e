// Package webhooks has the commands for webhook keys, deliveries and replays, and
// listen, a receiver on this machine.
package webhooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
	"requisite/internal/text/visible"
	"requisite/internal/webhooks/delivery"
	"requisite/internal/webhooks/outbox"
	"requisite/starter/cli"
	"requisite/workflows"
)

func DeliveryCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "delivery",
		Short: "List, get, retry and cancel webhook deliveries of all accounts",
	}
	c.AddCommand(
		deliveryCancelCommand(),
		deliveryFlushCommand(),
		deliveryGetCommand(),
		deliveryListCommand(),
		deliveryRecoverCommand(),
		deliveryRetryCommand(),
	)
	return c
}

func deliveryListCommand() *cobra.Command {
	var account, status, endpoint, event, since, until string
	var limit int
	var l cli.List
	var c *cobra.Command
	c = new(cli.Operator).Command(&cobra.Command{
		Use:   "list",
		Short: "List deliveries, newest first, with their states and errors",
		Long: `List deliveries, newest first, with their states and errors. NEXT is a dash
while a delivery is due, and after it has ended.`,
		Args: cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, store *store.Store, _ []string) error {
		filter := outbox.DeliveryFilter{State: delivery.State(strings.ToUpper(status))}
		if err := errors.Join(filter.ConfigID.UnmarshalText([]byte(endpoint)), filter.EventID.UnmarshalText([]byte(event))); err != nil {
			return err
		}
		if status != "" && !slices.Contains(delivery.States(), filter.State) {
			return fmt.Errorf("--status must be one of %v, not %q", delivery.States(), status)
		}
		var err, wrong error
		if filter.Since, err = cli.ParseTime("since", since); err != nil {
			wrong = err
		}
		if filter.Until, err = cli.ParseTime("until", until); err != nil {
			wrong = errors.Join(wrong, err)
		}
		if limit < 1 || limit > cli.MostListed {
			wrong = errors.Join(wrong, fmt.Errorf("--limit must be a number from 1 to %d, not %d", cli.MostListed, limit))
		}
		if wrong != nil {
			return wrong
		}
		found, next, err := listFor(ctx, store, account, filter, domain.Page{Limit: limit})
		if err != nil {
			return err
		}
		var rows [][]any
		now := time.Now()
		for _, d := range found {
			rows = append(rows, []any{d.WireID(), d.EventType, id.WebhookConfigID{UUID: d.EndpointID}, d.State, d.AttemptCount, cli.Moment(d.NextAfter(now)), textOrDash(d.LastError)})
		}
		if err := l.Print(out, "DELIVERY\tEVENT\tENDPOINT\tSTATUS\tATTEMPTS\tNEXT\tLAST ERROR", rows...); err != nil {
			return err
		}
		if next != "" {
			l.More(c, "until")
		}
		return nil
	})
	l.Flag(c)
	c.Flags().StringVar(&account, "account", "", "only those of the account `ACCOUNT_ID`")
	c.Flags().StringVar(&status, "status", "", "only those in this state: PENDING, RETRYING, HELD, DELIVERED, FAILED or CANCELED")
	c.Flags().StringVar(&endpoint, "endpoint", "", "only those to the endpoint `CONFIG_ID`, whc_…")
	c.Flags().StringVar(&event, "event", "", "only those of the event `EVENT_ID`, wh_…")
	c.Flags().StringVar(&since, "since", "", "only those created at this `TIME` or later, RFC 3339")
	c.Flags().StringVar(&until, "until", "", "only those created before this `TIME`, RFC 3339")
	c.Flags().IntVar(&limit, "limit", 50, fmt.Sprintf("how many to show, %d at most", cli.MostListed))
	return c
}

// listFor lists deliveries of one account, or of all.
func listFor(ctx context.Context, store *store.Store, account string, f outbox.DeliveryFilter, p domain.Page) ([]outbox.Delivery, string, error) {
	if account == "" {
		return store.AllDeliveries(ctx, f, p)
	}
	accountID, scope, err := cli.AccountScope(ctx, store, account)
	if err != nil {
		return nil, "", err
	}
	return store.Records(scope).Deliveries(ctx, accountID, f, p)
}

func textOrDash(text *string) string {
	if text == nil || *text == "" {
		return "-"
	}
	return *text
}

func deliveryGetCommand() *cobra.Command {
	return new(cli.Operator).Command(&cobra.Command{
		Use:   "get DELIVERY_ID",
		Short: "Show a delivery, its attempts and the receiver's answers",
		Long: `Show a delivery with each of its attempts: the address that the worker connected
to, the status code, the Temporal run, and the receiver's answer. The service
keeps at most 4 KiB of an answer. It is the receiver's own text, on one line.`,
		Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		var deliveryID id.WebhookDeliveryID
		if err := deliveryID.Parse(args[0]); err != nil {
			return err
		}
		owner, err := store.DeliveryOwner(ctx, deliveryID)
		if err != nil {
			return err
		}
		r := store.Records(owner.Scope)
		d, err := r.Delivery(ctx, deliveryID)
		if err != nil {
			return err
		}
		attempts, err := r.Attempts(ctx, d)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s is %s: %s, event %s, to endpoint %s of account %s\n", d.WireID(), d.State, d.EventType, id.WebhookEventID{UUID: d.EventID}, id.WebhookConfigID{UUID: d.EndpointID}, owner.AccountID)
		if next := d.NextAfter(r.Now()); next != nil {
			fmt.Fprintf(out, "next attempt: %s\n", cli.Moment(next))
		}
		if d.LastError != nil {
			fmt.Fprintf(out, "last error: %s\n", visible.Line(*d.LastError))
		}
		if err := printEndpoint(ctx, out, r, id.WebhookConfigID{UUID: d.EndpointID}); err != nil {
			return err
		}
		var rows [][]any
		for _, a := range attempts {
			status, took := "-", "-"
			if a.StatusCode != nil {
				status = fmt.Sprint(*a.StatusCode)
			}
			if a.DurationMs != nil {
				took = fmt.Sprintf("%d ms", *a.DurationMs)
			}
			rows = append(rows, []any{a.Number, a.StartedAt.UTC().Format(time.RFC3339), a.Outcome, status, took, textOrDash(a.Error), a.KeyID, textOrDash(a.Address), a.WorkflowID + " " + a.RunID})
		}
		if err := cli.Table(out, "ATTEMPT\tSTARTED\tOUTCOME\tSTATUS\tTOOK\tERROR\tKEY\tADDRESS\tTEMPORAL RUN", rows...); err != nil {
			return err
		}
		return printAnswers(out, attempts)
	})
}

// printEndpoint prints the health of a delivery's endpoint, and its open deliveries.
func printEndpoint(ctx context.Context, out io.Writer, r *store.Records, endpointID id.WebhookConfigID) error {
	e, err := r.Endpoint(ctx, endpointID)
	if refused, ok := refusal.FromError(err); ok && refused.Code == refusal.EntityNotFound {
		fmt.Fprintln(out, "endpoint: deleted")
		return nil
	} else if err != nil {
		return err
	}
	all, err := r.EndpointHealth(ctx, e)
	if err != nil {
		return err
	}
	h := all[e.ID]
	why := ""
	switch h.Status {
	case domain.HealthDisabled:
		why = ": " + visible.Line(textOrDash(e.DisabledReason))
	case domain.HealthHeld:
		why = ": the account has no active webhook key"
	case domain.HealthFailing:
		why = fmt.Sprintf(" since %s, next attempt %s", cli.Moment(h.FailingSince), cli.Moment(h.NextLook))
	case domain.HealthHealthy:
	}
	fmt.Fprintf(out, "endpoint: %s is %s%s; %d PENDING, %d RETRYING, %d HELD\n", visible.Line(e.URL), h.Status, why, h.Waiting, h.Retrying, h.Held)
	return nil
}

// printAnswers prints the receiver's answers below the attempts, because they may be long.
// Consecutive attempts with the same answer share a line.
func printAnswers(out io.Writer, attempts []outbox.LoggedAttempt) error {
	var rows [][]any
	first, previous := 0, outbox.LoggedAttempt{}
	for _, a := range attempts {
		if a.ResponseBody == nil || strings.TrimSpace(*a.ResponseBody) == "" {
			continue
		}
		if previous.ResponseBody != nil && a.Number == previous.Number+1 && *a.ResponseBody == *previous.ResponseBody {
			rows[len(rows)-1][0] = fmt.Sprintf("%d-%d", first, a.Number)
		} else {
			first = a.Number
			rows = append(rows, []any{first, *a.ResponseBody})
		}
		previous = a
	}
	if len(rows) == 0 {
		return nil
	}
	fmt.Fprintln(out)
	return cli.Table(out, "ATTEMPT\tANSWER", rows...)
}

// changeCommand makes a command that changes one delivery of any account.
func changeCommand(c *cobra.Command, what string, change func(context.Context, *store.Records, id.WebhookDeliveryID) error, done string) *cobra.Command {
	c.Args = cobra.ExactArgs(1)
	return new(cli.Operator).Command(c, func(ctx context.Context, out io.Writer, st *store.Store, args []string) error {
		var deliveryID id.WebhookDeliveryID
		if err := deliveryID.Parse(args[0]); err != nil {
			return err
		}
		owner, err := st.DeliveryOwner(ctx, deliveryID)
		if err != nil {
			return err
		}
		_, err = st.Write(ctx, cli.OperatorCall(owner.Scope, what), func(r *store.Records) (any, error) {
			return nil, change(ctx, r, deliveryID)
		})
		if refused, ok := refusal.FromError(err); ok {
			return errors.Join(cli.PrintJSON(out, cli.OperatorRefusal(refused)), cli.ErrRefused)
		}
		if err == nil {
			fmt.Fprintln(out, done)
		}
		return err
	})
}

func deliveryRetryCommand() *cobra.Command {
	return changeCommand(&cobra.Command{
		Use:   "retry DELIVERY_ID",
		Short: "Try a delivery again at once, from the start of its schedule",
	}, "delivery retry", func(ctx context.Context, r *store.Records, d id.WebhookDeliveryID) error {
		return r.RetryDelivery(ctx, d)
	},
		"the delivery is due now; a worker attempts it at once")
}

func deliveryCancelCommand() *cobra.Command {
	return changeCommand(&cobra.Command{
		Use:   "cancel DELIVERY_ID",
		Short: "Give up on a delivery: it is FAILED, and can be recovered",
	}, "delivery cancel", func(ctx context.Context, r *store.Records, d id.WebhookDeliveryID) error {
		return r.CancelDelivery(ctx, d, "given up by the operator")
	},
		"the delivery is FAILED; `starter delivery retry` or `recover` sends it again")
}

func deliveryRecoverCommand() *cobra.Command {
	var since string
	var o cli.Operator
	c := o.With(cli.Runs, &cobra.Command{
		Use:   "recover CONFIG_ID --since TIME",
		Short: "Send an endpoint's FAILED deliveries of events since a time again",
		Args:  cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		if _, err := time.Parse(time.RFC3339, since); err != nil {
			return fmt.Errorf("--since must be a time such as 2026-11-20T00:00:00Z, not %q", since)
		}
		configID, owner, err := endpointOwner(ctx, store, args[0])
		if err != nil {
			return err
		}
		released, err := cli.RunAndWait[outbox.Released](ctx, &o, out, workflows.StartRecovery(workflows.ReleaseRequest{
			Call: cli.OperatorCall(owner.Scope, "delivery recover"), AccountID: owner.AccountID, ConfigID: configID, Since: since,
		}))
		if err != nil {
			return err
		}
		return printReleased(ctx, out, store.Records(owner.Scope), configID, released, "%d deliveries are open again")
	})
	c.Flags().StringVar(&since, "since", "", "the `TIME` of the first event, RFC 3339")
	return c
}

func deliveryFlushCommand() *cobra.Command {
	return new(cli.Operator).Command(&cobra.Command{
		Use:   "flush CONFIG_ID",
		Short: "Send all open deliveries of an endpoint now",
		Args:  cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, st *store.Store, args []string) error {
		configID, owner, err := endpointOwner(ctx, st, args[0])
		if err != nil {
			return err
		}
		var released outbox.Released
		_, err = st.Write(ctx, cli.OperatorCall(owner.Scope, "delivery flush"), func(r *store.Records) (_ any, err error) {
			released, err = r.FlushEndpoint(ctx, configID)
			return nil, err
		})
		if err != nil {
			return err
		}
		return printReleased(ctx, out, st.Records(owner.Scope), configID, released, "%d deliveries are due now")
	})
}

func endpointOwner(ctx context.Context, store *store.Store, arg string) (configID id.WebhookConfigID, owner domain.Owner, err error) {
	if err = configID.Parse(arg); err == nil {
		owner, err = store.EndpointOwner(ctx, configID)
	}
	return configID, owner, err
}

// printReleased prints how many deliveries were released, or why none was.
func printReleased(ctx context.Context, out io.Writer, r *store.Records, configID id.WebhookConfigID, released outbox.Released, done string) error {
	for _, w := range released.Warnings {
		fmt.Fprintf(out, "%s: %s\n", w.Code, w.Message)
	}
	if len(released.Warnings) == 0 {
		fmt.Fprintf(out, done+"\n", released.Count)
	}
	if released.Count == 0 {
		return printEndpoint(ctx, out, r, configID)
	}
	return nil
}
