package webhooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	requisite "requisite/clients/go"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
	"requisite/starter/cli"
)

func ReplayCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "replay",
		Short: "Send the events of a period to a webhook endpoint",
		Long: `Send the events of a period to a webhook endpoint, also to one that was added
later, and see the progress.

"create" and "get" call the API, with a credential for webhooks or for reading.
"list" and "cancel" are for operators: they work on the database, for all
accounts.`,
	}
	c.AddCommand(
		replayCancelCommand(),
		replayGetCommand(),
		replayListCommand(),
		replayCreateCommand(),
	)
	return c
}

func replayCreateCommand() *cobra.Command {
	var f cli.CredentialFlags
	var account, since, until, key string
	var eventTypes []string
	var detach bool
	c := &cobra.Command{
		Use:   "create CONFIG_ID --since TIME",
		Short: "Send events since a time to an endpoint, and show the progress",
		Long: `Send an endpoint the events since a time, or of a period. It shows the progress
until all are in the endpoint's queue. Ctrl-C leaves the replay running, and
says how to see its progress again.

Events keep their ids, so a receiver drops those that it has processed. A replay
leaves test events out.`,
		Example: `  starter replay create whc_… --since 2026-11-20T00:00:00Z
  starter replay create whc_… --since 2026-11-20T00:00:00Z \
    --until 2026-11-21T00:00:00Z --event-type WORKFLOW_COMPLETED`,
		Args: cobra.ExactArgs(1),
	}
	f.Bind(c)
	flags := c.Flags()
	flags.StringVar(&since, "since", "", "the `TIME` of the first event, RFC 3339")
	flags.StringVar(&until, "until", "", "the end of the period, a `TIME` in RFC 3339 (default: now)")
	flags.StringSliceVar(&eventTypes, "event-type", nil, "only events of this type; may be repeated (default: all types of the endpoint)")
	flags.StringVar(&account, "account", "", "the endpoint's account, an `ACCOUNT_ID` of the running stack (default: its first)")
	flags.StringVar(&key, "idempotency-key", "", "make this command safe to repeat: one key starts one replay")
	flags.BoolVar(&detach, "detach", false, "print the id of the replay, and do not wait for it")
	c.RunE = func(c *cobra.Command, args []string) error {
		var config id.WebhookConfigID
		from, wrong := cli.ParseTime("since", since)
		if since == "" {
			wrong = errors.New("--since is missing: give the time of the first event to send, such as 2026-11-20T00:00:00Z")
		}
		to, err := cli.ParseTime("until", until)
		if wrong = errors.Join(config.Parse(args[0]), wrong, err); wrong != nil {
			return wrong
		}
		in := requisite.ReplayRequest{ConfigID: config.String(), Since: wireTime(from), EventTypes: eventTypes}
		if !to.IsZero() {
			end := wireTime(to)
			in.Until = &end
		}
		client, err := f.RetryingClient(account)
		if err != nil {
			return err
		}
		var options []requisite.Option
		if key != "" {
			options = append(options, requisite.IdempotencyKey(key))
		}
		out := c.OutOrStdout()
		made, err := client.WebhookEventReplay(c.Context(), in, options...)
		if refused := (requisite.Error{}); errors.As(err, &refused) && refused.SubCode == string(refusal.ReplayInProgress) {
			return fmt.Errorf("%w; `starter replay list --endpoint %s` shows it", err, config)
		}
		if err != nil {
			return err
		}
		if detach {
			fmt.Fprintln(out, made.Data.RunID)
			return nil
		}
		fmt.Fprintf(out, "Replay %s to %s has begun. Ctrl-C leaves it running.\n", made.Data.RunID, config)
		return FollowReplay(c.Context(), out, client, made.Data.RunID, pause)
	}
	return c
}

func replayGetCommand() *cobra.Command {
	var f cli.CredentialFlags
	var account string
	var follow bool
	c := &cobra.Command{
		Use:   "get RUN_ID",
		Short: "Show the progress of a replay",
		Args:  cobra.ExactArgs(1),
	}
	f.Bind(c)
	c.Flags().StringVar(&account, "account", "", "the replay's account, an `ACCOUNT_ID` of the running stack (default: its first)")
	c.Flags().BoolVar(&follow, "follow", false, "show the progress until the replay ends; Ctrl-C leaves it running")
	c.RunE = func(c *cobra.Command, args []string) error {
		var run id.RunID
		if err := run.Parse(args[0]); err != nil {
			return err
		}
		client, err := f.RetryingClient(account)
		if err != nil {
			return err
		}
		if follow {
			return FollowReplay(c.Context(), c.OutOrStdout(), client, run.String(), pause)
		}
		found, err := client.WebhookEventReplayed(c.Context(), requisite.RunRequest{RunID: run.String()})
		if err == nil {
			fmt.Fprintln(c.OutOrStdout(), replayProgress(found.Data))
		}
		return err
	}
	return c
}

func wireTime(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// replayReader reads the progress of a replay.
type replayReader interface {
	WebhookEventReplayed(ctx context.Context, in requisite.RunRequest, options ...requisite.Option) (requisite.Result[requisite.ReplayedData], error)
}

// FollowReplay prints the progress of a replay, a line for each change, until it ends
// or ctx does.
func FollowReplay(ctx context.Context, out io.Writer, client replayReader, run string, pause func(context.Context) error) error {
	again := "`starter replay get " + run + " --follow`"
	shown := ""
	for {
		found, err := client.WebhookEventReplayed(ctx, requisite.RunRequest{RunID: run})
		switch {
		case ctx.Err() != nil:
			return stillRunning(out, again)
		case err != nil:
			return fmt.Errorf("the progress cannot be read: %w; the replay itself is not affected, and %s shows its progress", err, again)
		}
		if line := replayProgress(found.Data); line != shown {
			fmt.Fprintln(out, line)
			shown = line
		}
		switch domain.ReplayState(found.Data.State) {
		case domain.ReplayCompleted:
			return nil
		case domain.ReplayCanceled:
			return errors.New("the replay was canceled, by the operator of the service or because the endpoint was deleted; what was sent until then stays sent")
		}
		if pause(ctx) != nil {
			return stillRunning(out, again)
		}
	}
}

// stillRunning says how to show the progress of a running replay again.
func stillRunning(out io.Writer, again string) error {
	fmt.Fprintf(out, "The replay continues; %s shows its progress.\n", again)
	return &cli.ExitError{Code: cli.ExitFailed}
}

func replayProgress(r requisite.ReplayedData) string {
	events := fmt.Sprintf("%d events", r.Done)
	if r.Total != nil {
		events = fmt.Sprintf("%d of %d events", r.Done, *r.Total)
	}
	text := fmt.Sprintf("%s  %s in the endpoint's queue", r.State, events)
	if r.EndedAt != nil {
		text += ", ended " + *r.EndedAt
	}
	return text
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
			if filter.AccountID, _, err = cli.AccountScope(ctx, store, account); err != nil {
				return err
			}
		}
		found, err := store.Replays(ctx, filter, limit+1)
		if err != nil {
			return err
		}
		var rows [][]any
		for _, r := range found[:min(len(found), limit)] {
			total := "-"
			if r.Total != nil {
				total = fmt.Sprint(*r.Total)
			}
			rows = append(rows, []any{id.RunID{UUID: r.ID}, r.State, id.WebhookConfigID{UUID: r.EndpointID}, cli.Moment(&r.Since), cli.Moment(&r.Until), r.Done, total, cli.Moment(&r.StartedAt), cli.Moment(r.EndedAt)})
		}
		if err := l.Print(out, "RUN\tSTATE\tENDPOINT\tSINCE\tUNTIL\tDONE\tTOTAL\tSTARTED\tENDED", rows...); err != nil {
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
	return new(cli.Operator).Command(&cobra.Command{
		Use:   "cancel RUN_ID",
		Short: "End a replay; what it has sent stays sent",
		Long: `End a replay. The deliveries that it has created stay, and are sent; "starter
delivery cancel" cancels one. Its run in Temporal ends within a minute.`,
		Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		var run id.RunID
		if err := run.Parse(args[0]); err != nil {
			return err
		}
		found, err := store.Replays(ctx, domain.ReplayFilter{RunID: run}, 1)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return refusal.NotFound(refusal.EntityRun, run.String())
		}
		if found[0].State == domain.ReplayRunning {
			ended, err := store.Deliveries().CancelReplay(ctx, run)
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
