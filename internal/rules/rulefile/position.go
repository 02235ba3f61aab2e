package rulefile

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"requisite/internal/text/rawjson"
	"requisite/internal/text/typo"
)

// within finds where the file has a line and column of a text, counted from 1. Writing a text in a
// file changes its blanks and adds escapes, but keeps the order of all other characters. It returns
// false if the file and the text do not agree.
func (f *File) within(v rawjson.Value, line, column int) (fileLine, fileColumn int, ok bool) {
	fileLine, fileColumn = f.position(v.At)
	how := f.mark(v.At).style
	written := []rune(strings.Join(f.lines()[fileLine-1:], "\n") + "\n\x00")
	at, end := fileColumn-1, len(written)-1
	switch how {
	case doubleStyle, singleStyle:
		at++
	case blockStyle:
		at = slices.Index(written, '\n') + 1
	}
	textLine, textColumn := 1, 1
	for _, want := range v.String() {
		blank := unicode.IsSpace(want)
		for !blank && at < end && (unicode.IsSpace(written[at]) || how == doubleStyle && written[at] == '\\' && written[at+1] == '\n') {
			at++
		}
		if textLine == line && (textColumn == column || want == '\n') {
			break
		}
		got, width := written[at], 1
		switch {
		case got == '\\' && how == doubleStyle:
			got, width = want, escapeWidth(written[at+1:])
		case got == '\'' && how == singleStyle:
			width = 2
		}
		switch {
		case got == want, blank && unicode.IsSpace(got):
			at = min(at+width, end)
		case !blank:
			return 0, 0, false
		}
		if textColumn++; want == '\n' {
			textLine, textColumn = textLine+1, 1
		}
	}
	fileColumn = 1
	for _, c := range written[:at] {
		if fileColumn++; c == '\n' {
			fileLine, fileColumn = fileLine+1, 1
		}
	}
	return fileLine, fileColumn, textLine == line
}

// escapeWidth is the number of characters of an escape, including its backslash. A surrogate pair
// is one escape.
func escapeWidth(escape []rune) int {
	width := map[rune]int{'x': 4, 'u': 6, 'U': 10}[escape[0]]
	if width == 6 && len(escape) > 6 && escape[5] == '\\' && escape[6] == 'u' {
		if first, err := strconv.ParseInt(string(escape[1:5]), 16, 32); err == nil && utf16.IsSurrogate(rune(first)) {
			width = 12
		}
	}
	return max(2, width)
}

// LocateAll joins the problems of reading a file with the problems of its content. The first have a
// position in the file. The others have a position in their condition, or none. A value that could
// not be read may also have a problem of its content; then only the first is reported.
func (f *File) LocateAll(unread, found []Problem) []Problem {
	told := map[string]bool{}
	for _, p := range unread {
		told[p.Path] = true
	}
	all := slices.Clone(unread)
	for _, p := range found {
		if p.Path == "" || !told[p.Path] && !f.unreadAbove(unread, p.Path) {
			all = append(all, f.Locate(p))
		}
	}
	slices.SortStableFunc(all, func(a, b Problem) int {
		if a.Line == 0 || b.Line == 0 {
			return cmp.Compare(b.Line, a.Line) // problems without a position come last
		}
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return FirstProblems(all)
}

// unreadAbove reports whether a path is below a value that should be an object and is not. That
// problem already says what is missing.
func (f *File) unreadAbove(unread []Problem, path string) bool {
	return slices.ContainsFunc(unread, func(p Problem) bool {
		if p.Path == "" || !strings.HasPrefix(path, p.Path+".") {
			return false
		}
		v, exact := f.nearest(p.Path)
		return exact && v.Kind() != '{'
	})
}

// Locate finds a problem's position in the file: the position of its path. If the file does not
// have the path, for example because a name is missing, it is the position of the nearest value
// around it. For a condition it is the position within the condition.
func (f *File) Locate(p Problem) Problem {
	if p.Path == "" || f.json == nil {
		return p
	}
	v, exact := f.nearest(p.Path)
	line, column := p.Line, p.Column // in a condition
	p.Line, p.Column = f.position(v.At)
	if !exact || line == 0 || !IsCondition(p.Path) {
		return p
	}
	if fileLine, fileColumn, ok := f.within(v, line, column); ok {
		p.Line, p.Column = fileLine, fileColumn
	} else {
		p.Message += fmt.Sprintf(" (line %d, column %d of the condition)", line, column)
	}
	return p
}

// IsCondition reports whether a path of a rule file is that of a condition.
func IsCondition(path string) bool {
	name, defined := strings.CutPrefix(path, "definitions.")
	return strings.HasSuffix(path, ".when") || strings.HasSuffix(path, ".asked_when") || defined && !strings.Contains(name, ".")
}

// At makes a problem of the value at a path.
func (f *File) At(path, message string) Problem {
	v, _ := f.nearest(path)
	line, column := f.position(v.At)
	return Problem{Path: path, Message: message, Line: line, Column: column}
}

// nearest returns the value at a path such as documents[1].when. If the file does not have the
// path, it returns the innermost value on the way to it.
func (f *File) nearest(path string) (v rawjson.Value, exact bool) {
	v = f.root()
	for _, part := range strings.FieldsFunc(path, func(c rune) bool { return strings.ContainsRune(".[]", c) }) {
		next, found := below(v, part)
		if !found {
			return v, false
		}
		v = next
	}
	return v, true
}

// root returns the whole content.
func (f *File) root() rawjson.Value {
	begin, end, _ := rawjson.Next(f.json, 0)
	return rawjson.Value{Text: f.json[begin:end], At: begin}
}

// below returns the element with an index, the member with a name, or a member with a similar name.
func below(v rawjson.Value, part string) (found rawjson.Value, ok bool) {
	switch v.Kind() {
	case '[':
		index, err := strconv.Atoi(part)
		v.Elements(func(i int, element rawjson.Value) bool {
			if i == index && err == nil {
				found, ok = element, true
			}
			return !ok
		})
	case '{':
		const most = 100 // no object has nearly as many names
		looked := 0
		v.Members(func(name, value rawjson.Value) bool {
			text := name.String()
			if looked++; text == part {
				found, ok = value, true
				return false
			}
			if _, near := typo.Meant(text, []string{part}); near && !ok && looked <= most {
				found, ok = value, true
			}
			return true
		})
	}
	return found, ok
}
