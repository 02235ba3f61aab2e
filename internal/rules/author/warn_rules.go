package author

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// This file warns of rules that look alike.

// alikeRules finds rules with the same name, and rules that hold for the same applications: two of
// documents, or two of findings. An example that expects both says that this is intended.
func alikeRules(ctx context.Context, rules []requirement.CompiledRule, examples []requirement.Example) []requirement.Problem {
	expected := make([]map[string]bool, len(examples)) // the expected documents and findings of each
	for i, example := range examples {
		expected[i] = map[string]bool{}
		for _, document := range slices.Concat(example.Expect.Documents, example.Expect.Includes) {
			expected[i]["documents "+document.DocumentTypeCode] = true
		}
		for _, f := range example.Expect.Findings {
			expected[i]["findings "+f.FindingCode] = true
		}
	}
	type condition struct {
		text     string
		ofPerson bool
		list     string // documents or findings
	}
	byCondition, byName := map[condition]*requirement.CompiledRule{}, map[string]*requirement.CompiledRule{}
	var found []requirement.Problem
	for i := range rules {
		if ctx.Err() != nil || len(found) >= rulefile.MaxProblems {
			break
		}
		r := &rules[i]
		list, says := "documents", ""
		if f := r.Finding; f != nil {
			list, says = "findings", string(f.Kind)+" "+plainText(f.Message)
		} else {
			says = plainText(r.Document.RequirementText) + "\n" + string(fact.CanonicalJSON(r.Document.AnyOf))
		}
		texts := list + "\n" + r.EntityType + "\n" + plainText(r.Name) + "\n" + says
		same := byName[texts]
		if same == nil {
			byName[texts] = r
		}
		var before *requirement.CompiledRule
		if r.Condition != nil && !r.Condition.Tree.Constant() {
			of := condition{canonical(r.Condition.Tree), r.EntityType == fact.EntityPerson, list}
			if before = byCondition[of]; before == nil {
				byCondition[of] = r
			}
		}
		switch {
		case before != nil && plainText(r.Name) == plainText(before.Name):
			found = append(found, requirement.Problem{
				Path: r.Path,
				Message: fmt.Sprintf(
					"%s asks for the same as %s (%s), under the same condition: keep one of the two",
					r.Code(), before.Path, before.Code()),
			})
		case same != nil:
			found = append(found, requirement.Problem{
				Path: r.Path,
				Message: fmt.Sprintf(
					"%s has the name and the text of %s (%s): keep one of the two, or say how they differ",
					r.Code(), same.Path, same.Code()),
			})
		case before != nil && !slices.ContainsFunc(expected, func(codes map[string]bool) bool { return codes[list+" "+r.Code()] && codes[list+" "+before.Code()] }):
			together := rulefile.Pick(r.Finding != nil, "both are always found together", "both documents are always asked for together")
			found = append(found, requirement.Problem{
				Path:     r.Path + ".when",
				Severity: requirement.SeverityHint,
				Message: fmt.Sprintf(
					"is the condition of %s (%s) too: if it was copied, change it; if %s, add an example that expects both",
					before.Path, before.Code(), together),
			})
		}
	}
	return found
}

// plainText is a text without the differences that do not matter.
func plainText(text string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(text, func(c rune) bool { return !requirement.NameCharacter(c) }), " "))
}

// alike reports whether two expressions are written alike, except for the names of loop variables
// and the order of the parts of && and ||.
func alike(a, b *requirement.Node) bool { return canonical(a) == canonical(b) }

// canonical is the same for expressions that are alike.
func canonical(n *requirement.Node) string { return canonicalBut(n, nil) }

// canonicalBut is canonical without some parts.
func canonicalBut(n *requirement.Node, without []*requirement.Node) string {
	switch {
	case n == nil:
		return ""
	case slices.Contains(without, n):
		return "…"
	case n.Kind == requirement.VariableKind:
		return fmt.Sprintf("$%d:%s", n.Slot, n.Origin.Name)
	case n.Kind == requirement.ListKind:
		return fact.NameLists + "." + n.Name
	case n.Kind == requirement.DefinitionKind:
		of := ""
		for _, person := range n.Args {
			of = canonical(person) + "."
		}
		return of + "definitions." + n.Name
	case n.Kind == requirement.LiteralKind:
		if number, ok := fact.Exact(n.Literal); ok && n.Shape != fact.DateShape {
			return number.RatString()
		}
		return requirement.LiteralText(n.Literal)
	}
	args := n.Args
	if isCall(n, operators.LogicalAnd, operators.LogicalOr) {
		args = joinedParts(n)
	}
	parts := make([]string, len(args))
	for i, arg := range args {
		parts[i] = canonicalBut(arg, without)
	}
	if isCall(n,
		operators.LogicalAnd, operators.LogicalOr,
		operators.Equals, operators.NotEquals,
		operators.Add, operators.Multiply) &&
		n.Shape != fact.TextShape {
		slices.Sort(parts)
	}
	if isCall(n, operators.LogicalAnd, operators.LogicalOr) {
		parts = slices.Compact(parts)
	}
	return n.Name + "(" + strings.Join(parts, ",") + ")"
}
