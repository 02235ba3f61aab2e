package author

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// This file warns of industry codes that have lost a zero, and of codes that are written unlike all
// others of their list.

// codeUse is one use of an industry code.
type codeUse struct {
	code string
	at   requirement.Problem
}

// merchantCategory is the length of a merchant category code. Spreadsheets remove a zero at its
// beginning.
const merchantCategory = 4

// industryCodes warns about the codes of all rules. If most of them have three digits, three digits
// are intended.
func (l *linter) industryCodes() []requirement.Problem {
	counts, seen := map[int]int{}, map[string]bool{}
	for _, use := range l.codes {
		if !seen[use.code] {
			counts[digits(use.code)]++
		}
		seen[use.code] = true
	}
	short, full := counts[merchantCategory-1], counts[merchantCategory]
	var found []requirement.Problem
	for _, use := range l.codes {
		meant := lookAlike.Replace(use.code)
		switch {
		case len(found) >= rulefile.MaxProblems:
		case digits(use.code) == merchantCategory-1 && short <= max(1, full):
			use.at.Severity = requirement.SeverityHint
			if full >= 2*short {
				use.at.Severity = requirement.SeverityWarning
			}
			use.at.Message = fmt.Sprintf(
				"%q has three digits, and merchant category codes have four: did you mean %q? The zeros that a code begins with are part of it",
				use.code, "0"+use.code)
			found = append(found, use.at)
		case meant != use.code && digits(meant) == merchantCategory && strings.ContainsAny(use.code, "0123456789"):
			use.at.Message = fmt.Sprintf("%q has a letter that looks like a digit: did you mean %q?", use.code, meant)
			found = append(found, use.at)
		}
	}
	return found
}

// lookAlike replaces letters with the digits that they look like.
var lookAlike = strings.NewReplacer("O", "0", "o", "0", "I", "1", "l", "1")

// digits is the number of digits of a text that has only digits, and 0 for others.
func digits(text string) int {
	if strings.Trim(text, "0123456789") != "" {
		return 0
	}
	return len(text)
}

// codes is a list of texts in the rule set, or written out in a condition.
type codes struct {
	texts []string
	at    func(i int) requirement.Problem
	parts bool // beginnings of codes may be listed, which have any length
}

// fewestAlike is how many codes must be written alike before another is odd.
const fewestAlike = 3

// oddCodes warns of codes that are written unlike all others of their list, as "541110x" beside
// "541120", "541190" and "541310". others are warnings that are there already. Words may be written in
// any way, and a fact whose codes are known checks them itself.
func (l *linter) oddCodes(others []requirement.Problem) (found []requirement.Problem) {
	lists := slices.Clone(l.written)
	for _, name := range slices.Sorted(maps.Keys(l.lists)) {
		list := codes{texts: l.lists[name], at: func(i int) requirement.Problem {
			return requirement.Problem{Path: fmt.Sprintf("%s.%s[%d]", fact.NameLists, name, i)}
		}}
		known := false
		for use := range l.seen {
			known = known || use.list == name && use.fact.KnowsCodes()
			list.parts = list.parts || use.list == name && !use.exactly
		}
		if !known {
			lists = append(lists, list)
		}
	}
	for _, list := range lists {
		i, usual, lengths := list.odd()
		if i < 0 || len(found) >= rulefile.MaxProblems {
			continue
		}
		p := list.at(i)
		if slices.ContainsFunc(others, func(o requirement.Problem) bool { return o.Path == p.Path && o.Line == p.Line && o.Column == p.Column }) {
			continue
		}
		p.Message = fmt.Sprintf("%q is written unlike all other codes of the list, such as %q: correct it", list.texts[i], usual)
		if plain := strings.ToUpper(strings.TrimSpace(list.texts[i])); plain != list.texts[i] && shape(plain, lengths) == shape(usual, lengths) {
			p.Message = fmt.Sprintf("%q is written unlike all other codes of the list: did you mean %q?", list.texts[i], plain)
		}
		found = append(found, p)
	}
	return found
}

// odd returns the index of the code that is written unlike all others, one of the others, and whether
// they have one length. The index is -1 if there is none.
func (l codes) odd() (at int, usual string, lengths bool) {
	if i := slices.IndexFunc(l.texts, func(text string) bool { return strings.TrimSpace(text) != text }); i >= 0 && len(l.texts) > 1 {
		return i, strings.TrimSpace(l.texts[(i+1)%len(l.texts)]), true
	}
	for _, lengths := range []bool{true, false} {
		uses := map[string][]int{}
		for i, text := range l.texts {
			form := shape(text, lengths)
			uses[form] = append(uses[form], i)
		}
		if len(uses) != 2 || len(l.texts) <= fewestAlike {
			continue
		}
		for form, indexes := range uses {
			if i := indexes[0]; len(indexes) == 1 {
				usual := l.texts[(i+1)%len(l.texts)]
				if l.isOdd(l.texts[i], usual, form, lengths) {
					return i, usual, lengths
				}
			}
		}
	}
	return -1, "", false
}

// isOdd reports whether a code with a form of its own is a mistake.
func (l codes) isOdd(text, usual, form string, lengths bool) bool {
	const longestCode = 3 // of letters, as of countries and currencies; others are words
	usualForm := shape(usual, lengths)
	onlyLength := shape(text, false) == shape(usual, false)
	switch {
	case strings.ContainsRune(usualForm, 'a'): // words
		return false
	case shape(strings.ToUpper(text), lengths) == usualForm:
		return true
	case strings.ContainsRune(usualForm, '9'):
		return !onlyLength || lengths && !l.parts
	case lengths:
		return len(usual) <= longestCode && (!onlyLength || len(text) <= longestCode)
	}
	return strings.Trim(usualForm, "A") != "" && strings.Trim(form, "A") != strings.Trim(usualForm, "A")
}

// shape is how a code is written: A for a capital letter, a for any other, and 9 for a digit. Without
// lengths, repeated ones are one, and _ is a letter.
func shape(code string, lengths bool) string {
	var form []rune
	for _, r := range code {
		switch {
		case unicode.IsDigit(r):
			r = '9'
		case unicode.IsUpper(r), r == '_' && !lengths:
			r = 'A'
		case unicode.IsLetter(r):
			r = 'a'
		}
		if lengths || len(form) == 0 || form[len(form)-1] != r {
			form = append(form, r)
		}
	}
	return string(form)
}
