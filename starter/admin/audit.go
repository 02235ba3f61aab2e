package admin

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/store"
	"requisite/starter/cli"
)

// AuditCommand lists the changes of operators.
func AuditCommand() *cobra.Command {
	c := &cobra.Command{Use: "audit", Short: "List what operators have changed"}
	c.AddCommand(auditListCommand())
	return c
}

func auditListCommand() *cobra.Command {
	var about, since string
	var limit int
	var l cli.List
	var c *cobra.Command
	c = new(cli.Operator).Command(&cobra.Command{
		Use:   "list",
		Short: "List the changing commands of operators, newest first",
		Long: `List the changing commands of operators, newest first: who (--as,
REQUISITE_OPERATOR, or the user of the machine), as which role of the database,
when, about which ids (20 at most), and with which outcome. A command without an
outcome runs, or was killed. It and one that FAILED may have done a part of its
work. The log keeps ids alone: no names, no comments and no values. Nothing
deletes it.`,
		Args: cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, st *store.Store, _ []string) error {
		from, err := cli.ParseTime("since", since)
		if err != nil {
			return err
		}
		if limit < 1 || limit > cli.MostListed {
			return fmt.Errorf("--limit must be a number from 1 to %d, not %d", cli.MostListed, limit)
		}
		found, err := st.Audit.List(ctx, about, from, limit+1)
		if err != nil {
			return err
		}
		var rows [][]any
		for _, a := range found[:min(len(found), limit)] {
			outcome := "-"
			if a.Outcome != nil {
				outcome = *a.Outcome
			}
			rows = append(rows, []any{a.StartedAt.UTC().Format(time.RFC3339), a.Operator, a.DatabaseRole, a.Command, outcome, strings.Join(a.Subjects, " ")})
		}
		if err := l.Print(out, "STARTED\tOPERATOR\tROLE\tCOMMAND\tOUTCOME\tABOUT", rows...); err != nil {
			return err
		}
		if len(found) > limit {
			l.More(c, "about")
		}
		return nil
	})
	l.Flag(c)
	c.Flags().StringVar(&about, "about", "", "only those about this `ID`")
	c.Flags().StringVar(&since, "since", "", "only those that began at this `TIME` or later, RFC 3339")
	c.Flags().IntVar(&limit, "limit", 50, fmt.Sprintf("how many to show, %d at most", cli.MostListed))
	return c
}
