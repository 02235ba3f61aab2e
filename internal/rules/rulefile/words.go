package rulefile

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"requisite/internal/text/typo"
)

// DidYouMean is `; did you mean "x"?` for the name nearest to a misspelt one. It is empty if no
// name is near.
func DidYouMean(misspelt string, names []string) string {
	if name, ok := typo.Meant(misspelt, names); ok {
		return "; did you mean " + name + "?"
	}
	return ""
}

// Unprintable returns which character of a text cannot be stored or shown: a control character
// other than a tab or the end of a line, or invalid UTF-8. It is empty for a text without any.
// Postgres cannot store U+0000, and a terminal interprets others.
func Unprintable(text string) string {
	for i, r := range text {
		if r == utf8.RuneError {
			if _, width := utf8.DecodeRuneInString(text[i:]); width == 1 {
				return "is not UTF-8: save the file as UTF-8"
			}
		}
		if unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r) {
			return fmt.Sprintf("holds the control character U+%04X: take it out", r)
		}
	}
	return ""
}

// TooLong reports whether a text has more characters than most.
func TooLong(text string, most int) bool { return utf8.RuneCountInString(text) > most }

// Pick returns yes if first is true, and no otherwise.
func Pick(first bool, yes, no string) string {
	if first {
		return yes
	}
	return no
}
