package webhooks

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/domain"
	"requisite/internal/store"
	"requisite/starter/cli"
	"requisite/workflows"
)

func KeyCommand() *cobra.Command {
	c := &cobra.Command{Use: "key", Short: "Create, activate and list an account's webhook keys"}
	c.AddCommand(keyCreateCommand(), keyActivateCommand(), keyListCommand())
	return c
}

func keyCreateCommand() *cobra.Command {
	var o cli.Operator
	return o.With(cli.Secrets|cli.Runs, &cobra.Command{
		Use:   "create ACCOUNT_ID",
		Short: "Create a webhook key, INACTIVE, and print its secret this once",
		Long: `Create a webhook key, INACTIVE, through Temporal, and print it as JSON with its
shared secret. The service cannot show the secret again. First hand it to the
receiver of the account's webhooks, then activate the key.`,
		Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		accountID, scope, err := cli.AccountScope(ctx, store, args[0])
		if err != nil {
			return err
		}
		made, err := cli.RunAndWait[domain.CreatedKey](ctx, &o, out, workflows.StartKeyCreation(workflows.KeyRequest{Call: cli.OperatorCall(scope, "key create"), AccountID: accountID}))
		if err != nil {
			return err
		}
		secret, ok, err := store.TakeSecret(ctx, scope, accountID, made.KeyID)
		switch {
		case err != nil:
			return err
		case !ok:
			return errors.New("somebody else took the secret of this key; leave it INACTIVE and create another")
		}
		return cli.PrintJSON(out, struct {
			domain.CreatedKey
			SharedSecret string `json:"shared_secret"`
		}{made, secret})
	})
}

func keyActivateCommand() *cobra.Command {
	var o cli.Operator
	var account string
	c := o.With(cli.Runs, &cobra.Command{
		Use:   "activate KEY_ID --account ACCOUNT_ID",
		Short: "Make a key the account's active one, and delete the previous one",
		Args:  cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		if account == "" {
			return errors.New("--account is not set: key ids repeat from one account to the next")
		}
		accountID, scope, err := cli.AccountScope(ctx, store, account)
		if err != nil {
			return err
		}
		active, err := cli.RunAndWait[domain.ActivatedKey](ctx, &o, out, workflows.StartKeyActivation(
			workflows.KeyRequest{Call: cli.OperatorCall(scope, "key activate"), AccountID: accountID, KeyID: args[0]}))
		if err != nil {
			return err
		}
		return cli.PrintJSON(out, active)
	})
	c.Flags().StringVar(&account, "account", "", "the account of the key, `ACCOUNT_ID`")
	return c
}

func keyListCommand() *cobra.Command {
	var l cli.List
	return l.Flag(new(cli.Operator).Command(&cobra.Command{
		Use: "list ACCOUNT_ID", Short: "List an account's webhook keys, newest first, without secrets", Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		accountID, scope, err := cli.AccountScope(ctx, store, args[0])
		if err != nil {
			return err
		}
		found, err := store.Records(scope).WebhookKeys(ctx, accountID)
		if err != nil {
			return err
		}
		var rows [][]any
		for _, k := range found {
			rows = append(rows, []any{k.KeyID, k.Status, k.CreatedAt.Format(time.RFC3339), cli.Moment(k.ActivatedAt), cli.Moment(k.DeletedAt)})
		}
		return l.Print(out, "KEY\tSTATUS\tCREATED\tACTIVATED\tDELETED", rows...)
	}))
}
