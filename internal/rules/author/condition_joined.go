package author

import (
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// Texts that are joined, as country + "/" + custom.legal_form, and that a table looks for.

// joinUse is a list and the joined texts that are looked up in it.
type joinUse struct{ list, joined string }

// joined warns of texts that a comparison looks for and that its joined texts can never be: an
// entry of a table that is misspelt would silently require less.
func (c *condition) joined(n *requirement.Node) {
	if !looksExactly(n) || len(n.Args) != 2 {
		return
	}
	for i, arg := range n.Args {
		texts := joinedTexts(arg, c.loops)
		if len(texts) == 0 {
			continue
		}
		for _, named := range n.Args[1-i].Constants(c.loops) {
			if named.Kind == requirement.ListKind {
				c.joinedList(texts, named)
			} else if text, ok := named.Literal.(string); ok {
				if why := c.neverAny(texts, text); why != "" {
					c.addAt(n, requirement.Problem{Path: c.path, Line: named.Line, Column: named.Column, Message: why})
				}
			}
		}
	}
}

// joinedTexts are the joined texts that n, or each element of n, is one of; nil where it can be
// another text. loops are those around n, outermost first.
func joinedTexts(n *requirement.Node, loops []*requirement.Node) (found []*requirement.Node) {
	looked := map[*requirement.Node]bool{} // the loops whose elements are looked at
	var look func(n *requirement.Node, loops []*requirement.Node) bool
	look = func(n *requirement.Node, loops []*requirement.Node) bool {
		another := func(part *requirement.Node) bool { return !look(part, loops) }
		switch {
		case isCall(n, operators.Add):
			found = append(found, n)
			return true
		case isCall(n, operators.Conditional):
			return !slices.ContainsFunc(n.Args[1:], another)
		case n.Kind == requirement.ArrayKind:
			return !slices.ContainsFunc(n.Args, another)
		case n.Kind == requirement.VariableKind && n.Slot < len(loops):
			of := loops[n.Slot]
			if looked[of] {
				return true
			}
			looked[of] = true
			return look(of.List(), loops)
		case n.Kind == requirement.LoopKind && n.Name == "map":
			return look(n.Result(), append(slices.Clip(loops[:n.Slot]), n))
		case n.Kind == requirement.LoopKind && n.Name == "filter":
			return look(n.List(), loops)
		}
		return false
	}
	if !look(n, loops) {
		return nil
	}
	return found
}

func (c *condition) joinedList(texts []*requirement.Node, list *requirement.Node) {
	use := joinUse{list: list.Name}
	for _, text := range texts {
		use.joined += text.Text() + "\n"
	}
	if c.joins[use] {
		return
	}
	c.joins[use] = true
	for i, entry := range c.lists[list.Name] {
		if why := c.neverAny(texts, entry); why != "" {
			c.addAt(nil, requirement.Problem{Path: fmt.Sprintf("%s.%s[%d]", fact.NameLists, list.Name, i), Message: why})
		}
	}
}

// neverAny says why a text can be none of the joined texts, with the reason of the first.
func (c *condition) neverAny(texts []*requirement.Node, text string) (said string) {
	for _, joined := range texts {
		why := c.neverJoined(joinedParts(joined), text)
		if why == "" {
			return ""
		}
		if said == "" {
			said = fmt.Sprintf("%q can never be %s: %s", text, joined.Text(), why)
		}
	}
	return said
}

// neverJoined says why no record can join the parts to a text. Facts whose values cannot be
// listed may have any.
func (c *condition) neverJoined(parts []*requirement.Node, text string) string {
	ends := []int{0} // where the parts so far may end in the text
	for i, part := range parts {
		values := textsOf(part)
		if values == nil {
			return ""
		}
		var next []int
		for _, end := range ends {
			if c.left -= 1 + len(values)/16; c.left <= 0 {
				return ""
			}
			for _, value := range values {
				if strings.HasPrefix(text[end:], value) && !slices.Contains(next, end+len(value)) {
					next = append(next, end+len(value))
				}
			}
		}
		if len(next) == 0 {
			return misfit(parts[i:], text, slices.Max(ends))
		}
		ends = next
	}
	if !slices.Contains(ends, len(text)) {
		return fmt.Sprintf("nothing follows %q", text[:slices.Max(ends)])
	}
	return ""
}

// misfit says what is wrong with a text from a position on, where the first of parts should be.
func misfit(parts []*requirement.Node, text string, at int) string {
	part, word := parts[0], text[at:]
	if part.Kind == requirement.LiteralKind {
		return fmt.Sprintf("%q must follow %q", part.Literal, text[:at])
	}
	if len(parts) > 1 && parts[1].Kind == requirement.LiteralKind {
		word, _, _ = strings.Cut(word, parts[1].Literal.(string))
	}
	row := part.ComparedFact()
	if why := row.RefuseChoice(word); why != "" {
		return fmt.Sprintf("%q %s", word, why)
	}
	return fmt.Sprintf("%q is no value of %s: %s", word, part.Text(), row.Unrecorded(word))
}

// textsOf are all values of one part of joined texts; nil when they cannot be listed.
func textsOf(part *requirement.Node) []string {
	if text, ok := part.Literal.(string); ok && part.Kind == requirement.LiteralKind {
		return []string{text}
	}
	if row := part.ComparedFact(); row != fact.NoFact && row.Text != nil {
		return row.Text.Codes
	}
	return nil
}
