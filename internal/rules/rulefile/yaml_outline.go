package rulefile

import (
	"fmt"
	"regexp"
	"strings"
)

// Indentation in YAML. Input: the lines of a file that YAML refuses. Output: the first
// line that is indented wrongly.

// yamlOutline follows the indentation of a rule file that YAML could not read, to
// find the line that YAML stumbles over: YAML itself often notices much later, or
// names the line where the list began. It knows what rule files are made of: names
// with values, lists, texts in quotes and in brackets, and texts over several lines.
type yamlOutline struct {
	lines  []string
	names  *Names
	at     int // the line at hand, from 0
	levels []outlineLevel
}

// outlineLevel is an object or a list that is open, by the column where its names or
// dashes stand.
type outlineLevel struct {
	column int
	list   bool
	name   string // the name read last, of an object
	value  outlineValue
	above  int // the line where the level began
}

// outlineValue is what stands behind a name.
type outlineValue uint8

const (
	noValue    outlineValue = iota // what follows belongs to the name
	blockValue                     // > or |: the lines that follow
	writtenValue
	endedValue // in quotes or brackets: nothing can follow
)

var outlineName = regexp.MustCompile(`^("[^"]*"|'[^']*'|[A-Za-z_][A-Za-z0-9_]*):(?:[ \t]+|$)`)

// OutlineMistake finds the first line that is not indented as YAML needs it, or a
// quotation mark or bracket without its end. It reports false when it finds none.
func OutlineMistake(lines []string, names *Names) (Problem, bool) {
	o := &yamlOutline{lines: lines, names: names}
	for o.at = 0; o.at < len(lines); o.at++ {
		if p, found := o.line(); found {
			return p, true
		}
	}
	return Problem{}, false
}

func blankOrComment(text string) bool {
	text = strings.TrimLeft(text, " \t")
	return text == "" || text[0] == '#'
}

func (o *yamlOutline) line() (Problem, bool) {
	line := o.lines[o.at]
	if blankOrComment(line) {
		return Problem{}, false
	}
	if strings.HasPrefix(line, "---") || strings.HasPrefix(line, "...") {
		o.levels = nil
		return Problem{}, false
	}
	rest := strings.TrimLeft(line, " ")
	column := len(line) - len(rest)
	begun := false // a dash on this line opened what follows
	for rest == "-" || strings.HasPrefix(rest, "- ") {
		if p, wrong := o.enter(column, true, begun, rest); wrong {
			return p, true
		}
		after := strings.TrimLeft(rest[1:], " ")
		if blankOrComment(after) {
			o.top().value = noValue
			return Problem{}, false
		}
		column += len(rest) - len(after)
		rest, begun = after, true
	}
	name := outlineName.FindString(rest)
	if name == "" && o.gluedDash(column, rest, begun) {
		return o.problem(column, "put a blank after the dash"), true
	}
	if name == "" {
		return o.text(column, rest, begun)
	}
	if p, wrong := o.enter(column, false, begun, rest); wrong {
		return p, true
	}
	top := o.top()
	if known := strings.TrimRight(name, ": \t"); len(o.levels) == 1 && top.name != "" && o.names.BelongBelow(known) {
		return o.wrong(column, false), true
	}
	top.name = strings.Trim(strings.TrimRight(name, " \t"), `:"'`)
	return o.value(top, column+len(name), rest[len(name):])
}

// gluedDash reports a dash that a name, a text in quotes or brackets follow without a blank,
// where an entry of a list can begin.
func (o *yamlOutline) gluedDash(column int, rest string, begun bool) bool {
	if len(rest) < 2 || rest[0] != '-' || !outlineName.MatchString(rest[1:]) && strings.IndexByte("\"'{[", rest[1]) < 0 {
		return false
	}
	if begun || len(o.levels) == 0 {
		return true
	}
	top := o.top()
	return column <= top.column || top.value == noValue && top.name != "when"
}

func (o *yamlOutline) top() *outlineLevel { return &o.levels[len(o.levels)-1] }

// enter comes to a name or a dash in a column.
func (o *yamlOutline) enter(column int, list, begun bool, text string) (Problem, bool) {
	if begun || len(o.levels) == 0 {
		o.levels = append(o.levels, outlineLevel{column: column, list: list, above: o.at})
		return Problem{}, false
	}
	if top := o.top(); column > top.column || column == top.column && list && !top.list {
		if top.value == noValue {
			o.levels = append(o.levels, outlineLevel{column: column, list: list, above: o.at})
			return Problem{}, false
		}
		if column > top.column && top.value == writtenValue && list {
			return Problem{}, false // a plain text goes on with a dash
		}
		return o.wrong(column, list), true
	}
	open := len(o.levels)
	for open > 0 && (o.levels[open-1].column > column || o.levels[open-1].column == column && o.levels[open-1].list && !list) {
		open--
	}
	if open == 0 || o.levels[open-1].column != column || o.levels[open-1].list != list {
		return o.wrong(column, list), true
	}
	o.levels = o.levels[:open]
	o.top().value = noValue
	return Problem{}, false
}

// wrong says how a line is to be indented.
func (o *yamlOutline) wrong(column int, list bool) Problem {
	what := "the names above it"
	if list {
		what = "the dashes above it"
	}
	return o.problem(column, "indent this line as deep as "+what)
}

func (o *yamlOutline) problem(column int, message string) Problem {
	return Problem{Message: "is not YAML: " + message, Line: o.at + 1, Column: len([]rune(o.lines[o.at][:column])) + 1}
}

// text is a line, or what follows a dash, that begins with no name.
func (o *yamlOutline) text(column int, rest string, begun bool) (Problem, bool) {
	if begun {
		top := o.top()
		return o.value(top, column, rest)
	}
	if name := strings.TrimSpace(rest); o.names.has(name) && (len(o.levels) == 0 || column <= o.top().column) {
		return o.problem(column, "put a colon after "+name), true
	}
	if len(o.levels) == 0 {
		if rest[0] == '[' || rest[0] == '{' {
			return o.flow(column, -1)
		}
		return Problem{}, false
	}
	top := o.top()
	if column > top.column {
		if top.value == noValue {
			return o.value(top, column, rest)
		}
		return Problem{}, false
	}
	if top.list || top.name == "" {
		return Problem{}, false
	}
	what := "text"
	if top.name == "when" {
		what = "condition"
	}
	return o.problem(column, fmt.Sprintf("indent the %s further than %s", what, Clip(top.name))), true
}

// value is what stands behind a name or a dash. It moves on to the value's last line.
func (o *yamlOutline) value(top *outlineLevel, column int, rest string) (Problem, bool) {
	switch {
	case blankOrComment(rest):
		top.value = noValue
	case rest[0] == '|' || rest[0] == '>':
		top.value = blockValue
		return o.block(top, strings.ContainsAny(strings.SplitN(rest, " ", 2)[0], "123456789"))
	case rest[0] == '"' || rest[0] == '\'':
		top.value = endedValue
		return o.quote(column, top.column, rest[0])
	case rest[0] == '[' || rest[0] == '{':
		top.value = endedValue
		return o.flow(column, top.column)
	default:
		top.value = writtenValue
	}
	return Problem{}, false
}

// block moves on to the last line of a text that is indented further than its name.
// Its first line says how far, unless that is written behind > or |.
func (o *yamlOutline) block(top *outlineLevel, stated bool) (Problem, bool) {
	first := 0
	for ; o.at+1 < len(o.lines); o.at++ {
		next := o.lines[o.at+1]
		if strings.TrimSpace(next) == "" {
			continue
		}
		indent := len(next) - len(strings.TrimLeft(next, " "))
		switch {
		case indent <= top.column:
			return Problem{}, false
		case first == 0:
			first = indent
		case indent < first && !stated && next[indent] != '#':
			o.at++
			return o.problem(indent, "indent this line as deep as the first of this text"), true
		}
	}
	return Problem{}, false
}

// quote moves on to the line where a text in quotes ends.
func (o *yamlOutline) quote(column, margin int, quote byte) (Problem, bool) {
	begin := o.at
	if _, ended := o.quoteEnd(column, margin, quote); ended {
		return Problem{}, false
	}
	o.at = begin
	return o.problem(column, QuoteWithout), true
}
