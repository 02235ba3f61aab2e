package requirement

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"requisite/internal/rules/fact"
)

// This file evaluates the conditions of options: which options of a document are offered.

// CompiledOption is the condition of an option. Condition is nil for an option without one.
type CompiledOption struct {
	*Condition
	Noticed []Problem // warnings of the compilation
}

// OptionPath is the path of an option of the rule, such as documents[1].any_of[0].
func (r Rule) OptionPath(option int) string { return fmt.Sprintf("%s.any_of[%d]", r.Path, option) }

// ownCondition is the index of the rule's own condition, beside the indexes of its options.
const ownCondition = -1

// writtenCondition is a condition as the rule states it: its own, or that of an option.
type writtenCondition struct {
	option int
	path   string
	source string
}

// conditions returns the conditions that the rule states.
func (r Rule) conditions() []writtenCondition {
	var found []writtenCondition
	if r.When != "" {
		found = append(found, writtenCondition{ownCondition, r.Path + ".when", r.When})
	}
	if r.Document == nil {
		return found
	}
	for i, o := range r.Document.AnyOf {
		if o.When != "" {
			found = append(found, writtenCondition{i, r.OptionPath(i) + ".when", o.When})
		}
	}
	return found
}

// add adds a compiled condition to the rule.
func (r *CompiledRule) add(of writtenCondition, compiled *Condition, noticed []Problem) {
	r.needs.Add(compiled.needs)
	r.needs.Looped = r.needs.Looped || compiled.needs.Looped
	if of.option == ownCondition {
		r.Condition, r.Noticed = compiled, noticed
		return
	}
	if r.Options == nil {
		r.Options = make([]CompiledOption, len(r.Document.AnyOf))
	}
	r.Options[of.option] = CompiledOption{compiled, noticed}
}

// match returns the result of the rule for a subject. It returns false if the rule does not hold, or
// if no option is offered.
func (r *CompiledRule) match(ctx context.Context, s subject) (match, bool, error) {
	holds, err := r.holds(ctx, s.values)
	if err != nil || !holds || r.Options == nil {
		return match{r, s, nil}, holds, err
	}
	var offered []int
	some := false
	for i, o := range r.Options {
		if o.Condition == nil {
			some = true
			continue
		}
		if holds, err = o.Holds(ctx, s.values); err != nil {
			return match{}, false, fmt.Errorf("any_of[%d].when: %w", i, err)
		}
		if holds {
			offered, some = append(offered, i), true
		}
	}
	return match{r, s, offered}, some, nil
}

// label names an option in a reason.
func (o DocumentOption) label() string {
	names := make([]string, 0, len(o.AllOf)+1)
	for _, part := range o.Parts() {
		names = append(names, part.Name)
	}
	return strings.Join(names, " and ")
}

// withoutOptions explains that the rule holds for one of the subjects, and that no option is
// offered. It is empty if the rule holds for none.
func (r *CompiledRule) withoutOptions(ctx context.Context, subjects []subject) (Reason, error) {
	if r.Options == nil {
		return Reason{}, nil
	}
	for _, s := range subjects {
		holds, err := r.holds(ctx, s.values)
		if err != nil {
			return Reason{}, err
		}
		if holds {
			return r.notOffered(s.values), nil
		}
	}
	return Reason{}, nil
}

// notOffered is the reason of a rule that holds, and of which no option is offered.
func (r *CompiledRule) notOffered(b *Bindings) Reason {
	var said []string
	facts := ReasonFacts{}
	for i, o := range r.Options {
		if o.Condition == nil {
			continue
		}
		reason := o.because(b, r.Document.AnyOf[i].label(), "not offered", false)
		said = append(said, strings.TrimSuffix(reason.Message, "."))
		facts.add(reason.Facts)
	}
	return Reason{Message: onOneLine(r.Name) + ": not required, because no option is offered: " + strings.Join(said, "; ") + ".", Facts: facts}
}

// add adds the facts of another reason.
func (f ReasonFacts) add(other ReasonFacts) {
	for name, value := range other {
		persons, nested := value.(map[string]any)
		known, there := f[name].(map[string]any)
		if !nested || !there {
			f[name] = value
			continue
		}
		all := maps.Clone(known)
		for id, fields := range persons {
			if of, ok := all[id].(map[string]any); ok {
				merged := maps.Clone(of)
				maps.Copy(merged, fields.(map[string]any))
				all[id] = merged
			} else {
				all[id] = fields
			}
		}
		f[name] = all
	}
}

// allOffered is the most that Requirement.Offered has.
func (r *CompiledRule) allOffered() []int {
	var offered []int
	for i := range r.Options {
		offered = append(offered, i)
	}
	return offered
}

// withOptions adds the steps of the options to those of the rule's own condition.
func (r *CompiledRule) withOptions(own *Step, s subject, required bool) *Step {
	if r.Options == nil {
		return own
	}
	all := Step{Expression: "the condition of the rule, and those of its options", Value: required}
	if own != nil {
		all.Steps = append(all.Steps, *own)
	}
	for i, o := range r.Options {
		if o.Condition != nil {
			step := o.explain(s.values)
			step.Element = fmt.Sprintf("any_of[%d].when", i)
			all.Steps = append(all.Steps, *step)
		}
	}
	return &all
}

// Conditions returns the conditions of the rule and of its options.
func (r *CompiledRule) Conditions() []*Condition {
	var all []*Condition
	if r.Condition != nil {
		all = append(all, r.Condition)
	}
	for _, o := range r.Options {
		if o.Condition != nil {
			all = append(all, o.Condition)
		}
	}
	return all
}

// readsPeople reports whether a condition of the rule looks at all persons.
func (r *CompiledRule) readsPeople() bool {
	return r.EntityType == fact.EntityPerson && slices.ContainsFunc(r.Conditions(), func(c *Condition) bool { return c.needs.People })
}
