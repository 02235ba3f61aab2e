package rulefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Reading YAML. Input: the bytes of a file. Output: its root node, and problems.

// ReadYAML reads one YAML document. Anchors, aliases, merge keys and tags are
// refused: a rule file says what it says where it says it. A file that is YAML is
// returned with its problems, and without the values that are refused.
func ReadYAML(data []byte, names *Names) (*Node, []Problem) {
	if problems := slices.Concat(tooLarge(data), notText(data)); problems != nil {
		return nil, problems
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, more yaml.Node
	if err := decoder.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, []Problem{{Message: "the file is empty", Line: 1, Column: 1}}
		}
		return nil, yamlProblems(data, names, err)
	}
	if err := decoder.Decode(&more); err == nil {
		return nil, []Problem{joinedFiles(data, more)}
	} else if !errors.Is(err, io.EOF) {
		return nil, yamlProblems(data, names, err)
	}
	if len(document.Content) != 1 {
		return nil, []Problem{{Message: "the file is empty", Line: 1, Column: 1}}
	}
	r := &yamlReader{lines: YAMLLines(data)}
	return r.value(document.Content[0], "", 0), r.problems
}

type yamlReader struct {
	lines    []string
	runes    []rune // of the line at hand, which may hold the whole file
	line     int
	problems []Problem
}

// tagged reports whether a value begins with a tag. The tag ! alone leaves no
// other trace: when: ! (a) would read as its contrary.
func (r *yamlReader) tagged(n *yaml.Node) bool {
	if n.Style&yaml.TaggedStyle != 0 {
		return true
	}
	if n.Line < 1 || n.Line > len(r.lines) {
		return false
	}
	if r.line != n.Line {
		r.line, r.runes = n.Line, []rune(strings.TrimPrefix(r.lines[n.Line-1], "\ufeff"))
	}
	return n.Column >= 1 && n.Column <= len(r.runes) && r.runes[n.Column-1] == '!'
}

// refuse reports a value that is not part of rule files, and stands for it.
func (r *yamlReader) refuse(n *yaml.Node, path, format string, args ...any) *Node {
	if len(r.problems) < MaxProblems {
		r.problems = append(r.problems, Problem{Path: path, Message: fmt.Sprintf(format, args...), Line: n.Line, Column: n.Column})
	}
	return &Node{Kind: RefusedKind, line: n.Line, column: n.Column}
}

func (r *yamlReader) value(n *yaml.Node, path string, depth int) *Node {
	switch {
	case depth > maxDepth:
		if len(r.problems) > 0 {
			return &Node{Kind: RefusedKind}
		}
		return r.refuse(n, path, "the file is nested more than %d levels deep", maxDepth)
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return r.refuse(n, path, "anchors and aliases (& and *) are not part of rule files: write the value out")
	case r.tagged(n):
		return r.refuse(n, path, "YAML reads ! at the beginning of a value as a tag, and rule files have no tags: %s", onALineOfItsOwn)
	}
	node := &Node{Kind: NullKind, line: n.Line, column: n.Column}
	switch n.Kind {
	case yaml.MappingNode:
		node.Kind, node.Flow = ObjectKind, n.Style&yaml.FlowStyle != 0
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i]
			if name.Kind != yaml.ScalarNode || name.Anchor != "" || name.Tag == "!!merge" {
				r.refuse(name, path, "a name must be plain text")
				continue
			}
			at := strings.TrimPrefix(path+"."+Clip(name.Value), ".")
			node.members = append(node.members, Member{name.Value, r.value(n.Content[i+1], at, depth+1), Node{line: name.Line, column: name.Column}})
		}
	case yaml.SequenceNode:
		node.Kind = ListKind
		for i, item := range n.Content {
			node.items = append(node.items, r.value(item, fmt.Sprintf("%s[%d]", path, i), depth+1))
		}
	case yaml.ScalarNode:
		node.Kind, node.Text, node.Style = ScalarKind(n), n.Value, scalarStyle(n)
		if node.Style == PlainStyle {
			node.comment = n.LineComment
		}
	}
	return node
}

func scalarStyle(n *yaml.Node) Style {
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return DoubleStyle
	case n.Style&yaml.SingleQuotedStyle != 0:
		return SingleStyle
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return BlockStyle
	}
	return PlainStyle
}

// ScalarKind treats what YAML takes for a timestamp as the text it is written
// as, so that dates need no quotes.
func ScalarKind(n *yaml.Node) Kind {
	switch n.ShortTag() {
	case "!!bool":
		return BoolKind
	case "!!null":
		return NullKind
	case "!!int", "!!float":
		return NumberKind
	}
	return TextKind
}
