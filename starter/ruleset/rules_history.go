package ruleset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
	"requisite/internal/text/visible"
	"requisite/starter/cli"
)

func notFound(err error) bool {
	refused, ok := refusal.FromError(err)
	return ok && refused.Code == refusal.EntityNotFound
}

func rulesGetCommand() *cobra.Command {
	var account, version string
	c := new(cli.Operator).Command(&cobra.Command{
		Use:   "get --account ACCOUNT_ID [--version VERSION]",
		Short: "Show the rules in force, or another version, as YAML",
		Long: `Show a version of an account's rules as YAML; without --version, the one in
force. It prints a rule file, which you can edit and publish. The service does
not keep the comments of a file.`,
		Args: cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, store *store.Store, _ []string) error {
		records, accountID, err := accountRecords(ctx, store, account)
		if err != nil {
			return err
		}
		found, err := findRuleSet(ctx, records, accountID, version)
		if err != nil {
			return err
		}
		set, _, err := published(ctx, found.Publication)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "# %s\n# %s\n%s", versionText(found.Publication), publicationText(found.Publication), set.YAML())
		return err
	})
	accountFlag(c, &account)
	versionFlag(c, &version)
	return c
}

func rulesListCommand() *cobra.Command {
	var account string
	var l cli.List
	c := l.Flag(new(cli.Operator).Command(&cobra.Command{
		Use:   "list --account ACCOUNT_ID",
		Short: "List the versions of an account's rules: who, why, and since when",
		Args:  cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, st *store.Store, _ []string) error {
		records, accountID, err := accountRecords(ctx, st, account)
		if err != nil {
			return err
		}
		found, _, err := records.Rules.List(ctx, accountID, domain.Page{Limit: cli.MostListed})
		if err != nil {
			return err
		}
		var rows [][]any
		for _, v := range found {
			from := v.PublishedAt.UTC().Format(time.RFC3339)
			if v.EffectiveFrom != nil {
				from = *v.EffectiveFrom
			}
			by, comment, approved, said := v.PublishedBy, v.Comment, "-", (*string)(nil)
			if v.ApprovedBy != nil {
				by, comment, approved, said = v.Proposer().String(), v.ProposalComment, v.Approver().String(), v.Comment
			}
			rows = append(rows, []any{v.Version, v.WireID(), v.State, from, v.AppliesTo, by, cli.TextOrDash(comment), approved, cli.TextOrDash(said)})
		}
		return l.Print(out, "VERSION\tID\tSTATE\tFROM\tAPPLIES TO\tPUBLISHED BY\tCOMMENT\tAPPROVED BY\tAPPROVAL COMMENT", rows...)
	}))
	accountFlag(c, &account)
	return c
}

func versionFlag(c *cobra.Command, version *string) {
	c.Flags().StringVar(version, "version", "", "a `VERSION`, as 2 or rul_…, instead of the one in force")
}

// errNoneInForce reports an account whose rules nobody has published.
var errNoneInForce = errors.New("has no rules in force; `starter rules publish` puts some in force")

// findRuleSet finds a version of an account's rules by its number or id. Without
// either, it finds the version in force.
func findRuleSet(ctx context.Context, records *store.Records, account id.AccountID, version string) (store.RulesVersion, error) {
	var versionID id.RuleSetVersionID
	if number, err := strconv.Atoi(version); err == nil {
		found, err := records.Rules.Number(ctx, account, number)
		if notFound(err) {
			err = noVersion(account, version)
		}
		return found, err
	} else if err := versionID.UnmarshalText([]byte(version)); err != nil {
		return store.RulesVersion{}, noVersion(account, version)
	}
	found, err := records.Rules.Version(ctx, account, versionID)
	switch {
	case !notFound(err):
		return found, err
	case version == "":
		return found, fmt.Errorf("account %s %w", account, errNoneInForce)
	}
	return found, noVersion(account, version)
}

func noVersion(account id.AccountID, version string) error {
	return fmt.Errorf("account %s has no version %s; `starter rules list` shows its versions", account, visible.Line(version))
}
