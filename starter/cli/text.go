package cli

import (
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"
)

// Counted is a number and a noun in the singular or plural.
func Counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// Wrapped breaks text into lines of at most width characters, at blanks.
func Wrapped(text string, width int) iter.Seq[string] {
	return func(yield func(string) bool) {
		line := ""
		for _, word := range strings.Fields(text) {
			if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
				if !yield(line) {
					return
				}
				line = ""
			}
			if line != "" {
				line += " "
			}
			line += word
		}
		if line != "" {
			yield(line)
		}
	}
}

// Enumerate numbers the elements of a sequence from 0.
func Enumerate[T any](seq iter.Seq[T]) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		i := 0
		for v := range seq {
			if !yield(i, v) {
				return
			}
			i++
		}
	}
}

// Shortened keeps the first lines of a text, and counts the others.
func Shortened(text string, lines int) string {
	all := strings.Split(text, "\n")
	if len(all) <= lines {
		return text
	}
	return strings.Join(all[:lines], "\n") + fmt.Sprintf("\n  … %d more lines", len(all)-lines)
}
