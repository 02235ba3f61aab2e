package document

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// This file compares calculations of drawn rule sets with a model that has no code in common with
// them: conditions, definitions, options, and approvals that are bound to facts.

// world is what the model knows: yes-or-no facts, and the address.
type world struct {
	facts   map[string]bool
	address string
}

// expr is a condition and its meaning.
type expr struct {
	text  string
	holds func(world) bool
}

func drawExpr(t *rapid.T, depth int, definitions []expr) expr {
	kind := rapid.IntRange(0, 4).Draw(t, "kind")
	if depth == 0 || kind == 0 {
		name := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "fact")
		return expr{"custom." + name, func(w world) bool { return w.facts[name] }}
	}
	if kind == 1 && len(definitions) > 0 {
		n := rapid.IntRange(0, len(definitions)-1).Draw(t, "definition")
		return expr{fmt.Sprintf("definitions.d%d", n), definitions[n].holds}
	}
	left := drawExpr(t, depth-1, definitions)
	if kind == 2 {
		return expr{"!(" + left.text + ")", func(w world) bool { return !left.holds(w) }}
	}
	right := drawExpr(t, depth-1, definitions)
	if kind == 3 {
		return expr{"(" + left.text + " && " + right.text + ")", func(w world) bool { return left.holds(w) && right.holds(w) }}
	}
	return expr{"(" + left.text + " || " + right.text + ")", func(w world) bool { return left.holds(w) || right.holds(w) }}
}

// modelOption is an option as the model sees it.
type modelOption struct {
	codes []string
	when  *expr
}

// model is one rule with one document.
type model struct {
	when    *expr
	options []modelOption
	atLeast int
	bound   []string

	seen     world // of the last calculation
	required bool
	status   Status
	evidence []string
	approved *world
}

func drawModel(t *rapid.T) (*model, requirement.RuleSet) {
	rs := requirement.RuleSet{Definitions: map[string]string{}}
	for _, name := range []string{"a", "b", "c"} {
		rs.Facts = append(rs.Facts, fact.Declaration{Name: name, EntityType: fact.EntityBusiness, Type: fact.DeclaredBoolean, Label: name, Ask: name})
	}
	var definitions []expr
	for i := range rapid.IntRange(0, 2).Draw(t, "definitions") {
		d := drawExpr(t, 2, definitions)
		definitions, rs.Definitions[fmt.Sprintf("d%d", i)] = append(definitions, d), d.text
	}
	condition := func() (*expr, string) {
		if rapid.Bool().Draw(t, "always") {
			return nil, ""
		}
		e := drawExpr(t, 2, definitions)
		return &e, e.text
	}
	m := &model{}
	rule := requirement.DocumentRule{DocumentTypeCode: "D", Name: "n", Category: "c", RequirementText: "r", EntityType: fact.EntityBusiness}
	m.when, rule.When = condition()
	for i := range rapid.SampledFrom([]int{0, 2, 3, 4}).Draw(t, "options") {
		o := modelOption{codes: []string{fmt.Sprintf("O%d", i)}}
		written := requirement.DocumentOption{OptionPart: requirement.OptionPart{DocumentTypeCode: o.codes[0], Name: "n"}}
		if rapid.Bool().Draw(t, "parts") {
			o.codes = append(o.codes, "SHARED")
			written = requirement.DocumentOption{AllOf: []requirement.OptionPart{written.OptionPart, {DocumentTypeCode: "SHARED", Name: "n"}}}
		}
		o.when, written.When = condition()
		m.options, rule.AnyOf = append(m.options, o), append(rule.AnyOf, written)
	}
	if len(m.options) > 1 && rapid.Bool().Draw(t, "several") {
		m.atLeast = rapid.IntRange(2, len(m.options)).Draw(t, "at least")
		rule.AtLeast = m.atLeast
	}
	m.bound = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"address", "custom.a", "custom.b"}), 0, 3, rapid.ID).Draw(t, "bound to")
	if len(m.bound) > 0 {
		rule.BoundTo = m.bound
	}
	rs.Documents = []requirement.DocumentRule{rule}
	return m, rs
}

func (m *model) offered(w world) (offered []modelOption) {
	for _, o := range m.options {
		if o.when == nil || o.when.holds(w) {
			offered = append(offered, o)
		}
	}
	return offered
}

// suffices reports whether evidence with these codes suffices where these options are offered.
func (m *model) suffices(offered []modelOption, evidence []string) bool {
	if len(m.options) == 0 {
		return true
	}
	met := 0
	for _, o := range offered {
		if !slices.ContainsFunc(o.codes, func(code string) bool { return !slices.Contains(evidence, code) }) {
			met++
		}
	}
	return met >= min(max(1, m.atLeast), len(offered))
}

func (m *model) sameBound(a, b world) bool {
	return !slices.ContainsFunc(m.bound, func(name string) bool {
		if name == "address" {
			return a.address != b.address
		}
		return a.facts[strings.TrimPrefix(name, "custom.")] != b.facts[strings.TrimPrefix(name, "custom.")]
	})
}

// calculate is what a calculation of a world does.
func (m *model) calculate(w world) {
	m.seen = w
	m.required = (m.when == nil || m.when.holds(w)) && (len(m.options) == 0 || len(m.offered(w)) > 0)
	switch {
	case !m.required && m.status != "":
		m.status = Inactive
	case !m.required:
	case m.approved == nil:
		m.status = Pending
	case m.sameBound(*m.approved, w) && m.suffices(m.offered(w), m.evidence):
		m.status = Completed
	default:
		m.status = NeedsReview
	}
}

func TestRecalculate_DoesAsAModelDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, rs := drawModel(t)
		program, problems := requirement.Compile(rs, requirement.Options{})
		require.Empty(t, problems)
		var stored []Document
		calculate := func(w world) Changes {
			f := fact.Facts{AsOf: today, BusinessID: "e", WorkflowID: "w", Custom: fact.Values{}}
			for name, yes := range w.facts {
				v, err := fact.ParseValue(fmt.Append(nil, yes))
				require.NoError(t, err)
				f.Custom[name] = v
			}
			result, err := program.Evaluate(t.Context(), f)
			require.NoError(t, err)
			require.Empty(t, result.Gaps)
			changes := Recalculate(stored, result, Seen{AsOf: today, Version: 1, Facts: f, Address: w.address}, func() string { return "rd" })
			if all := slices.Concat(changes.Added, changes.Kept, changes.Restored, changes.Removed); len(all) > 0 {
				stored = all
			}
			return changes
		}
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			w := world{map[string]bool{}, rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "address")}
			for _, name := range []string{"a", "b", "c"} {
				w.facts[name] = rapid.Bool().Draw(t, name)
			}
			was := m.status
			calculate(w)
			m.calculate(w)
			m.check(t, stored)
			twice := calculate(w)
			require.True(t, twice.Empty() && len(twice.Reopened)+len(twice.Reinstated) == 0, "twice changes nothing; %s before", was)
			m.check(t, stored)
			if m.required && rapid.Bool().Draw(t, "review") {
				m.review(t, &stored[0])
			}
		}
	})
}

// check compares the stored document with the model's.
func (m *model) check(t *rapid.T, stored []Document) {
	if m.status == "" {
		require.Empty(t, stored)
		return
	}
	require.Len(t, stored, 1)
	require.Equal(t, m.status, stored[0].Status)
	if m.status == NeedsReview {
		require.Equal(t, FactsChanged, stored[0].StatusReason)
	}
	if !m.required {
		return
	}
	offered := m.offered(m.seen)
	require.Len(t, stored[0].AnyOf, len(offered))
	for i, o := range offered {
		require.Equal(t, strings.Join(slices.Sorted(slices.Values(o.codes)), " "), optionCodes(stored[0].AnyOf[i]))
	}
}

func optionCodes(o requirement.DocumentOption) string {
	var codes []string
	for _, part := range o.Parts() {
		codes = append(codes, part.DocumentTypeCode)
	}
	slices.Sort(codes)
	return strings.Join(codes, " ")
}

// review completes the document with drawn evidence.
func (m *model) review(t *rapid.T, d *Document) {
	var codes []string
	for _, o := range m.offered(m.seen) {
		for _, code := range o.codes {
			if !slices.Contains(codes, code) && rapid.IntRange(0, 3).Draw(t, "state "+code) > 0 {
				codes = append(codes, code)
			}
		}
	}
	if len(codes) == 0 && len(m.options) > 0 {
		return
	}
	evidence := []Evidence{{Reference: "x"}}
	if len(m.options) > 0 {
		evidence = nil
		for _, code := range codes {
			evidence = append(evidence, Evidence{DocumentTypeCode: code})
		}
	}
	after, err := d.Update(Review{Status: Completed, Evidence: evidence}, today)
	require.Equal(t, m.suffices(m.offered(m.seen), codes), err == nil, "%v of %v", codes, m.options)
	if err == nil {
		*d = after
		seen := m.seen
		m.status, m.evidence, m.approved = Completed, codes, &seen
	}
}
