package requirement

import (
	"fmt"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
)

// This file writes the expression of a node as an author would write it.

// Binding strengths of the operators, weakest first.
const (
	bindConditional = iota + 1
	bindOr
	bindAnd
	bindComparison
	bindSum
	bindProduct
	bindSign
	bindMember
)

func (n *Node) binding() int {
	if n.Kind != CallKind {
		return bindMember
	}
	switch n.Name {
	case operators.Conditional:
		return bindConditional
	case operators.LogicalOr:
		return bindOr
	case operators.LogicalAnd:
		return bindAnd
	case operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals, operators.In:
		return bindComparison
	case operators.Add, operators.Subtract:
		return bindSum
	case operators.Multiply, operators.Divide, operators.Modulo:
		return bindProduct
	case operators.LogicalNot, operators.Negate:
		return bindSign
	}
	return bindMember
}

// Text writes n as its author would, on one line.
func (n *Node) Text() string {
	switch n.Kind {
	case LiteralKind:
		return LiteralText(n.Literal)
	case FactKind, VariableKind:
		return n.Name
	case ListKind:
		return fact.NameLists + "." + n.Name
	case DefinitionKind:
		of := ""
		if len(n.Args) > 0 {
			of = n.Args[0].Name + "."
		}
		return of + nameDefinitions + "." + n.Name
	case FieldKind:
		return n.Args[0].within(bindMember) + "." + n.Name
	case ArrayKind:
		return "[" + joinText(n.Args) + "]"
	case LoopKind:
		parts := n.Variable
		for _, part := range n.Args[1:] {
			if part != nil {
				parts += ", " + part.Text()
			}
		}
		return n.List().within(bindMember) + "." + n.Name + "(" + parts + ")"
	}
	return n.callText()
}

func (n *Node) callText() string {
	binding := n.binding()
	switch n.Name {
	case operators.Conditional:
		return n.Args[0].within(binding+1) + " ? " + n.Args[1].within(binding+1) + " : " + n.Args[2].within(binding)
	case operators.LogicalNot, operators.Negate:
		return operatorSigns[n.Name] + n.Args[0].within(binding)
	case "contains", "startsWith", "endsWith":
		if len(n.Args) > 0 {
			return n.Args[0].within(bindMember) + "." + n.Name + "(" + joinText(n.Args[1:]) + ")"
		}
	}
	if sign, ok := operatorSigns[n.Name]; ok {
		return n.Args[0].within(binding) + " " + sign + " " + n.Args[1].within(binding+1)
	}
	return n.Name + "(" + joinText(n.Args) + ")"
}

// within is the text of n as an operand of an operator with that binding strength.
func (n *Node) within(binding int) string {
	if n.binding() < binding {
		return "(" + n.Text() + ")"
	}
	return n.Text()
}

func joinText(nodes []*Node) string {
	texts := make([]string, len(nodes))
	for i, n := range nodes {
		texts[i] = n.Text()
	}
	return strings.Join(texts, ", ")
}

// LiteralText is a literal as a condition writes it.
func LiteralText(value any) string {
	switch v := value.(type) {
	case string:
		return strconv.Quote(v)
	case fact.Date:
		return fmt.Sprintf("date(%q)", v)
	case nil:
		return "…"
	}
	return fmt.Sprint(value)
}
