package ruleset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"requisite/internal/rules/author"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/text/visible"
	"requisite/starter/cli"
)

func rulesTestCommand() *cobra.Command {
	var verbose, coverage bool
	var accept string
	c := &cobra.Command{
		Use:   "test FILE...",
		Short: "Run the examples of rule sets, as tests",
		Long: `Run the examples of rule sets, as tests. It needs no database.

For an example that fails, it shows what only the example expects (-), what only
the rules give (+), and how the rules decided each of these documents.

With --coverage it lists what the examples do not try: rules that no example or
every example requires, and thresholds with no example at them or beyond.

--accept writes what the rules give into the file, as the expectation of the one
example of that name. Look at the difference first: the rules may be wrong.

Exit codes: 0 all examples hold, 1 an example fails or a file cannot be tested.`,
		Example: "  starter rules test -v examples/rules/*.yaml",
		Args:    cobra.MinimumNArgs(1),
	}
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "show the examples that hold, too")
	c.Flags().BoolVar(&coverage, "coverage", false, "list the rules and thresholds that no example tries")
	c.Flags().StringVar(&accept, "accept", "", "rewrite the expectation of the example with this `NAME`, in one file")
	c.RunE = func(c *cobra.Command, args []string) error {
		if accept != "" {
			if len(args) != 1 {
				return errors.New("--accept rewrites one example of one file: name one file")
			}
			return acceptExample(c.Context(), c.OutOrStdout(), args[0], accept)
		}
		t := exampleTest{ctx: c.Context(), out: c.OutOrStdout(), verbose: verbose, coverage: coverage}
		for _, path := range args {
			if err := t.file(path); err != nil {
				return err
			}
		}
		return t.verdict()
	}
	return c
}

// exampleTest is one run of `starter rules test`.
type exampleTest struct {
	ctx               context.Context
	out               io.Writer
	verbose, coverage bool

	ran, failed, unreadable int
}

func (t *exampleTest) file(path string) error {
	source, err := openFile(path)
	if err != nil {
		return err
	}
	came, problems := author.RunExamples(t.ctx, source)
	results := came.Results
	if len(problems) > 0 {
		t.unreadable++
		_ = report(t.out, path, problems) // t.unreadable counts it
		fmt.Fprintf(t.out, "FAIL  %s: it cannot be tested\n", path)
		return nil
	}
	failed := 0
	for _, result := range results {
		if result.Failure != "" {
			failed++
			printFailure(t.out, fmt.Sprintf("%s:%d:%d", path, result.Line, result.Column), result)
		} else if t.verbose {
			fmt.Fprintf(t.out, "ok    %s\n", visible.Line(result.Name))
		}
	}
	t.ran += len(results)
	t.failed += failed
	switch {
	case failed > 0:
		fmt.Fprintf(t.out, "FAIL  %s: %d of %s failed\n", path, failed, cli.Counted(len(results), "example"))
	case len(results) == 0:
		fmt.Fprintf(t.out, "?     %s: no examples\n", path)
	default:
		fmt.Fprintf(t.out, "ok    %s: %s\n", path, cli.Counted(len(results), "example"))
	}
	if t.coverage {
		printUntried(t.out, path, came.Untried)
	}
	return t.ctx.Err()
}

// printUntried lists the rules and thresholds that the examples of a file do not try.
func printUntried(out io.Writer, path string, untried []requirement.Problem) {
	for _, u := range untried {
		fmt.Fprintf(out, "      untried %s: %s\n", position(path, u), u.Message)
	}
	if len(untried) == 0 {
		fmt.Fprintln(out, "      nothing is untried: each rule is true and false, and each threshold stood on")
	}
}

// printFailure shows an example that does not hold, as a difference.
func printFailure(out io.Writer, position string, r requirement.ExampleResult) {
	fmt.Fprintf(out, "FAIL  %s\n      %s\n", visible.Line(r.Name), position)
	if len(r.Missing)+len(r.Unexpected) == 0 {
		fmt.Fprintf(out, "      %s\n", r.Failure)
		return
	}
	fmt.Fprintln(out, "      - expected   + given by the rules")
	for _, difference := range r.Missing {
		fmt.Fprintf(out, "      - %s\n", differenceText(difference))
	}
	for _, difference := range r.Unexpected {
		fmt.Fprintf(out, "      + %s\n", differenceText(difference))
	}
	for _, rule := range r.Rules {
		entity := rule.EntityID // an example has one workflow and one business, with these names as ids
		if rule.EntityType == fact.EntityPerson {
			entity = entityText(rule.EntityType, rule.EntityID)
		}
		PrintRule(out, "      ", entity, rule, true)
	}
}

func differenceText(d requirement.Difference) string {
	if len(d.NeededBy) == 0 {
		return d.Text
	}
	return d.Text + " (needed by " + strings.Join(d.NeededBy, ", ") + ")"
}

// verdict prints the totals. It is an error if an example failed, or a file was unreadable.
func (t *exampleTest) verdict() error {
	fmt.Fprintf(t.out, "\n%s: %d ok, %d failed", cli.Counted(t.ran, "example"), t.ran-t.failed, t.failed)
	if t.unreadable > 0 {
		fmt.Fprintf(t.out, "; %s that cannot be tested", cli.Counted(t.unreadable, "file"))
	}
	fmt.Fprintln(t.out)
	if t.failed+t.unreadable > 0 {
		return &cli.ExitError{Code: cli.ExitFailed}
	}
	return nil
}
