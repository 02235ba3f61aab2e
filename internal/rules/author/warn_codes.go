package author

import (
	"fmt"
	"strings"

	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// This file warns of industry codes that have lost a zero.

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
