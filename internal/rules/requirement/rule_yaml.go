package requirement

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v4"

	"requisite/internal/rules/rulefile"
	"requisite/internal/text/visible"
)

// Writing files of rules. Input: a rule set. Output: the YAML file that reads back as
// the same rule set.

// YAML writes the rule set as a file that ParseRuleSetYAML reads back to the
// same content. Comments are not part of a rule set, and so not of the file.
func (rs RuleSet) YAML() []byte {
	decoder := jsontext.NewDecoder(bytes.NewReader(rs.CanonicalJSON()))
	root, err := yamlNode(decoder)
	if err != nil {
		panic(fmt.Sprintf("requirement: canonical JSON that cannot be read: %v", err))
	}
	out, err := yaml.Dump(root, yaml.WithV3Defaults(), yaml.WithIndent(2), yaml.WithLineWidth(-1))
	if err != nil {
		panic(fmt.Sprintf("requirement: a rule source that YAML cannot express: %v", err))
	}
	return escapeHidden(out)
}

// escapeHidden writes the hidden characters of a YAML file as escapes, so that a
// reader sees them. They stand in double quotes: see yamlText.
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

// yamlNode reads one value. Lists of plain values are written on one line.
func yamlNode(d *jsontext.Decoder) (*yaml.Node, error) {
	token, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	switch kind := token.Kind(); kind {
	case '{', '[':
		node := &yaml.Node{Kind: yaml.MappingNode}
		end, plain := jsontext.Kind('}'), false
		if kind == '[' {
			node.Kind, end, plain = yaml.SequenceNode, ']', true
		}
		for d.PeekKind() != end {
			part, err := yamlNode(d)
			if err != nil {
				return nil, err
			}
			plain = plain && part.Kind == yaml.ScalarNode
			node.Content = append(node.Content, part)
		}
		if plain {
			node.Style = yaml.FlowStyle
		}
		_, err := d.ReadToken()
		return node, err
	case '"':
		return yamlText(token.String()), nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: token.String()}, nil
}

// yamlText is a text in the plainest style that reads back as the same text.
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
