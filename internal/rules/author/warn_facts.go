package author

import (
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

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
	defer l.saying("so nobody is asked for the fact", "so everybody is asked for the fact: leave default and asked_when out if you mean that")()
	for _, a := range facts {
		if len(found) >= rulefile.MaxProblems || l.ctx.Err() != nil {
			break
		}
		found = slices.Concat(found, rulefile.WithPath(slices.Clone(a.Noticed), a.Path), l.condition(a.Path, a.Condition).found)
	}
	return found
}

// usedByTerms returns the facts that due_from and bound_to name.
func usedByTerms(rs requirement.RuleSet) (names []string) {
	for _, rule := range rs.Documents {
		names = append(names, rule.DueFrom)
		for _, name := range rule.BoundTo {
			names = append(names, fact.Bare(name), fact.NamePerson+"."+fact.Bare(name))
		}
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

// mention is what the conditions say of a declared fact with choices.
type mention struct {
	named, meant map[string]bool // the choices, and those for which a condition holds
	denied       bool            // a condition holds for all but some
	otherwise    bool            // a condition reads the fact and names no choice
}

// mentioned returns the mention of a fact; nil for a fact without choices.
func (l *linter) mentioned(row *fact.Row) *mention {
	if row.Declared == nil || row.Declared.Choices == nil {
		return nil
	}
	m := l.mentions[row.Declared.Name]
	if m == nil {
		m = &mention{named: map[string]bool{}, meant: map[string]bool{}}
		l.mentions[row.Declared.Name] = m
	}
	return m
}

// noteMention records that n compares a fact with values.
func (c *condition) noteMention(n *requirement.Node, row *fact.Row, values []*requirement.Node) {
	m := c.mentioned(row)
	if m == nil {
		return
	}
	denied := c.denied[n] != isCall(n, operators.NotEquals)
	m.denied = m.denied || denied
	m.otherwise = m.otherwise || !looksExactly(n) || len(values) == 0
	for _, v := range values {
		texts := c.lists[v.Name]
		if text, is := v.Literal.(string); is {
			texts = []string{text}
		}
		for _, text := range texts {
			m.named[text] = true
			m.meant[text] = m.meant[text] || !denied
		}
	}
}

// noteJoined records that n calculates a text from facts, as in country + custom.legal_form.
func (c *condition) noteJoined(n *requirement.Node) {
	for _, arg := range n.Args {
		if m := c.mentioned(arg.ComparedFact()); m != nil {
			m.otherwise = true
		}
	}
}

// unmentioned finds the choices that no condition names, of declared facts whose other choices are
// named. An example with the choice says that nothing is required for it.
func (l *linter) unmentioned(rs requirement.RuleSet) (found []requirement.Problem) {
	for i, d := range rs.Facts {
		m := l.mentions[d.Name]
		if m == nil || m.otherwise {
			continue
		}
		var missing []int
		meant := 0
		for j, choice := range d.Choices {
			switch {
			case m.meant[choice]:
				meant++
			case !m.named[choice] && !isOrdinary(d, j) && !statedByExample(rs.Examples, d, choice):
				missing = append(missing, j)
			}
		}
		// Where a condition holds for all but some choices, the others need no name.
		most := meant >= 2 && 2*meant > len(d.Choices) && (!m.denied || meant > 2)
		if !most || len(missing) > max(1, len(d.Choices)/4) {
			continue
		}
		for _, j := range missing {
			found = append(found, requirement.Problem{
				Path: fmt.Sprintf("facts[%d].choices[%d]", i, j),
				Message: fmt.Sprintf(
					"no rule names %s, and rules name the other choices of %s: name it in a rule, or add an example with it if nothing more is required then",
					d.Choices[j], d.Name),
			})
		}
	}
	return found
}

// isOrdinary reports whether a choice reads as the ordinary case, for which nothing is required: the
// first one, the default, and words such as NONE.
func isOrdinary(d fact.Declaration, choice int) bool {
	text := d.Choices[choice]
	return choice == 0 || d.Default != nil && d.Default.Stated() == text ||
		hasWord(strings.ToLower(text),
			"any", "basic", "default", "domestic", "low", "neither", "never", "no", "ordinary", "other", "regular", "simple", "standard", "unknown")
}

func statedByExample(examples []requirement.Example, d fact.Declaration, choice string) bool {
	states := func(custom map[string]fact.Value) bool {
		switch v := custom[d.Name].Stated().(type) {
		case string:
			return v == choice
		case []string:
			return slices.Contains(v, choice)
		}
		return false
	}
	return slices.ContainsFunc(examples, func(e requirement.Example) bool {
		return states(e.Facts.Custom) || slices.ContainsFunc(e.Facts.Persons, func(p fact.PersonFacts) bool { return states(p.Custom) })
	})
}
