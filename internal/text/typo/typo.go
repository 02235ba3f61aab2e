// Package typo finds the name that a misspelled one was meant to be.
package typo

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Nearest finds the name with the fewest edits from a misspelled one: insertions, deletions,
// replacements and swaps of neighbors. It ignores case, and names with more edits than
// most.
func Nearest(misspelt string, names []string, most int) (string, bool) {
	wanted := strings.ToLower(misspelt)
	best, bestDistance := "", most+1
	for _, name := range slices.Sorted(slices.Values(names)) {
		known := strings.ToLower(name)
		// Each character more or less is an edit.
		if apart := utf8.RuneCountInString(known) - utf8.RuneCountInString(wanted); max(apart, -apart) >= bestDistance {
			continue
		}
		if d := distance(wanted, known); d < bestDistance {
			best, bestDistance = name, d
		}
	}
	return best, best != ""
}

func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	rows := make([][]int, len(s)+1)
	for i := range rows {
		rows[i] = make([]int, len(t)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			replace := rows[i-1][j-1]
			if s[i-1] != t[j-1] {
				replace++
			}
			rows[i][j] = min(replace, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(s)][len(t)]
}
