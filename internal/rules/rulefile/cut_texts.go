package rulefile

import (
	"fmt"
	"regexp"
	"strings"

	"requisite/internal/text/rawjson"
)

// CutTexts finds texts of a YAML file that end where YAML begins a comment, and that were probably
// meant to continue. Comments after a text are common. The warning is only about one that continues
// the text, such as #2.
func (f *File) CutTexts() []Problem {
	var found []Problem
	for _, m := range f.marks {
		name := m.path[strings.LastIndexByte(m.path, '.')+1:]
		if m.comment == "" || len(found) >= MaxProblems || !cutNames.MatchString(name) && !IsCondition(m.path) || m.written != "" {
			continue
		}
		text := rawjson.Value{Text: f.json[m.at:rawjson.ValueEnd(f.json, m.at)]}.String()
		if cutOff(text, m.comment, IsCondition(m.path)) {
			found = append(found, Problem{
				Path: m.path,
				Message: fmt.Sprintf(
					"YAML reads a blank and # as the start of a comment, so this text ends before it: %q; "+
						"put the whole text in quotes, or the comment on its own line",
					Clip(text)),
			})
		}
	}
	return found
}

var (
	cutNames    = regexp.MustCompile(`^(name|category|requirement_text|when)$`)
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
