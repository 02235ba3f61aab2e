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
// whole tree of the definition, so that needs, steps and sizes count it each time.

// MaxDefinitions limits the definitions of one rule set.
const MaxDefinitions = 100

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

// definition resolves definitions.NAME.
func (r *resolver) definition(n *Node, name string) {
	n.Kind, n.Name = DefinitionKind, name
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
	of := r.definitions.find(name).Condition
	switch {
	case of == nil:
		r.refused = true // the problem is reported in the definition
		return
	case of.readsPerson && !r.withPerson:
		r.reportAt(n.id, "definitions.%s reads person, so only a rule with entity_type Person can use it", name)
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
	n.Shape, n.Body = fact.BoolShape, of.Tree.inLoops(len(r.variables))
}

// inLoops copies the tree of a definition for a use within a number of loops.
func (n *Node) inLoops(loops int) *Node {
	if n == nil {
		return nil
	}
	copied := *n
	copied.Body = n.Body.inLoops(loops)
	copied.Args = make([]*Node, len(n.Args))
	for i, arg := range n.Args {
		copied.Args[i] = arg.inLoops(loops)
	}
	if n.Kind == LoopKind || n.Kind == VariableKind {
		copied.Slot += loops
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
			if e.Kind() != ast.SelectKind || e.AsSelect().Operand().Kind() != ast.IdentKind || e.AsSelect().Operand().AsIdent() != nameDefinitions {
				return
			}
			name := e.AsSelect().FieldName()
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

// definitionText says whether a definition holds, and why.
func (c clause) definitionText() string {
	body := c.node.Body
	most := len(c.node.Name) + len(body.Text()) + clauseBytes*body.mostClauses()
	return fmt.Sprintf("%s (%s)", wording{}.condition(c.node, c.truth), statements(c.within, body, most, c.truth))
}
