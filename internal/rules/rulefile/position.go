package rulefile

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Positions in a file. Input: a problem with a path, or with a line and a column in a
// condition. Output: its line and column in the file.

// Style is how a text is written in its file.
type Style uint8

const (
	PlainStyle  Style = iota
	DoubleStyle       // "…", with escapes
	SingleStyle       // '…', in which '' is one quotation mark
	BlockStyle        // | or >, on the lines that follow
)

// Position is a position in a file; its line and column count from 0.
type Position struct{ Line, Column int }

// within finds the position in the file of a line and column, from 1, of the text
// that a node holds. It reports false when the text cannot be followed.
func (f *File) within(n *Node, line, column int) (int, int, bool) {
	positions := f.Positions(n)
	at, ok := offsetOf(n.Text, line, column)
	if !ok || at >= len(positions) {
		return 0, 0, false
	}
	return positions[at].Line + 1, positions[at].Column + 1, true
}

// offsetOf is how many characters of a text come before a line and column.
func offsetOf(text string, line, column int) (int, bool) {
	lines := strings.Split(text, "\n")
	if line < 1 || line > len(lines) || column < 1 {
		return 0, false
	}
	offset := 0
	for _, before := range lines[:line-1] {
		offset += len([]rune(before)) + 1
	}
	return offset + min(column-1, len([]rune(lines[line-1]))), true
}

// Positions are the positions of each character of a node's text, and of its end.
// Writing a text in a file changes its blanks and adds escapes, but the order of
// what is not blank stays. It is nil when the two do not agree.
func (f *File) Positions(n *Node) []Position {
	s := &textScanner{lines: f.Lines, style: n.Style}
	line, column := n.LineColumn()
	s.to(line-1, column-1)
	switch n.Style {
	case DoubleStyle, SingleStyle:
		s.advance()
	case BlockStyle:
		s.to(s.at.Line+1, 0)
	}
	var positions []Position
	for _, want := range n.Text {
		if !unicode.IsSpace(want) {
			s.skipBlanks()
		}
		here := s.mark()
		got := s.read()
		switch {
		case got == want:
			positions = append(positions, here.at)
		case unicode.IsSpace(want) && unicode.IsSpace(got):
			positions = append(positions, here.at)
		case unicode.IsSpace(want):
			*s = here
			positions = append(positions, here.at)
		default:
			return nil
		}
	}
	return append(positions, s.at)
}

// textScanner reads a text as it is written in a file.
type textScanner struct {
	lines []string
	style Style
	runes []rune // of the line at hand
	at    Position
}

const endOfFile = rune(-1)

func (s *textScanner) mark() textScanner { return *s }

func (s *textScanner) to(line, column int) {
	s.at, s.runes = Position{line, column}, nil
	if line >= 0 && line < len(s.lines) {
		s.runes = []rune(s.lines[line])
	}
}

// here is the character at hand; lines end with a line feed.
func (s *textScanner) here() rune {
	switch {
	case s.at.Line >= len(s.lines):
		return endOfFile
	case s.at.Column < len(s.runes):
		return s.runes[s.at.Column]
	}
	return '\n'
}

func (s *textScanner) advance() {
	if s.at.Column < len(s.runes) {
		s.at.Column++
		return
	}
	s.to(s.at.Line+1, 0)
}

func (s *textScanner) skipBlanks() {
	for {
		before := s.mark()
		switch c := s.here(); {
		case c == endOfFile:
			return
		case unicode.IsSpace(c):
			s.advance()
		case c == '\\' && s.style == DoubleStyle:
			s.advance()
			if s.here() != '\n' {
				*s = before
				return
			}
			s.advance()
		default:
			return
		}
	}
}

// read reads one character of the text.
func (s *textScanner) read() rune {
	c := s.here()
	s.advance()
	switch {
	case c == '\\' && s.style == DoubleStyle:
		return s.escape()
	case c == '\'' && s.style == SingleStyle:
		s.advance() // the second of two
	}
	return c
}

// escape reads what follows a backslash.
func (s *textScanner) escape() rune {
	c := s.here()
	s.advance()
	switch c {
	case '0':
		return 0
	case 'a':
		return '\a'
	case 'b':
		return '\b'
	case 't':
		return '\t'
	case 'n':
		return '\n'
	case 'v':
		return '\v'
	case 'f':
		return '\f'
	case 'r':
		return '\r'
	case 'e':
		return '\x1b'
	case 'N':
		return '\u0085'
	case '_':
		return '\u00a0'
	case 'L':
		return '\u2028'
	case 'P':
		return '\u2029'
	case 'x':
		return s.hex(2)
	case 'U':
		return s.hex(8)
	case 'u':
		first := s.hex(4)
		if !utf16.IsSurrogate(first) || s.here() != '\\' {
			return first
		}
		s.advance()
		s.advance()
		return utf16.DecodeRune(first, s.hex(4))
	}
	return c
}

func (s *textScanner) hex(digits int) rune {
	text := ""
	for range digits {
		text += string(s.here())
		s.advance()
	}
	value, err := strconv.ParseInt(text, 16, 32)
	if err != nil {
		return endOfFile
	}
	return rune(value)
}

// LocateAll joins the problems of reading a file, which have their position, with
// those of what was read, which have one in their condition or none. What
// could not be read for one reason may look wrong for another, and is told once.
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
			return cmp.Compare(b.Line, a.Line) // what has no position, last
		}
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return FirstProblems(all)
}

// unreadAbove reports a path below something that should be an object and is none:
// what it lacks has been told by that.
func (f *File) unreadAbove(unread []Problem, path string) bool {
	return slices.ContainsFunc(unread, func(p Problem) bool {
		if p.Path == "" || !strings.HasPrefix(path, p.Path+".") {
			return false
		}
		node, exact := f.Root.Nearest(p.Path)
		return exact && node.Kind != ObjectKind
	})
}

// Locate finds a problem's position in the file: that of its path, or of the nearest
// thing around it where the path is not in the file, as when a name is missing.
// Of a condition it is the position within.
func (f *File) Locate(p Problem) Problem {
	if p.Path == "" {
		return p
	}
	within := Problem{Line: p.Line, Column: p.Column}
	node, exact := f.Root.Nearest(p.Path)
	p.Line, p.Column = node.LineColumn()
	if !exact || within.Line == 0 || !strings.HasSuffix(p.Path, ".when") {
		return p
	}
	if line, column, ok := f.within(node, within.Line, within.Column); ok {
		p.Line, p.Column = line, column
		return p
	}
	p.Message += fmt.Sprintf(" (line %d, column %d of the condition)", within.Line, within.Column)
	return p
}
