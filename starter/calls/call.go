// Package calls has the commands that use a running service: call, calculate, healthz and
// trace.
package calls

import (
	"bytes"
	"context"
	"encoding/json"
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
	"requisite/internal/requests/sig1"
	"requisite/internal/text/visible"
	"requisite/starter/cli"
)

func CallCommand() *cobra.Command {
	var f cli.CredentialFlags
	var key string
	var unchecked, curl bool
	c := &cobra.Command{
		Use:   "call OPERATION [JSON | -]",
		Short: "Sign a request, send it and print the answer",
		Long: `Sign a request, send it and print the answer. JSON defaults to {}; - reads it
from standard input. Without a credential it uses the one of the running stack's
first account.

It checks the request against the service's description before it sends it.
"starter call OPERATION --help" shows what an operation does, and its fields.
After "source <(starter completion bash)", or that of another shell, the tab key
completes the names of operations.`,
		Example: `  starter call meta.checkVersion
  starter call account.get '{"account_id":"sb_…"}'`,
		Args: cobra.RangeArgs(1, 2),
	}
	f.Bind(c)
	c.Flags().StringVar(&key, "idempotency-key", "", "make this request safe to repeat")
	c.Flags().BoolVar(&unchecked, "unchecked", false, "send the request without a check of its own, to see what the service refuses")
	c.Flags().BoolVar(&curl, "curl", false, "print the signed request for curl --config - instead of sending it; it is valid once, for five minutes")
	c.ValidArgsFunction = func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 || config.Load(c, nil) != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		described, err := describe(c.Context(), &f)
		if err != nil || described == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return described.names(), cobra.ShellCompDirectiveNoFileComp
	}
	general := c.HelpFunc()
	c.SetHelpFunc(func(c *cobra.Command, args []string) {
		name := c.Flags().Arg(0)
		if name == "" {
			general(c, args)
			return
		}
		if err := explain(c, &f, name); err != nil {
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
		if !unchecked {
			if err := checkRequest(c.Context(), &f, args[0], body); err != nil {
				return err
			}
		}
		client, err := f.Client("")
		if err != nil {
			return err
		}
		if curl {
			return printCurl(c.OutOrStdout(), client, args[0], key, body)
		}
		var options []requisite.Option
		if key != "" {
			options = append(options, requisite.IdempotencyKey(key))
		}
		answer, err := client.Send(c.Context(), args[0], body, options...)
		if err != nil {
			return err
		}
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, answer.Body, "", "  "); err != nil {
			return fmt.Errorf("answer: %w", err)
		}
		fmt.Fprint(c.OutOrStdout(), pretty.String())
		if len(answer.Errors) > 0 {
			return cli.ErrRefused
		}
		return nil
	}
	return c
}

// explain shows the fields of an operation.
func explain(c *cobra.Command, f *cli.CredentialFlags, name string) error {
	if err := config.Load(c, nil); err != nil {
		return err
	}
	described, err := describe(c.Context(), f)
	switch {
	case err != nil:
		return err
	case described == nil:
		return errors.New("the service does not serve its description, /openapi.json")
	}
	o, err := described.find(name)
	if err != nil {
		return err
	}
	described.help(visible.NewWriter(c.OutOrStdout()), name, o)
	return nil
}

// checkRequest refuses a request that the description of the service does not allow.
func checkRequest(ctx context.Context, f *cli.CredentialFlags, name string, body []byte) error {
	described, err := describe(ctx, f)
	if err != nil || described == nil {
		return err
	}
	if _, err := described.find(name); err != nil {
		return err
	}
	problems, err := described.check(name, body)
	if err != nil || len(problems) == 0 {
		return err
	}
	return &cli.ExitError{Code: cli.ExitRefused, Err: fmt.Errorf("the request was not sent; starter call %s --help shows its fields:\n  %s", name, strings.Join(problems, "\n  "))}
}

// printCurl signs a request, and writes it as a configuration of curl. So no secret is in
// the arguments of a program.
func printCurl(w io.Writer, client *requisite.Client, name, key string, body []byte) error {
	target, err := url.Parse(strings.TrimSuffix(client.BaseURL, "/") + "/" + name)
	if err != nil {
		return err
	}
	header := http.Header{"Content-Type": {mediaJSON}}
	if key != "" {
		header.Set(sig1.HeaderIdempotencyKey, key)
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
