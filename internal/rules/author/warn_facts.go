package author

import (
	"fmt"
	"slices"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// This file warns of declared facts whose absence counts as an answer, and of those that nothing
// uses.

// factWarnings warns of declared facts that no rule uses, and of defaults that are true or false:
// with such a default, a fact that nobody has stated counts as an answer.
func factWarnings(declared []fact.Declaration, used []string) []requirement.Problem {
	var found []requirement.Problem
	for i, d := range declared {
		path := fmt.Sprintf("facts[%d]", i)
		if !slices.Contains(used, usedName(d)) {
			found = append(found, requirement.Problem{Path: path, Message: fmt.Sprintf("%s is used by no rule", d.Name)})
		}
		if d.Type == fact.DeclaredBoolean && d.Default != nil && d.AskedWhen == "" {
			found = append(found, requirement.Problem{
				Path: path + ".default",
				Message: fmt.Sprintf(
					"counts what nobody has stated as %v: leave the default out if the service should ask for it",
					d.Default.Stated()),
			})
		}
	}
	return found
}

// asked analyzes the conditions under which facts are asked for, as conditions does for rules.
func (l *linter) asked(facts []requirement.AskedFact) (found []requirement.Problem) {
	never, always := l.never, l.always
	defer func() { l.never, l.always = never, always }()
	l.never, l.always = "so nobody is asked for the fact", "so everybody is asked for the fact: leave default and asked_when out if you mean that"
	for _, a := range facts {
		if len(found) >= rulefile.MaxProblems || l.ctx.Err() != nil {
			break
		}
		found = slices.Concat(found, rulefile.WithPath(slices.Clone(a.Noticed), a.Path), l.condition(a.Path, a.Condition).found)
	}
	return found
}

// dueFrom returns the dates that due_from names.
func dueFrom(rs requirement.RuleSet) (names []string) {
	for _, rule := range rs.Documents {
		names = append(names, rule.DueFrom)
	}
	return names
}

// usedName is the name of a declared fact among the names of used facts.
func usedName(d fact.Declaration) string {
	name := fact.NameCustom + "." + d.Name
	if d.EntityType == fact.EntityPerson {
		name = fact.NamePerson + "." + name
	}
	return name
}

// unstatedFacts finds used declared facts that no example states. It is a warning if they have a
// default, because then no example shows the effect of a value.
func unstatedFacts(p *requirement.Program, rs requirement.RuleSet) []requirement.Problem {
	stated := map[string]bool{}
	for _, example := range rs.Examples {
		for name := range example.Facts.Custom {
			stated[name] = true
		}
		for _, person := range example.Facts.Persons {
			for name := range person.Custom {
				stated[name] = true
			}
		}
	}
	used := p.FactNames()
	var found []requirement.Problem
	for i, d := range rs.Facts {
		if stated[d.Name] || !slices.Contains(used, usedName(d)) || len(rs.Examples) == 0 && d.Default == nil {
			continue
		}
		severity := requirement.SeverityHint
		if d.Default != nil {
			severity = requirement.SeverityWarning
		}
		found = append(found, requirement.Problem{
			Path:     fmt.Sprintf("facts[%d]", i),
			Severity: severity,
			Message:  fmt.Sprintf("no example states %s.%s: add one that does", fact.NameCustom, d.Name),
		})
	}
	return found
}
