package rulefile

import "strings"

// Brackets in YAML. Input: the lines of a file that YAML refuses. Output: the first
// mistake within brackets.

// What is wrong with a text in brackets, which ends at the first comma or bracket.
const (
	FlowText     = "in brackets, a text with , [ ] { or } must stand in quotes: put the whole text in quotes"
	FlowColon    = "in brackets, a text with a colon and a blank must stand in quotes: put the whole text in quotes"
	FlowQuotes   = "text follows the closing quotation mark: put the whole text in quotes, and use the other kind of quotation mark inside"
	FlowFirst    = "a text without quotes cannot begin with this character: put the whole text in quotes"
	FlowNoEnd    = "this bracket has no end"
	FlowNoBegin  = "this bracket has no beginning"
	FlowEnded    = "the brackets end before this comma: one that opens is missing, or one that closes is too many"
	FlowEmpty    = "nothing stands before this comma: delete it"
	FlowNoComma  = "a comma is missing before this"
	FlowMore     = "text follows the closing bracket: put the whole text in quotes"
	QuoteWithout = "this quotation mark has no end"
)

// outlineFlow follows what is written in brackets, such as {name: A, when: a > 5}, to
// the line where it ends.
type outlineFlow struct {
	*yamlOutline
	at     int // the column within the line at hand
	margin int // of the name or the dash before it: what stands there is not in the brackets
	open   []flowBracket
	last   flowPart
	begun  Position // the last line's part of the text that last is
	first  int      // the line where that text begins
}

// flowBracket is a bracket that is open.
type flowBracket struct {
	closing byte
	at      Position
	valued  bool // the entry at hand has had its colon
}

// flowPart is what was read last.
type flowPart uint8

const (
	flowNothing flowPart = iota // a value may follow
	flowPlain
	flowQuoted
	flowClosed // brackets that have ended
)

// flow moves on to the line where the brackets that begin in a column end.
func (o *yamlOutline) flow(column, margin int) (Problem, bool) {
	f := &outlineFlow{yamlOutline: o, at: column, margin: margin}
	for {
		c, left := f.next()
		if left {
			bracket := f.open[len(f.open)-1].at
			return f.wrongAt(bracket.Line, bracket.Column, FlowNoEnd)
		}
		if p, wrong := f.read(c); wrong {
			return p, true
		}
		if len(f.open) == 0 {
			return f.behind()
		}
	}
}

func (f *outlineFlow) wrongAt(line, column int, message string) (Problem, bool) {
	f.yamlOutline.at = line
	return f.problem(column, message), true
}

func (f *outlineFlow) here(message string) (Problem, bool) {
	return f.wrongAt(f.line(), f.at, message)
}

func (f *outlineFlow) line() int    { return f.yamlOutline.at }
func (f *outlineFlow) text() string { return f.lines[f.line()] }

// next finds the next character that is neither blank nor in a comment. It reports
// true where the file goes on outside of the brackets, or ends.
func (f *outlineFlow) next() (c byte, left bool) {
	for {
		line := f.text()
		for f.at < len(line) && (line[f.at] == ' ' || line[f.at] == '\t') {
			f.at++
		}
		if f.at < len(line) && (line[f.at] != '#' || f.at > 0 && line[f.at-1] != ' ') {
			return line[f.at], false
		}
		if f.line()+1 == len(f.lines) {
			return 0, true
		}
		f.yamlOutline.at++
		f.at = 0
		if f.beyond(f.margin) {
			return 0, true
		}
	}
}

// read reads one mark or one text.
func (f *outlineFlow) read(c byte) (Problem, bool) {
	at := Position{f.line(), f.at}
	switch last := f.last; {
	case c == '[' || c == '{':
		switch {
		case last != flowNothing && f.begun.Line < at.Line:
			return f.here(FlowNoComma)
		case last == flowPlain:
			return f.here(FlowText)
		case last == flowQuoted:
			return f.here(FlowQuotes)
		case last == flowClosed:
			return f.here(FlowMore)
		}
		closing := byte(']')
		if c == '{' {
			closing = '}'
		}
		f.open = append(f.open, flowBracket{closing: closing, at: at})
		f.last = flowNothing
	case c == ']' || c == '}':
		top := f.open[len(f.open)-1]
		if c != top.closing {
			return f.wrongAt(top.at.Line, top.at.Column, FlowNoEnd)
		}
		f.open = f.open[:len(f.open)-1]
		f.last, f.begun = flowClosed, at
	case c == ',':
		if last == flowNothing && !f.top().valued {
			return f.here(FlowEmpty)
		}
		f.last, f.top().valued = flowNothing, false
	case c == ':' && last != flowNothing:
		switch {
		case f.top().valued && f.first < f.begun.Line:
			return f.wrongAt(f.begun.Line, f.begun.Column, FlowNoComma)
		case f.top().valued:
			return f.here(FlowColon)
		case last == flowPlain && strings.HasPrefix(f.text()[f.at:], ":[") || last == flowPlain && strings.HasPrefix(f.text()[f.at:], ":{"):
			return f.here("put a blank after the colon")
		}
		f.last, f.top().valued = flowNothing, true
	case last == flowPlain && f.begun.Line < at.Line: // the text goes on
		f.begun = at
		f.plain()
		return Problem{}, false
	case last != flowNothing && f.begun.Line < at.Line:
		return f.here(FlowNoComma)
	case last == flowQuoted:
		return f.here(FlowQuotes)
	case last == flowClosed:
		return f.here(FlowMore)
	case c == '"' || c == '\'':
		f.begun, f.first = at, at.Line
		if !f.quoted(c) {
			return f.wrongAt(at.Line, at.Column, QuoteWithout)
		}
		f.last, f.begun.Line = flowQuoted, f.line()
	case strings.IndexByte("!&*%@`|>", c) >= 0:
		return f.here(FlowFirst)
	default:
		f.begun, f.first = at, at.Line
		f.plain()
		return Problem{}, false
	}
	if f.last != flowQuoted {
		f.at++
	}
	return Problem{}, false
}

func (f *outlineFlow) top() *flowBracket { return &f.open[len(f.open)-1] }

// plain moves to the end of a text without quotes on its line.
func (f *outlineFlow) plain() {
	f.last = flowPlain
	line := f.text()
	for begin := f.at; f.at < len(line); f.at++ {
		switch c := line[f.at]; {
		case strings.IndexByte(",[]{}", c) >= 0:
			return
		case c == ':' && f.at > begin && (f.at+1 == len(line) || strings.IndexByte(" \t,[]{}", line[f.at+1]) >= 0):
			return
		case c == '#' && f.at > begin && line[f.at-1] == ' ':
			return
		}
	}
}

// quoted moves behind the end of a text in quotes.
func (f *outlineFlow) quoted(quote byte) bool {
	end, ok := f.quoteEnd(f.at, f.margin, quote)
	f.at = end
	return ok
}

// beyond reports a line with a name or a dash at a margin, or left of it: what began
// behind that margin has ended.
func (o *yamlOutline) beyond(margin int) bool {
	rest := strings.TrimLeft(o.lines[o.at], " ")
	return len(o.lines[o.at])-len(rest) <= margin && (strings.HasPrefix(rest, "- ") || outlineName.MatchString(rest))
}

// quoteEnd moves on to the line where a text in quotes ends, and finds the column
// behind it.
func (o *yamlOutline) quoteEnd(column, margin int, quote byte) (int, bool) {
	for at := column + 1; ; at++ {
		for at >= len(o.lines[o.at]) {
			if o.at+1 == len(o.lines) {
				return at, false
			}
			o.at, at = o.at+1, 0
			if o.beyond(margin) {
				return at, false
			}
		}
		line := o.lines[o.at]
		switch c := line[at]; {
		case c == '\\' && quote == '"':
			at++
		case c != quote:
		case quote == '\'' && at+1 < len(line) && line[at+1] == '\'':
			at++
		default:
			return at + 1, true
		}
	}
}

// behind looks at what follows the brackets on the line where they end.
func (f *outlineFlow) behind() (Problem, bool) {
	rest := strings.TrimLeft(f.text()[f.at:], " \t")
	if blankOrComment(rest) {
		return Problem{}, false
	}
	f.at = len(f.text()) - len(rest)
	switch rest[0] {
	case ']', '}':
		return f.here(FlowNoBegin)
	case ',':
		return f.here(FlowEnded)
	case ':': // the brackets were a name
		return Problem{}, false
	}
	return f.here(FlowMore)
}
