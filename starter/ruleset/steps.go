package ruleset

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/starter/cli"
)

// PrintRule prints the evaluation of a rule for an entity. Unless all is set, it shows only
// some elements of a list for each result.
func PrintRule(out io.Writer, indent, entity string, r requirement.RuleExplanation, all bool) {
	fmt.Fprintf(out, "%s%s of %s: %s\n", indent, ruleName(r), entity, answer(r))
	if r.Steps == nil {
		fmt.Fprintf(out, "%s  %s\n", indent, r.Rule)
		return
	}
	fmt.Fprintf(out, "%s  %s\n", indent, stepText(*r.Steps))
	printSteps(out, indent+"  ", *r.Steps, all)
}

// ruleName names the document or the finding of a rule.
func ruleName(r requirement.RuleExplanation) string {
	if r.FindingCode != "" {
		return "finding " + r.FindingCode
	}
	return r.DocumentTypeCode
}

func answer(r requirement.RuleExplanation) string {
	words := "required"
	if r.FindingCode != "" {
		words = "found"
	}
	if !r.Required {
		return "not " + words
	}
	return words
}

// entityText names an entity by its type and id.
func entityText(entityType, entityID string) string {
	return strings.ToLower(entityType) + " " + entityID
}

// namedElements are steps whose loops name the persons that they looked at.
func namedElements(s requirement.Step, names requirement.Names) requirement.Step {
	if variable, id, ok := strings.Cut(s.Element, " = "); ok {
		s.Element = variable + " = " + names.Full(requirement.Entity{Type: fact.EntityPerson, ID: id})
	}
	s.Steps = slices.Clone(s.Steps)
	for i, part := range s.Steps {
		s.Steps[i] = namedElements(part, names)
	}
	return s
}

// printSteps prints the children of a step as branches, without the entity of the rule.
func printSteps(out io.Writer, indent string, s requirement.Step, all bool) {
	parts := slices.DeleteFunc(slices.Clone(s.Steps), func(part requirement.Step) bool { return part.Expression == "person" })
	more := s.Omitted
	if !all {
		shown := firstOfEach(parts)
		more += len(parts) - len(shown)
		parts = shown
	}
	for i, part := range parts {
		branch, below := "├─ ", "│  "
		if i == len(parts)-1 && more == 0 {
			branch, below = "└─ ", "   "
		}
		fmt.Fprintln(out, indent+branch+stepText(part))
		printSteps(out, indent+below, part, all)
	}
	if more > 0 {
		fmt.Fprintf(out, "%s└─ … and %d more\n", indent, more)
	}
}

// shownResults is how many different results of a loop are shown.
const shownResults = 3

// firstOfEach keeps the first element of a loop for each result, and all other steps.
func firstOfEach(parts []requirement.Step) []requirement.Step {
	results := map[string]int{} // by expression
	seen := map[string]bool{}
	var shown []requirement.Step
	for _, part := range parts {
		if part.Element != "" {
			result := part.Expression + " = " + valueText(part.Value)
			if seen[result] || results[part.Expression] == shownResults {
				continue
			}
			seen[result] = true
			results[part.Expression]++
		}
		shown = append(shown, part)
	}
	return shown
}

func stepText(s requirement.Step) string {
	text := s.Expression
	if s.Element != "" {
		text = "[" + s.Element + "] " + text
	}
	if s.Skipped {
		return text + "  (not looked at)"
	}
	if people, ok := s.Value.([]any); ok && s.Expression == "persons" && len(people) > shownPersons {
		return text + "  = " + cli.Counted(len(people), "person")
	}
	if s.DefaultBecause != "" {
		return text + "  " + s.DefaultBecause + ", counted as " + valueText(s.Value)
	}
	return text + "  = " + valueText(s.Value)
}

// shownPersons is how many persons are named.
const shownPersons = 3

// shownValues is how many values of a list are shown.
const shownValues = 10

func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return "no answer"
	case string:
		return strconv.Quote(v)
	case fact.Number:
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
