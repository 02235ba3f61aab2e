package requirement

import (
	"regexp"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file resolves declared facts in conditions: their names, and texts that are not one of their
// choices.

// custom reports whether an expression is custom, alone or as a field of a person, who is the
// owner.
func (r *resolver) custom(e ast.Expr) (owner ast.Expr, ok bool) {
	switch e.Kind() {
	case ast.IdentKind:
		variable := slices.ContainsFunc(r.variables, func(loop *Node) bool { return loop.Variable == fact.NameCustom })
		return nil, e.AsIdent() == fact.NameCustom && !variable
	case ast.SelectKind:
		return e.AsSelect().Operand(), e.AsSelect().FieldName() == fact.NameCustom
	}
	return nil, false
}

// declared resolves a declared fact: custom.NAME, or OWNER.custom.NAME.
func (r *resolver) declared(n *Node, id int64, owner ast.Expr, name string) {
	at := r.problem(id, "")
	n.Kind, n.Name, n.Line, n.Column = FactKind, fact.NameCustom+"."+name, at.Line, at.Column
	row := r.table.Lookup(n.Name)
	if owner != nil {
		r.declaredOf(n, row, owner)
		return
	}
	switch {
	case row.Declared == nil:
		r.reportAt(id, "%s is not a declared fact%s", rulefile.Clip(n.Name), declareIt(r.table, n.Name, false))
	case row.OfPerson():
		r.reportAt(id, "%s belongs to a person: write %s", n.Name, r.ofPerson(n.Name))
	case row.Conditional() && r.asking:
		r.reportAt(id, askedWhenOfItsOwn, n.Name)
	default:
		n.Row, n.Shape = row, row.Shape
		if row.Shape.List {
			n.Origin = row
		}
	}
}

const askedWhenOfItsOwn = "%s has an asked_when itself, so no asked_when can read it: write its condition out"

// declaredOf resolves a declared fact of an owner.
func (r *resolver) declaredOf(n *Node, row *fact.Row, owner ast.Expr) {
	if name := owner.AsIdent(); owner.Kind() == ast.IdentKind && slices.Contains([]string{"business", "workflow"}, name) {
		r.reportAt(owner.ID(), "%s.%s: write %s", name, rulefile.Clip(n.Name), rulefile.Clip(n.Name))
		return
	}
	of := newNode(owner.ID())
	if owner.Kind() == ast.IdentKind { // its position is that of n
		r.ident(of, owner.AsIdent(), n.Name)
	} else {
		of = r.expr(owner)
	}
	n.Kind, n.Args = FieldKind, []*Node{of}
	switch {
	case of.Shape == fact.ListOf(fact.PersonShape):
		r.reportAt(n.id,
			"%s is a list of persons and has no field %s: write %s.exists(p, p.%s …)",
			rulefile.Clip(of.Text()), rulefile.Clip(n.Name), rulefile.Clip(of.Text()), rulefile.Clip(n.Name))
	case !of.Shape.Known():
	case of.Shape != fact.PersonShape:
		r.reportAt(n.id, "%s is %s and has no field %s", rulefile.Clip(of.Text()), of.Shape, rulefile.Clip(n.Name))
	case row.Declared == nil:
		r.reportAt(n.id, "%s is not a declared fact%s", rulefile.Clip(n.Text()), declareIt(r.table, n.Name, true))
	case !slices.Contains(fact.EntityTypes(), row.Declared.EntityType): // the declaration says what is wrong
	case !row.OfPerson():
		r.reportAt(n.id, "%s is a fact of the %s: write %s", n.Name, strings.ToLower(row.Declared.EntityType), n.Name)
	case row.Conditional() && r.asking:
		r.reportAt(n.id, askedWhenOfItsOwn, n.Name)
	default:
		n.Row, n.Shape, n.Origin = row, row.Shape, row
	}
}

// choices refuses texts that a condition looks for in a declared fact and that are not one of its
// choices. loops are the loops around n.
func (r *resolver) choices(n *Node, loops []*Node) {
	if n == nil {
		return
	}
	if n.Kind == LoopKind {
		r.choices(n.List(), loops)
		loops = append(slices.Clip(loops), n)
		r.choices(n.Test(), loops)
		r.choices(n.Result(), loops)
		return
	}
	if n.Kind == CallKind && slices.Contains([]string{operators.Equals, operators.NotEquals, operators.In}, n.Name) {
		for i, arg := range n.Args {
			row := arg.ComparedFact()
			for _, named := range n.Args[1-i].Constants(loops) {
				r.chosen(row, named)
			}
		}
	}
	for _, arg := range n.Args {
		r.choices(arg, loops)
	}
}

// chosen refuses a text, or the first such text of a list.
func (r *resolver) chosen(row *fact.Row, named *Node) {
	texts := []string{}
	if named.Kind == ListKind {
		texts = r.lists[named.Name].sorted
	} else if text, ok := named.Literal.(string); ok {
		texts = append(texts, text)
	}
	for _, text := range texts {
		if why := row.RefuseChoice(text); why != "" {
			r.reportAt(named.id, "%s%q %s", rulefile.Pick(named.Kind == ListKind, named.Text()+": ", ""), rulefile.Clip(text), why)
			return
		}
	}
}

// declaredName writes the name of a declared fact for this condition.
func (r *resolver) declaredName(row *fact.Row) string {
	if row.OfPerson() {
		return r.ofPerson(row.Name)
	}
	return row.Name
}

// declarable matches the possible names of declared facts.
var declarable = regexp.MustCompile(`^[a-z][a-z0-9_]{0,47}$`)
