// Package ruleset has the commands for authors of rules: validate, test, diff, preview,
// backtest, publish, propose, approve, list and get.
package ruleset

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	requisite "requisite/clients/go"
	"requisite/docs"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/author"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/internal/store"
	"requisite/internal/text/visible"
	"requisite/starter/cli"
)

// openFile reads a file, which is JSON if its name says so, and YAML otherwise. It reads at most
// one byte more than a rule file may have, so that the parser can refuse a larger file.
func openFile(path string) (*rulefile.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, requirement.MaxSourceBytes+1))
	if err != nil {
		return nil, err
	}
	if isJSON(path) {
		return rulefile.JSONFile(data), nil
	}
	return rulefile.YAMLFile(data), nil
}

func isJSON(path string) bool { return strings.EqualFold(filepath.Ext(path), ".json") }

// report prints problems as path:line:column, a form that editors understand. It returns nil if there are none.
func report(out io.Writer, path string, problems []requirement.Problem) error {
	if len(problems) == 0 {
		return nil
	}
	for _, p := range problems {
		fmt.Fprintln(out, position(path, p)+": "+p.Message)
	}
	return cli.ErrRefused
}

// warn prints warnings and hints as report prints problems.
func warn(out io.Writer, path string, warnings []requirement.Problem) {
	for _, w := range warnings {
		at := w.Path
		w.Path = strings.ToLower(string(w.Severity))
		fmt.Fprintf(out, "%s: %s: %s\n", position(path, w), at, w.Message)
	}
}

func position(path string, p requirement.Problem) string {
	for _, n := range []int{p.Line, p.Column} {
		if n > 0 {
			path += fmt.Sprintf(":%d", n)
		}
	}
	if p.Path != "" {
		path += ": " + p.Path
	}
	return path
}

// ReadRuleSet checks a file of rules, and prints its problems. Beside examples that fail it prints the warnings, which may say why.
func ReadRuleSet(out io.Writer, path string) (author.Checked, error) {
	file, err := openFile(path)
	if err != nil {
		return author.Checked{}, err
	}
	found := author.CheckRuleSet(file)
	if len(found.Problems) > 0 { // hints would only divert from them
		warn(out, path, slices.DeleteFunc(found.Warnings, func(w requirement.Problem) bool { return w.Severity != rulefile.SeverityWarning }))
	}
	return found, report(out, path, found.Problems)
}

// readDraft is ReadRuleSet for a preview or a backtest, in which examples may fail.
func readDraft(out io.Writer, path string) (author.Checked, error) {
	file, err := openFile(path)
	if err != nil {
		return author.Checked{}, err
	}
	found := author.CheckDraft(file)
	return found, report(out, path, found.Problems)
}

// printFailing names the examples of a draft that fail.
func printFailing(out io.Writer, path string, failing []requirement.FailingExample) {
	if len(failing) == 0 {
		return
	}
	verb := "fail"
	if len(failing) == 1 {
		verb = "fails"
	}
	fmt.Fprintf(out, "\n%s %s, so %s cannot be published yet:\n", cli.Counted(len(failing), "example"), verb, path)
	for _, f := range failing {
		for line := range cli.Wrapped(visible.Line(f.Message), 90) {
			fmt.Fprintf(out, "  %s\n", line)
		}
	}
}

func RulesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "rules",
		Short: "Check, test, compare, try, publish and show rule sets",
		Long: `Check, test, compare, try, publish and show rule sets.

Rule sets are YAML or JSON files. On the way to publication:

  starter rules validate FILE                check the rules, list their facts
  starter rules test FILE                    run the examples
  starter rules diff FILE --account ID       compare with the version in force
  starter rules preview FILE --account ID    try it on the open workflows
  starter rules backtest FILE --account ID   try it on past applications
  starter rules publish FILE --account ID    put it in force

Or by two persons, where the account needs it:

  starter rules propose FILE --account ID    propose it
  starter rules proposals PROPOSAL_ID        read what is proposed
  starter rules approve PROPOSAL_ID          put it in force
  starter rules reject PROPOSAL_ID           do not

Afterwards "starter rules list" shows who put what in force and why, and
"starter decision show WORKFLOW_ID --steps" how each rule came to its result.`,
	}
	c.AddCommand(
		BacktestCommand(), rulesDiffCommand(), rulesPreviewCommand(), rulesPublishCommand(),
		rulesProposeCommand(), rulesApproveCommand(), rulesRejectCommand(), rulesProposalsCommand(),
		rulesGetCommand(), rulesListCommand(), rulesTestCommand(), rulesValidateCommand(),
		schemaCommand("rule set", docs.RulesSchema),
	)
	return c
}

func rulesValidateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate FILE",
		Short: "Check a rule set (YAML or JSON) and its examples",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			found, err := ReadRuleSet(c.OutOrStdout(), args[0])
			if err != nil {
				return err
			}
			warn(c.OutOrStdout(), args[0], found.Warnings)
			findings := ""
			if n := len(found.Set.Findings); n > 0 {
				findings = fmt.Sprintf(" %d finding(s),", n)
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: %d document(s),%s %d example(s) hold; facts needed: %s\n",
				args[0], len(found.Set.Documents), findings, len(found.Set.Examples), neededFacts(found.Program.FactNames(), found.Set.Facts))
			return nil
		},
	}
}

// neededFacts lists the facts that rules use, and marks those with a default, which are optional, or
// are only asked for under a condition.
func neededFacts(names []string, declared []fact.Declaration) string {
	var listed []string
	for _, name := range names {
		at := slices.IndexFunc(declared, func(d fact.Declaration) bool {
			return d.Default != nil && strings.TrimPrefix(name, fact.NamePerson+".") == fact.NameCustom+"."+d.Name
		})
		switch {
		case at < 0:
		case declared[at].AskedWhen != "":
			name += " (asked when " + strings.Join(strings.Fields(declared[at].AskedWhen), " ") + ")"
		default:
			name += " (has a default)"
		}
		listed = append(listed, name)
	}
	return strings.Join(listed, ", ")
}

// byWhom is a paragraph of the help of commands that call the API.
const byWhom = `It takes a credential, as "starter call" does. An operator of the database gives
--as-operator ACCOUNT_ID and --as NAME instead.`

// draftFlags say when rules come into force, and why.
type draftFlags struct {
	comment, from string
	onlyNew       bool
	keep          []string
}

func keepFlag(flags *pflag.FlagSet, keep *[]string) {
	flags.StringSliceVar(keep, "keep-approvals", nil, "`CODES` whose approvals hold although their text changes; '*' is all")
}

// command makes a command that sends a file of rules to an operation.
func (f *draftFlags) command(c *cobra.Command, operation string, comment bool, say cli.Say) *cobra.Command {
	var caller cli.Caller
	var account string
	caller.Bind(c)
	accountFlag(c, &account)
	c.MarkFlagsMutuallyExclusive("account", "as-operator")
	flags := c.Flags()
	flags.StringVar(&f.comment, "comment", "", "why; the version keeps it")
	flags.StringVar(&f.from, "effective-from", "", "the first `DAY` in force, in the account's time zone; without it, at once")
	flags.BoolVar(&f.onlyNew, "new-applications", false, "only for applications that are opened from then on")
	keepFlag(flags, &f.keep)
	c.Args = cobra.ExactArgs(1)
	c.RunE = func(c *cobra.Command, args []string) error {
		if comment && f.comment == "" {
			return errNoComment
		}
		account := cmp.Or(caller.Account, account)
		if account == "" {
			return cli.ErrNoAccount
		}
		out := c.OutOrStdout()
		if caller.Account == "" { // with a credential, standard output is the answer in JSON
			out = c.ErrOrStderr()
		}
		body, err := f.request(out, args[0], account)
		if err != nil {
			return err
		}
		return caller.Call(c, account, operation, body, say)
	}
	return c
}

// request makes a request with the rules of a file, and prints their problems and warnings.
func (f *draftFlags) request(out io.Writer, path, account string) ([]byte, error) {
	found, err := ReadRuleSet(out, path)
	if err != nil {
		return nil, err
	}
	warn(out, path, found.Warnings)
	in := requisite.RulesPublishRequest{AccountID: account, Rules: json.RawMessage(found.Set.CanonicalJSON()), KeepApprovals: f.keep}
	if f.comment != "" {
		in.Comment = requisite.Set(f.comment)
	}
	if f.from != "" {
		if _, err := fact.ParseDate(f.from); err != nil {
			return nil, fmt.Errorf("--effective-from %s: write a date as 2027-01-31", visible.Line(f.from))
		}
		in.EffectiveFrom = &f.from
	}
	if f.onlyNew {
		in.AppliesTo = new(string(calculation.AppliesToNew))
	}
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false) // the size of a request is limited
	err = enc.Encode(in)
	return body.Bytes(), err
}

func rulesPublishCommand() *cobra.Command {
	var flags draftFlags
	return flags.command(&cobra.Command{
		Use:   "publish FILE --account ACCOUNT_ID",
		Short: "Put a rule set in force for an account, as a new immutable version",
		Long: `Put a rule set in force for an account, as a new immutable version: now, or
from a day on. If the newest version says the same, it makes no new one.
It replaces versions that were to come into force no earlier, for no more
workflows. The history keeps when it was published, by whom and why (--comment).

` + byWhom + `

Where the rules of an account need approval, use "starter rules propose".`,
	}, "account.documentRules.publish", false, func(ctx context.Context, out io.Writer, st *store.Store, scope domain.Scope, a requisite.Answer) error {
		changed, err := printPublished(ctx, out, st, scope, a)
		if err == nil && !changed && flags.comment != "" {
			fmt.Fprintln(out, "  the comment was not kept, because there is no new version")
		}
		return err
	})
}

func accountFlag(c *cobra.Command, account *string) {
	c.Flags().StringVar(account, "account", "", "the `ACCOUNT_ID`, lv_… or sb_…")
}

// accountRecords returns the records of the account that a flag names.
func accountRecords(ctx context.Context, store *store.Store, account string) (*store.Records, id.AccountID, error) {
	accountID, scope, err := cli.AccountScope(ctx, store.Scopes, account)
	if err != nil {
		return nil, id.AccountID{}, err
	}
	return store.Records(scope), accountID, nil
}

// published decodes a rule set that was checked when it was published.
func published(ctx context.Context, p calculation.Publication) (requirement.RuleSet, *requirement.Program, error) {
	set, problems := requirement.ParseStoredRuleSet([]byte(p.Content))
	var program *requirement.Program
	if len(problems) == 0 {
		var err error
		if program, problems, err = requirement.Load(ctx, set, p.Options()); err != nil {
			return requirement.RuleSet{}, nil, err
		}
	}
	if len(problems) > 0 {
		return requirement.RuleSet{}, nil, fmt.Errorf("%s does not compile any more: %s: %s", versionText(p), problems[0].Path, problems[0].Message)
	}
	return set, program, nil
}

func publishedPricing(ctx context.Context, p calculation.Publication) (*requirement.Pricing, error) {
	pricing, problems, err := requirement.LoadPricing(ctx, []byte(p.Content), p.Options())
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("pricing model %s does not compile any more: %s: %s", versionText(p), problems[0].Path, problems[0].Message)
	}
	return pricing, nil
}

func versionText(p calculation.Publication) string {
	return fmt.Sprintf("version %d (%s)", p.Version, p.WireID())
}

// forceText says when a version is in force, and for whom.
func forceText(f calculation.Validity) string {
	text := "is in force"
	if f.EffectiveFrom != nil {
		text = "is in force from " + *f.EffectiveFrom + " on"
	}
	if f.AppliesTo == calculation.AppliesToNew {
		text += " for new applications"
	}
	return text
}

// PublicationTexts returns texts about a version: when, by whom and why it was published, or proposed and approved.
func PublicationTexts(p calculation.Publication) []string {
	said := func(verb string, at time.Time, by string, why *string) string {
		text := fmt.Sprintf("%s %s by %s", verb, at.UTC().Format(time.RFC3339), visible.Line(by))
		if why != nil {
			text += ": " + visible.Line(*why)
		}
		return text
	}
	if p.ApprovedBy == nil {
		return []string{said("published", p.PublishedAt, p.PublishedBy, p.Comment)}
	}
	return []string{said("proposed", *p.ProposedAt, p.Proposer().String(), p.ProposalComment), said("approved", *p.ApprovedAt, p.Approver().String(), p.Comment)}
}

func publicationText(p calculation.Publication) string {
	return strings.Join(PublicationTexts(p), "; ")
}

func PricingCommand() *cobra.Command {
	c := &cobra.Command{Use: "pricing", Short: "Check and publish pricing models, which set evaluation_score"}
	c.AddCommand(schemaCommand("pricing model", docs.PricingSchema), pricingValidateCommand())
	var account, as string
	publish := new(cli.Operator).Command(cli.Changing(&cobra.Command{
		Use:   "publish FILE --account ACCOUNT_ID",
		Short: "Put a pricing model (YAML or JSON) in force for an account",
		Args:  cobra.ExactArgs(1),
	}), func(ctx context.Context, out io.Writer, st *store.Store, args []string) error {
		found, err := ReadPricing(out, args[0])
		if err != nil {
			return err
		}
		warn(out, args[0], found.Warnings)
		return PublishPricing(ctx, out, st, account, as, found.Model)
	})
	accountFlag(publish, &account)
	cli.AsFlag(publish.Flags(), &as)
	c.AddCommand(publish)
	return c
}

func pricingValidateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate FILE",
		Short: "Check a pricing model (YAML or JSON)",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			found, err := ReadPricing(c.OutOrStdout(), args[0])
			if err != nil {
				return err
			}
			warn(c.OutOrStdout(), args[0], found.Warnings)
			fmt.Fprintf(c.OutOrStdout(), "%s: base %s, %d rule(s); facts needed: %s\n",
				args[0], found.Model.Base, len(found.Model.Rules), neededFacts(found.Pricing.FactNames(), found.Model.Facts))
			return nil
		},
	}
}

// ReadPricing checks a file with a pricing model, and prints its problems.
func ReadPricing(out io.Writer, path string) (author.CheckedPricing, error) {
	file, err := openFile(path)
	if err != nil {
		return author.CheckedPricing{}, err
	}
	found := author.CheckPricingModel(file)
	return found, report(out, path, found.Problems)
}

// printPublished says which version an answer names, and whether it is new.
func printPublished(ctx context.Context, out io.Writer, st *store.Store, scope domain.Scope, a requisite.Answer) (changed bool, err error) {
	made := struct {
		ID      id.RuleSetVersionID `json:"version_id"`
		Changed bool
	}{Changed: true}
	if err := json.Unmarshal(a.Data, &made); err != nil {
		return false, err
	}
	p, err := st.Versions.RuleSetByID(ctx, scope, made.ID.UUID)
	if err != nil {
		return false, err
	}
	printVersion(out, p, made.Changed)
	printWarnings(out, a.Meta.Warnings)
	return made.Changed, nil
}

// printVersion prints whether a version is new, when it is in force, and who published it.
func printVersion(out io.Writer, p calculation.Publication, made bool) {
	already := ""
	if !made {
		already = " already, with the same content; nothing was published"
	}
	fmt.Fprintf(out, "%s %s%s\n  %s\n", versionText(p), forceText(p.Validity), already, publicationText(p))
}

func printWarnings(out io.Writer, warnings []requisite.Warning) {
	for _, w := range warnings {
		fmt.Fprintln(out, "  warning: "+w.Message)
	}
}

// PublishPricing puts a pricing model in force for an account.
func PublishPricing(ctx context.Context, out io.Writer, st *store.Store, account, as string, model requirement.PricingModel) error {
	actor, err := cli.OperatorActor(as)
	if err != nil {
		return err
	}
	accountID, scope, err := cli.AccountScope(ctx, st.Scopes, account)
	if err != nil {
		return err
	}
	var made store.Published
	_, err = st.Write(ctx, domain.Call{Scope: scope, Actor: actor}, func(r *store.Records) (any, error) {
		made, err = r.Rules.PublishPrices(ctx, accountID, calculation.NewDraft(model.CanonicalJSON()))
		return nil, err
	})
	if err == nil {
		printVersion(out, made.Publication, made.Changed)
	}
	return err
}
