package reference

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Fields describes the fields of published schemas.
type Fields struct{ Schemas huma.Registry }

// List lists the fields of an object in dotted form. At each level the required fields
// come first. It does not enter a type again that is among around, its enclosing types.
func (f Fields) List(path string, schema *huma.Schema, around ...*huma.Schema) []pageField {
	schema, _ = f.resolve(schema)
	if slices.Contains(around, schema) {
		return nil
	}
	around = append(slices.Clone(around), schema)
	names := slices.SortedFunc(maps.Keys(schema.Properties), func(a, b string) int {
		if first := slices.Contains(schema.Required, a); first != slices.Contains(schema.Required, b) {
			if first {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	var list []pageField
	for _, name := range names {
		property := schema.Properties[name]
		at := path + name
		list = append(list, pageField{Name: at, Type: f.typeName(property), Notes: f.notes(property), Required: slices.Contains(schema.Required, name)})
		inner, _ := f.resolve(property)
		if inner.Type == huma.TypeArray {
			at += "[]"
			inner, _ = f.resolve(inner.Items)
		}
		list = append(list, f.List(at+".", inner, around...)...)
	}
	return list
}

// resolve follows references. It returns the schema of a nullable without null.
func (f Fields) resolve(schema *huma.Schema) (resolved *huma.Schema, nullable bool) {
	for {
		switch {
		case schema.Ref != "":
			schema = f.Schemas.Map()[strings.TrimPrefix(schema.Ref, SchemaPrefix)]
		case len(schema.OneOf) == 2 && schema.OneOf[1].Type == "null":
			schema, nullable = schema.OneOf[0], true
		default:
			return schema, nullable || schema.Nullable
		}
	}
}

func (f Fields) typeName(s *huma.Schema) string {
	inner, nullable := f.resolve(s)
	name := inner.Type
	switch {
	case inner.Type == huma.TypeArray:
		name = "list of " + f.typeName(inner.Items)
	case inner.Format == "date", inner.Format == "date-time":
		name = inner.Format
	case inner.Extensions["type"] != nil:
		name = fmt.Sprint(inner.Extensions["type"])
	case name == "":
		name = "any"
	}
	if nullable {
		name += " or null"
	}
	return name
}

// notes returns the description, the values and the limits of a field.
func (f Fields) notes(s *huma.Schema) string {
	inner, _ := f.resolve(s)
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	switch {
	case s.Description != "":
		add("%s", s.Description)
	case inner.Description != "" && inner.Extensions == nil:
		add("%s", inner.Description)
	}
	if s.Ref == SchemaPrefix+RuleSet || s.Ref == SchemaPrefix+PublishedRuleSet {
		add("See the guide to rules, /docs/rules.")
	}
	limited := inner
	if inner.Type == huma.TypeArray {
		limited, _ = f.resolve(inner.Items)
	}
	if len(limited.Enum) > 0 {
		values := make([]string, len(limited.Enum))
		for i, v := range limited.Enum {
			values[i] = fmt.Sprint(v)
		}
		if len(values) == 1 {
			add("Always %s.", values[0])
		} else {
			add("One of %s.", strings.Join(values, ", "))
		}
	}
	if limited != inner && limited.Type != huma.TypeObject && limited.Description != "" && len(limited.Enum) == 0 {
		add("Each: %s", limited.Description)
	}
	add("%s", limits(inner))
	return strings.TrimSpace(strings.Join(parts, " "))
}

// limits describes the bounds of a value.
func limits(s *huma.Schema) string {
	var parts []string
	between := func(least, most *int, unit string) {
		switch {
		case least != nil && most != nil:
			parts = append(parts, fmt.Sprintf("%d to %d %s.", *least, *most, unit))
		case least != nil:
			parts = append(parts, fmt.Sprintf("At least %d %s.", *least, unit))
		case most != nil:
			parts = append(parts, fmt.Sprintf("At most %d %s.", *most, unit))
		}
	}
	between(s.MinLength, s.MaxLength, "characters")
	between(s.MinItems, s.MaxItems, "elements")
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	if s.Minimum != nil {
		parts = append(parts, "Not less than "+number(*s.Minimum)+".")
	}
	if s.Maximum != nil {
		parts = append(parts, "Not more than "+number(*s.Maximum)+".")
	}
	if s.ExclusiveMaximum != nil {
		parts = append(parts, "Less than "+number(*s.ExclusiveMaximum)+".")
	}
	return strings.Join(parts, " ")
}
