package rulefile

import (
	"fmt"
	"regexp"
	"strings"
)

// Texts that a comment cuts off. Input: a YAML file that was read. Output: a warning
// for each such text.

// CutTexts are texts of a YAML file that end where YAML begins a comment, and were
// probably meant to go on. A comment behind a text is a habit of many; it is one
// that goes on with the text, as #2 does, that is warned of.
func (f *File) CutTexts() []Problem {
	var found []Problem
	look := func(n *Node, path string) {
		if n == nil || n.comment == "" || len(found) >= MaxProblems || !cutOff(n.Text, n.comment, strings.HasSuffix(path, ".when")) {
			return
		}
		found = append(found, Problem{Path: path, Message: fmt.Sprintf("YAML reads a blank and # as the start of a comment, so this text ends before it: %q; put the whole text in quotes, or the comment on its own line", Clip(n.Text))})
	}
	texts := func(list string, names ...string) {
		of := f.Root.Member(list)
		if of == nil {
			return
		}
		for i, item := range of.items {
			for _, name := range names {
				look(item.Member(name), fmt.Sprintf("%s[%d].%s", list, i, name))
			}
		}
	}
	texts("documents", "name", "category", "requirement_text", "when")
	texts("examples", "name")
	texts("rules", "name", "when") // of a pricing model
	return found
}

var (
	goesOn      = regexp.MustCompile(`^#+(?:[^\s#]|\s*(?:[,;.)\]]|(?:and|or|of|with|plus|&&|\|\||&|\+)\s))`)
	partOfRule  = regexp.MustCompile(`&&|\|\||[<>=!]=|[a-z_]+\s*[<>]\s*[0-9]`)
	endsTooSoon = regexp.MustCompile(`(?i)(?:[,;:(\[/&+-]|\b(?:and|or|of|the|a|an|no|no\.|nr|nr\.|number|form|item|box|page|schedule|section|line|part))$`)
)

// cutOff reports whether a comment belongs to the text before it.
func cutOff(text, comment string, condition bool) bool {
	text = strings.TrimSpace(text)
	if condition {
		return partOfRule.MatchString(comment)
	}
	return goesOn.MatchString(comment) || endsTooSoon.MatchString(text) || strings.Count(text, "(") > strings.Count(text, ")")
}
