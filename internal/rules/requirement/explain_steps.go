package requirement

// This file shows step by step how a condition comes to its result.

// Step is the evaluation of one sub-expression.
type Step struct {
	Expression string
	// Element is the element that a loop visited: `p = p_…`.
	Element string
	// Value is the result of the expression: true or false, a number, a text, a date as YYYY-MM-DD,
	// a list of those, or the id of a person. In JSON, a number with infinitely many decimals is a
	// text such as "1/3". Value is nil if the expression was not evaluated, or has no result for
	// these facts.
	Value any
	// DefaultBecause says why a declared fact counts as its default, in the words of
	// fact.DefaultReasons. It is empty if the fact does not.
	DefaultBecause string
	// Skipped marks an expression that was not evaluated, because the result was certain without
	// it.
	Skipped bool
	Steps   []Step
	// Omitted counts the steps directly below that are left out, because the explanation has
	// reached MaxExplainedSteps.
	Omitted int
}

// MaxExplainedSteps limits the explanation of one rule for one entity. A nested loop has more steps
// than anybody reads.
const MaxExplainedSteps = 2000

// explain shows how the condition comes to its result.
func (c *Condition) explain(b *Bindings) *Step {
	steps := walk(c.Tree, b, MaxExplainedSteps).public()
	return &steps
}

// public converts a step for a reader.
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
