package ruleset

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"requisite/internal/domain"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/text/visible"
	"requisite/starter/cli"
)

// explainOptions are the flags of `starter explain`.
type explainOptions struct {
	file, given, document string
	all, now, json        bool
}

func ExplainCommand() *cobra.Command {
	var f explainOptions
	c := new(cli.Operator).Command(&cobra.Command{
		Use:   "explain WORKFLOW_ID",
		Short: "Show how each rule arrived at its result for a workflow",
		Long: `Say when the documents of a workflow were decided, and by which version of the
rules. Then show how each rule of that version arrived at its result with the
facts of then, also for documents that are not required. Each evaluation is a
tree with its values, which marks parts that were not evaluated because the
result did not need them. Persons appear by name and id. Of those with the same
result it shows the first and counts the others, unless --all is given.

With --now it then shows what the rules in force would say today. --rules and
--facts try other rules or other facts, and say the same as --now. A workflow
that was never calculated has today's rules alone, until it ends. Nothing is
written.

Today's rules begin with the facts that they refer to: those on file, or those
of --facts. If the facts on file or those of the last calculation differ, it
shows them too. For a document that is no longer required, it shows the facts
that last required it.

If facts are missing, nothing is decided. It then shows the missing facts, the
documents that need them, and how to supply them.`,
		Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		e, err := f.explain(ctx, out, store, args[0])
		if err != nil {
			return err
		}
		if f.json {
			return e.json(ctx, out)
		}
		return e.text(ctx, out)
	})
	c.Flags().StringVar(&f.document, "document", "", "show only the rules of this document type code or finding code")
	c.Flags().BoolVar(&f.now, "now", false, "show also what the rules in force would say today")
	c.Flags().StringVar(&f.file, "rules", "", "show also what the rule set of this file would say today")
	c.Flags().StringVar(&f.given, "facts", "", "show also what the rules would say for the facts of this file, written as an example's facts")
	c.Flags().BoolVar(&f.all, "all", false, "show each person, not only the first of each result")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return c
}

// explainer evaluates one rule set for one workflow, and shows how.
type explainer struct {
	set      requirement.RuleSet
	program  *requirement.Program // nil without rules
	source   RuleSource
	facts    usedFacts
	names    requirement.Names
	document string // the code to show; empty for all
	all      bool   // each person, not only the first of each result
	// tell completes the text about gaps.
	tell func(context.Context, []fact.Gap) error
	// failed says why there is no result for the facts, where that is on record.
	failed string
}

// show limits what is shown to a document type code, unless that is empty.
func (e *explainer) show(document string, all bool) error {
	e.document, e.all = document, all
	if document != "" && !slices.Contains(e.codes(), document) {
		return &noDocumentError{document, e.codes()}
	}
	return nil
}

// noDocumentError says that rules have no such document.
type noDocumentError struct {
	code  string
	codes []string
}

func (e *noDocumentError) Error() string {
	return fmt.Sprintf("--document: the rules have no %s; their codes are %s", visible.Line(e.code), strings.Join(e.codes, ", "))
}

// RuleSource is where the rules come from: a version, a file, or nowhere.
type RuleSource struct {
	VersionID string `json:"version_id,omitempty"`
	Version   int    `json:"version,omitempty"`
	File      string `json:"file,omitempty"`
}

func (s RuleSource) String() string {
	switch {
	case s.File != "":
		return s.File
	case s.VersionID != "":
		return fmt.Sprintf("version %d (%s)", s.Version, s.VersionID)
	}
	return "none in force"
}

// currentExplainer explains a workflow as it stands now, by the rules in force or by the rules in
// a file.
func currentExplainer(ctx context.Context, out io.Writer, store *store.Store, w domain.Workflow, snapshot calculation.Snapshot, f explainOptions) (*explainer, error) {
	e := &explainer{}
	if f.file != "" {
		e.source.File = f.file
		found, err := ReadRuleSet(out, f.file)
		if err != nil {
			return nil, err
		}
		e.set, e.program = found.Set, found.Program
	}
	e.tell = func(ctx context.Context, gaps []fact.Gap) error {
		snapshot.Facts = e.facts.used
		return explainMissingScore(ctx, store, snapshot, gaps)
	}
	if f.file == "" && snapshot.RuleSet != nil {
		found, err := store.RuleSetByID(ctx, snapshot.Scope, snapshot.RuleSet.ID)
		if err == nil {
			err = e.use(ctx, found)
		}
		if err != nil {
			return nil, err
		}
	}
	table := fact.BuiltIn
	if e.program != nil {
		table = e.program.Table()
	}
	var err error
	if e.names, err = store.Records(snapshot.Scope).Names(ctx, w.WireID()); err != nil {
		return nil, err
	}
	if e.facts, err = currentFacts(ctx, out, store.Records(snapshot.Scope), w, snapshot, f.given, table); err != nil {
		return nil, err
	}
	return e, e.show(f.document, f.all)
}

// use makes a published version the rules that are shown.
func (e *explainer) use(ctx context.Context, p calculation.Publication) (err error) {
	e.source = RuleSource{VersionID: p.WireID().String(), Version: p.Version}
	e.set, e.program, err = published(ctx, p)
	return err
}

func (e *explainer) codes() []string {
	var codes []string
	for _, rule := range e.set.Rules() {
		codes = append(codes, rule.Code())
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// each calls show for each evaluation to show, or returns the gaps.
func (e *explainer) each(ctx context.Context, see func(ShownRule) error) ([]fact.Gap, error) {
	if e.program == nil || e.failed != "" {
		return nil, nil
	}
	var group resultGroup
	gaps, err := e.program.ExplainEach(ctx, e.facts.used, func(r requirement.RuleExplanation, steps func() *requirement.Step) error {
		if e.document != "" && r.Code() != e.document {
			return nil
		}
		if e.all {
			r.Steps = steps()
			return see(ShownRule{RuleExplanation: r})
		}
		if group.path != r.Path {
			if err := group.show(see); err != nil {
				return err
			}
			group = resultGroup{path: r.Path}
		}
		group.add(r, steps)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(gaps) > 0 {
		return gaps, e.tell(ctx, gaps)
	}
	return nil, group.show(see)
}

// explainMissingScore adds the gaps of pricing to the gap of a missing score.
func explainMissingScore(ctx context.Context, store *store.Store, snapshot calculation.Snapshot, gaps []fact.Gap) error {
	gap := fact.ScoreGap(gaps)
	if gap == nil {
		return nil
	}
	var model *requirement.Pricing
	if snapshot.PricingModel != nil {
		found, err := store.PricingModelByID(ctx, snapshot.Scope, snapshot.PricingModel.ID)
		if err != nil {
			return err
		}
		if model, err = publishedPricing(ctx, found); err != nil {
			return err
		}
	}
	return requirement.ExplainScoreGap(gap, model, snapshot.Facts)
}

// ShownRule is the evaluation of a rule for an entity, with the ids of other entities with
// the same result.
type ShownRule struct {
	requirement.RuleExplanation
	Same []string `json:"same_result_for,omitempty"`
}

// resultGroup is one rule's evaluation for all of its entities, by result.
type resultGroup struct {
	path    string
	results []*ShownRule
}

func (g *resultGroup) add(r requirement.RuleExplanation, steps func() *requirement.Step) {
	for _, known := range g.results {
		if known.Required == r.Required {
			known.Same = append(known.Same, r.EntityID)
			return
		}
	}
	r.Steps = steps()
	g.results = append(g.results, &ShownRule{RuleExplanation: r})
}

func (g *resultGroup) show(see func(ShownRule) error) error {
	for _, result := range g.results {
		if err := see(*result); err != nil {
			return err
		}
	}
	return nil
}

func (e *explainer) text(ctx context.Context, out io.Writer) error {
	fmt.Fprintf(out, "Rules: %s\n", e.source)
	if e.program == nil {
		fmt.Fprintln(out, "\nWithout rules nothing is required.")
		return nil
	}
	e.facts.print(out, e.program)
	if e.statedNoPersons() {
		fmt.Fprintln(out, "Persons: none, as the business has stated (no_persons_attested)")
	}
	if e.failed != "" {
		fmt.Fprintf(out, "\nNothing is decided: %s\n", visible.Line(e.failed))
		return nil
	}
	documents, findings := resultCount{"document", "required", 0, 0}, resultCount{"finding", "found", 0, 0}
	gaps, err := e.each(ctx, func(r ShownRule) error {
		if r.FindingCode != "" {
			findings.add(r)
		} else {
			documents.add(r)
		}
		fmt.Fprintln(out)
		if r.Steps != nil {
			r.Steps = new(namedElements(*r.Steps, e.names))
		}
		PrintRule(out, "", e.entityText(r.EntityType, r.EntityID), r.RuleExplanation, e.all)
		if r.Explanation != "" {
			fmt.Fprintf(out, "  for the applicant: %s\n", r.Explanation)
		}
		if len(r.Same) > 0 {
			named := slices.Clone(r.Same[:min(len(r.Same), shownPersons)])
			for i, id := range named {
				named[i] = e.names.Full(requirement.Entity{Type: r.EntityType, ID: id})
			}
			fmt.Fprintf(out, "  and %s of %s more, such as %s; --all shows each\n", answer(r.RuleExplanation), cli.Counted(len(r.Same), "person"), strings.Join(named, ", "))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(gaps) > 0 {
		printGaps(out, e.program, gaps)
		return nil
	}
	if codes := e.personCodes(); e.statedNoPersons() && len(codes) > 0 {
		fmt.Fprintf(out, "\nOf each person, and so of nobody: %s\n", strings.Join(codes, ", "))
	}
	fmt.Fprintf(out, "\n%s", documents)
	if findings.shown > 0 {
		fmt.Fprintf(out, "; %s", findings)
	}
	fmt.Fprintln(out)
	return nil
}

// resultCount counts the rules that were shown, and those that hold.
type resultCount struct {
	of, word    string
	shown, hold int
}

func (c *resultCount) add(r ShownRule) {
	c.shown += 1 + len(r.Same)
	if r.Required {
		c.hold += 1 + len(r.Same)
	}
}

func (c resultCount) String() string {
	return fmt.Sprintf("%s evaluated, %d %s", cli.Counted(c.shown, c.of), c.hold, c.word)
}

func (e *explainer) entityText(entityType, id string) string {
	return entityText(entityType, e.names.Full(requirement.Entity{Type: entityType, ID: id}))
}

// statedNoPersons reports whether the business has stated that it has no persons.
func (e *explainer) statedNoPersons() bool {
	return e.facts.used.NoPersonsAttested && len(e.facts.used.Persons) == 0
}

// personCodes are the codes of the shown documents and findings of each person.
func (e *explainer) personCodes() []string {
	var codes []string
	for _, rule := range e.set.Rules() {
		if rule.EntityType == fact.EntityPerson && (e.document == "" || e.document == rule.Code()) {
			codes = append(codes, rule.Code())
		}
	}
	return codes
}

// printGaps prints the missing facts, the documents that need them, and how to supply them.
func printGaps(out io.Writer, program *requirement.Program, gaps []fact.Gap) {
	if len(gaps) == 0 {
		return
	}
	fmt.Fprintf(out, "\nNothing is decided while facts are missing (%d):\n", len(gaps))
	for _, gap := range gaps {
		fmt.Fprintf(out, "  %s of %s, needed by %s\n", gap.Fact, gap.EntityID, strings.Join(program.NeededBy(gap.Fact), ", "))
		for line := range cli.Wrapped(gap.Message, 90) {
			fmt.Fprintf(out, "      %s\n", line)
		}
		printPricingMissing(out, gap.PricingMissing)
	}
}

// shownPricingMissing limits the printed gaps of pricing. The message has listed their kinds.
const shownPricingMissing = 10

func printPricingMissing(out io.Writer, gaps []fact.Gap) {
	for _, gap := range gaps[:min(len(gaps), shownPricingMissing)] {
		fmt.Fprintf(out, "      pricing_missing: %s of %s\n", gap.Lacks(), gap.EntityID)
		for line := range cli.Wrapped(gap.Message, 86) {
			fmt.Fprintf(out, "          %s\n", line)
		}
	}
	if more := len(gaps) - shownPricingMissing; more > 0 {
		fmt.Fprintf(out, "      pricing_missing: … and %d more\n", more)
	}
}

// ExplainedGap is a gap with its fact and the documents that need it.
type ExplainedGap struct {
	Fact     string   `json:"fact"`
	NeededBy []string `json:"needed_by"`
	fact.Gap
}

// json prints one object, which begins with the fields of head. It writes each rule after its
// evaluation, because all steps together may need much memory.
func (e *explainer) json(ctx context.Context, out io.Writer, head any) error {
	begin, err := plainJSON(head)
	if err != nil {
		return err
	}
	rest, err := plainJSON(struct {
		RuleSet RuleSource  `json:"rule_set"`
		Facts   factsReport `json:"facts"`
		// NoPersonsAttested explains why rules about persons hold of nobody.
		NoPersonsAttested bool `json:"no_persons_attested"`
	}{e.source, e.facts.report(e.program), e.statedNoPersons()})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s,%s,\n\"rules\": [", begin[:len(begin)-1], rest[1:len(rest)-1])
	separator := "\n"
	gaps, err := e.each(ctx, func(r ShownRule) error {
		text, err := plainJSON(r)
		if err != nil {
			return fmt.Errorf("write the explanation of %s: %w", r.Path, err)
		}
		_, err = fmt.Fprintf(out, "%s%s", separator, text)
		separator = ",\n"
		return err
	})
	if err != nil {
		return err
	}
	missing := []ExplainedGap{}
	for _, gap := range gaps {
		missing = append(missing, ExplainedGap{gap.Fact, e.program.NeededBy(gap.Fact), gap})
	}
	text, err := plainJSON(missing)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "],\n\"gaps\": %s}\n", text)
	return err
}

// plainJSON is JSON on one line in which < and > stay as they are.
func plainJSON(v any) (string, error) {
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSuffix(text.String(), "\n"), err
}
