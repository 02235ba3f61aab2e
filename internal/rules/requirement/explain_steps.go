package requirement

// Steps: how a condition comes to its result, step by step.

// Step is the evaluation of one sub-expression.
type Step struct {
	Expression string
	// Element is the element of a list that a loop looked at: `p = p_…`.
	Element string
	// Value is what the expression gave: true or false, a number, a text, a
	// date as YYYY-MM-DD, a list of those, or the id of a person. A number whose
	// decimals never end is in JSON a text such as "1/3". It is nil when
	// the expression was not looked at, or has no answer for these facts.
	Value any
	// DefaultBecause says why a declared fact counts as its default, in the words of fact.NotStated
	// or fact.NotCounted; empty where it does not.
	DefaultBecause string
	// Skipped marks what was not looked at, because the result was certain
	// without it.
	Skipped bool
	Steps   []Step
	// Omitted counts the steps directly below that are left out, because the
	// explanation has MaxExplainedSteps without them.
	Omitted int
}

// MaxExplainedSteps bounds the explanation of one rule for one entity: a loop
// within a loop looks at more than anybody reads.
const MaxExplainedSteps = 2000

// explain is how the condition comes to its result.
func (c *Condition) explain(b *Bindings) *Step {
	steps := walk(c.Tree, b, MaxExplainedSteps).public()
	return &steps
}

// public is a step as a reader sees it.
func (s *step) public() Step {
	shown := Step{Expression: s.node.Text(), Element: s.element, Skipped: s.skipped, Omitted: s.omitted}
	if s.skipped {
		return shown
	}
	shown.Value, shown.DefaultBecause = s.datum.public(), s.defaultBecause
	for _, part := range s.steps {
		shown.Steps = append(shown.Steps, part.public())
	}
	return shown
}

func (d datum) public() any {
	if d.failed != nil {
		return nil
	}
	switch value := d.value.(type) {
	case *personValues:
		return value.PersonID
	case nil:
	default:
		return plainValue(value)
	}
	values := make([]any, len(d.items))
	for i, item := range d.items {
		values[i] = item.public()
	}
	return values
}
