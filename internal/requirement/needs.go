package requirement

import (
	"slices"

	"cel.dev/cel-go/common/ast"
)

// needs is what a condition refers to, whatever the facts are.
type needs struct {
	facts  map[string]bool // names in factTable
	fields map[string]bool // names in personFields, of any person
	people bool            // the list of persons itself
}

// findNeeds reads the needs off a checked expression: every variable and every
// field that occurs in it anywhere, evaluated or not.
func findNeeds(checked *ast.AST) needs {
	found := needs{facts: map[string]bool{}, fields: map[string]bool{}}
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.IdentKind:
			name := e.AsIdent()
			if _, ok := findFact(name); ok {
				found.facts[name] = true
			}
			found.people = found.people || name == namePersons
		case ast.SelectKind:
			selected := e.AsSelect()
			if checked.GetType(selected.Operand().ID()).TypeName() == personTypeName {
				found.fields[selected.FieldName()] = true
			}
		}
	}))
	return found
}

func (n *needs) add(other needs) {
	if n.facts == nil {
		n.facts, n.fields = map[string]bool{}, map[string]bool{}
	}
	for name := range other.facts {
		n.facts[name] = true
	}
	for name := range other.fields {
		n.fields[name] = true
	}
	n.people = n.people || other.people
}

func (n needs) age() bool {
	return n.facts["business_age_months"] || n.facts["business_age_years"]
}

// names are sorted; a field is named person.FIELD.
func (n needs) names() []string {
	names := sortedKeys(n.facts)
	for field := range n.fields {
		names = append(names, namePerson+"."+field)
	}
	if n.people {
		names = append(names, namePersons)
	}
	slices.Sort(names)
	return names
}

// gapNames are sorted; see Gap.Fact.
func (n needs) gapNames() []string {
	var names []string
	for _, fact := range factTable {
		if n.facts[fact.name] {
			names = append(names, fact.gap)
		}
	}
	for field := range n.fields {
		names = append(names, namePerson+"."+field)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
