package author

import (
	"fmt"
	"strings"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// Industry codes: warnings about codes that have lost a zero, and about ranges of codes.

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
			use.at.Message = fmt.Sprintf("%q has three digits, and merchant category codes have four: did you mean %q? The zeros that a code begins with are part of it", use.code, "0"+use.code)
			found = append(found, use.at)
		case meant != use.code && digits(meant) == merchantCategory && strings.ContainsAny(use.code, "0123456789"):
			use.at.Message = fmt.Sprintf("%q has a letter that looks like a digit: did you mean %q?", use.code, meant)
			found = append(found, use.at)
		}
	}
	return append(found, l.ranges...)
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

// codeRanges notes ranges of codes among the parts of && whose ends differ in length.
func (c *condition) codeRanges(parts []*requirement.Node) {
	highs := map[string]string{} // by what they bound
	bound := func(part *requirement.Node, below bool) (of, code string, ok bool) {
		n, code, ok := textBound(part, below)
		if !ok || n.ComparedFact().Name != fact.NameIndustryCodes || digits(code) == 0 {
			return "", "", false
		}
		return n.Text(), code, true
	}
	for _, part := range parts {
		if of, high, ok := bound(part, false); ok {
			highs[of] = high
		}
	}
	for _, part := range parts {
		of, low, _ := bound(part, true)
		high := highs[of]
		if low > high || len(low) == len(high) || low == "" || len(c.ranges) >= rulefile.MaxProblems {
			continue
		}
		short, most := low, len(high)
		if len(high) < len(low) {
			short, most = high, len(low)
		}
		c.ranges = append(c.ranges, c.problem(part, fmt.Sprintf("the ends of the range from %q to %q differ in length, and codes compare character by character, so %q comes just before %q: write both ends with all %d characters", low, high, short, short+strings.Repeat("0", most-len(short)), most)))
	}
}
