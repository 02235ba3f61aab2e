package rulefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v4"

	"requisite/internal/requests/wire"
)

// YAMLFile reads a YAML file of one document. It refuses anchors, aliases, merge keys and tags, so
// that each part of a rule file can be read alone.
func YAMLFile(data []byte) *File {
	f := &File{source: data, Problems: notText(data)}
	if f.Problems != nil {
		return f
	}
	lines := yamlLines(strings.TrimPrefix(string(data), "\ufeff"))
	root, problem := loadYAML(data, lines)
	for last := -1; problem != nil && problem.Line > last && len(f.Problems) < MaxProblems; {
		f.Problems = append(f.Problems, *problem)
		last = problem.Line
		_, _, line := around(lines, yaml.Mark{Line: last})
		if !valueOnItsLine.MatchString(line) {
			break
		}
		// Text after a value that is not YAML may have mistakes of its own.
		lines[last-1] = valueOnItsLine.ReplaceAllString(line, "${1} x")
		_, problem = loadYAML([]byte(strings.Join(lines, "\n")), lines)
	}
	if c := (&converter{}); f.Problems == nil {
		if c.value(root, "", 0) {
			f.json, f.marks = c.json, c.marks
		}
		f.Problems = c.problems
	}
	return f
}

var valueOnItsLine = regexp.MustCompile(`^(\s*(?:- +)?[a-z_]+:) +(?:[^ {\[].*|\[[^\[\]{}]*\].*)`)

// loadYAML returns the content of a YAML file, or why it has none.
func loadYAML(data []byte, lines []string) (*yaml.Node, *Problem) {
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	if err != nil {
		panic("rulefile: " + err.Error())
	}
	var document, more yaml.Node
	if err = loader.Load(&document); errors.Is(err, io.EOF) || err == nil && len(document.Content) != 1 {
		return nil, &Problem{Message: "the file is empty", Line: 1, Column: 1}
	}
	if err == nil {
		err = loader.Load(&more)
	}
	switch {
	case err == nil:
		return nil, joined(lines, more)
	case !errors.Is(err, io.EOF):
		return nil, mistake(lines, err)
	}
	return document.Content[0], nil
}

// converter writes YAML as JSON.
type converter struct {
	json     []byte
	marks    []mark
	problems []Problem
}

func (c *converter) report(n *yaml.Node, path, format string, args ...any) {
	if len(c.problems) < MaxProblems {
		c.problems = append(c.problems, Problem{Path: path, Message: fmt.Sprintf(format, args...), Line: n.Line, Column: n.Column})
	}
}

// value writes one value. It writes null for a value that is refused. It returns false if the file
// is nested too deeply.
func (c *converter) value(n *yaml.Node, path string, depth int) bool {
	c.marks = append(c.marks, mark{at: len(c.json), path: path, line: n.Line, column: n.Column})
	switch {
	case depth > wire.MaxDepth:
		c.problems = nil
		c.report(n, "", "values are nested more than %d levels deep", wire.MaxDepth)
		return false
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		c.report(n, path, "anchors and aliases (& and *) are not part of rule files: write the value out")
		c.json = append(c.json, "null"...)
	case tagged(n):
		c.report(n, path, "YAML reads ! at the beginning of a value as a tag, and rule files have no tags: %s", onLinesOfItsOwn)
		c.json = append(c.json, "null"...)
	case n.Kind == yaml.MappingNode:
		return c.object(n, path, depth)
	case n.Kind == yaml.SequenceNode:
		return c.list(n, path, depth)
	default:
		c.scalar(n)
	}
	return true
}

// tagged reports whether a value begins with a tag. With the tag ! alone, the condition in when: !
// (a) would have the opposite meaning.
func tagged(n *yaml.Node) bool { return n.Style&yaml.TaggedStyle != 0 || n.Tag == "!" }

func (c *converter) scalar(n *yaml.Node) {
	m := &c.marks[len(c.marks)-1]
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		m.style = doubleStyle
	case n.Style&yaml.SingleQuotedStyle != 0:
		m.style = singleStyle
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		m.style = blockStyle
	default:
		m.comment = n.LineComment
	}
	switch kind := n.ShortTag(); {
	case IsText(n):
		c.quote(n.Value)
		return
	case kind == "!!null":
		c.json = append(c.json, "null"...)
	case kind == "!!bool":
		c.json = append(c.json, strings.ToLower(n.Value)...)
	case jsontext.Value(n.Value).IsValid():
		c.json = append(c.json, n.Value...)
	default:
		c.json = append(c.json, '0') // JSON has no such number
	}
	m.written = n.Value
}

// IsText reports whether YAML reads a scalar as text. A timestamp counts as the text that is
// written, so that dates need no quotes.
func IsText(n *yaml.Node) bool {
	switch n.ShortTag() {
	case "!!bool", "!!null", "!!int", "!!float":
		return false
	}
	return true
}

func (c *converter) quote(text string) {
	json, err := jsontext.AppendQuote(c.json, text)
	if err != nil {
		panic("rulefile: " + err.Error()) // the file is UTF-8
	}
	c.json = json
}

func (c *converter) list(n *yaml.Node, path string, depth int) bool {
	c.json = append(c.json, '[')
	for i, item := range n.Content {
		if i > 0 {
			c.json = append(c.json, ',')
		}
		if !c.value(item, fmt.Sprintf("%s[%d]", path, i), depth+1) {
			return false
		}
	}
	c.json = append(c.json, ']')
	return true
}

func (c *converter) object(n *yaml.Node, path string, depth int) bool {
	c.json = append(c.json, '{')
	begin := len(c.json)
	var text *yaml.Node // in brackets, where a comma may have split it
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		if name.Kind != yaml.ScalarNode || name.Anchor != "" || name.Tag == "!!merge" || tagged(name) {
			c.report(name, path, "a name must be plain text")
			continue
		}
		below := func(name string) string { return strings.TrimPrefix(path+"."+Clip(name), ".") }
		if n.Style&yaml.FlowStyle != 0 {
			switch noColon := value.Value == "" && value.Column == name.Column+utf8.RuneCountInString(name.Value); {
			case noColon && Glued.MatchString(name.Value):
				before, after, _ := strings.Cut(name.Value, ":")
				c.report(name, below(before), "put a blank after the colon")
				name.Value, value.Value, value.Tag = before, after, "!!str"
			case noColon && text != nil:
				c.cut(text, name, below(n.Content[slices.Index(n.Content, text)-1].Value))
				continue
			}
			if text = nil; value.Kind == yaml.ScalarNode && value.Style == 0 && value.Value != "" {
				text = value
			}
		}
		if len(c.json) > begin {
			c.json = append(c.json, ',')
		}
		c.marks = append(c.marks, mark{at: len(c.json), line: name.Line, column: name.Column})
		c.quote(name.Value)
		c.json = append(c.json, ':')
		if !c.value(value, below(name.Value), depth+1) {
			return false
		}
	}
	c.json = append(c.json, '}')
	return true
}

// Glued matches a name that YAML reads as part of the text after it.
var Glued = regexp.MustCompile(`^[a-z_]+:\S`)

// cut reports text after a comma in brackets that belongs to the text before it. It reports this
// once for each text.
func (c *converter) cut(text, rest *yaml.Node, path string) {
	switch {
	case slices.ContainsFunc(c.problems, func(p Problem) bool { return p.Path == path }):
	case SeparatedDigits.MatchString(text.Value + "," + rest.Value):
		c.report(text, path, "a comma ends a number in brackets: %s", PlainDigits)
	default:
		c.report(rest, path, "a comma ends a text in brackets: put the whole text of %s in quotes", path[strings.LastIndexByte(path, '.')+1:])
	}
}

// PlainDigits is how to write a large number, and SeparatedDigits is one in parts.
const PlainDigits = "write large numbers without separators, such as 50000"

var SeparatedDigits = regexp.MustCompile(`^-?[0-9]{1,3}(?:[,_'’ \x{a0}\x{2009}\x{202f}][0-9]{3})+(?:\.[0-9]+)?$|^-?[0-9]{1,3}(?:\.[0-9]{3}){2,}$`)
