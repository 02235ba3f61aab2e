// Package rulefile reads rule and price files, JSON or YAML, and knows the positions of their
// values. It converts YAML to JSON, which the reader of requests reads. It does not know what the
// names in a file mean.
package rulefile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"requisite/internal/requests/wire"
	"requisite/internal/text/rawjson"
)

// No rule file needs to be larger, or to have a longer list.
const (
	MaxBytes = 1 << 20
	MaxItems = 10_000
)

// File is a JSON or YAML file.
type File struct {
	// Problems are about the YAML. If json is not nil, they are about single values.
	Problems []Problem

	json   []byte // the content; nil if it could not be read
	source []byte
	split  []string // the source in lines
	marks  []mark   // for YAML: what JSON cannot say about its values and names, in order
}

// mark says where and how the YAML file has a value or a name of the JSON.
type mark struct {
	at           int // in the JSON
	path         string
	line, column int
	style        style
	written      string // a number or a truth value, as written
	comment      string // after a text without quotes, on its line
}

// style is how a text is written in its file.
type style uint8

const (
	plainStyle  style = iota
	doubleStyle       // "…", with escapes
	singleStyle       // '…', in which '' is one quotation mark
	blockStyle        // | or >, on the lines that follow
)

// JSONFile reads a JSON file.
func JSONFile(data []byte) *File {
	f := &File{source: data, Problems: notText(data)}
	if f.Problems == nil {
		f.json = data
	}
	return f
}

// Read fills target, a pointer to a struct, with the values that fit, and returns problems with the
// others.
func (f *File) Read(schemas *wire.Schemas, target any, checks wire.Checks) []Problem {
	if f.json == nil {
		return f.Problems
	}
	found, err := schemas.Read(f.json, target, checks)
	if bad := (*wire.Malformed)(nil); errors.As(err, &bad) {
		line, column := wire.Position(f.source, bad.At)
		f.json, f.Problems = nil, []Problem{{Message: "is not JSON: " + bad.Cause, Line: line, Column: column}}
		return f.Problems
	}
	slices.SortStableFunc(found, func(a, b wire.Problem) int { return cmp.Compare(a.At, b.At) })
	problems := slices.Clone(f.Problems)
	for _, p := range found {
		if !slices.ContainsFunc(f.Problems, func(told Problem) bool { return told.Path == p.Path }) {
			line, column := f.position(p.At)
			problems = append(problems, Problem{Path: p.Path, Message: p.Message, Line: line, Column: column})
		}
	}
	return FirstProblems(problems)
}

// Readable reports whether the file has any values.
func (f *File) Readable() bool { return f.json != nil }

// position returns where a value or a name of the JSON begins in the file.
func (f *File) position(at int) (line, column int) {
	if f.marks == nil {
		return wire.Position(f.source, at)
	}
	m := f.mark(at)
	return m.line, m.column
}

func (f *File) mark(at int) mark {
	i := sort.Search(len(f.marks), func(i int) bool { return f.marks[i].at >= at })
	if i == len(f.marks) || f.marks[i].at != at {
		return mark{style: doubleStyle}
	}
	return f.marks[i]
}

// Written returns a value as the file has it. Texts are without their quotes.
func (f *File) Written(v rawjson.Value) string {
	if v.Kind() == '"' {
		return v.String()
	}
	return cmp.Or(f.mark(v.At).written, string(v.Text))
}

// Plain reports whether the file has a text without quotes.
func (f *File) Plain(v rawjson.Value) bool { return f.mark(v.At).style == plainStyle }

// lines returns the lines of the file, without a byte order mark.
func (f *File) lines() []string {
	if text := strings.TrimPrefix(string(f.source), "\ufeff"); f.split == nil && f.marks != nil {
		f.split = yamlLines(text)
	} else if f.split == nil {
		f.split = strings.Split(text, "\n")
	}
	return f.split
}

// notText returns a problem if a file is too large, is not UTF-8, or has a control character that
// no text file has. Otherwise it is nil.
func notText(data []byte) []Problem {
	if len(data) > MaxBytes {
		return []Problem{{Message: fmt.Sprintf("the file is larger than %d bytes", MaxBytes)}}
	}
	for at := 0; at < len(data); {
		r, width := utf8.DecodeRune(data[at:])
		message := ""
		if r == utf8.RuneError && width == 1 {
			message = "this character is not UTF-8: save the file as UTF-8"
		} else if unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\u0085", r) {
			message = fmt.Sprintf("holds the control character U+%04X: take it out", r)
		}
		if message != "" {
			line, column := wire.Position(data, at)
			return []Problem{{Message: message, Line: line, Column: column}}
		}
		at += width
	}
	return nil
}
