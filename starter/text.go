package main

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// wrapped breaks text into lines of at most width characters, at blanks.
func wrapped(text string, width int) iter.Seq[string] {
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

// enumerate numbers the elements of a sequence from 0.
func enumerate[T any](seq iter.Seq[T]) iter.Seq2[int, T] {
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
