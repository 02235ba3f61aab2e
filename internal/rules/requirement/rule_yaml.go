package requirement

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"requisite/internal/rules/rulefile"
	"requisite/internal/text/rawjson"
	"requisite/internal/text/visible"
)

// YAML writes the rule set as a file that ReadRuleSet reads back to the same content. Comments are
// not part of a rule set, so the file has none.
func (rs RuleSet) YAML() []byte {
	return dumped(yamlNode(rawjson.Value{Text: rs.CanonicalJSON()}))
}

// FlowYAML writes JSON on one line, with quotes only where YAML needs them.
func FlowYAML(json []byte) string {
	node := yamlNode(rawjson.Value{Text: json})
	var flow func(*yaml.Node)
	flow = func(node *yaml.Node) {
		if node.Kind != yaml.ScalarNode {
			node.Style = yaml.FlowStyle
		}
		for _, part := range node.Content {
			flow(part)
		}
	}
	flow(node)
	return strings.TrimSuffix(string(dumped(node)), "\n")
}

func dumped(node *yaml.Node) []byte {
	out, err := yaml.Dump(node, yaml.WithV3Defaults(), yaml.WithIndent(2), yaml.WithLineWidth(-1))
	if err != nil {
		panic(fmt.Sprintf("requirement: a rule source that YAML cannot express: %v", err))
	}
	return escapeHidden(out)
}

// escapeHidden writes the hidden characters of a YAML file as escapes, so that a reader sees them.
// They are in double quotes: see yamlText.
func escapeHidden(data []byte) []byte {
	var out bytes.Buffer
	for _, r := range string(data) {
		switch {
		case !visible.Hidden(r):
			out.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&out, `\U%08X`, r)
		default:
			fmt.Fprintf(&out, `\u%04X`, r)
		}
	}
	return out.Bytes()
}

// yamlNode converts one value. Lists of plain values are written on one line.
func yamlNode(v rawjson.Value) *yaml.Node {
	switch v.Kind() {
	case '{':
		node := &yaml.Node{Kind: yaml.MappingNode}
		v.Members(func(name, value rawjson.Value) bool {
			node.Content = append(node.Content, yamlText(name.String()), yamlNode(value))
			return true
		})
		return node
	case '[':
		node := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		v.Elements(func(_ int, element rawjson.Value) bool {
			part := yamlNode(element)
			if node.Content = append(node.Content, part); part.Kind != yaml.ScalarNode {
				node.Style = 0
			}
			return true
		})
		return node
	case '"':
		return yamlText(v.String())
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: string(v.Text)}
}

// yamlText writes a text in the plainest style that reads back as the same text.
func yamlText(text string) *yaml.Node {
	node := &yaml.Node{}
	node.SetString(text)
	if strings.ContainsFunc(text, visible.Hidden) {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: text}
	}
	written, err := yaml.Marshal([]*yaml.Node{node})
	var back []yaml.Node
	if err == nil {
		err = yaml.Unmarshal(written, &back)
	}
	if err == nil && len(back) == 1 && rulefile.IsText(&back[0]) && back[0].Value == text && back[0].Style&yaml.TaggedStyle == 0 {
		return node
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: text}
}
