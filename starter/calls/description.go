package calls

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"requisite/internal/text/typo"
	"requisite/internal/text/visible"
	"requisite/starter/cli"
)

// description is the OpenAPI description that a service serves of itself.
type description struct {
	Paths      map[string]struct{ Post operation } `json:"paths"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
	text []byte
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

// largestDescription is the most bytes that are read of a description.
const largestDescription = 16 << 20

// describe reads the description of the service that a command calls. It is nil if the
// address serves none, as behind a proxy that passes only operations on.
func describe(ctx context.Context, f *cli.CredentialFlags) (*description, error) {
	base, client, err := f.Service()
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(base, "/")+"/openapi.json", nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, largestDescription))
	if err != nil {
		return nil, fmt.Errorf("read the description of the API: %w", err)
	}
	d := &description{text: text}
	if response.StatusCode != http.StatusOK || json.Unmarshal(text, d) != nil || len(d.Paths) == 0 {
		return nil, nil
	}
	return d, nil
}

func (d *description) names() (names []string) {
	for path := range d.Paths {
		names = append(names, strings.TrimPrefix(path, "/"))
	}
	slices.Sort(names)
	return names
}

// find returns an operation. Its error suggests the name that was meant.
func (d *description) find(name string) (operation, error) {
	if found, is := d.Paths["/"+name]; is {
		return found.Post, nil
	}
	hint := "/docs of the service lists them"
	if near, is := typo.Nearest(name, d.names(), 4); is {
		hint = "did you mean " + near + "?"
	}
	return operation{}, fmt.Errorf("the service has no operation %s; %s", visible.Line(name), hint)
}

// check returns the problems of a body, each with its field.
func (d *description) check(name string, body []byte) (problems []string, err error) {
	sent, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return []string{"The body is not JSON: " + err.Error()}, nil
	}
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(d.text))
	if err != nil {
		return nil, fmt.Errorf("read the description of the API: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	if err := compiler.AddResource("openapi.json", whole); err != nil {
		return nil, fmt.Errorf("read the description of the API: %w", err)
	}
	compiled, err := compiler.Compile("openapi.json#/paths/~1" + name + "/post/requestBody/content/application~1json/schema")
	if err != nil {
		return nil, fmt.Errorf("read the description of %s: %w", name, err)
	}
	var failed *jsonschema.ValidationError
	if errors.As(compiled.Validate(sent), &failed) {
		collect(failed, message.NewPrinter(language.English), &problems)
	}
	// Under unevaluatedProperties, a field with a wrong value counts as unknown too. So what is unknown comes
	// last, and is told only if nothing else is wrong with it.
	slices.SortFunc(problems, func(a, b string) int {
		if unknown := strings.HasSuffix(a, isUnknown); unknown != strings.HasSuffix(b, isUnknown) {
			return map[bool]int{true: 1, false: -1}[unknown]
		}
		return strings.Compare(a, b)
	})
	var told []string
	for _, problem := range slices.Compact(problems) {
		at, unknown := strings.CutSuffix(problem, isUnknown)
		if !unknown || !slices.ContainsFunc(told, func(other string) bool {
			return strings.HasPrefix(other, at+": ") || strings.HasPrefix(other, at+".") || strings.HasPrefix(other, at+"[")
		}) {
			told = append(told, problem)
		}
	}
	return told, nil
}

// isUnknown is what is wrong with a field that the description does not know.
const isUnknown = ": this operation has no such field"

// collect adds what is wrong to problems. It leaves out that an object is not null.
func collect(failed *jsonschema.ValidationError, english *message.Printer, problems *[]string) {
	for _, cause := range failed.Causes {
		collect(cause, english, problems)
	}
	if t, is := failed.ErrorKind.(*kind.Type); len(failed.Causes) > 0 || is && slices.Equal(t.Want, []string{"null"}) {
		return
	}
	at := ""
	for _, step := range failed.InstanceLocation { // the form of the service's own details
		switch _, err := strconv.Atoi(step); {
		case err == nil:
			at += "[" + step + "]"
		case at == "":
			at = step
		default:
			at += "." + step
		}
	}
	if at == "" {
		at = "the body"
	}
	switch wrong := failed.ErrorKind.(type) {
	case *kind.FalseSchema:
		*problems = append(*problems, at+isUnknown)
		return
	case *kind.AdditionalProperties:
		for _, name := range wrong.Properties {
			*problems = append(*problems, strings.TrimPrefix(at+"."+name, "the body.")+isUnknown)
		}
		return
	}
	*problems = append(*problems, at+": "+failed.ErrorKind.LocalizedString(english))
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
