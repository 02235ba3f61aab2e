package calls

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"requisite/api/reference"
	"requisite/api/server"
	"requisite/internal/text/typo"
	"requisite/internal/text/visible"
)

// description is the OpenAPI description of the API, as the service of this version serves it.
type description struct {
	Paths      map[string]struct{ Post operation } `json:"paths"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	Description string `json:"description"`
	RequestBody struct {
		Content map[string]struct {
			Schema  schema          `json:"schema"`
			Example json.RawMessage `json:"example"`
		} `json:"content"`
	} `json:"requestBody"`
}

const mediaJSON = "application/json"

// completeOperation completes the name of an operation.
func completeOperation(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return operations(), cobra.ShellCompDirectiveNoFileComp
}

func operations() (names []string) {
	for _, o := range server.Operations() {
		names = append(names, o.Name)
	}
	return names
}

// explain writes the fields of an operation.
func explain(out io.Writer, name string) error {
	if !slices.Contains(operations(), name) {
		hint := "/docs of the service lists them"
		if near, is := typo.Nearest(name, operations(), 4); is {
			hint = "did you mean " + near + "?"
		}
		return fmt.Errorf("the API has no operation %s; %s", visible.Line(name), hint)
	}
	text, err := json.Marshal(reference.NewAPI(server.Operations()).Describe())
	if err != nil {
		return fmt.Errorf("describe the API: %w", err)
	}
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		return fmt.Errorf("read the description of the API: %w", err)
	}
	d.help(visible.NewWriter(out), name, d.Paths["/"+name].Post)
	return nil
}

// schema is the part of a JSON schema that the help of an operation shows.
type schema struct {
	Ref         string            `json:"$ref"`
	Type        types             `json:"type"`
	Format      string            `json:"format"`
	Description string            `json:"description"`
	Enum        []any             `json:"enum"`
	Properties  map[string]schema `json:"properties"`
	Required    []string          `json:"required"`
	Items       *schema           `json:"items"`
	OneOf       []schema          `json:"oneOf"`
}

// types are one type or a list of them.
type types []string

func (t *types) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*t = types{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(t))
}

// resolve follows references, and takes the first branch of a choice.
func (d *description) resolve(s schema) schema {
	for {
		next := schema{}
		switch {
		case s.Ref != "":
			next = d.Components.Schemas[s.Ref[strings.LastIndex(s.Ref, "/")+1:]]
		case len(s.OneOf) > 0:
			next = d.resolve(s.OneOf[0])
			if slices.ContainsFunc(s.OneOf[1:], func(b schema) bool { return slices.Contains(b.Type, "null") }) {
				next.Type = append(slices.Clone(next.Type), "null")
			}
		default:
			return s
		}
		if s.Description != "" {
			next.Description = s.Description
		}
		s = next
	}
}

// fieldsDepth is how deep the help of an operation shows fields. The guide to rules has
// more about theirs.
const fieldsDepth = 4

// help writes what an operation does, its fields and an example.
func (d *description) help(w io.Writer, name string, o operation) {
	fmt.Fprintf(w, "%s: %s\n\nFields:\n", name, o.Description)
	body := o.RequestBody.Content[mediaJSON]
	if len(d.resolve(body.Schema).Properties) == 0 {
		fmt.Fprintln(w, "  none")
	}
	d.fields(w, "  ", body.Schema, fieldsDepth)
	if len(body.Example) > 0 {
		fmt.Fprintf(w, "\nExample:\n  starter call %s '%s'\n", name, body.Example)
	}
}

func (d *description) fields(w io.Writer, indent string, of schema, depth int) {
	of = d.resolve(of)
	if depth == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(of.Properties)) {
		field := d.resolve(of.Properties[name])
		notes := strings.Join(field.Type, " or ")
		inner := field
		if field.Items != nil {
			inner = d.resolve(*field.Items)
			notes = strings.Replace(notes, "array", "list of "+strings.Join(inner.Type, " or "), 1)
		}
		if field.Format == "date" || field.Format == "date-time" {
			notes += ", " + field.Format
		}
		if slices.Contains(of.Required, name) {
			notes += ", required"
		}
		if len(inner.Enum) > 0 {
			notes += ", one of " + strings.Trim(fmt.Sprint(inner.Enum), "[]")
		}
		fmt.Fprintf(w, "%s%s (%s)\n", indent, name, notes)
		if text := strings.TrimSpace(field.Description); text != "" {
			fmt.Fprintf(w, "%s    %s\n", indent, text)
		}
		d.fields(w, indent+"  ", inner, depth-1)
	}
}
