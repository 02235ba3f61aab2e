package requirement

import (
	"fmt"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
)

// Conditions as text. Input: a node. Output: its expression, as an author would write
// it.

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

func (n *node) binding() int {
	if n.kind != callKind {
		return bindMember
	}
	switch n.name {
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

// text writes n as its author would, on one line.
func (n *node) text() string {
	switch n.kind {
	case literalKind:
		return literalText(n.literal)
	case factKind, variableKind:
		return n.name
	case listKind:
		return fact.NameLists + "." + n.name
	case fieldKind:
		return n.args[0].within(bindMember) + "." + n.name
	case arrayKind:
		return "[" + joinText(n.args) + "]"
	case loopKind:
		parts := n.variable
		for _, part := range n.args[1:] {
			if part != nil {
				parts += ", " + part.text()
			}
		}
		return n.list().within(bindMember) + "." + n.name + "(" + parts + ")"
	}
	return n.callText()
}

func (n *node) callText() string {
	binding := n.binding()
	switch n.name {
	case operators.Conditional:
		return n.args[0].within(binding+1) + " ? " + n.args[1].within(binding+1) + " : " + n.args[2].within(binding)
	case operators.LogicalNot, operators.Negate:
		return operatorSigns[n.name] + n.args[0].within(binding)
	case "contains", "startsWith", "endsWith":
		if len(n.args) > 0 {
			return n.args[0].within(bindMember) + "." + n.name + "(" + joinText(n.args[1:]) + ")"
		}
	}
	if sign, ok := operatorSigns[n.name]; ok {
		return n.args[0].within(binding) + " " + sign + " " + n.args[1].within(binding+1)
	}
	return n.name + "(" + joinText(n.args) + ")"
}

// within is the text of n where an operator binds its operands with a strength.
func (n *node) within(binding int) string {
	if n.binding() < binding {
		return "(" + n.text() + ")"
	}
	return n.text()
}

func joinText(nodes []*node) string {
	texts := make([]string, len(nodes))
	for i, n := range nodes {
		texts[i] = n.text()
	}
	return strings.Join(texts, ", ")
}

func literalText(value any) string {
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
