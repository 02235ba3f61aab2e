package author

import (
	"fmt"
	"strings"

	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// Industry codes: warnings about codes that have lost a zero.

// codeUse is one use of an industry code.
type codeUse struct {
	code string
	at   requirement.Problem
}

// merchantCategory is the length of a merchant category code. Spreadsheets take the zero
// away that one begins with.
const merchantCategory = 4

// industryCodes are warnings about the codes of all rules. Where most of them have three
// digits, three are meant.
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

// lookAlike turns letters into the digits that they look like.
var lookAlike = strings.NewReplacer("O", "0", "o", "0", "I", "1", "l", "1")

// digits is how many a text has that consists of them, and 0 of others.
func digits(text string) int {
	if strings.Trim(text, "0123456789") != "" {
		return 0
	}
	return len(text)
}
