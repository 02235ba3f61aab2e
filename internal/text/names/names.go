// Package names compares the names of persons.
package names

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Same reports whether two names look the same to a reader. It ignores case, blanks, invisible
// characters and the form of accents. It distinguishes letters of two scripts that look alike.
func Same(one, other string) bool { return folded(one) == folded(other) }

// folded removes invisible characters first, because they may stand between a letter and its accent. It
// repeats all steps once, because changing case and compatibility forms can make new ones.
func folded(name string) string {
	for range 2 {
		name = strings.Map(func(r rune) rune {
			if Ignorable(r) {
				return -1
			}
			return r
		}, name)
		name = norm.NFKC.String(cases.Fold().String(norm.NFKC.String(name)))
	}
	return strings.Join(strings.Fields(name), " ")
}

// Check refuses a name with an invisible character: to a reader it would look like another name.
func Check(name string) error {
	at := strings.IndexFunc(name, Ignorable)
	if at < 0 {
		return nil
	}
	r, _ := utf8.DecodeRuneInString(name[at:])
	what := "is invisible"
	if unicode.Is(unicode.Bidi_Control, r) {
		what = "changes the direction of text"
	}
	return fmt.Errorf("the name has the character %U after %q, which %s: leave it out", r, name[:at], what)
}

// Ignorable reports a code point that Unicode calls Default_Ignorable_Code_Point: nobody sees it, or it
// changes the direction of text. The property is derived as DerivedCoreProperties.txt says.
func Ignorable(r rune) bool {
	switch {
	case unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		return true
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r), r >= '\ufff9' && r <= '\ufffb', r >= 0x13430 && r <= 0x1345f:
		return false
	}
	return unicode.Is(unicode.Cf, r)
}
