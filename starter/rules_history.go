package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/postgres"
	"requisite/internal/refusal"
)

func rulesListCommand() *cobra.Command {
	var account string
	c := new(operator).command(&cobra.Command{
		Use:   "list --account ACCOUNT_ID",
		Short: "List the versions of an account's rules, newest first: when, by whom and why",
		Args:  cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, _ []string) error {
		records, _, err := accountRecords(ctx, store, account)
		if err != nil {
			return err
		}
		versions, err := records.RuleSets(ctx, account)
		if err != nil {
			return err
		}
		if len(versions) == 0 {
			fmt.Fprintln(out, "No rules have been published for this account: nothing is required of anybody.")
			return nil
		}
		inForce, err := records.RuleSet(ctx, account, "")
		if err != nil && !notFound(err) {
			return err
		}
		return printVersions(out, versions, inForce)
	})
	accountFlag(c, &account)
	return c
}

func notFound(err error) bool {
	refused, ok := refusal.FromError(err)
	return ok && refused.Code == refusal.EntityNotFound
}

func printVersions(out io.Writer, versions []postgres.Publication, inForce postgres.Publication) error {
	var rows []string
	for _, v := range versions {
		state, comment := "", ""
		if v.ID == inForce.ID {
			state = "in force"
		}
		if v.Comment != nil {
			comment = oneLine(*v.Comment)
		}
		rows = append(rows, strings.TrimRight(fmt.Sprintf("%d\t%s\t%s\t%s\t%s\t%s",
			v.Version, v.WireID(), state, v.PublishedAt.Format(time.RFC3339), oneLine(v.PublishedBy), comment), "\t"))
	}
	return table(out, "VERSION\tID\tSTATE\tPUBLISHED\tBY\tCOMMENT", rows...)
}

func rulesShowCommand() *cobra.Command {
	var account, version string
	c := new(operator).command(&cobra.Command{
		Use:   "show --account ACCOUNT_ID [--version VERSION_ID]",
		Short: "Show a version of an account's rules as YAML; without a version, the one in force",
		Long: `Show a version of an account's rules as YAML; without --version, the one in force.
What it prints is a rule file: edit it and publish it again. Comments of the file that
was published are not kept.`,
		Args: cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, _ []string) error {
		records, _, err := accountRecords(ctx, store, account)
		if err != nil {
			return err
		}
		found, err := records.RuleSet(ctx, account, version)
		if err != nil {
			return ruleSetError(err, account, version)
		}
		set, _, err := published(found)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "# %s\n# %s\n%s", versionText(found), publicationText(found), set.YAML())
		return err
	})
	accountFlag(c, &account)
	versionFlag(c, &version)
	return c
}

func versionFlag(c *cobra.Command, version *string) {
	c.Flags().StringVar(version, "version", "", "a version, rul_…, instead of the one in force; `starter rules list` shows them")
}

// ruleSetError says what to do when a rule set is not there.
func ruleSetError(err error, account, version string) error {
	switch {
	case !notFound(err):
		return err
	case version == "":
		return fmt.Errorf("account %s has no rules in force; `starter rules publish` puts some in force", account)
	}
	return fmt.Errorf("account %s has no version %s; `starter rules list --account %s` shows its versions", account, version, account)
}
