package requirement

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// Loops in conditions: exists, all, exists_one, filter, map and sum.

// loop recovers one of CEL's macros from its expansion. The parts of the expansion are what is
// evaluated.
func (r *resolver) loop(n *Node, c ast.ComprehensionExpr) {
	written, ok := r.info.GetMacroCall(n.id)
	if !ok || written.Kind() != ast.CallKind {
		r.reportAt(n.id, "this kind of loop is not part of the rules: use exists, all, exists_one, filter or map")
		return
	}
	n.Kind, n.Name, n.Variable = LoopKind, written.AsCall().FunctionName(), c.IterVar()
	if since := functions[n.Name]; since > r.version {
		r.tooNew(n, "function", since)
		return
	}
	over := r.expr(c.IterRange())
	n.Args = []*Node{over, nil, nil}
	switch {
	case over.Shape.EmptyList():
		r.report(over, "is %s: %s has nothing to look at", over.Shape, n.Name)
		over.Shape = fact.UnknownShape
	case over.Shape.Known() && !over.Shape.List:
		r.report(over, "is %s: %s looks at the elements of a list", over.Shape, n.Name)
		over.Shape = fact.UnknownShape
	}
	r.checkVariable(n)
	n.Slot = len(r.variables)
	r.variables = append(r.variables, n)
	defer func() { r.variables = r.variables[:len(r.variables)-1] }()

	test, result := loopParts(n.Name, c.LoopStep())
	if test != nil {
		n.Args[1] = r.expr(test)
		if s := n.Test().Shape; s.Known() && s != fact.BoolShape {
			r.report(n.Test(), "is %s, and %s needs a condition that is true or false: compare it with something", s, n.Name)
		}
	}
	switch n.Name {
	case operators.Filter:
		n.Shape, n.Origin, n.whole = over.Shape, over.Origin, over.whole
	case sumName:
		n.Shape, n.Args[2] = fact.NumberShape, r.expr(result)
		n.whole = n.Result().whole
		if s := n.Result().Shape; s == fact.BoolShape {
			r.report(n.Result(),
				"is %s, and sum adds up numbers: write size(%s.filter(%s, …)) for how many there are",
				s, rulefile.Clip(over.within(bindMember)), rulefile.Clip(n.Variable))
		} else if s.Known() && !s.Number() {
			r.report(n.Result(), "is %s, and sum adds up numbers", s)
		}
	case operators.Map:
		n.Args[2] = r.expr(result)
		if s := n.Result().Shape; s.List || s == fact.PersonShape {
			r.report(n.Result(), "is %s, and map makes a list of single values: select a field", s)
			break
		}
		if n.Result().Shape.Known() {
			n.Shape = fact.ListOf(n.Result().Shape)
		}
		n.Origin, n.whole = n.Result().Origin, n.Result().whole
	default:
		n.Shape = fact.BoolShape
	}
}

func (r *resolver) checkVariable(n *Node) {
	if strings.HasPrefix(n.Variable, ".") { // CEL's mark of a name without a container
		r.reportAt(n.id, "the variable of %s is named %s: write a plain name, such as p", n.Name, rulefile.Clip(n.Variable))
	}
	all := scope{version: r.version, table: r.table, withPerson: true, withScore: true}
	taken := r.reserves(n.Variable) || n.Variable == fact.NameCustom && r.table != fact.BuiltIn || slices.Contains(all.factNames(), n.Variable)
	for _, loop := range r.variables {
		taken = taken || loop.Variable == n.Variable
	}
	if taken {
		r.reportAt(n.id, "the variable of %s is named %s, which already stands for something else here: choose another name", n.Name, rulefile.Clip(n.Variable))
	}
}

// loopParts finds the test and the result within the expansion of a macro.
func loopParts(name string, step ast.Expr) (test, result ast.Expr) {
	args := step.AsCall().Args()
	switch name {
	case operators.Exists, operators.All:
		return args[1], nil // accumulated || test, accumulated && test
	case operators.ExistsOne, operators.Filter:
		return args[0], nil // test ? accumulated + 1 : accumulated
	case sumName:
		return nil, args[1] // accumulated + result
	}
	if step.AsCall().FunctionName() == operators.Conditional {
		test, step = args[0], args[1]
	}
	// accumulated + [result]
	return test, step.AsCall().Args()[1].AsList().Elements()[0]
}
