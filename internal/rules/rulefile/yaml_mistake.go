package rulefile

import (
	"errors"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

// What to write instead of common mistakes.
const (
	onLinesOfItsOwn = "write >- after the colon, and the text on the next line, indented further"
	quoteIt         = "put the whole text in quotes"
)

// mistake says where a file stops being YAML, and what to write instead.
func mistake(lines []string, err error) *Problem {
	var found *yaml.LoadError
	if !errors.As(err, &found) {
		return &Problem{Message: "is not YAML: " + err.Error()}
	}
	at, message := advice(lines, found)
	if message == "" {
		message = strings.TrimPrefix(found.ContextMsg+": "+found.Message, ": ")
	}
	return &Problem{Message: "is not YAML: " + message, Line: at.Line, Column: at.Column}
}

var (
	notABeginning = regexp.MustCompile("^\\s*(?:- +)?[a-z_]+: +([!@%`&*]|[|>][^-+0-9 ]|[|>] *[^-+0-9# ])")
	bareName      = regexp.MustCompile(`^\s*(?:- +)?(?:[A-Za-z_][A-Za-z0-9_]*|"[^"]*"|'[^']*')$`)
	gluedDash     = regexp.MustCompile(`^\s*-[^\s-]`)
)

// advice says how to correct a mistake that YAML has found, and where.
func advice(lines []string, e *yaml.LoadError) (yaml.Mark, string) {
	at, begun := e.Mark, e.ContextMark
	line, before, rest := around(lines, at)
	first := strings.TrimSpace(before) == ""
	says := func(part string) bool { return strings.Contains(e.ContextMsg+": "+e.Message, part) }
	if begins := notABeginning.FindStringSubmatchIndex(line); begins != nil {
		at.Column = len([]rune(line[:begins[2]])) + 1
		return at, "a text without quotes cannot begin with this character: " + onLinesOfItsOwn
	}
	switch {
	case says("cannot start any token") && strings.HasPrefix(rest, "\t"), says("found a tab character"):
		return at, "indent with blanks: YAML has no tabs"
	case says("cannot start any token"):
		return at, "a text without quotes cannot begin with this character: " + quoteIt
	case says("parsing a tag"):
		if _, text, _ := around(lines, begun); strings.HasSuffix(text, "'") || strings.HasSuffix(text, `"`) {
			return begun, "a quotation mark before this has no end"
		}
		return begun, "a text without quotes cannot begin with this character: " + quoteIt
	case says("quoted scalar: found unexpected end"):
		return begun, "this quotation mark has no end"
	case says("unknown escape"):
		return at, `this is no escape: write \\ for a backslash`
	case says("could not find expected ':'"):
		if _, _, text := around(lines, begun); Glued.MatchString(text) {
			return begun, "put a blank after the colon"
		}
		return begun, "indent this text further than the name above it; or if it is a name, put a colon and a blank after it"
	case says("mapping values are not allowed") && bareName.MatchString(before):
		if at.Line > 1 && gluedDash.MatchString(lines[at.Line-2]) {
			return yaml.Mark{Line: at.Line - 1, Column: strings.IndexByte(lines[at.Line-2], '-') + 1}, "put a blank after the dash"
		}
		at.Column = len(line) - len(strings.TrimLeft(line, " ")) + 1
		return at, "indent this line as deep as the names above it, or put a colon after the name above it"
	case says("mapping values are not allowed"):
		return at, "the colon in this text ends a name: " + onLinesOfItsOwn
	case says("expected ',' or") && (rest == "" || strings.Trim(before, " -") == "" && at.Column <= begun.Column):
		return begun, "this bracket has no end"
	case says("expected ',' or"):
		return at, "a comma or a closing bracket is missing before this: a text with , : [ ] { or } must stand in quotes"
	case says("expected node content") && strings.HasPrefix(rest, ","):
		return at, "nothing stands before this comma: delete it"
	case says("expected node content"):
		return at, "a value or a closing bracket is missing before this"
	case says("expected <document start>"):
		return at, "indent this line as deep as the first name of the file"
	case says("comment without preceding whitespace"):
		return at, "put a blank before #, or the whole text in quotes"
	case says("entries are not allowed"):
		return at, "a dash cannot stand here: " + quoteIt
	case !says("expected key") && !says("expected '-'"):
		return at, ""
	case first && gluedDash.MatchString(line):
		return at, "put a blank after the dash"
	case first && strings.HasPrefix(rest, "-"):
		return at, "indent this line as deep as the dashes above it"
	case first:
		return at, "indent this line as deep as the names above it"
	case strings.IndexAny(rest, "]},") == 0:
		return at, "the brackets end before this: one that opens is missing, or one that closes is too many"
	}
	return at, "text follows the closing quotation mark or bracket: " + onLinesOfItsOwn
}

// around returns the line of a position, with the text before and after the position.
func around(lines []string, at yaml.Mark) (line, before, rest string) {
	if at.Line < 1 || at.Line > len(lines) {
		return "", "", ""
	}
	line = lines[at.Line-1]
	runes := []rune(line)
	column := min(max(0, at.Column-1), len(runes))
	return line, string(runes[:column]), string(runes[column:])
}

// joined is about a file in which --- ends one YAML document and begins another.
func joined(lines []string, second yaml.Node) *Problem {
	p := &Problem{Message: "two files are joined here by ---: keep one", Line: second.Line, Column: second.Column}
	for at := min(second.Line, len(lines)) - 1; at >= 0; at-- {
		if strings.HasPrefix(lines[at], "---") {
			p.Line, p.Column = at+1, 1
			break
		}
	}
	return p
}

// yamlLines splits a text into lines as YAML does.
func yamlLines(text string) []string {
	return regexp.MustCompile(`\r\n|[\n\r\x{85}\x{2028}\x{2029}]`).Split(text, -1)
}
