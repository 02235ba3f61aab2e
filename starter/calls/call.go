// Package calls has the commands call, healthz and trace.
package calls

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	requisite "requisite/clients/go"
	"requisite/internal/config"
	"requisite/internal/text/visible"
	"requisite/starter/cli"
)

func CallCommand() *cobra.Command {
	var f cli.Caller
	as := &f.Operator
	var hooks config.Webhooks
	var key, today string
	var curl bool
	c := &cobra.Command{
		Use:   "call OPERATION [JSON | -]",
		Short: "Run an operation of the API and print the answer",
		Long: `Sign a request, send it and print the answer. JSON defaults to {}; - reads it
from standard input. Without a credential it uses the one of the running stack's
first account. "starter call OPERATION --help" shows an operation's fields.

With --as-operator it needs neither the service nor a credential: it runs the
operation on the database, for any account. Like the api it reads the variables
of the keysets, Temporal, webhooks, quotas and traces.`,
		Example: `  starter call account.get '{"account_id":"sb_…"}'
  starter call webhook.config.flush '{"config_id":"whc_…"}' --as-operator sb_…`,
		Args:              cobra.RangeArgs(1, 2),
		ValidArgsFunction: completeOperation,
	}
	f.Bind(c)
	flags := c.Flags()
	flags.StringVar(&key, "idempotency-key", "", "make this request safe to repeat")
	flags.StringVar(&today, "sandbox-today", "", "the account's `DAY` of this call, as YYYY-MM-DD, in the sandbox")
	flags.BoolVar(&curl, "curl", false, "print the signed request for curl --config - instead of sending it; it is valid once, for five minutes")
	flags.StringVar(&as.SecretFile, "secret-file", "", "new `FILE` for the secret of webhook.key.create --as-operator")
	as.BindKEK(flags)
	as.BindTemporal(flags)
	as.BindPayloadKey(flags)
	hooks.Bind(flags)
	flags.DurationVar(&as.Patience, "patience", time.Minute, "how long --as-operator waits for a run before 504 STILL_RUNNING")
	config.Env(flags, "patience", "REQUISITE_PATIENCE")
	cli.Hide(flags, "kek-file", "kms-key-uri", "patience", "payload-key-file", "temporal-address", "temporal-namespace", "webhook-allow", "webhook-ports")
	c.MarkFlagsMutuallyExclusive("as-operator", "curl")
	general := c.HelpFunc()
	c.SetHelpFunc(func(c *cobra.Command, args []string) {
		name := c.Flags().Arg(0)
		if name == "" {
			general(c, args)
			return
		}
		if err := explain(c.OutOrStdout(), name); err != nil {
			fmt.Fprintln(c.ErrOrStderr(), "starter:", visible.Line(err.Error()))
		}
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		body := []byte("{}")
		if len(args) == 2 {
			body = []byte(args[1])
			if args[1] == "-" {
				var err error
				if body, err = io.ReadAll(c.InOrStdin()); err != nil {
					return fmt.Errorf("read standard input: %w", err)
				}
			}
		}
		if f.Account != "" {
			var err error
			if as.Guard, err = hooks.Guard(); err != nil {
				return err
			}
		} else if as.SecretFile != "" {
			return errors.New("--secret-file belongs to --as-operator")
		}
		var options []requisite.Option
		if key != "" {
			options = append(options, requisite.IdempotencyKey(key))
		}
		if today != "" {
			options = append(options, requisite.SandboxToday(today))
		}
		if curl {
			client, err := f.Credential.Client("")
			if err != nil {
				return err
			}
			return printCurl(c.OutOrStdout(), client, args[0], body, options...)
		}
		return f.Call(c, "", args[0], body, nil, options...)
	}
	return c
}

// printCurl signs a request, and writes it as a configuration file of curl, because the arguments
// of a program must not contain secrets.
func printCurl(w io.Writer, client *requisite.Client, name string, body []byte, options ...requisite.Option) error {
	target, err := url.Parse(strings.TrimSuffix(client.BaseURL, "/") + "/" + name)
	if err != nil {
		return err
	}
	header := http.Header{"Content-Type": {mediaJSON}}
	for _, option := range options {
		option(header)
	}
	client.Signer.Sign(http.MethodPost, target.RequestURI(), header, body, time.Now())
	quoted := func(text string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text) + `"`
	}
	fmt.Fprintf(w, "url = %s\n", quoted(target.String()))
	for _, name := range slices.Sorted(maps.Keys(header)) {
		fmt.Fprintf(w, "header = %s\n", quoted(name+": "+header.Get(name)))
	}
	_, err = fmt.Fprintf(w, "data-raw = %s\n", quoted(string(body)))
	return err
}
