// Package rulefile reads rule and price files, JSON or YAML, into values that know
// where they stand, and says what is wrong with a file that is neither. It knows
// nothing of what the names in a file mean.
package rulefile

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// No rule file needs to be larger or nested deeper, or to hold a longer list.
const (
	MaxBytes = 1 << 20
	maxDepth = 20
	MaxItems = 10_000
)

// File is a JSON or YAML file. Its root is nil when it could not be read;
// otherwise the problems are of values within it.
type File struct {
	Root     *Node
	Problems []Problem
	Lines    []string
}

// JSONFile reads a JSON file.
func JSONFile(data []byte) *File {
	root, problems := ReadJSON(data)
	return &File{root, problems, strings.Split(string(data), "\n")}
}

// YAMLFile reads a YAML file, whose mistakes are looked for beside names.
func YAMLFile(data []byte, names *Names) *File {
	root, problems := ReadYAML(data, names)
	lines := YAMLLines(data)
	lines[0] = strings.TrimPrefix(lines[0], "\ufeff")
	return &File{root, problems, lines}
}

func tooLarge(data []byte) []Problem {
	if len(data) > MaxBytes {
		return []Problem{{Message: fmt.Sprintf("the file is larger than %d bytes", MaxBytes)}}
	}
	return nil
}

// notText says where a file is not UTF-8, or holds a control character that no
// text file holds. It is nil for a file without either.
func notText(data []byte) []Problem {
	line, column := 1, 1
	for at := 0; at < len(data); {
		r, width := utf8.DecodeRune(data[at:])
		switch {
		case r == utf8.RuneError && width == 1:
			return []Problem{{Message: "this character is not UTF-8: save the file as UTF-8", Line: line, Column: column}}
		case unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\u0085", r):
			return []Problem{{Message: fmt.Sprintf("holds the control character U+%04X: take it out", r), Line: line, Column: column}}
		}
		column++
		if at += width; r == '\n' {
			line, column = line+1, 1
		}
	}
	return nil
}
