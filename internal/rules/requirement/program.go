package requirement

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file has compiled rule sets: a Program, and then the required documents or gaps.

// Program is a compiled rule set. It is immutable and safe for concurrent use.
type Program struct {
	source []Rule
	table  *fact.Table
	rules  []CompiledRule
	named  []CompiledDefinition // by name
	asked  []AskedFact          // in the order of the declarations
	lists  map[string][]string
	read   map[string]*TextList // the same lists in the form that conditions read
	limit  uint64               // steps of one evaluation
	needs  fact.Needs
	tried  *Coverage // nil after Load
	yield  func()
}

// CompiledRule is one rule. Without a condition its document is always required.
type CompiledRule struct {
	Rule
	Condition *Condition
	// Options has the conditions of the options of a document, by their index. It is nil if no
	// option has one.
	Options []CompiledOption
	needs   fact.Needs
	Noticed []Problem // warnings of the compilation
}

// Result is the result of one evaluation. If Gaps is not empty, nothing was evaluated and Required
// is nil.
type Result struct {
	// Required has one entry for each rule and entity for which the rule holds: documents, followed
	// by findings.
	Required []Requirement `json:"required"`
	// NotRequired has one entry for each rule that holds for nothing. The entry of a Person rule
	// names no person. Its reason only says which facts count as their default. It has no reason if
	// no such fact decided.
	NotRequired []Requirement `json:"not_required"`
	Gaps        []fact.Gap    `json:"gaps"`
	// Rules has the rules that were evaluated, with their texts. It is not stored with the result:
	// see Program.Rules.
	Rules []Rule `json:"-"`
	// Table has the facts that those rules can read. It is not stored either.
	Table *fact.Table `json:"-"`
}

// Requirement is one document that the rules require, or one finding. The code and the entity type
// identify the rule.
type Requirement struct {
	DocumentTypeCode string `json:"document_type_code,omitempty"`
	FindingCode      string `json:"finding_code,omitempty"`
	EntityType       string `json:"entity_type"`
	EntityID         string `json:"entity_id"`
	Reason           Reason `json:"reason"`
	// Offered has the options of the document whose conditions hold, by their index. Options without
	// a condition are not in it.
	Offered []int `json:"offered,omitempty"`
}

// Offers reports whether the condition of an option holds.
func (r Requirement) Offers(option int) bool { return slices.Contains(r.Offered, option) }

// RuleKey identifies the rule.
func (r Requirement) RuleKey() RuleKey {
	return RuleKey{r.DocumentTypeCode, r.FindingCode, r.EntityType}
}

// Load prepares a rule set that was checked when it was published. It does what CompileContext
// does, without the examples.
func Load(ctx context.Context, rs RuleSet, opts Options) (*Program, []Problem, error) {
	opts = opts.withDefaults()
	if problems := opts.validate(); len(problems) > 0 {
		return nil, problems, nil
	}
	p := newProgram(rs, opts)
	opts.CostLimit = math.MaxUint64 // an evaluation ends at the limit in any case
	problems := p.compileRules(ctx, rs, opts)
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	if len(problems) > 0 {
		return nil, rulefile.FirstProblems(problems), nil
	}
	return p, nil, nil
}

func newProgram(rs RuleSet, opts Options) *Program {
	return &Program{source: rs.Rules(), table: fact.NewTable(rs.Facts), lists: rs.Lists, read: ListsOf(rs.Lists), limit: opts.CostLimit}
}

// Table returns the facts to which the rules can refer.
func (p *Program) Table() *fact.Table { return p.table }

// Yielding returns the same program with a function that it calls after about every two
// milliseconds of an evaluation. An ordinary evaluation takes less.
func (p *Program) Yielding(yield func()) *Program {
	yielding := *p
	yielding.yield = yield
	return &yielding
}

// LoadRuleSet is Load for the canonical form of a published rule set.
func LoadRuleSet(ctx context.Context, content []byte, opts Options) (*Program, []Problem, error) {
	set, problems := ParseStoredRuleSet(content)
	if len(problems) > 0 {
		return nil, problems, nil
	}
	return Load(ctx, set, opts)
}

// compileUnsized is compile without the limit of what the rules may require at once.
func compileUnsized(ctx context.Context, rs RuleSet, opts Options) (*Program, []Problem) {
	opts = opts.withDefaults()
	if problems := opts.validate(); len(problems) > 0 {
		return nil, problems
	}
	problems := rs.validate()
	if len(rs.Documents) > MaxDocuments || len(rs.Findings) > MaxFindings || len(rs.Lists) > MaxLists || len(rs.Examples) > MaxExamples {
		return nil, rulefile.FirstProblems(problems)
	}
	p := newProgram(rs, opts)
	if len(rs.Definitions) > MaxDefinitions {
		return nil, rulefile.FirstProblems(problems)
	}
	problems = append(problems, p.compileRules(ctx, rs, opts)...)
	if len(problems) > 0 || ctx.Err() != nil {
		return nil, rulefile.FirstProblems(problems)
	}
	return p, nil
}

func (p *Program) compileRules(ctx context.Context, rs RuleSet, opts Options) []Problem {
	names := scope{table: p.table, lists: p.read, withScore: true, constant: constants(p.read)}
	written := 0
	for _, source := range askedWhens(rs.Facts) {
		written += len(source)
	}
	if written > MaxConditionsLength {
		return []Problem{conditionsTooLong("facts")}
	}
	for _, source := range rs.Definitions {
		written += len(source)
	}
	if written > MaxConditionsLength {
		return []Problem{conditionsTooLong(nameDefinitions)}
	}
	var steps stepsTogether
	asked, problems := compileAsked(rs.Facts, names, opts, &steps)
	p.asked, names.asked = asked, asked
	names.definitions = newDefinitions(rs.Definitions, names, opts)
	named, found := names.definitions.all()
	p.named, problems = named, append(problems, found...)
	plain := newLanguage(names, opts)
	names.withPerson = true
	personal := newLanguage(names, opts)

	for _, rule := range p.source {
		if ctx.Err() != nil || len(problems) > rulefile.MaxProblems {
			return problems
		}
		r := CompiledRule{Rule: rule}
		language := plain
		if rule.EntityType == fact.EntityPerson {
			language = personal
		}
		for _, when := range rule.conditions() {
			if written += len(when.source); written > MaxConditionsLength {
				path, _, _ := strings.Cut(rule.Path, "[")
				return append(problems, conditionsTooLong(path))
			}
			compiled, found, warnings := language.compile(when.source)
			problems = append(problems, rulefile.WithPath(found, when.path)...)
			if compiled == nil {
				continue
			}
			if written += compiled.written - len(when.source); written > MaxConditionsLength {
				return append(problems, conditionsTooLong(r.Path))
			}
			r.add(when, compiled, warnings)
			steps.add(compiled, language.subjects(), rule.Code(), r.Path)
		}
		r.needs = r.needs.OfRule(rule.EntityType)
		p.needs.Add(r.needs)
		p.rules = append(p.rules, r)
	}
	if limit := opts.CostLimit; steps.total > limit {
		return append(problems, Problem{Path: "documents", Message: steps.refusal(p.read, limit)})
	}
	return problems
}

func conditionsTooLong(path string) Problem {
	return Problem{
		Path: path,
		Message: fmt.Sprintf(
			"have conditions of more than %d bytes in all, with each definition wherever it is used: "+
				"move codes into lists, and write fewer or shorter conditions",
			MaxConditionsLength),
	}
}

// CompiledDefinitions returns the definitions with their conditions, sorted by name. The caller
// must not change them.
func (p *Program) CompiledDefinitions() []CompiledDefinition { return p.named }

// FactNames returns the sorted names of the facts to which the rules refer: names of the fact
// table, person.FIELD for a field of any person, and persons if the rules use the list itself or
// need a person on it.
func (p *Program) FactNames() []string { return p.needs.Names() }

// Asked returns the declared facts that are only asked for under a condition. The caller must not
// change them.
func (p *Program) Asked() []AskedFact { return p.asked }

// CountsDays reports whether the requirements may differ on another day with the same facts,
// because a condition counts from a date to today. The terms of a document also count days, but
// ApplyDeadlines handles those.
func (p *Program) CountsDays() bool { return p.needs.Counted() }

// FactNamesWithoutDefault is FactNames without facts that have a default and are never asked for.
func (p *Program) FactNamesWithoutDefault() []string { return p.needs.NamesWithoutDefault() }

// GapNames returns the sorted names that the gaps of these rules can have: see Gap.Fact.
func (p *Program) GapNames() []string { return p.needs.GapNames() }

// NeededBy returns the codes of the documents and findings, in the order of the rules, whose rules
// need what a gap with this name is about.
func (p *Program) NeededBy(gap string) []string {
	var codes []string
	for _, r := range p.rules {
		if slices.Contains(r.needs.GapNames(), gap) && !slices.Contains(codes, r.Code()) {
			codes = append(codes, r.Code())
		}
	}
	return codes
}

// CompiledRules returns the rules with their conditions, in the order of publication. The caller
// must not change them.
func (p *Program) CompiledRules() []CompiledRule { return p.rules }

// Tried returns what the examples try. It is nil for a program from Load, which runs none.
func (p *Program) Tried() *Coverage { return p.tried }

// Rules returns the rules as they were published. The caller must not change them.
func (p *Program) Rules() []Rule { return p.source }

// RulesInFull is Rules for a reader: each condition is followed by the definitions that it uses.
// The result does not compile.
func (p *Program) RulesInFull() []Rule {
	full := slices.Clone(p.source)
	for i := range p.rules {
		c := p.rules[i].Condition
		if c == nil {
			continue
		}
		used := map[string]bool{}
		c.Tree.WalkAll(func(n *Node) { used[n.Name] = used[n.Name] || n.Kind == DefinitionKind })
		for _, d := range p.named {
			if used[d.Name] {
				full[i].When += fmt.Sprintf(", where definitions.%s is %s", d.Name, d.Condition.source)
			}
		}
	}
	return full
}

// Evaluate returns the gaps in the facts or, if there are none, the required documents and the
// findings, in the order of the rules, and within a rule by person id. The order of persons and
// codes among the facts does not matter.
//
// A Person rule requires one document from each stored person, and so none from a business without
// persons. The error is one that Unanswerable knows, wrapped with its rule, or the context's.
func (p *Program) Evaluate(ctx context.Context, f fact.Facts) (Result, error) {
	b, err := p.prepare(ctx, f)
	if err != nil {
		return Result{}, err
	}
	if gaps := b.gaps(p.needs); len(gaps) > 0 {
		return Result{Gaps: gaps}, nil
	}
	matches, err := p.matches(ctx, b)
	if err != nil {
		return Result{}, err
	}
	result := Result{Required: []Requirement{}, Rules: p.source, Table: p.table}
	size := 0
	for _, m := range matches {
		if err := b.giveWay(ctx, 0); err != nil {
			return Result{}, err
		}
		required := m.require()
		if size += required.size() + m.toldBytes(); size > MaxResultBytes {
			return Result{}, fmt.Errorf(
				"%w: it is %d documents for %d persons, and the first %d of them, with their reasons, take %d bytes: "+
					"require fewer documents of each person, or look at fewer facts",
				ErrTooMuchRequired, len(matches), len(b.persons), len(result.Required), MaxResultBytes)
		}
		result.Required = append(result.Required, required)
	}
	result.NotRequired, err = p.notRequired(ctx, b, matches)
	return result, err
}

// maxOtherReasons limits, in bytes, the reasons why documents are not required. Further reasons are
// left out.
const maxOtherReasons = MaxResultBytes / 10

// match is a rule that holds for a subject.
type match struct {
	*CompiledRule
	subject
	offered []int // see Requirement.Offered
}

func (p *Program) matches(ctx context.Context, b *Bindings) ([]match, error) {
	var found []match
	for i := range p.rules {
		r := &p.rules[i]
		for _, subject := range r.subjects(b) {
			m, holds, err := r.match(ctx, subject)
			if err != nil {
				return nil, fmt.Errorf("rule %s (%s): %w", r.Path, r.Code(), err)
			}
			if holds {
				found = append(found, m)
			}
		}
	}
	return found, nil
}

// notRequired returns one entry for each rule that holds for nothing. It explains as many as there
// is room for.
func (p *Program) notRequired(ctx context.Context, b *Bindings, found []match) ([]Requirement, error) {
	var others []Requirement
	room := maxOtherReasons
	for i := range p.rules {
		r := &p.rules[i]
		if len(found) > 0 && found[0].CompiledRule == r {
			for len(found) > 0 && found[0].CompiledRule == r {
				found = found[1:]
			}
			continue
		}
		if err := b.giveWay(ctx, 0); err != nil {
			return nil, err
		}
		other := Requirement{DocumentTypeCode: r.DocumentTypeCode, FindingCode: r.FindingCode, EntityType: r.EntityType}
		subjects := r.subjects(b)
		if r.EntityType != fact.EntityPerson {
			other.EntityID = subjects[0].entityID
		}
		if room > 0 {
			var err error
			if other.Reason, err = r.reasonAgainst(ctx, b, subjects); err != nil {
				return nil, err
			}
		}
		if other.Reason.Message != "" {
			room -= other.size()
		}
		others = append(others, other)
	}
	return others, nil
}

// reasonAgainst explains why the rule requires nothing of any subject. It is empty if it has no
// condition, and for a rule of persons in which no default decided.
func (r *CompiledRule) reasonAgainst(ctx context.Context, b *Bindings, subjects []subject) (Reason, error) {
	reason, err := r.withoutOptions(ctx, subjects)
	switch {
	case err != nil || reason.Message != "" || r.Condition == nil:
		return reason, err
	case r.EntityType == fact.EntityPerson:
		return r.Condition.becauseOfDefaults(ctx, b, subjects, r.Name, r.holdsWords(true))
	}
	return r.reason(subjects[0].values, false), nil
}

// prepare checks that the facts are within the limits for which the rules were compiled, and binds
// them.
func (p *Program) prepare(ctx context.Context, f fact.Facts) (*Bindings, error) {
	if err := checkFacts(&f, p.needs); err != nil {
		return nil, err
	}
	b := Bind(p.table, f, p.read, p.limit)
	b.yield = p.yield
	return b, b.ask(ctx, p.asked, p.needs)
}

func checkFacts(f *fact.Facts, n fact.Needs) error {
	switch {
	case len(f.Persons) > fact.MaxPersons:
		return fmt.Errorf("%w: %d persons, at most %d are allowed", ErrTooManyFacts, len(f.Persons), fact.MaxPersons)
	case f.EstablishedDate != nil && f.AsOf.IsZero() && n.Counted():
		return fmt.Errorf("the facts say no date at which the age of the business is counted: set AsOf")
	}
	if many, most := f.TooMany(); many != "" {
		return fmt.Errorf("%w: %s, at most %d are allowed", ErrTooManyFacts, many, most)
	}
	return nil
}

func (r *CompiledRule) subjects(b *Bindings) []subject {
	switch r.EntityType {
	case fact.EntityWorkflow:
		return []subject{{b.facts.WorkflowID, b}}
	case fact.EntityBusiness:
		return []subject{{b.facts.BusinessID, b}}
	}
	if b.each == nil {
		b.each = make([]subject, len(b.persons))
		for i := range b.persons {
			b.each[i] = subject{b.persons[i].PersonID, b.withPerson(i)}
		}
	}
	return b.each
}

func (r *CompiledRule) holds(ctx context.Context, values *Bindings) (bool, error) {
	if r.Condition == nil {
		*values.spent += evaluationCost
		return true, context.Cause(ctx)
	}
	return r.Condition.Holds(ctx, values)
}

func (m match) require() Requirement {
	return Requirement{m.DocumentTypeCode, m.FindingCode, m.EntityType, m.entityID, m.CompiledRule.reason(m.values, true), m.offered}
}

// MemoryBytes estimates how much memory the program uses.
func (p *Program) MemoryBytes() int64 {
	bytes := languageMemory
	for _, r := range p.rules {
		bytes += ruleMemory + int64(r.textBytes())
		for _, c := range r.Conditions() {
			bytes += c.memory()
		}
	}
	for _, d := range p.named {
		bytes += ruleMemory + d.Condition.memory()
	}
	for _, a := range p.asked {
		bytes += ruleMemory + a.Condition.memory()
	}
	for _, entries := range p.lists {
		for _, entry := range entries {
			bytes += listEntryMemory + int64(len(entry))
		}
	}
	return bytes
}

// reason explains why the rule holds, or why not.
func (r *CompiledRule) reason(b *Bindings, holds bool) Reason {
	if r.Condition == nil {
		return Reason{Message: onOneLine(r.Name) + ": " + r.withoutCondition() + ".", Facts: map[string]any{}}
	}
	return r.Condition.because(b, r.Name, r.holdsWords(holds), holds)
}
