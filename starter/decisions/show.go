package decisions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"requisite/api/server"
	"requisite/internal/decision"
	"requisite/internal/store"
	"requisite/internal/text/visible"
	"requisite/starter/cli"
	"requisite/starter/ruleset"
)

func showCommand() *cobra.Command {
	var f showFlags
	c := new(cli.Operator).Command(&cobra.Command{
		Use:   "show DECISION_ID | WORKFLOW_ID",
		Short: "Show a decision to an examiner, as it was made",
		Long: `Show a decision as it was made, whatever has changed since: the application, its
business and persons by name with the values on file then, the version of the
rules, and each document with its requirement, legal basis, reasons, evidence,
reviewer and what was approved. A refusal shows what was missing, a price its
points. An erased decision shows what is left. Digests and the commands that
verify them end it.

Only the external id and the account's name are those of today. Evidence is that
of the last update by hand before the decision.

With --html it writes one page without scripts or links, to print on A4 or to
read on a phone. It holds personal data: only its owner can read the file.

With --steps it shows how each rule of then arrived at its result, also for
documents that are not required. Each evaluation is a tree with its values, and
marks parts that were not evaluated because the result did not need them. Of
persons with the same result it shows the first and counts the others, unless
--all is given.

Of a workflow it shows the last calculation of its documents.`,
		Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		b, err := findDecision(ctx, store, args[0])
		if err != nil {
			return err
		}
		if f.json {
			return cli.PrintJSON(out, server.DecisionData(b.Recorded))
		}
		shown, err := b.build(ctx, f.document)
		if err != nil {
			return err
		}
		if f.html != "" {
			return writePage(out, f.html, shown)
		}
		shown.text(out)
		if f.steps {
			return b.steps(ctx, out, f)
		}
		return nil
	})
	c.Flags().StringVar(&f.document, "document", "", "only this document type code")
	c.Flags().BoolVar(&f.json, "json", false, "print what workflow.decision.get answers")
	c.Flags().StringVar(&f.html, "html", "", "write a page to this new `FILE`")
	c.Flags().BoolVar(&f.steps, "steps", false, "show also the evaluation of each rule")
	c.Flags().BoolVar(&f.all, "all", false, "with --steps, each person, not the first of each result")
	c.MarkFlagsMutuallyExclusive("json", "html", "steps")
	c.MarkFlagsMutuallyExclusive("json", "document")
	return c
}

type showFlags struct {
	document, html   string
	json, steps, all bool
}

// steps show the evaluation of a calculation.
func (b *builder) steps(ctx context.Context, out io.Writer, f showFlags) error {
	if b.Kind != decision.Calculation || b.OnFile == nil {
		fmt.Fprintln(out, "\nOnly a calculation that is not erased has an evaluation.")
		return nil
	}
	e, err := ruleset.Explain(ctx, b.store.Versions, b.scope, b.Recorded, f.document, f.all)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "\nEvaluation")
	if e.Gone {
		fmt.Fprintln(out, "The rules are not stored any more.")
		return nil
	}
	if e.Differs {
		fmt.Fprintln(out, "This program evaluates the rules otherwise than was decided. What was decided stands above.")
	}
	return e.Text(ctx, out)
}

// writePage writes the page to a new file, readable by its owner only.
func writePage(out io.Writer, path string, s *shownDecision) (err error) {
	var page bytes.Buffer
	if err := s.page(visible.NewWriter(&page)); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	_, err = page.WriteTo(file)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("--html: %w", errors.Join(err, os.Remove(path)))
	}
	fmt.Fprintf(out, "Decision %s is written to %s. It holds personal data.\n", s.DecisionID, visible.Line(path))
	return nil
}
