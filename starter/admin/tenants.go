// Package admin has the commands for the setup of the service: tenants, keysets, secrets,
// migrations, erasure, and the codec endpoint.
package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	iso4217 "golang.org/x/text/currency"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/starter/cli"
)

func OrganizationCommand() *cobra.Command {
	c := &cobra.Command{Use: "organization", Short: "Create and list organizations, which own accounts"}
	var l cli.List
	c.AddCommand(new(cli.Operator).Command(cli.Changing(&cobra.Command{
		Use: "create NAME", Short: "Make an organization and print its id", Args: cobra.ExactArgs(1),
	}), func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		o, err := store.Organizations.Create(ctx, args[0])
		if err != nil {
			return err
		}
		fmt.Fprintln(out, o.WireID())
		return nil
	}), l.Flag(new(cli.Operator).Command(&cobra.Command{
		Use: "list", Short: "List organizations", Args: cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, store *store.Store, _ []string) error {
		found, err := store.Organizations.List(ctx)
		if err != nil {
			return err
		}
		var rows [][]any
		for _, o := range found {
			rows = append(rows, []any{o.WireID(), o.Name, o.CreatedAt.Format(time.RFC3339)})
		}
		return l.Print(out, "ID\tNAME\tCREATED", rows...)
	})))
	return c
}

var currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)

func AccountCommand() *cobra.Command {
	c := &cobra.Command{Use: "account", Short: "Create, change and list accounts, which hold workflows and rules"}
	var live bool
	var l cli.List
	var currency, zone string
	create := new(cli.Operator).Command(cli.Changing(&cobra.Command{
		Use: "create ORGANIZATION_ID NAME", Short: "Make an account and print its id", Args: cobra.ExactArgs(2),
	}), func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		organization, err := cli.OrganizationID(args[0])
		if err != nil {
			return err
		}
		if _, err := iso4217.ParseISO(currency); err != nil || !currencyForm.MatchString(currency) {
			return fmt.Errorf("--currency must be an ISO 4217 code such as USD, not %q", currency)
		}
		a, err := store.Organizations.CreateAccount(ctx, cli.Scope(organization, live), args[1], currency, zone)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, a.WireID())
		return nil
	})
	create.Flags().BoolVar(&live, "live", false, "a live account (lv_…) instead of a sandbox one (sb_…)")
	create.Flags().StringVar(&currency, "currency", "USD", "ISO 4217 code of every amount on file")
	create.Flags().StringVar(&zone, "time-zone", "UTC", "IANA time zone whose days count")
	c.AddCommand(create, accountUpdateCommand(), l.Flag(new(cli.Operator).Command(&cobra.Command{
		Use: "list [ORGANIZATION_ID]", Short: "List accounts: an organization's, or all", Args: cobra.MaximumNArgs(1),
	}, func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		var organization *id.UUID
		if len(args) == 1 {
			named, err := cli.OrganizationID(args[0])
			if err != nil {
				return err
			}
			organization = &named
		}
		found, err := store.Organizations.Accounts(ctx, organization)
		if err != nil {
			return err
		}
		var rows [][]any
		for _, a := range found {
			need := "-"
			if a.RulesNeedApproval {
				need = "yes"
			}
			rows = append(rows, []any{a.WireID(), a.Name, a.Currency, a.TimeZone, need, a.Recalculation, id.Format(id.Organization, a.OrganizationID)})
		}
		return l.Print(out, "ID\tNAME\tCURRENCY\tTIME ZONE\tRULES NEED APPROVAL\tRECALCULATION\tORGANIZATION", rows...)
	})))
	return c
}

func accountUpdateCommand() *cobra.Command {
	var approval bool
	var recalculation string
	var c *cobra.Command
	c = new(cli.Operator).Command(cli.Changing(&cobra.Command{
		Use:   "update ACCOUNT_ID",
		Short: "Change the settings of an account",
		Long: `Change the settings of an account. What you do not give stays as it is.

--rules-need-approval: rules come into force only when a second person approves
them ("starter rules propose" and "approve", or the API). You can turn it off
while no proposal is open.

--recalculation: when the service calculates the required documents of all open
applications by itself. MANUAL is never. ON_FORCE is when rules come into force.
DAILY is on each day, in the account's time zone.`,
		Example: `starter account update sb_… --rules-need-approval
starter account update sb_… --recalculation ON_FORCE`,
		Args: cobra.ExactArgs(1),
	}), func(ctx context.Context, out io.Writer, st *store.Store, args []string) error {
		changed := c.Flags().Changed
		setting := domain.RecalculationSetting(recalculation)
		switch {
		case !changed("rules-need-approval") && !changed("recalculation"):
			return errors.New("give the setting that you want to change: --rules-need-approval, --rules-need-approval=false or --recalculation")
		case changed("recalculation") && !slices.Contains(domain.RecalculationSettings(), setting):
			return fmt.Errorf("--recalculation must be MANUAL, ON_FORCE or DAILY, not %q", recalculation)
		}
		accountID, scope, err := cli.AccountScope(ctx, st.Scopes, args[0])
		if err != nil {
			return err
		}
		_, err = st.Write(ctx, domain.Call{Scope: scope, Actor: domain.System}, func(r *store.Records) (any, error) {
			if changed("rules-need-approval") {
				if err := r.Rules.SetNeedApproval(ctx, accountID, approval); err != nil {
					return nil, err
				}
			}
			if changed("recalculation") {
				return nil, r.Tenants.SetRecalculation(ctx, accountID, setting)
			}
			return nil, nil
		})
		if err != nil {
			return err
		}
		if changed("rules-need-approval") {
			if approval {
				fmt.Fprintln(out, "rules of", accountID, "need approval")
			} else {
				fmt.Fprintln(out, "rules of", accountID, "need no approval")
			}
		}
		if changed("recalculation") {
			fmt.Fprintln(out, "recalculation of", accountID, "is", setting)
		}
		return nil
	})
	c.Flags().BoolVar(&approval, "rules-need-approval", false, "whether a second person must approve rules")
	c.Flags().StringVar(&recalculation, "recalculation", "", "MANUAL, ON_FORCE or DAILY")
	return c
}

func CredentialCommand() *cobra.Command {
	c := &cobra.Command{Use: "credential", Short: "Create, list and revoke the credentials that sign requests"}
	var live, minimal, force bool
	var l cli.List
	var permissions, expires string
	create := new(cli.Operator).With(cli.Secrets, cli.Changing(&cobra.Command{
		Use:   "create ORGANIZATION_ID NAME",
		Short: "Make a credential and print its secrets, this once",
		Long: `Make a credential and print it as JSON with its secret key and auth token. The
service cannot show them again: it keeps the key encrypted, the token as a hash.

A strict credential (the default) signs the whole request. A minimal one signs
only its API key: anyone who sees one request can send others. Use it only to
try things out in a sandbox.

The permissions, of which none includes another:

  read           read every record
  write          change businesses, persons, sales, workflows and required
                 documents, and calculate
  rules          check, preview, propose and publish rules; a preview needs read
  approve_rules  approve and reject what others propose, if you name it
  keys           create, activate and delete webhook keys
  webhooks       change endpoints, and send deliveries again

Permissions and expiry never change: make a new credential and revoke the old.`,
		Example: `  starter credential create org_… "back office"
  starter credential create org_… reporting --permissions read --expires 90d`,
		Args: cobra.ExactArgs(2),
	}), func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		organization, err := cli.OrganizationID(args[0])
		if err != nil {
			return err
		}
		policy := domain.Strict
		if minimal {
			policy = domain.Minimal
		}
		wanted := domain.NewCredential{Name: args[1], Policy: policy, Force: force}
		if wanted.Permissions, err = parsePermissions(permissions); err != nil {
			return fmt.Errorf("--permissions: %w", err)
		}
		if wanted.ExpiresAt, err = expiry(expires, time.Now()); err != nil {
			return err
		}
		made, secrets, err := store.Credentials.Create(ctx, cli.Scope(organization, live), wanted)
		if err != nil {
			return err
		}
		return cli.PrintJSON(out, MadeCredential{
			APIKey: made.APIKey, SecretKey: secrets.SecretKey, AuthToken: secrets.AuthToken, Policy: made.Policy,
			Permissions: made.Permissions, ExpiresAt: made.ExpiresAt,
		})
	})
	create.Flags().BoolVar(&live, "live", false, "for live accounts instead of sandbox ones")
	create.Flags().BoolVar(&minimal, "minimal", false, "accept a signature over the API key alone (sandbox only)")
	create.Flags().StringVar(&permissions, "permissions", domain.DefaultPermissions().String(), "what it may do, separated by commas; all is everything")
	create.Flags().StringVar(&expires, "expires", "",
		"when it expires: in days as 90d, on a day as 2027-01-31 (at 00:00 UTC), or at a time as 2027-01-31T12:00:00Z (default: never)")
	create.Flags().BoolVar(&force, "force", false, "allow a minimal credential for live accounts")
	c.AddCommand(create, l.Flag(new(cli.Operator).Command(&cobra.Command{
		Use: "list ORGANIZATION_ID", Short: "List an organization's credentials, expired and revoked ones too", Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		organization, err := cli.OrganizationID(args[0])
		if err != nil {
			return err
		}
		found, err := store.Credentials.List(ctx, organization)
		if err != nil {
			return err
		}
		var rows [][]any
		for _, k := range found {
			rows = append(rows, []any{k.APIKey, k.Name, k.Policy, k.Permissions, cli.Moment(k.ExpiresAt), cli.Moment(k.LastUsedAt), CredentialState(k, time.Now())})
		}
		return l.Print(out, "API KEY\tNAME\tPOLICY\tPERMISSIONS\tEXPIRES\tLAST USED\tSTATE", rows...)
	})), new(cli.Operator).Command(cli.Changing(&cobra.Command{
		Use: "revoke API_KEY", Short: "End a credential at once", Args: cobra.ExactArgs(1),
	}), func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		if err := store.Credentials.Revoke(ctx, args[0]); err != nil {
			return err
		}
		fmt.Fprintln(out, "revoked", args[0])
		return nil
	}))
	return c
}

// MadeCredential is the printed form of a new credential.
type MadeCredential struct {
	APIKey      string             `json:"api_key"`
	SecretKey   string             `json:"secret_key"`
	AuthToken   string             `json:"auth_token"`
	Policy      domain.Policy      `json:"policy"`
	Permissions domain.Permissions `json:"permissions"`
	ExpiresAt   *time.Time         `json:"expires_at,omitempty"`
}

var daysForm = regexp.MustCompile(`^([1-9][0-9]{0,4})d$`)

// expiry reads --expires; nil for an empty text.
func expiry(text string, now time.Time) (*time.Time, error) {
	if text == "" {
		return nil, nil
	}
	if days := daysForm.FindStringSubmatch(text); days != nil {
		n, err := strconv.Atoi(days[1])
		at := now.UTC().AddDate(0, 0, n).Truncate(time.Second)
		return &at, err
	}
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(form, text); err == nil {
			return &at, nil
		}
	}
	return nil, fmt.Errorf("--expires must be days from now as 90d, a day as 2027-01-31 or a time as 2027-01-31T12:00:00Z, not %q", text)
}

func CredentialState(c domain.Credential, now time.Time) string {
	switch {
	case c.RevokedAt != nil:
		return "revoked " + cli.Moment(c.RevokedAt)
	case c.ExpiresAt != nil && !c.ExpiresAt.After(now):
		return "expired"
	}
	return "in force"
}
