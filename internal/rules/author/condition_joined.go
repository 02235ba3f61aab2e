package author

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// Joined texts: warnings about texts that + never gives. A text is taken apart, and not
// compared with each combination, of which there may be too many.

// neverJoined warns of the texts that a comparison looks for, where + gives none of them for any
// facts.
func (c *condition) neverJoined(n, of, with *requirement.Node) {
	if !looksExactly(n) {
		return
	}
	j := c.joinedText(of)
	if j == nil {
		return
	}
	for _, named := range with.Constants(c.loops) {
		if text, ok := named.Literal.(string); ok {
			c.addNeverJoined(j, text, requirement.Problem{Path: c.path, Line: named.Line, Column: named.Column})
		}
		use := listUse{list: named.Name, joined: j.key}
		if _, seen := c.seen[use]; named.Kind != requirement.ListKind || seen {
			continue
		}
		c.seen[use] = true
		for i, entry := range c.lists[named.Name] {
			c.addNeverJoined(j, entry, requirement.Problem{Path: fmt.Sprintf("%s.%s[%d]", fact.NameLists, named.Name, i)})
		}
	}
}

func (c *condition) addNeverJoined(j *joinedText, text string, at requirement.Problem) {
	if len(c.found) >= rulefile.MaxProblems || c.left <= 0 {
		return
	}
	if at.Message = j.doubt(c, text); at.Message != "" {
		c.addAt(nil, at)
	}
}

// joinedText are all texts that + gives, as far as each part has its values for itself.
type joinedText struct {
	text  string // of the expression
	key   string // equal for those that give the same texts
	parts []joinedPart
}

// joinedPart is one of the texts that + joins.
type joinedPart struct {
	texts   map[string]bool // all that it can be
	lengths []int           // of the texts, in bytes
	form    *fact.TextForm
}

// joinedText reads an expression. It is nil of what joins no texts, and where a part can be any
// text.
func (c *condition) joinedText(n *requirement.Node) *joinedText {
	if !isCall(n, operators.Add) || n.Shape != fact.TextShape {
		return nil
	}
	j := &joinedText{text: rulefile.Clip(n.Text()), key: canonical(n)}
	for _, part := range joinedParts(n) {
		texts := c.textsOf(part)
		if c.left -= len(texts) + 1; texts == nil || c.left <= 0 {
			return nil
		}
		p := joinedPart{texts: map[string]bool{}, form: cmp.Or(part.ComparedFact().Text, &fact.TextForm{Codes: texts})}
		lengths := map[int]bool{}
		for _, text := range texts {
			p.texts[text], lengths[len(text)] = true, true
		}
		p.lengths = slices.Sorted(maps.Keys(lengths))
		j.parts = append(j.parts, p)
	}
	n.Walk(func(part *requirement.Node) {
		if part.Kind == requirement.VariableKind && part.Slot < len(c.loops) {
			j.key += " " + canonical(c.loops[part.Slot].List())
		}
	})
	return j
}

// textsOf are all values that a text can have; nil where they are not known.
func (c *condition) textsOf(n *requirement.Node) (texts []string) {
	if form := n.ComparedFact().Text; form != nil {
		return form.Codes
	}
	switch {
	case n.Kind == requirement.LiteralKind:
		return []string{n.Literal.(string)}
	case isCall(n, operators.Conditional):
		a, b := c.textsOf(n.Args[1]), c.textsOf(n.Args[2])
		if a != nil && b != nil {
			return slices.Concat(a, b)
		}
	case n.Kind == requirement.VariableKind && n.Slot < len(c.loops):
		values, ok := c.listed(c.loops[n.Slot].List())
		for _, v := range values {
			texts = append(texts, v.text)
		}
		if ok {
			return texts
		}
	}
	return nil
}

// doubt says what is wrong with a text that is looked for.
func (j *joinedText) doubt(c *condition, text string) string {
	from := make([][]bool, len(j.parts)+1) // where each part can begin
	from[0] = make([]bool, len(text)+1)
	from[0][0] = true
	for i, part := range j.parts {
		from[i+1] = make([]bool, len(text)+1)
		for at, reached := range from[i] {
			for _, length := range part.lengths {
				if c.left--; reached && at+length <= len(text) && part.texts[text[at:at+length]] {
					from[i+1][at+length] = true
				}
			}
		}
	}
	if c.left <= 0 || from[len(j.parts)][len(text)] {
		return ""
	}
	hint := ": correct it, or take it out"
	if meant, ok := j.meant(c, text, from); ok {
		hint = fmt.Sprintf("; did you mean %q?", rulefile.Clip(meant))
	}
	return fmt.Sprintf("no value of %s reads %q%s", j.text, rulefile.Clip(text), hint)
}

// meant is the text that was probably meant by one that has a mistake in one part.
func (j *joinedText) meant(c *condition, text string, from [][]bool) (string, bool) {
	to := make([]bool, len(text)+1) // where the part at hand can end
	to[len(text)] = true
	for i, part := range slices.Backward(j.parts) {
		before := make([]bool, len(text)+1)
		for at := range len(text) + 1 {
			for end := at; from[i][at] && end <= len(text); end++ {
				if !to[end] {
					continue
				}
				if c.left -= len(part.texts) * (end - at + 1); c.left <= 0 {
					return "", false
				}
				if meant, ok := part.form.Meant(text[at:end]); ok {
					return text[:at] + meant + text[end:], true
				}
			}
			for _, length := range part.lengths {
				if c.left--; at+length <= len(text) && to[at+length] && part.texts[text[at:at+length]] {
					before[at] = true
				}
			}
		}
		to = before
	}
	return "", false
}
