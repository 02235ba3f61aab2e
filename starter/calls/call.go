// Package calls has the commands that use a running service: call, calculate, healthz and
// trace.
package calls

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	requisite "requisite/clients/go"
	"requisite/starter/cli"
)

func CallCommand() *cobra.Command {
	var f cli.CredentialFlags
	var key string
	c := &cobra.Command{
		Use:   "call OPERATION [JSON | -]",
		Short: "Sign a request, send it and print the answer",
		Long: `Sign a request, send it and print the answer. JSON defaults to {}; - reads it
from standard input. Without a credential it uses the one of the running stack's
first account.`,
		Example: `  starter call meta.checkVersion
  starter call account.get '{"account_id":"sb_…"}'`,
		Args: cobra.RangeArgs(1, 2),
	}
	f.Bind(c)
	c.Flags().StringVar(&key, "idempotency-key", "", "make this request safe to repeat")
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
		client, err := f.Client("")
		if err != nil {
			return err
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
