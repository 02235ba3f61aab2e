package requirement

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// textStyle is how a text is written in its file.
type Style uint8

const (
	PlainStyle  Style = iota
	DoubleStyle           // "…", with escapes
	SingleStyle           // '…', in which '' is one quotation mark
	BlockStyle            // | or >, on the lines that follow
)

// spot is a place in a file; line and column count from 0.
type spot struct{ line, column int }

// within finds the place in the file of a line and column, from 1, of the text
// that a node holds. It reports false when the text cannot be followed.
func (f *File) within(n *Node, line, column int) (int, int, bool) {
	spots := f.spots(n)
	at, ok := offsetOf(n.Text, line, column)
	if !ok || at >= len(spots) {
		return 0, 0, false
	}
	return spots[at].line + 1, spots[at].column + 1, true
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

// spots are the places of each character of a node's text, and of its end.
// Writing a text in a file changes its blanks and adds escapes, but the order of
// what is not blank stays. It is nil when the two do not agree.
func (f *File) spots(n *Node) []spot {
	s := &textScanner{lines: f.lines, style: n.Style}
	line, column := n.Place()
	s.to(line-1, column-1)
	switch n.Style {
	case DoubleStyle, SingleStyle:
		s.advance()
	case BlockStyle:
		s.to(s.at.line+1, 0)
	}
	var spots []spot
	for _, want := range n.Text {
		if !unicode.IsSpace(want) {
			s.skipBlanks()
		}
		here := s.mark()
		got := s.read()
		switch {
		case got == want:
			spots = append(spots, here.at)
		case unicode.IsSpace(want) && unicode.IsSpace(got):
			spots = append(spots, here.at)
		case unicode.IsSpace(want):
			*s = here
			spots = append(spots, here.at)
		default:
			return nil
		}
	}
	return append(spots, s.at)
}

// textScanner reads a text as it is written in a file.
type textScanner struct {
	lines []string
	style Style
	runes []rune // of the line at hand
	at    spot
}

const endOfFile = rune(-1)

func (s *textScanner) mark() textScanner { return *s }

func (s *textScanner) to(line, column int) {
	s.at, s.runes = spot{line, column}, nil
	if line >= 0 && line < len(s.lines) {
		s.runes = []rune(s.lines[line])
	}
}

// here is the character at hand; lines end with a line feed.
func (s *textScanner) here() rune {
	switch {
	case s.at.line >= len(s.lines):
		return endOfFile
	case s.at.column < len(s.runes):
		return s.runes[s.at.column]
	}
	return '\n'
}

func (s *textScanner) advance() {
	if s.at.column < len(s.runes) {
		s.at.column++
		return
	}
	s.to(s.at.line+1, 0)
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
