// Package typo finds the name that the writer of a misspelled one meant.
package typo

import (
	"strings"
	"unicode/utf8"
)

// longest limits the bytes of a misspelled name. No name is longer, and the time of a search grows with
// the length.
const longest = 100

// Meant is Nearest where a third of the characters may differ.
func Meant(misspelt string, names []string) (string, bool) {
	return Nearest(misspelt, names, max(1, len(misspelt)/3))
}

// Nearest finds the name with the fewest edits from a misspelled one: insertions, deletions,
// replacements and swaps of neighbors. It ignores case, and names with more edits than
// most. If several are nearest, it is the first in alphabetical order.
func Nearest(misspelt string, names []string, most int) (string, bool) {
	if len(misspelt) > longest {
		return "", false
	}
	wanted := []rune(strings.ToLower(misspelt))
	var rows table
	best, bestDistance := "", most+1
	for _, name := range names {
		// Each character more or less is an edit.
		if apart := utf8.RuneCountInString(name) - len(wanted); max(apart, -apart) > bestDistance {
			continue
		}
		if d := rows.distance(wanted, strings.ToLower(name)); d < bestDistance || d == bestDistance && d <= most && name < best {
			best, bestDistance = name, d
		}
	}
	return best, bestDistance <= most
}

// table has the last three rows of the table of distances between the beginnings of two texts.
type table [3][]int

func (t *table) distance(a []rune, text string) int {
	for i := range t {
		if t[i] == nil {
			t[i] = make([]int, len(a)+1)
		}
	}
	before, last, row := t[0], t[1], t[2]
	for i := range row {
		row[i] = i
	}
	var previous rune
	j := 0
	for _, b := range text {
		before, last, row = last, row, before
		j++
		row[0] = j
		for i := 1; i <= len(a); i++ {
			replace := last[i-1]
			if a[i-1] != b {
				replace++
			}
			row[i] = min(replace, last[i]+1, row[i-1]+1)
			if i > 1 && j > 1 && a[i-1] == previous && a[i-2] == b {
				row[i] = min(row[i], before[i-2]+1)
			}
		}
		previous = b
	}
	return row[len(a)]
}
