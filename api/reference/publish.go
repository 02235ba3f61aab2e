package reference

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"requisite/docs"
)

const SchemaPrefix = "#/components/schemas/"

// publisher turns the schemas that check requests into those that are published.
// They accept the same values, and say it in the way that tools expect:
// descriptions instead of keywords of our own, each enum once, rule sets by
// their own schema.
//
// Requests are closed: a field that is not described is refused. Answers and the
// contents of webhooks are open: within a version they may get more fields, and
// whoever checks them by their schemas must not fail then.
type publisher struct {
	from, to huma.Registry
	enums    []enum
	answered map[string]bool // schemas that answers or webhooks use
}

// newPublisher publishes schemas. answers are those of all answers and webhooks.
func newPublisher(from huma.Registry, answers []*huma.Schema) *publisher {
	p := &publisher{from: from, to: huma.NewMapRegistry(SchemaPrefix, huma.DefaultSchemaNamer), enums: enums(), answered: map[string]bool{}}
	for _, s := range answers {
		p.answer(s)
	}
	for _, e := range p.enums {
		s := e.schema()
		p.to.Map()[e.name] = s
	}
	p.addRules()
	return p
}

// answer notes the named schemas that a part of an answer uses.
func (p *publisher) answer(s *huma.Schema) {
	if s == nil {
		return
	}
	if name := strings.TrimPrefix(s.Ref, SchemaPrefix); s.Ref != "" {
		if !p.answered[name] {
			p.answered[name] = true
			p.answer(p.from.Map()[name])
		}
		return
	}
	p.answer(s.Items)
	for _, inner := range s.Properties {
		p.answer(inner)
	}
	for _, branch := range s.OneOf {
		p.answer(branch)
	}
}

// The schemas of rule sets: of those that are sent, and of those that are answered.
const (
	RuleSet          = "RuleSet"
	PublishedRuleSet = "PublishedRuleSet"
)

// addRules publishes the schema of rule sets, its definitions as schemas of
// their own.
func (p *publisher) addRules() {
	for _, name := range []string{RuleSet, PublishedRuleSet} {
		var rules map[string]any
		if err := json.Unmarshal(docs.RulesSchema, &rules); err != nil {
			panic(fmt.Sprintf("rules.schema.json: %v", err)) // a test reads it
		}
		definitions := rules["$defs"].(map[string]any)
		delete(rules, "$defs")
		delete(rules, "$schema")
		m := mover{name}
		p.to.Map()[name] = &huma.Schema{Extensions: m.moved(rules).(map[string]any)}
		for definition, schema := range definitions {
			p.to.Map()[m.name(definition)] = &huma.Schema{Extensions: m.moved(schema).(map[string]any)}
		}
	}
}

// mover makes schemas of definitions.
type mover struct{ of string }

func (m mover) name(definition string) string {
	return m.of + strings.ToUpper(definition[:1]) + definition[1:]
}

// moved leads references to definitions to the schemas that they have become, and
// leaves out what is meant for editors. Rule sets that are answered are open.
func (m mover) moved(value any) any {
	switch value := value.(type) {
	case map[string]any:
		delete(value, "defaultSnippets")
		if m.of == PublishedRuleSet && value["additionalProperties"] == false {
			delete(value, "additionalProperties")
		}
		for name, member := range value {
			if target, ok := member.(string); ok && name == "$ref" {
				value[name] = SchemaPrefix + m.name(strings.TrimPrefix(target, "#/$defs/"))
				continue
			}
			value[name] = m.moved(member)
		}
	case []any:
		for i, element := range value {
			value[i] = m.moved(element)
		}
	}
	return value
}

// requested is the published form of a schema that a request consists of.
func (p *publisher) requested(s *huma.Schema) *huma.Schema {
	return p.closed(p.published(s, "", ""))
}

// closed closes a use of a schema that answers use too, and that is open for them.
func (p *publisher) closed(s *huma.Schema) *huma.Schema {
	name := strings.TrimPrefix(s.Ref, SchemaPrefix)
	if s.Ref == "" || !p.answered[name] || p.from.Map()[name].Type != huma.TypeObject {
		return s
	}
	return &huma.Schema{Ref: s.Ref, Type: huma.TypeObject, Description: s.Description, Extensions: map[string]any{"unevaluatedProperties": false}}
}

// published is the published form of s, which stands in a property of a schema.
// Without the name of a schema it is a part of an answer or a webhook.
func (p *publisher) published(s *huma.Schema, schema, property string) *huma.Schema {
	open := schema == "" || p.answered[schema]
	if s.Ref != "" {
		p.publish(strings.TrimPrefix(s.Ref, SchemaPrefix))
		use := &huma.Schema{Ref: s.Ref, Description: s.Description}
		if !open {
			use = p.closed(use)
		}
		return use
	}
	if property == "rules" && (s.Type == "" || s.Type == huma.TypeObject) {
		name := RuleSet
		if open {
			name = PublishedRuleSet
		}
		return &huma.Schema{Ref: SchemaPrefix + name, Description: s.Description}
	}
	c := *s
	if open && c.AdditionalProperties == false {
		c.AdditionalProperties = nil
	}
	c.PatternDescription, c.MultipleOf, c.Default = "", nil, nil
	var words []string
	if said := s.PatternDescription; said != "" && !strings.Contains(strings.ToLower(s.Description), strings.ToLower(said)) {
		words = append(words, strings.ToUpper(s.PatternDescription[:1])+s.PatternDescription[1:]+".")
	}
	if s.Description != "" {
		words = append(words, s.Description)
	}
	if s.MultipleOf != nil {
		words = append(words, "At most two decimals.")
	}
	if s.Default != nil {
		words = append(words, fmt.Sprintf("%v when left out.", plainValue(s.Default)))
	}
	c.Description = strings.Join(words, " ")
	if s.Items != nil {
		c.Items = p.published(s.Items, schema, property)
	}
	c.Properties = map[string]*huma.Schema{}
	for name, inner := range s.Properties {
		c.Properties[name] = p.published(inner, schema, name)
	}
	c.OneOf = nil
	for _, branch := range s.OneOf {
		c.OneOf = append(c.OneOf, p.published(branch, schema, property))
	}
	if named := p.enumOf(s, schema, property); named != "" {
		ref := &huma.Schema{Ref: SchemaPrefix + named, Description: c.Description}
		if s.Nullable {
			return &huma.Schema{Description: c.Description, OneOf: []*huma.Schema{{Ref: ref.Ref}, {Type: "null"}}}
		}
		return ref
	}
	return &c
}

// plainValue is a value as the API writes it; texts without their quotes.
func plainValue(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("default %v: %v", value, err)) // it comes from a field's tag
	}
	return strings.Trim(string(encoded), `"`)
}

// enumOf is the name of the enum whose values a schema allows, or "".
func (p *publisher) enumOf(s *huma.Schema, schema, property string) string {
	if s.Type != huma.TypeString {
		return ""
	}
	values := make([]string, len(s.Enum))
	for i, v := range s.Enum {
		values[i] = fmt.Sprint(v)
	}
	slices.Sort(values)
	for _, e := range p.enums {
		if len(values) > 0 && slices.Equal(values, slices.Sorted(slices.Values(e.values))) ||
			len(values) == 0 && (slices.Contains(e.fields, property) || slices.Contains(e.fields, schema+"."+property)) {
			return e.name
		}
	}
	return ""
}

// publish adds a named schema, and what it refers to.
func (p *publisher) publish(name string) {
	if _, done := p.to.Map()[name]; done {
		return
	}
	p.to.Map()[name] = &huma.Schema{} // it may refer to itself
	p.to.Map()[name] = p.published(p.from.Map()[name], name, "")
}

// object makes an object of an answer. Names ending in ? are optional.
func object(properties map[string]*huma.Schema) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{}}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		plain, optional := strings.CutSuffix(name, "?")
		s.Properties[plain] = properties[name]
		if !optional {
			s.Required = append(s.Required, plain)
		}
	}
	return s
}

func text() *huma.Schema { return &huma.Schema{Type: huma.TypeString} }

func described(s *huma.Schema, about string) *huma.Schema {
	c := *s
	c.Description = about
	return &c
}

func ref(name string) *huma.Schema { return &huma.Schema{Ref: SchemaPrefix + name} }

func listOf(s *huma.Schema) *huma.Schema { return &huma.Schema{Type: huma.TypeArray, Items: s} }

// oneOf is one of values.
func oneOf[T ~string](values ...T) *huma.Schema {
	s := text()
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}
