package requirement

import (
	"fmt"
	"strings"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file explains why conditions are refused for their steps: it names the loops that take the
// steps, and what would be accepted.

// turns is a loop with the largest number of elements of its list.
type turns struct {
	loop  *Node
	items uint64
}

// turnsOf is how often the innermost of nested loops runs.
func turnsOf(loops []turns) uint64 {
	all := uint64(1)
	for _, l := range loops {
		all = stepsTimes(all, l.items)
	}
	return all
}

// describeLoops names nested loops, and how often each runs.
func describeLoops(loops []turns, subjects uint64) string {
	var text, times string
	if subjects > 1 {
		text, times = fmt.Sprintf("for each of %d persons, ", subjects), fmt.Sprintf("%d x ", subjects)
	}
	for i, l := range loops {
		text += rulefile.Pick(i > 0, ", inside it ", "") +
			fmt.Sprintf("%s.%s(%s, …) runs %s%d times",
				rulefile.Clip(l.loop.List().Text()), l.loop.Name, l.loop.Variable, times, l.items)
		times += fmt.Sprintf("%d x ", l.items)
	}
	return strings.TrimSuffix(text, ", ")
}

// tooManySteps refuses a condition that alone takes more steps than are allowed.
func tooManySteps(loops []turns, subjects, steps, limit uint64) string {
	text := fmt.Sprintf("may take %d steps with %s on file, and %d are allowed: ", steps, fact.MostOnFile(), limit)
	if len(loops) == 0 {
		return text + rulefile.Pick(subjects > 1, "it is evaluated for each person; ", "") + "write a shorter condition"
	}
	all := stepsTimes(turnsOf(loops), subjects)
	text += describeLoops(loops, subjects)
	const shortTest = 20 // the steps of two or three comparisons
	if each := limit / all; each >= shortTest {
		return text + fmt.Sprintf(", about %d steps each time; %d are allowed: compare less in the innermost loop", steps/all, each)
	}
	return text + fmt.Sprintf("; about %d runs in all are allowed: move a loop out of the others, or shorten its list", limit/max(1, steps/all))
}

// stepsTogether adds up the steps of several conditions, and of the definitions that are evaluated
// once for all of them.
type stepsTogether struct {
	total, most uint64
	costliest   *Condition
	subjects    uint64
	name        string
	once        map[*CompiledDefinition]bool
}

func (s *stepsTogether) add(c *Condition, subjects uint64, name, path string) {
	s.addOwn(c, subjects, fmt.Sprintf("%s (%s)", rulefile.Clip(name), path))
	for _, d := range c.once {
		if !s.once[d] {
			if s.once == nil {
				s.once = map[*CompiledDefinition]bool{}
			}
			s.once[d] = true
			s.addOwn(d.Condition, 1, d.Path)
		}
	}
}

func (s *stepsTogether) addOwn(c *Condition, subjects uint64, name string) {
	steps := c.own * subjects
	if s.total += steps; steps > s.most {
		s.most, s.costliest, s.subjects, s.name = steps, c, subjects, name
	}
}

func (s *stepsTogether) refusal(lists map[string]*TextList, limit uint64) string {
	found, _ := estimate(s.costliest.Tree, lists)
	text := fmt.Sprintf(
		"may take %d steps in all with %s on file, and %d are allowed. %s takes most, %d of them",
		s.total, fact.MostOnFile(), limit, s.name, s.most)
	if loops := describeLoops(found.longest, s.subjects); loops != "" {
		text += ": " + loops
	}
	return text + fmt.Sprintf(". %d conditions like it are allowed: write fewer or simpler rules", limit/s.most)
}
