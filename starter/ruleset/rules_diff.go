package ruleset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"requisite/internal/config"
	"requisite/internal/rules/changes"
	"requisite/internal/rules/requirement"
	"requisite/internal/text/visible"
	"requisite/starter/cli"
)

// Exit codes of `starter rules diff`, which are diff's.
const (
	ExitDifferent   = 1
	ExitNotCompared = 2
)

func rulesDiffCommand() *cobra.Command {
	var o cli.Operator
	var account, version string
	c := &cobra.Command{
		Use:   "diff FILE --account ACCOUNT_ID | diff OLD_FILE NEW_FILE",
		Short: "Compare a rule set with the version in force, or two files",
		Long: `Show what a rule set would change: documents, findings, definitions, lists
and examples that are added (+), removed (-) or changed (~), and facts that
rules would need from then on. A workflow that lacks such a fact gets a gap.

With --account it compares the file with the version in force, or with
--version. With two files, the first is the old one, and it needs no database.

Exit codes, as of diff: 0 no difference, 1 a difference, 2 it could not compare
them, 3 a file has problems.`,
		Args: cobra.RangeArgs(1, 2),
	}
	o.BindDatabase(c.Flags())
	accountFlag(c, &account)
	versionFlag(c, &version)
	c.PreRunE = config.Load
	c.RunE = func(c *cobra.Command, args []string) error {
		before, after, err := sides(c.Context(), &o, c.OutOrStdout(), args, account, version)
		if err != nil {
			return err
		}
		differs := printDiff(c.OutOrStdout(), before, after)
		printFailing(c.OutOrStdout(), after.title, after.failing)
		if differs {
			return &cli.ExitError{Code: ExitDifferent}
		}
		return nil
	}
	useExitCodesOfDiff(c)
	return c
}

// useExitCodesOfDiff gives errors an exit code that differs from the one of a difference.
func useExitCodesOfDiff(c *cobra.Command) {
	coded := func(err error) error {
		var known *cli.ExitError
		if err == nil || errors.Is(err, cli.ErrRefused) || errors.As(err, &known) {
			return err
		}
		return &cli.ExitError{Code: ExitNotCompared, Err: err}
	}
	args, load, run := c.Args, c.PreRunE, c.RunE
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return coded(err) })
	c.Args = func(c *cobra.Command, given []string) error { return coded(args(c, given)) }
	c.PreRunE = func(c *cobra.Command, given []string) error { return coded(load(c, given)) }
	c.RunE = func(c *cobra.Command, given []string) error { return coded(run(c, given)) }
}

// side is one of the two rule sets that are compared.
type side struct {
	title   string
	set     requirement.RuleSet
	program *requirement.Program
	failing []requirement.FailingExample
}

// sides reads the old and the new rule set.
func sides(ctx context.Context, o *cli.Operator, out io.Writer, args []string, account, version string) (before, after side, err error) {
	switch {
	case len(args) == 2 && (account != "" || version != ""):
		return side{}, side{}, errors.New("two files are compared without --account and --version")
	case len(args) == 1 && account == "":
		return side{}, side{}, errors.New("give --account, or a second file to compare with")
	}
	last := len(args) - 1
	if after, err = fileSide(out, args[last]); err != nil {
		return side{}, side{}, err
	}
	if last == 1 {
		before, err = fileSide(out, args[0])
	} else {
		before, err = publishedSide(ctx, o, account, version)
	}
	return before, after, err
}

func fileSide(out io.Writer, path string) (side, error) {
	found, err := readDraft(out, path)
	return side{path, found.Set, found.Program, found.Failing}, err
}

// publishedSide is a version of an account's rules. If none is in force, it is a rule set
// without documents, because the service evaluates that.
func publishedSide(ctx context.Context, o *cli.Operator, account, version string) (side, error) {
	store, err := o.Open(ctx, 0)
	if err != nil {
		return side{}, err
	}
	defer store.Close()
	records, accountID, err := accountRecords(ctx, store, account)
	if err != nil {
		return side{}, err
	}
	found, err := findRuleSet(ctx, records, accountID, version)
	switch {
	case errors.Is(err, errNoneInForce):
		program, _ := requirement.Compile(requirement.RuleSet{}, requirement.Options{})
		return side{"no rules in force", requirement.RuleSet{}, program, nil}, nil
	case err != nil:
		return side{}, err
	}
	set, program, err := published(ctx, found.Publication)
	return side{versionText(found.Publication), set, program, nil}, err
}

// printDiff prints what differs and reports whether anything does.
func printDiff(out io.Writer, before, after side) bool {
	d := changes.Compare(before.set, after.set)
	if d.Empty() {
		fmt.Fprintf(out, "%s and %s have the same content\n", before.title, after.title)
		return false
	}
	fmt.Fprintf(out, "--- %s\n+++ %s\n\n", before.title, after.title)
	for _, f := range d.Facts {
		fmt.Fprintf(out, "%s fact %s\n", mark(f.New, f.Gone), f.Name)
		printFields(out, f.Fields)
	}
	for _, rule := range d.Added {
		fmt.Fprintf(out, "+ %s: %s\n", ruleText(rule.RuleKey), visible.Line(rule.Name))
		if rule.Finding != nil {
			printLines(out, "    ", "kind: "+string(rule.Finding.Kind))
		}
		printLines(out, "    ", "when: "+conditionText(rule.When))
	}
	for _, rule := range d.Removed {
		fmt.Fprintf(out, "- %s: %s\n", ruleText(rule.RuleKey), visible.Line(rule.Name))
	}
	for _, rule := range d.Changed {
		fmt.Fprintf(out, "~ %s\n", ruleText(rule.RuleKey))
		printFields(out, rule.Fields)
	}
	for _, c := range d.Definitions {
		fmt.Fprintf(out, "%s definition %s\n", mark(c.Old == "", c.New == ""), c.Name)
		printLines(out, "    - ", strings.TrimSpace(c.Old))
		printLines(out, "    + ", strings.TrimSpace(c.New))
	}
	printListChanges(out, d.Lists)
	for _, e := range d.Examples {
		fmt.Fprintf(out, "%s example %q\n", mark(e.New, e.Gone), e.Name)
	}
	if d.Reordered {
		fmt.Fprintln(out, "~ the order of facts, documents, findings or examples, which changes no result")
	}
	printTexts(out, before.set, after.set)
	printNeeds(out, before.program, after.program)
	return true
}

// printTexts names the documents whose approvals no longer match the text of the new rules.
func printTexts(out io.Writer, before, after requirement.RuleSet) {
	var codes []string
	for _, was := range before.Documents {
		for _, is := range after.Documents {
			if was.DocumentTypeCode == is.DocumentTypeCode && was.EntityType == is.EntityType && !was.DocumentText().Same(is.DocumentText()) {
				codes = append(codes, is.DocumentTypeCode)
			}
		}
	}
	if slices.Sort(codes); len(codes) > 0 {
		fmt.Fprintf(out, "\n%s: %s. Approvals of the earlier text return to review, unless --keep-approvals keeps them; rules preview counts them.\n",
			cli.Counted(len(codes), "changed text"), strings.Join(slices.Compact(codes), ", "))
	}
}

func ruleText(of requirement.RuleKey) string {
	if of.FindingCode != "" {
		return fmt.Sprintf("finding %s (%s)", of.FindingCode, of.EntityType)
	}
	return fmt.Sprintf("document %s (%s)", of.DocumentTypeCode, of.EntityType)
}

func printFields(out io.Writer, fields []changes.FieldChange) {
	for _, f := range fields {
		if f.Field == "when" {
			f.Old, f.New = conditionText(f.Old), conditionText(f.New)
		}
		fmt.Fprintf(out, "    %s\n", f.Field)
		printLines(out, "    - ", f.Old)
		printLines(out, "    + ", f.New)
	}
}

func conditionText(when string) string {
	if when == "" {
		return "always required"
	}
	return strings.TrimSpace(when)
}

// printLines prints each line of a text behind a prefix.
func printLines(out io.Writer, prefix, text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintln(out, prefix+strings.TrimRight(line, "\r\n"))
	}
}

func mark(isNew, gone bool) string {
	switch {
	case isNew:
		return "+"
	case gone:
		return "-"
	}
	return "~"
}

func printListChanges(out io.Writer, lists []changes.ListChange) {
	for _, l := range lists {
		fmt.Fprintf(out, "%s list %s\n", mark(l.New, l.Gone), l.Name)
		for _, entry := range l.Added {
			fmt.Fprintf(out, "    + %q\n", entry)
		}
		for _, entry := range l.Removed {
			fmt.Fprintf(out, "    - %q\n", entry)
		}
		if !l.New && !l.Gone && len(l.Added)+len(l.Removed) == 0 {
			fmt.Fprintln(out, "    the same entries in another order, which changes no result")
		}
	}
}

// printNeeds prints which facts are needed now and were not before, and vice
// versa.
func printNeeds(out io.Writer, before, after *requirement.Program) {
	tell := func(title string, p, other *requirement.Program) {
		needed := other.GapNames()
		for _, name := range p.GapNames() {
			if slices.Contains(needed, name) {
				continue
			}
			if title != "" {
				fmt.Fprintf(out, "\n%s\n", title)
				title = ""
			}
			fmt.Fprintf(out, "    %s, by %s\n", name, strings.Join(p.NeededBy(name), ", "))
		}
	}
	tell("Facts needed from now on, which are new gaps wherever they are not on file:", after, before)
	tell("Facts not needed any more:", before, after)
}
