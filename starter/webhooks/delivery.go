// Package webhooks has the commands for webhook deliveries and replays, and listen, a receiver
// on this machine.
package webhooks

import (
	"cmp"
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
	"requisite/internal/store"
	"requisite/internal/webhooks/delivery"
	"requisite/starter/cli"
)

func DeliveryCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "delivery",
		Short: "List, get, retry, cancel and flush webhook deliveries",
		Long: `List, get, retry, cancel and flush webhook deliveries of all accounts. All but
"list" are operations of the API: "starter call" runs these and all others.`,
	}
	c.AddCommand(
		deliveryCancelCommand(),
		deliveryFlushCommand(),
		deliveryGetCommand(),
		deliveryListCommand(),
		deliveryRetryCommand(),
	)
	return c
}

func deliveryListCommand() *cobra.Command {
	var account, status, endpoint, event, since, until string
	var limit int
	var undelivered bool
	var l cli.List
	var c *cobra.Command
	c = new(cli.Operator).Command(&cobra.Command{
		Use:   "list",
		Short: "List deliveries, newest first, with their states and errors",
		Long: `List deliveries, newest first, with their states, errors, and why they wait.
NEXT is a dash while a delivery is due, and after it has ended. "delivery get"
says more about what a delivery waits for.`,
		Args: cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, store *store.Store, _ []string) error {
		filter := delivery.Filter{State: delivery.State(strings.ToUpper(status)), Undelivered: undelivered}
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
		accounts, err := accountIDs(ctx, store)
		if err != nil {
			return err
		}
		waits, err := store.AllWebhooks.Waits(ctx, found)
		if err != nil {
			return err
		}
		var rows [][]any
		now := time.Now()
		for _, d := range found {
			rows = append(rows, []any{
				d.WireID(), accounts[d.AccountID], d.EventType, id.WebhookConfigID{UUID: d.EndpointID}, d.State, d.AttemptCount,
				cli.Moment(d.NextAfter(now)), cmp.Or(delivery.CausesOf(waits[d.ID]), "-"), cli.TextOrDash(d.LastError),
			})
		}
		if err := l.Print(out, "DELIVERY\tACCOUNT\tEVENT\tENDPOINT\tSTATUS\tATTEMPTS\tNEXT\tWAITS FOR\tLAST ERROR", rows...); err != nil {
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
	c.Flags().BoolVar(&undelivered, "undelivered", false, "only those that are PENDING, RETRYING, HELD or FAILED")
	c.Flags().StringVar(&endpoint, "endpoint", "", "only those to the endpoint `CONFIG_ID`, whc_…")
	c.Flags().StringVar(&event, "event", "", "only those of the event `EVENT_ID`, wh_…")
	c.Flags().StringVar(&since, "since", "", "only those created at this `TIME` or later, RFC 3339")
	c.Flags().StringVar(&until, "until", "", "only those created before this `TIME`, RFC 3339")
	c.Flags().IntVar(&limit, "limit", 50, fmt.Sprintf("how many to show, %d at most", cli.MostListed))
	return c
}

// accountIDs are the ids of all accounts in the API.
func accountIDs(ctx context.Context, store *store.Store) (map[id.UUID]id.AccountID, error) {
	ids := map[id.UUID]id.AccountID{}
	found, err := store.Organizations.Accounts(ctx, nil)
	for _, a := range found {
		ids[a.ID] = a.WireID()
	}
	return ids, err
}

// listFor lists deliveries of one account, or of all.
func listFor(ctx context.Context, store *store.Store, account string, f delivery.Filter, p domain.Page) ([]delivery.Record, string, error) {
	if account == "" {
		return store.AllWebhooks.Deliveries(ctx, f, p)
	}
	accountID, scope, err := cli.AccountScope(ctx, store.Scopes, account)
	if err != nil {
		return nil, "", err
	}
	return store.Records(scope).Webhooks.Deliveries(ctx, accountID, f, p)
}

func deliveryGetCommand() *cobra.Command {
	return cli.AboutCommand(&cobra.Command{
		Use:   "get DELIVERY_ID",
		Short: "Show why a delivery waits, its attempts and the receiver's answers",
		Long: `Show a delivery: why it waits (waits_for), and each of its attempts with the
address that the worker connected to, the status code, the Temporal run, and the
receiver's answer. The service keeps at most 4 KiB of an answer. It is the
receiver's own text.`,
	}, "webhook.delivery.get", "delivery_id", store.Scopes.Delivery, nil)
}

func deliveryRetryCommand() *cobra.Command {
	return cli.AboutCommand(&cobra.Command{
		Use:   "retry DELIVERY_ID",
		Short: "Try a delivery again at once, from the start of its schedule",
	}, "webhook.delivery.retry", "delivery_id", store.Scopes.Delivery, nil)
}

func deliveryCancelCommand() *cobra.Command {
	return cli.AboutCommand(&cobra.Command{
		Use:   "cancel DELIVERY_ID",
		Short: "Give up on a delivery: it is FAILED, and can be recovered",
	}, "webhook.delivery.cancel", "delivery_id", store.Scopes.Delivery, nil)
}

func deliveryFlushCommand() *cobra.Command {
	return cli.AboutCommand(&cobra.Command{
		Use:   "flush CONFIG_ID",
		Short: "Send all open deliveries of an endpoint now",
	}, "webhook.config.flush", "config_id", store.Scopes.Endpoint, nil)
}
