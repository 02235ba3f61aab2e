package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"requisite/docs"
)

const schemaPrefix = "#/components/schemas/"

// publisher turns the schemas that check requests into those that are published.
// They accept the same values, and say it in the way that tools expect:
// descriptions in place of keywords of our own, each enum once, rule sets by
// their own schema.
type publisher struct {
	from, to huma.Registry
	enums    []enum
}

func newPublisher(from huma.Registry) *publisher {
	p := &publisher{from: from, to: huma.NewMapRegistry(schemaPrefix, huma.DefaultSchemaNamer), enums: enums()}
	for _, e := range p.enums {
		s := e.schema()
		p.to.Map()[e.name] = s
	}
	p.addRules()
	return p
}

// addRules publishes the schema of rule sets, its definitions as schemas of
// their own.
func (p *publisher) addRules() {
	var rules map[string]any
	if err := json.Unmarshal(docs.RulesSchema, &rules); err != nil {
		panic(fmt.Sprintf("rules.schema.json: %v", err)) // a test reads it
	}
	definitions := rules["$defs"].(map[string]any)
	delete(rules, "$defs")
	delete(rules, "$schema")
	p.to.Map()["RuleSet"] = &huma.Schema{Extensions: moved(rules).(map[string]any)}
	for name, definition := range definitions {
		p.to.Map()[rulesSchemaName(name)] = &huma.Schema{Extensions: moved(definition).(map[string]any)}
	}
}

func rulesSchemaName(definition string) string {
	return "RuleSet" + strings.ToUpper(definition[:1]) + definition[1:]
}

// moved leads references to definitions to the schemas that they have become,
// and leaves out what is meant for editors.
func moved(value any) any {
	switch value := value.(type) {
	case map[string]any:
		delete(value, "defaultSnippets")
		for name, member := range value {
			if target, ok := member.(string); ok && name == "$ref" {
				value[name] = schemaPrefix + rulesSchemaName(strings.TrimPrefix(target, "#/$defs/"))
				continue
			}
			value[name] = moved(member)
		}
	case []any:
		for i, element := range value {
			value[i] = moved(element)
		}
	}
	return value
}

// published is the published form of a schema that stands at a place: the name
// of a schema, and of a property in it.
func (p *publisher) published(s *huma.Schema, schema, property string) *huma.Schema {
	if s.Ref != "" {
		p.publish(strings.TrimPrefix(s.Ref, schemaPrefix))
		return &huma.Schema{Ref: s.Ref, Description: s.Description}
	}
	if property == "rules" && (s.Type == "" || s.Type == huma.TypeObject) {
		return &huma.Schema{Ref: schemaPrefix + "RuleSet", Description: s.Description}
	}
	c := *s
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
		ref := &huma.Schema{Ref: schemaPrefix + named, Description: c.Description}
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

// object makes a closed object. Names ending in ? are optional.
func object(properties map[string]*huma.Schema) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Properties: map[string]*huma.Schema{}}
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

func ref(name string) *huma.Schema { return &huma.Schema{Ref: schemaPrefix + name} }

func listOf(s *huma.Schema) *huma.Schema { return &huma.Schema{Type: huma.TypeArray, Items: s} }

// oneOf is one of values.
func oneOf[T ~string](values ...T) *huma.Schema {
	s := text()
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}
