package requirement

import (
	"fmt"
	"slices"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file compiles the conditions asked_when of declared facts.

// AskedFact is a declared fact with the condition under which it is asked for.
type AskedFact struct {
	Row       *fact.Row
	Path      string
	Condition *Condition
	Noticed   []Problem // warnings of the compilation
}

// compileAsked compiles every asked_when of these declarations, and adds its steps. names has the
// table of the declarations. The conditions can refer to facts of the same record, of the business
// and of the workflow.
func compileAsked(declared []fact.Declaration, names scope, opts Options, steps *stepsTogether) (asked []AskedFact, problems []Problem) {
	for i, d := range declared {
		row := names.table.Lookup(fact.NameCustom + "." + d.Name)
		if d.AskedWhen == "" || row.Declared == nil {
			continue
		}
		names.asking, names.withScore, names.withPerson = true, false, row.OfPerson()
		language := newLanguage(names, opts)
		a := AskedFact{Row: row, Path: fmt.Sprintf("facts[%d].asked_when", i)}
		compiled, found, noticed := language.compile(d.AskedWhen)
		problems = append(problems, rulefile.WithPath(found, a.Path)...)
		if compiled == nil {
			continue
		}
		steps.add(compiled, language.subjects(), d.Name, a.Path)
		a.Condition, a.Noticed = compiled, noticed
		asked = append(asked, a)
	}
	return asked, problems
}

// askedWhenReads is what a problem says about a name that asked_when cannot use.
const askedWhenReads = "asked_when reads only facts of the business and the workflow, and those of the person of a fact of persons"

// needsOf returns the needs of a tree, with those of the facts that it needs and that have an
// asked_when.
func (l *language) needsOf(tree *Node) fact.Needs {
	needs := tree.needs()
	for _, a := range l.asked {
		if needs.Facts[a.Row] || needs.Fields[a.Row] {
			needs.Add(a.Condition.needs)
		}
	}
	return needs
}

// askedWhens returns the conditions in the order of the declarations.
func askedWhens(declared []fact.Declaration) (conditions []string) {
	for _, d := range declared {
		conditions = append(conditions, d.AskedWhen)
	}
	return slices.DeleteFunc(conditions, func(condition string) bool { return condition == "" })
}
