package reference

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"requisite/api/spec"
	"requisite/docs"
)

const SchemaPrefix = "#/components/schemas/"

// publisher turns the schemas that check requests into the published ones. Both accept
// the same values. The published ones have descriptions instead of our own keywords. They
// name each enum once, and refer to the published schema of rule sets.
//
// Requests are closed: the service refuses a field that is not described. Responses and
// webhooks are open: a version may add fields, and a caller's check against the schema
// must not fail then.
type publisher struct {
	from, to huma.Registry
	enums    []spec.Enum
	answered map[string]bool // schemas of responses and webhooks
}

// newPublisher returns a publisher. answers are the schemas of all responses and webhooks.
func newPublisher(from huma.Registry, answers []*huma.Schema) *publisher {
	p := &publisher{from: from, to: huma.NewMapRegistry(SchemaPrefix, huma.DefaultSchemaNamer), enums: spec.Enums(), answered: map[string]bool{}}
	for _, s := range answers {
		p.answer(s)
	}
	for _, e := range p.enums {
		if e.Name != "" {
			p.to.Map()[e.Name] = e.Schema()
		}
	}
	p.addRules()
	return p
}

// answer records the named schemas that a part of a response uses.
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

// The schemas of rule sets in requests and in responses.
const (
	RuleSet          = "RuleSet"
	PublishedRuleSet = "PublishedRuleSet"
)

// addRules adds the schemas of rule sets. Each definition becomes a schema of its own.
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
		p.to.Map()[name] = &huma.Schema{Extensions: m.convert(rules).(map[string]any)}
		for definition, schema := range definitions {
			p.to.Map()[m.name(definition)] = &huma.Schema{Extensions: m.convert(schema).(map[string]any)}
		}
	}
}

// mover turns the definitions of a schema into schemas.
type mover struct{ of string }

func (m mover) name(definition string) string {
	return m.of + strings.ToUpper(definition[:1]) + definition[1:]
}

// convert changes references to definitions into references to schemas. It removes the
// snippets for editors, and opens the rule sets of responses.
func (m mover) convert(value any) any {
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
			value[name] = m.convert(member)
		}
	case []any:
		for i, element := range value {
			value[i] = m.convert(element)
		}
	}
	return value
}

// request returns the published schema of a request.
func (p *publisher) request(s *huma.Schema) *huma.Schema {
	return p.close(p.convert(s, "", ""))
}

// close closes a reference of a request to a schema that is open because responses use it
// too.
func (p *publisher) close(s *huma.Schema) *huma.Schema {
	name := strings.TrimPrefix(s.Ref, SchemaPrefix)
	if s.Ref == "" || !p.answered[name] || p.from.Map()[name].Type != huma.TypeObject {
		return s
	}
	return &huma.Schema{Ref: s.Ref, Type: huma.TypeObject, Description: s.Description, Extensions: map[string]any{"unevaluatedProperties": false}}
}

// convert returns the published form of s, a property of a named schema. An empty
// schema name means a part of a response or a webhook.
func (p *publisher) convert(s *huma.Schema, schema, property string) *huma.Schema {
	open := schema == "" || p.answered[schema]
	if s.Ref != "" {
		p.publish(strings.TrimPrefix(s.Ref, SchemaPrefix))
		use := &huma.Schema{Ref: s.Ref, Description: s.Description}
		if !open {
			use = p.close(use)
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
		c.Items = p.convert(s.Items, schema, property)
	}
	c.Properties = map[string]*huma.Schema{}
	for name, inner := range s.Properties {
		c.Properties[name] = p.convert(inner, schema, name)
	}
	c.OneOf = nil
	for _, branch := range s.OneOf {
		c.OneOf = append(c.OneOf, p.convert(branch, schema, property))
	}
	e, is := p.enumOf(s, schema, property)
	switch {
	case is && e.Name == "":
		c.Enum = e.Schema().Enum
	case is:
		ref := &huma.Schema{Ref: SchemaPrefix + e.Name, Description: c.Description}
		if s.Nullable {
			return &huma.Schema{Description: c.Description, OneOf: []*huma.Schema{{Ref: ref.Ref}, {Type: "null"}}}
		}
		return ref
	}
	return &c
}

// plainValue returns a value in JSON, and text without its quotes.
func plainValue(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("default %v: %v", value, err)) // it comes from a field's tag
	}
	return strings.Trim(string(encoded), `"`)
}

// enumOf returns the enum of a schema; false if it has none.
func (p *publisher) enumOf(s *huma.Schema, schema, property string) (spec.Enum, bool) {
	if s.Type != huma.TypeString {
		return spec.Enum{}, false
	}
	values := make([]string, len(s.Enum))
	for i, v := range s.Enum {
		values[i] = fmt.Sprint(v)
	}
	slices.Sort(values)
	for _, e := range p.enums {
		if len(values) > 0 && slices.Equal(values, slices.Sorted(slices.Values(e.Values))) ||
			len(values) == 0 && (slices.Contains(e.Fields, property) || slices.Contains(e.Fields, schema+"."+property)) {
			return e, true
		}
	}
	return spec.Enum{}, false
}

// publish adds a named schema and the schemas that it refers to.
func (p *publisher) publish(name string) {
	if _, done := p.to.Map()[name]; done {
		return
	}
	p.to.Map()[name] = &huma.Schema{} // it may refer to itself
	p.to.Map()[name] = p.convert(p.from.Map()[name], name, "")
}

// describe adds the descriptions of spec.Words.
func (p *publisher) describe() {
	words := spec.Words()
	var walk func(string, *huma.Schema)
	walk = func(name string, s *huma.Schema) {
		if s == nil {
			return
		}
		for _, inner := range append(slices.Clone(s.OneOf), s.Items) {
			walk(name, inner)
		}
		for field, property := range s.Properties {
			walk(name+"."+field, property)
			c := *property
			c.Description = cmp.Or(words[name+"."+field], property.Description, words[field], words[strings.TrimPrefix(property.Ref, SchemaPrefix)])
			s.Properties[field] = &c
		}
	}
	for name, s := range p.to.Map() {
		s.Description = cmp.Or(s.Description, words[name])
		walk(name, s)
	}
}

// object returns the schema of an object. Names that end in ? are optional.
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
