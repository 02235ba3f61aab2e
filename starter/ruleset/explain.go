package ruleset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/text/visible"
	"requisite/starter/cli"
)

// Explainer shows how each rule arrived at its result in a recorded calculation, with the rules and the facts of
// the calculation.
type Explainer struct {
	// Gone reports that the version of the rules is no longer stored, so nothing can be explained.
	Gone bool
	// Differs reports that the rules now give another result for the facts than the recorded one.
	Differs bool

	set      requirement.RuleSet
	program  *requirement.Program // nil without rules
	source   RuleSource
	facts    fact.Facts
	gaps     []fact.Gap // as the answer had them
	names    requirement.Names
	document string // the code to show; empty for all
	all      bool   // show each person, not only the first of each result
	// failed is the recorded reason why there is no result for the facts; empty if there is one.
	failed string
}

// Explain explains a calculation whose facts are on record. It shows the rules of a code, or all if that is empty.
func Explain(ctx context.Context, versions store.Versions, scope domain.Scope, d decision.Recorded, document string, all bool) (*Explainer, error) {
	facts, err := d.OnFile.Facts.ForRules(d.AsOf)
	if err != nil {
		return nil, fmt.Errorf("the facts of decision %s: %w", d.ID, err)
	}
	e := &Explainer{facts: facts, gaps: d.OnFile.Gaps, names: d.OnFile.Facts.Names(), document: document, all: all}
	if wrong := d.OnFile.Error; wrong != nil {
		e.failed = fmt.Sprintf("%s: %s", wrong.Code, wrong.Message)
	}
	if d.RuleSet == nil {
		return e, nil
	}
	found, err := versions.RuleSetByID(ctx, scope, d.RuleSet.ID.UUID)
	if errors.Is(err, calculation.ErrNoVersion) {
		e.Gone = true
		return e, nil
	}
	if err != nil {
		return nil, err
	}
	e.source = RuleSource{VersionID: found.WireID().String(), Version: found.Version}
	if e.set, e.program, err = published(ctx, found); err != nil {
		return nil, err
	}
	if codes := e.codes(); document != "" && !slices.Contains(codes, document) {
		return nil, fmt.Errorf("--document: the rules have no %s; their codes are %s", visible.Line(document), strings.Join(codes, ", "))
	}
	if e.failed == "" {
		err = e.compare(ctx, d)
	}
	return e, err
}

// compare finds out whether the rules still give the recorded result.
func (e *Explainer) compare(ctx context.Context, d decision.Recorded) error {
	found, err := e.program.Evaluate(ctx, e.facts)
	if requirement.Unanswerable(err) {
		e.Differs = true
		e.failed = err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	e.Differs = !slices.EqualFunc(found.Gaps, d.OnFile.Gaps, sameGap) || len(found.Gaps) == 0 &&
		!slices.EqualFunc(decision.ResultsOfRules(found), d.Evaluated, func(a, b decision.RuleResult) bool {
			return a.Rule == b.Rule && a.RuleKey() == b.RuleKey() && a.EntityID == b.EntityID && a.Holds == b.Holds
		})
	return nil
}

func sameGap(a, b fact.Gap) bool {
	sameField := func(a, b fact.MissingField) bool { return a.Field == b.Field && a.Type == b.Type }
	return a.Code == b.Code && a.EntityType == b.EntityType && a.EntityID == b.EntityID &&
		slices.EqualFunc(a.Missing, b.Missing, sameField)
}

// RuleSource is the version that rules come from. It is zero if no rules are in force.
type RuleSource struct {
	VersionID string `json:"version_id,omitempty"`
	Version   int    `json:"version,omitempty"`
}

func (s RuleSource) String() string {
	if s.VersionID != "" {
		return fmt.Sprintf("version %d (%s)", s.Version, s.VersionID)
	}
	return "none in force"
}

func (e *Explainer) codes() []string {
	var codes []string
	for _, rule := range e.set.Rules() {
		codes = append(codes, rule.Code())
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// each calls see for each evaluation to show. If facts are missing, it returns the gaps, with the texts of the
// recorded answer.
func (e *Explainer) each(ctx context.Context, see func(shownRule) error) ([]fact.Gap, error) {
	var group resultGroup
	gaps, err := e.program.ExplainEach(ctx, e.facts, func(r requirement.RuleExplanation, steps func() *requirement.Step) error {
		if e.document != "" && r.Code() != e.document {
			return nil
		}
		if e.all {
			r.Steps = steps()
			return see(shownRule{RuleExplanation: r})
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
	for i, gap := range gaps {
		if k := slices.IndexFunc(e.gaps, func(g fact.Gap) bool { return sameGap(g, gap) }); k >= 0 {
			gaps[i] = e.gaps[k]
			gaps[i].Fact = gap.Fact
		}
	}
	return gaps, group.show(see)
}

// shownRule is the evaluation of a rule for an entity, with the ids of other entities with
// the same result.
type shownRule struct {
	requirement.RuleExplanation
	same []string
}

// resultGroup is one rule's evaluation for all of its entities, by result.
type resultGroup struct {
	path    string
	results []*shownRule
}

func (g *resultGroup) add(r requirement.RuleExplanation, steps func() *requirement.Step) {
	for _, known := range g.results {
		if known.Required == r.Required {
			known.same = append(known.same, r.EntityID)
			return
		}
	}
	r.Steps = steps()
	g.results = append(g.results, &shownRule{RuleExplanation: r})
}

func (g *resultGroup) show(see func(shownRule) error) error {
	for _, result := range g.results {
		if err := see(*result); err != nil {
			return err
		}
	}
	return nil
}

// Text prints the explanation.
func (e *Explainer) Text(ctx context.Context, out io.Writer) error {
	fmt.Fprintf(out, "Rules: %s\n", e.source)
	if e.program == nil {
		fmt.Fprintln(out, "\nWithout rules nothing is required.")
		return nil
	}
	if err := e.printFacts(ctx, out); err != nil {
		return err
	}
	if e.statedNoPersons() {
		fmt.Fprintln(out, "Persons: none, as the business has stated (no_persons_attested)")
	}
	if e.failed != "" {
		fmt.Fprintf(out, "\nNothing is decided: %s\n", visible.Line(e.failed))
		return nil
	}
	documents, findings := resultCount{"document", "required", 0, 0}, resultCount{"finding", "found", 0, 0}
	gaps, err := e.each(ctx, func(r shownRule) error {
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
		if len(r.same) > 0 {
			named := slices.Clone(r.same[:min(len(r.same), shownPersons)])
			for i, id := range named {
				named[i] = e.names.Full(requirement.Entity{Type: r.EntityType, ID: id})
			}
			fmt.Fprintf(out, "  and %s of %s more, such as %s; --all shows each\n",
				answer(r.RuleExplanation), cli.Counted(len(r.same), "person"), strings.Join(named, ", "))
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

func (c *resultCount) add(r shownRule) {
	c.shown += 1 + len(r.same)
	if r.Required {
		c.hold += 1 + len(r.same)
	}
}

func (c resultCount) String() string {
	return fmt.Sprintf("%s evaluated, %d %s", cli.Counted(c.shown, c.of), c.hold, c.word)
}

func (e *Explainer) entityText(entityType, id string) string {
	return entityText(entityType, e.names.Full(requirement.Entity{Type: entityType, ID: id}))
}

// statedNoPersons reports whether the business has stated that it has no persons.
func (e *Explainer) statedNoPersons() bool {
	return e.facts.NoPersonsAttested && len(e.facts.Persons) == 0
}

// personCodes are the codes of the shown documents and findings of each person.
func (e *Explainer) personCodes() []string {
	var codes []string
	for _, rule := range e.set.Rules() {
		if rule.EntityType == fact.EntityPerson && (e.document == "" || e.document == rule.Code()) {
			codes = append(codes, rule.Code())
		}
	}
	return codes
}

// printFacts prints the facts that the rules refer to, and the names of persons.
func (e *Explainer) printFacts(ctx context.Context, out io.Writer) error {
	values, err := e.program.FactValues(ctx, e.facts)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "Facts: those on file then")
	var fields []string
	for _, f := range values {
		switch {
		case f.PersonID == "" && f.DefaultBecause != "":
			fmt.Fprintf(out, "  %s %s, counted as %s\n", f.Name, f.DefaultBecause, factText(f.Value))
		case f.PersonID == "":
			fmt.Fprintf(out, "  %s = %s\n", f.Name, factText(f.Value))
		case !slices.Contains(fields, f.Name):
			fields = append(fields, f.Name)
		}
	}
	if len(fields) > 0 {
		fmt.Fprintf(out, "  of each person %s\n", strings.Join(fields, ", "))
	}
	return nil
}

func factText(v any) string {
	if v == nil {
		return "missing"
	}
	if codes, ok := v.([]string); ok {
		list := make([]any, len(codes))
		for i, code := range codes {
			list[i] = code
		}
		v = list
	}
	return valueText(v)
}
