package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"requisite/internal/requirement"
)

// printRule prints how one rule came to its result for an entity of a name.
func printRule(out io.Writer, indent, entity string, r requirement.RuleExplanation) {
	answer := "not required"
	if r.Required {
		answer = "required"
	}
	fmt.Fprintf(out, "%s%s of %s: %s\n", indent, r.DocumentTypeCode, entity, answer)
	if r.Steps == nil {
		fmt.Fprintf(out, "%s  %s\n", indent, r.Rule)
		return
	}
	fmt.Fprintf(out, "%s  %s\n", indent, stepText(*r.Steps))
	printSteps(out, indent+"  ", *r.Steps)
}

// entityText names an entity by its type and id.
func entityText(entityType, entityID string) string {
	return strings.ToLower(entityType) + " " + entityID
}

// printSteps prints what lies below a step as branches. Whose rule it is has
// been said, and is not repeated at each field.
func printSteps(out io.Writer, indent string, s requirement.Step) {
	parts := slices.DeleteFunc(slices.Clone(s.Steps), func(part requirement.Step) bool { return part.Expression == "person" })
	for i, part := range parts {
		branch, below := "├─ ", "│  "
		if i == len(parts)-1 && s.Omitted == 0 {
			branch, below = "└─ ", "   "
		}
		fmt.Fprintln(out, indent+branch+stepText(part))
		printSteps(out, indent+below, part)
	}
	if s.Omitted > 0 {
		fmt.Fprintf(out, "%s└─ … and %d more\n", indent, s.Omitted)
	}
}

func stepText(s requirement.Step) string {
	text := s.Expression
	if s.Element != "" {
		text = "[" + s.Element + "] " + text
	}
	if s.Skipped {
		return text + "  (not looked at)"
	}
	return text + "  = " + valueText(s.Value)
}

// shownValues is how many values of a list are shown.
const shownValues = 10

func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return "no answer"
	case string:
		return strconv.Quote(v)
	case requirement.Number:
		return v.Words()
	case []any:
		var texts []string
		for _, value := range v[:min(len(v), shownValues)] {
			texts = append(texts, valueText(value))
		}
		if more := len(v) - shownValues; more > 0 {
			texts = append(texts, fmt.Sprintf("… %d more", more))
		}
		return "[" + strings.Join(texts, ", ") + "]"
	}
	return fmt.Sprint(v)
}
