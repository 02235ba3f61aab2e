package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	iso4217 "golang.org/x/text/currency"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/postgres"
)

func organizationCommand() *cobra.Command {
	c := &cobra.Command{Use: "organization", Short: "Make and list organizations, which own accounts and credentials"}
	c.AddCommand(new(operator).command(&cobra.Command{
		Use: "create NAME", Short: "Make an organization and print its id", Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, args []string) error {
		o, err := store.CreateOrganization(ctx, args[0])
		if err != nil {
			return err
		}
		fmt.Fprintln(out, o.WireID())
		return nil
	}), new(operator).command(&cobra.Command{
		Use: "list", Short: "List organizations", Args: cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, _ []string) error {
		found, err := store.Organizations(ctx)
		if err != nil {
			return err
		}
		var rows [][]any
		for _, o := range found {
			rows = append(rows, []any{o.WireID(), o.Name, o.CreatedAt.Format(time.RFC3339)})
		}
		return table(out, "ID\tNAME\tCREATED", rows...)
	}))
	return c
}

var currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)

func accountCommand() *cobra.Command {
	c := &cobra.Command{Use: "account", Short: "Make and list accounts, which hold applications, rules and prices"}
	var live bool
	var currency, zone string
	create := new(operator).command(&cobra.Command{
		Use: "create ORGANIZATION_ID NAME", Short: "Make an account and print its id", Args: cobra.ExactArgs(2),
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, args []string) error {
		organization, err := organizationID(args[0])
		if err != nil {
			return err
		}
		if _, err := iso4217.ParseISO(currency); err != nil || !currencyForm.MatchString(currency) {
			return fmt.Errorf("--currency must be an ISO 4217 code such as USD, not %q", currency)
		}
		a, err := store.CreateAccount(ctx, scope(organization, live), args[1], currency, zone)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, a.WireID())
		return nil
	})
	create.Flags().BoolVar(&live, "live", false, "a live account (lv_…) instead of a sandbox one (sb_…)")
	create.Flags().StringVar(&currency, "currency", "USD", "ISO 4217 code of every amount on file")
	create.Flags().StringVar(&zone, "time-zone", "UTC", "IANA time zone whose days count")
	c.AddCommand(create, new(operator).command(&cobra.Command{
		Use: "list ORGANIZATION_ID", Short: "List an organization's accounts", Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, args []string) error {
		organization, err := organizationID(args[0])
		if err != nil {
			return err
		}
		found, err := store.Accounts(ctx, organization)
		if err != nil {
			return err
		}
		var rows [][]any
		for _, a := range found {
			rows = append(rows, []any{a.WireID(), a.Name, a.Currency, a.TimeZone})
		}
		return table(out, "ID\tNAME\tCURRENCY\tTIME ZONE", rows...)
	}))
	return c
}

func credentialCommand() *cobra.Command {
	c := &cobra.Command{Use: "credential", Short: "Make, list and revoke the credentials that sign requests"}
	var live, minimal, force bool
	create := new(operator).command(&cobra.Command{
		Use:   "create ORGANIZATION_ID NAME",
		Short: "Make a credential and print its secrets, this once",
		Long: `Make a credential and print it as JSON with its secret key and auth token. They
cannot be shown again: the service keeps the one sealed and the other as a hash.

A strict credential (the default) signs the whole request. A minimal one signs its
API key alone, so that whoever sees one request can send others; it is for trying
things out in a sandbox.`,
		Args: cobra.ExactArgs(2),
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, args []string) error {
		organization, err := organizationID(args[0])
		if err != nil {
			return err
		}
		policy := domain.Strict
		if minimal {
			policy = domain.Minimal
		}
		made, secrets, err := store.CreateCredential(ctx, scope(organization, live), args[1], policy, force)
		if err != nil {
			return err
		}
		return printJSON(out, map[string]string{
			"api_key": made.APIKey, "secret_key": secrets.SecretKey, "auth_token": secrets.AuthToken, "policy": string(made.Policy),
		})
	})
	create.Flags().BoolVar(&live, "live", false, "for live accounts instead of sandbox ones")
	create.Flags().BoolVar(&minimal, "minimal", false, "accept a signature over the API key alone (sandbox only)")
	create.Flags().BoolVar(&force, "force", false, "allow a minimal credential in live: anyone who sees one request can send others")
	c.AddCommand(create, new(operator).command(&cobra.Command{
		Use: "list ORGANIZATION_ID", Short: "List an organization's credentials, revoked ones too", Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, args []string) error {
		organization, err := organizationID(args[0])
		if err != nil {
			return err
		}
		found, err := store.Credentials(ctx, organization)
		if err != nil {
			return err
		}
		var rows [][]any
		for _, k := range found {
			state := "in force"
			if k.RevokedAt != nil {
				state = "revoked " + k.RevokedAt.Format(time.RFC3339)
			}
			rows = append(rows, []any{k.APIKey, k.Name, k.Policy, state})
		}
		return table(out, "API KEY\tNAME\tPOLICY\tSTATE", rows...)
	}), new(operator).command(&cobra.Command{
		Use: "revoke API_KEY", Short: "End a credential at once", Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, args []string) error {
		if err := store.RevokeCredential(ctx, args[0]); err != nil {
			return err
		}
		fmt.Fprintln(out, "revoked", args[0])
		return nil
	}))
	return c
}

func organizationID(text string) (uuid.UUID, error) {
	u, err := id.Parse(id.Organization, text)
	if err != nil || u == uuid.Nil {
		return uuid.Nil, errors.New("the organization is named by its id, org_…; `starter organization list` shows them")
	}
	return u, nil
}

func scope(organization uuid.UUID, live bool) domain.Scope {
	environment := domain.Sandbox
	if live {
		environment = domain.Live
	}
	return domain.Scope{OrganizationID: organization, Environment: environment}
}
