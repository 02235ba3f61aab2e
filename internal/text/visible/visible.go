// Package visible makes untrusted text safe to show: a name, a rule, a file or an
// answer of a receiver can neither control a terminal nor become markup.
package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Hidden reports a character that is invisible or controls a terminal: control characters
// except tab and line feed, characters that change the direction of text, line separators,
// and characters that are or may become invisible. The joiners that scripts and emoji need
// are not hidden.
func Hidden(r rune) bool {
	switch {
	case r == '\n', r == '\t', r == '\u200c', r == '\u200d':
		return false
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Noncharacter_Code_Point, unicode.Other_Default_Ignorable_Code_Point)
}

// Terminal writes hidden characters as \uXXXX, which JSON reads as the same text, and invalid
// UTF-8 as U+FFFD. Tabs and line feeds stay: see Line.
func Terminal(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, Hidden) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		writeRune(&b, r)
	}
	return b.String()
}

func writeRune(b *strings.Builder, r rune) {
	if !Hidden(r) {
		b.WriteRune(r)
		return
	}
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		b.WriteString(fmt.Sprintf(`\u%04x\u%04x`, high, low))
		return
	}
	b.WriteString(fmt.Sprintf(`\u%04x`, r))
}

// Line is Terminal for a text within a line, such as a name: it cannot begin a
// line of its own. Blanks of any kind and number become one.
func Line(text string) string {
	return Terminal(strings.Join(strings.Fields(text), " "))
}

// Markdown is a text that a line of Markdown shows unchanged. Text that may contain markup
// becomes a code span. Escapes are not enough: an escaped address still becomes a link.
func Markdown(text string) string {
	text = Line(text)
	if plain(text) {
		return text
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " " // one blank on either side is not part of a code span
	}
	return fence + text + fence
}

// plain reports text that is not markup anywhere in a line: words and numbers with
// punctuation, and names with underscores or dashes inside. All other ASCII punctuation
// counts as markup.
func plain(text string) bool {
	for n, word := range strings.Split(text, " ") {
		runes := []rune(strings.TrimRight(word, `,;?"'`))
		for i, r := range runes {
			inner := i > 0 && i < len(runes)-1
			switch {
			case r >= utf8.RuneSelf, letterOrDigit(r), strings.ContainsRune(`,;?"'%`, r):
			case (r == '_' || r == '-') && inner && letterOrDigit(runes[i-1]) && letterOrDigit(runes[i+1]):
			case r == '.' && inner && unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1]):
			case (r == '.' || r == ':') && i > 0 && i == len(runes)-1 && (unicode.IsLetter(runes[i-1]) || n > 0 && unicode.IsDigit(runes[i-1])):
				// Not after a number at the beginning: 1. begins a list.
			default:
				return false
			}
		}
	}
	return true
}

func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
