package webhooks

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
	"requisite/starter/cli"
)

func ReplayCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "replay",
		Short: "List and cancel replays of events to webhook endpoints",
		Long: `List and cancel replays of events to webhook endpoints, of all accounts.
"starter call webhook.event.replay" begins one.`,
	}
	c.AddCommand(replayCancelCommand(), replayListCommand())
	return c
}

func replayListCommand() *cobra.Command {
	var account, endpoint string
	var running bool
	var limit int
	var l cli.List
	var c *cobra.Command
	c = new(cli.Operator).Command(&cobra.Command{
		Use:   "list",
		Short: "List replays of all accounts, newest first",
		Long: `List replays of all accounts, newest first. TOTAL is a dash until the events are
counted, and if there are too many to count. The service keeps ended replays as
long as events.`,
		Args: cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, store *store.Store, _ []string) error {
		filter := domain.ReplayFilter{Running: running}
		wrong := filter.ConfigID.UnmarshalText([]byte(endpoint))
		if limit < 1 || limit > cli.MostListed {
			wrong = errors.Join(wrong, fmt.Errorf("--limit must be a number from 1 to %d, not %d", cli.MostListed, limit))
		}
		if wrong != nil {
			return wrong
		}
		if account != "" {
			var err error
			if filter.AccountID, _, err = cli.AccountScope(ctx, store.Scopes, account); err != nil {
				return err
			}
		}
		found, err := store.AllWebhooks.Replays(ctx, filter, limit+1)
		if err != nil {
			return err
		}
		accounts, err := accountIDs(ctx, store)
		if err != nil {
			return err
		}
		var rows [][]any
		for _, r := range found[:min(len(found), limit)] {
			total := "-"
			if r.Total != nil {
				total = fmt.Sprint(*r.Total)
			}
			rows = append(rows, []any{
				id.RunID{UUID: r.ID}, accounts[r.AccountID], r.State, id.WebhookConfigID{UUID: r.EndpointID},
				cli.Moment(&r.Since), cli.Moment(&r.Until), r.Done, total, cli.Moment(&r.StartedAt), cli.Moment(r.EndedAt),
			})
		}
		if err := l.Print(out, "RUN\tACCOUNT\tSTATE\tENDPOINT\tSINCE\tUNTIL\tDONE\tTOTAL\tSTARTED\tENDED", rows...); err != nil {
			return err
		}
		if len(found) > limit {
			l.More(c, "endpoint")
		}
		return nil
	})
	l.Flag(c)
	c.Flags().StringVar(&account, "account", "", "only those of the account `ACCOUNT_ID`")
	c.Flags().StringVar(&endpoint, "endpoint", "", "only those to the endpoint `CONFIG_ID`, whc_…")
	c.Flags().BoolVar(&running, "running", false, "only those that have not ended")
	c.Flags().IntVar(&limit, "limit", 50, fmt.Sprintf("how many to show, %d at most", cli.MostListed))
	return c
}

func replayCancelCommand() *cobra.Command {
	return new(cli.Operator).Command(cli.Changing(&cobra.Command{
		Use:   "cancel RUN_ID",
		Short: "End a replay; what it has sent stays sent",
		Long: `End a replay. The deliveries that it has created stay, and are sent; "starter
delivery cancel" cancels one. Its run in Temporal ends within a minute.`,
		Args: cobra.ExactArgs(1),
	}), func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		var run id.RunID
		if err := run.Parse(args[0]); err != nil {
			return err
		}
		found, err := store.AllWebhooks.Replays(ctx, domain.ReplayFilter{RunID: run}, 1)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return refusal.NotFound(refusal.EntityRun, run.String())
		}
		if found[0].State == domain.ReplayRunning {
			ended, err := store.Deliveries.Replays.CancelReplay(ctx, run)
			if err != nil {
				return err
			}
			found[0].Replayed = ended.Replayed
		}
		if found[0].State != domain.ReplayCanceled {
			return fmt.Errorf("the replay has ended already: it is %s", found[0].State)
		}
		fmt.Fprintf(out, "canceled; %d events were in the endpoint's queue by then\n", found[0].Done)
		return nil
	})
}
