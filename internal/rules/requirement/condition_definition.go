package requirement

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// Definitions are conditions of a rule set that other conditions use by name. Each use contains the
// whole tree of the definition, so that needs and sizes count it each time.
//
// A definition that reads person is about the person of its use: definitions.NAME about the person
// of a Person rule, and p.definitions.NAME about the person of a loop. Its steps count at each use.
// A definition that reads no person has one value for a workflow. It is evaluated when it is first
// read, and its steps count once.

// MaxDefinitions limits the definitions of one rule set.
const MaxDefinitions = 100

// definitionsSince is the version of the language since which a definition can be about the person
// of a loop, and its value is kept if it reads no person. Before it, each use evaluates the
// definition.
const definitionsSince = 4

// nameDefinitions precedes the name of a definition in a condition.
const nameDefinitions = "definitions"

// CompiledDefinition is one definition. Condition is nil if it was refused.
type CompiledDefinition struct {
	Name      string
	Path      string
	Condition *Condition
	Noticed   []Problem // warnings of the compilation
}

// definitions has the definitions of a rule set. Each is compiled when the first condition uses it.
type definitions struct {
	sources  map[string]string
	language *language
	found    map[string]*CompiledDefinition
	open     []string // those being compiled; each is used by the one before
	problems []Problem
}

// newDefinitions prepares definitions for compilation with the names of a language. It adds them to
// these names.
func newDefinitions(sources map[string]string, names scope, opts Options) *definitions {
	d := &definitions{sources: sources, found: map[string]*CompiledDefinition{}}
	names.definitions, names.withPerson = d, true
	d.language = newLanguage(names, opts)
	d.language.defines = true
	return d
}

// names returns the sorted names.
func (d *definitions) names() []string {
	if d == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(d.sources))
}

// all compiles every definition, in the order of the names.
func (d *definitions) all() (compiled []CompiledDefinition, problems []Problem) {
	for _, name := range d.names() {
		compiled = append(compiled, *d.find(name))
	}
	return compiled, d.problems
}

// find compiles the definition with this name, unless it is open.
func (d *definitions) find(name string) *CompiledDefinition {
	found := d.found[name]
	if found == nil {
		found = &CompiledDefinition{Name: name, Path: nameDefinitions + "." + name}
		d.open = append(d.open, name)
		var problems []Problem
		found.Condition, problems, found.Noticed = d.language.compile(d.sources[name])
		d.open = d.open[:len(d.open)-1]
		d.problems = append(d.problems, rulefile.WithPath(problems, found.Path)...)
		d.found[name] = found
	}
	return found
}

// circle shows how a definition would use itself if the definition that is being compiled used it.
// It is empty if it would not.
func (d *definitions) circle(name string) string {
	at := slices.Index(d.open, name)
	if at < 0 {
		return ""
	}
	return strings.Join(append(slices.Clone(d.open[at:]), name), " → ")
}

// definition resolves definitions.NAME, or OWNER.definitions.NAME for a person.
func (r *resolver) definition(n, owner *Node, name string) {
	n.Kind, n.Name = DefinitionKind, name
	if owner != nil {
		n.Args = []*Node{owner}
	}
	if r.asking {
		r.reportAt(n.id, "definitions.%s: asked_when cannot use definitions; write the condition out", rulefile.Clip(name))
		return
	}
	if r.definitions == nil {
		r.reportAt(n.id, "definitions.%s: a pricing model has no definitions; write the condition out", rulefile.Clip(name))
		return
	}
	if !slices.Contains(r.definitions.names(), name) {
		hint := "; it has none"
		if names := r.definitions.names(); len(names) > 0 {
			hint = cmp.Or(rulefile.DidYouMean(name, names), "; its definitions are "+strings.Join(names, ", "))
		}
		r.reportAt(n.id, "definitions.%s is not a definition of this rule set%s", rulefile.Clip(name), hint)
		return
	}
	if circle := r.definitions.circle(name); circle != "" {
		r.reportAt(n.id, "definitions.%s leads to itself: %s", name, circle)
		return
	}
	found := r.definitions.find(name)
	of := found.Condition
	switch {
	case of == nil:
		r.refused = true // the problem is reported in the definition
		return
	case owner != nil && !of.readsPerson:
		r.reportAt(n.id, "definitions.%s reads no person: write definitions.%s", name, name)
		return
	case owner == nil && of.readsPerson && !r.withPerson:
		r.reportAt(n.id, "definitions.%s reads person, so only a rule with entity_type Person can use it%s", name, r.ofLoop(name))
		return
	}
	if r.usedParts > maxExpressionNodes {
		return // report each use once
	}
	if r.usedParts += of.parts; r.usedParts > maxExpressionNodes {
		r.reportAt(n.id, "with definitions.%s the condition has more than %d parts: use fewer definitions in it", name, maxExpressionNodes)
		return
	}
	r.usedBytes += of.written
	n.Shape, n.Body = fact.BoolShape, of.Tree.inLoops(len(r.variables), owner)
	if !of.readsPerson && r.version >= definitionsSince {
		n.Once = found
	}
}

// definitionOf finds the person of OWNER.definitions.NAME. ok is false for any other expression.
func (r *resolver) definitionOf(e ast.Expr) (owner *Node, ok bool) {
	if r.version < definitionsSince || e.Kind() != ast.SelectKind || e.AsSelect().FieldName() != nameDefinitions {
		return nil, false
	}
	of := e.AsSelect().Operand()
	if of.Kind() != ast.IdentKind {
		return nil, false // no other expression is a person
	}
	name, owner := of.AsIdent(), newNode(of.ID())
	loop := slices.ContainsFunc(r.variables, func(loop *Node) bool { return loop.Variable == name })
	if !loop && (name != fact.NamePerson || !r.withPerson) {
		return nil, false
	}
	r.ident(owner, name, nameDefinitions)
	return owner, owner.Shape == fact.PersonShape
}

// ofLoop is the hint how a condition that has no person of its own can use a definition of persons.
func (r *resolver) ofLoop(name string) string {
	if r.version < definitionsSince {
		return ""
	}
	return "; of the person of a loop write " + r.ofPerson(nameDefinitions+"."+name)
}

// inLoops copies the tree of a definition for a use within a number of loops. The person that it
// reads is the one of the use: owner, or that of the rule if owner is nil.
func (n *Node) inLoops(loops int, owner *Node) *Node {
	if n == nil {
		return nil
	}
	copied := *n
	copied.Body = n.Body.inLoops(loops, owner)
	copied.Args = make([]*Node, len(n.Args))
	for i, arg := range n.Args {
		copied.Args[i] = arg.inLoops(loops, owner)
	}
	switch {
	case n.Kind == LoopKind || n.Kind == VariableKind:
		copied.Slot += loops
	case n.isPerson() && owner != nil && owner.Kind == VariableKind:
		copied.Kind, copied.Slot = VariableKind, owner.Slot // its text stays that of the definition
	}
	return &copied
}

// DefinitionsUsed returns the sorted names of the definitions that a condition uses, directly or
// through others. The definitions may have changed since they were checked.
func (rs RuleSet) DefinitionsUsed(condition string) []string {
	used := map[string]bool{}
	var look func(condition string)
	look = func(condition string) {
		parsed, _ := syntax().Parse(common.NewTextSource(condition))
		if parsed == nil {
			return
		}
		ast.PreOrderVisit(parsed.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
			if e.Kind() != ast.SelectKind {
				return
			}
			name, of := e.AsSelect().FieldName(), e.AsSelect().Operand()
			ofPerson := of.Kind() == ast.SelectKind && of.AsSelect().FieldName() == nameDefinitions
			if !ofPerson && (of.Kind() != ast.IdentKind || of.AsIdent() != nameDefinitions) {
				return
			}
			if source, known := rs.Definitions[name]; known && !used[name] {
				used[name] = true
				look(source)
			}
		}))
	}
	look(condition)
	return slices.Sorted(maps.Keys(used))
}

// definition evaluates a use. Its reason names the definition before the definition's condition.
func (w *walker) definition(n *Node, s *step) datum {
	if n.Once != nil && !w.explains {
		return w.once(n, s)
	}
	d := w.below(s, n.Body)
	if !w.explains || d.failed != nil {
		return d
	}
	of := d.rests()
	if atoms := d.support(); len(atoms) > 0 {
		of = why{clauses: []clause{{node: n, truth: d.truth(), atoms: atoms, within: of.clauses}}}
	}
	return w.answer(datum{value: d.value, why: &of})
}

// definitionValue is what is kept of a definition that reads no person.
type definitionValue struct {
	datum datum
	steps *step // the steps to it, below this one; nil if nobody has asked for them
	size  int   // how many they are
}

// once returns the value of a definition that reads no person, and evaluates it if it was not read
// before. A reason does not use it: it needs what the value depends on, and what it may cost does
// not depend on what was explained before.
func (w *walker) once(n *Node, s *step) datum {
	known, found := w.read[n.Once]
	if !found || s != nil && known.steps == nil {
		if s == nil {
			known.datum = w.eval(n.Body, nil)
		} else {
			known = w.ownSteps(n)
		}
		if known.datum.failed == stopped {
			return known.datum
		}
		w.read[n.Once] = known
	}
	if s != nil {
		w.attach(s, known)
	}
	return known.datum
}

// ownSteps evaluates a definition and keeps as many of its steps as an explanation has, however
// many the current one has left: others show them, too.
func (w *walker) ownSteps(n *Node) (of definitionValue) {
	left := w.kept
	w.kept = MaxExplainedSteps
	of.steps = &step{node: n}
	of.datum = w.below(of.steps, n.Body)
	of.size = MaxExplainedSteps - w.kept
	w.kept = left
	return of
}

// attach adds the steps of a definition to a step that reads it, if there is space for all of them.
func (w *walker) attach(s *step, of definitionValue) {
	s.omitted += of.steps.omitted
	if of.size > w.kept {
		s.omitted += len(of.steps.steps)
		return
	}
	w.kept -= of.size
	s.steps = append(s.steps, of.steps.steps...)
}

// definitionText says whether a definition holds, and why.
func (c clause) definitionText() string {
	body := c.node.Body
	most := len(c.node.Name) + len(body.Text()) + clauseBytes*body.mostClauses()
	return fmt.Sprintf("%s (%s)", wording{}.condition(c.node, c.truth), statements(c.within, body, most, c.truth))
}
