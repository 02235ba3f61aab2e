package webhooks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	requisite "requisite/clients/go"
	"requisite/internal/domain"
	"requisite/internal/text/visible"
	"requisite/internal/webhooks/webhook"
	"requisite/starter/cli"
)

func ListenCommand() *cobra.Command {
	var f cli.CredentialFlags
	var account, address, publicURL, keysFile string
	var eventTypes, tests []string
	var newKey, quiet, poll bool
	var after string
	var until time.Duration
	c := &cobra.Command{
		Use:   "listen",
		Short: "Receive webhooks on this machine: verify, decrypt and print them",
		Long: `Receive an account's webhooks on this machine, verify, decrypt and print them,
until interrupted. Without flags it uses the running stack's first account, and
begins with a test event.

It adds an endpoint and deletes it at the end. It keeps the secret of the
account's active webhook key in --keys, where only you can read it. If the
account has no active key, it creates one. If it does not know the secret of the
active one, it refuses: --new-key replaces that key, and other receivers then
cannot decrypt webhooks.

--poll needs no endpoint, no key and no tunnel: it asks for new events.`,
		Example: `  starter listen
  starter listen --test WORKFLOW_COMPLETED --test WEBHOOK_ENDPOINT_FAILING
  starter listen --poll`,
		Args: cobra.NoArgs,
	}
	f.Bind(c)
	flags := c.Flags()
	flags.StringVar(&account, "account", "", "the account whose webhooks to receive, `ACCOUNT_ID` (default: the stack's first)")
	flags.StringVar(&address, "listen", "127.0.0.1:0", "address to listen on; port 0 picks a free one")
	flags.StringVar(&publicURL, "public-url", "", "the endpoint's URL, if it is not http://ADDRESS/webhooks")
	flags.StringVar(&keysFile, "keys", ".stack/webhook-keys.json", "file with the secrets of webhook keys")
	flags.StringSliceVar(&eventTypes, "event-type", nil, "only events of this type; may be repeated")
	flags.BoolVar(&newKey, "new-key", false, "replace an active key whose secret is not known here")
	flags.DurationVar(&until, "for", 0, "end after this time; 0 listens until interrupted")
	flags.StringSliceVar(&tests, "test", []string{string(domain.WebhookTest)}, "begin with an example of an event of this type; may be repeated")
	flags.BoolVar(&quiet, "no-test", false, "do not begin with a test event")
	flags.BoolVar(&poll, "poll", false, "ask for events instead of receiving webhooks")
	flags.StringVar(&after, "after", "", "with --poll: continue after this `CURSOR`, which an earlier one printed (default: from now on)")
	for _, receiving := range []string{"listen", "public-url", "keys", "new-key", "test", "no-test"} {
		c.MarkFlagsMutuallyExclusive("poll", receiving)
	}
	c.MarkFlagsMutuallyExclusive("test", "no-test")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if after != "" && !poll {
			return errors.New("--after needs --poll")
		}
		if err := errors.Join(checkEventTypes(c, "event-type", eventTypes), checkEventTypes(c, "test", tests)); err != nil {
			return err
		}
		client, err := f.Client(account)
		if err != nil {
			return err
		}
		if account == "" {
			s, err := cli.ReadStack(f.StackFile)
			if err != nil {
				return fmt.Errorf("%w; start one with `starter up`, or give --account", err)
			}
			account = s.Accounts[0].AccountID
		}
		out := c.OutOrStdout()
		if poll {
			ctx := c.Context()
			if until > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, until)
				defer cancel()
			}
			client.Retry = requisite.DefaultRetry() // the service may restart meanwhile
			fmt.Fprintf(out, "Polling the events of %s. Ctrl-C ends it.\n", account)
			p := NewPoller(account, eventTypes, after, time.Now())
			p.Pause = pause
			p.Call = func(ctx context.Context, operation string, in, to any) error {
				_, err := client.Call(ctx, operation, in, to)
				return err
			}
			p.Print = func(format string, args ...any) { fmt.Fprintf(out, format, args...) }
			next, err := p.Run(ctx)
			if next != "" && next != after {
				fmt.Fprintf(out, "\nTo go on from here: starter listen --poll --after %s\n", visible.Line(next))
			}
			return err
		}
		print := &WebhookPrinter{Out: out}
		r := &Receiver{Client: client, AccountID: account, KeysFile: keysFile, Took: print.Took, Refused: print.Refused}
		made, err := r.PrepareKey(c.Context(), newKey)
		if errors.Is(err, errOtherKey) {
			return fmt.Errorf("%w. Give --keys a file that holds it, as {\"%s/KEY_ID\": \"SECRET\"}, or --new-key to replace it: other receivers then need the new one",
				err, account)
		}
		if err != nil {
			return err
		}
		if made != "" {
			fmt.Fprintf(out, "Key %s was created and activated; its secret is in %s.\n", made, keysFile)
		}
		if err := r.Start(c.Context(), address, publicURL, eventTypes); err != nil {
			return err
		}
		fmt.Fprintf(out, "Listening for the webhooks of %s as %s. Ctrl-C ends it.\n", account, r.configID)
		if quiet {
			tests = nil
		}
		for _, eventType := range tests {
			if err := r.Test(c.Context(), eventType); err != nil {
				return errors.Join(err, r.Close(c.Context()))
			}
		}
		ctx := c.Context()
		if until > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, until)
			defer cancel()
		}
		<-ctx.Done()
		return r.Close(ctx)
	}
	return c
}

// checkEventTypes refuses unknown event types before the command creates a key or an
// endpoint. Polling for one would never end.
func checkEventTypes(c *cobra.Command, flag string, types []string) error {
	if c.Flags().Changed(flag) && len(types) == 0 {
		return fmt.Errorf("--%s is empty: give an event type, such as %s", flag, domain.WorkflowCompleted)
	}
	var known []string
	for _, t := range domain.EventTypes() {
		known = append(known, string(t))
	}
	for _, t := range types {
		if !slices.Contains(known, t) {
			return fmt.Errorf("--%s: there is no event type %q; there are %s", flag, t, strings.Join(known, ", "))
		}
	}
	return nil
}

// WebhookPrinter prints webhooks and refused requests.
type WebhookPrinter struct {
	mu  sync.Mutex
	Out io.Writer
}

func (p *WebhookPrinter) Took(w webhook.Opened, repeated bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	note := ""
	if w.Sequence > 0 {
		note = fmt.Sprintf(", sequence %d", w.Sequence)
	}
	if repeated {
		note += ", again; a receiver drops it"
	}
	fmt.Fprintf(p.Out, "\n%s  %s  %s  (key %s, attempt %d%s)\n%s\n",
		visible.Line(w.Timestamp), visible.Line(w.EventType), visible.Line(w.ID),
		visible.Line(w.KeyID), w.RetryCount+1, note, Pretty(w.Payload))
}

// maxRefusalText limits the printed text of an unsigned request.
const maxRefusalText = 300

func (p *WebhookPrinter) Refused(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := []rune(visible.Line(err.Error()))
	if len(text) > maxRefusalText {
		text = append(text[:maxRefusalText], '…')
	}
	fmt.Fprintf(p.Out, "\nrefused a request: %s\n", string(text))
}

func Pretty(data []byte) string {
	var b bytes.Buffer
	if err := json.Indent(&b, data, "  ", "  "); err != nil {
		return string(data)
	}
	return "  " + b.String()
}
