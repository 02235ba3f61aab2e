package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/refusal"
	"requisite/internal/wire"
)

//go:embed docs/page.html docs/snippets
var docs embed.FS

// pages are served without a signature; they are made once.
type pages struct{ openAPI, docs []byte }

func (s *server) makePages() (pages, error) {
	description, err := json.Marshal(s.describe())
	if err != nil {
		return pages{}, fmt.Errorf("describe the API: %w", err)
	}
	page, err := s.docsPage()
	if err != nil {
		return pages{}, fmt.Errorf("make the API's page: %w", err)
	}
	return pages{openAPI: description, docs: page}, nil
}

// page answers /openapi.json and /docs; false for any other path.
func (s *server) page(w http.ResponseWriter, r *http.Request) bool {
	body, media := []byte(nil), ""
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return false
	case r.URL.Path == "/openapi.json":
		body, media = s.pages.openAPI, "application/json"
	case r.URL.Path == "/docs":
		body, media = s.pages.docs, "text/html; charset=utf-8"
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	default:
		return false
	}
	w.Header().Set("Content-Type", media)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, err := w.Write(body)
	s.write(err)
	return true
}

type pageData struct {
	Version    string
	Snippets   []snippet
	Errors     []pageError
	Operations []pageOperation
}

type snippet struct{ Language, Text string }

type pageError struct {
	Status        int
	Code, Message string
}

type pageOperation struct {
	Name, Summary               string
	Request, Data               []pageField
	Refusals                    []pageError
	RequestExample, DataExample string
}

type pageField struct {
	Name, Type, Notes string
	Required          bool
}

func (s *server) docsPage() ([]byte, error) {
	data := pageData{Version: wire.Version}
	for _, c := range []snippet{{"Shell", "sign.sh"}, {"Go", "go/main.go"}, {"Node", "sign.mjs"}, {"Python", "sign.py"}} {
		text, err := docs.ReadFile("docs/snippets/" + c.Text)
		if err != nil {
			return nil, err
		}
		data.Snippets = append(data.Snippets, snippet{c.Language, string(text)})
	}
	for _, code := range everywhere {
		data.Errors = append(data.Errors, shownError(string(code)))
	}
	for _, name := range slices.Sorted(maps.Keys(s.operations)) {
		o, shown := s.operations[name], operationExamples[name]
		operation := pageOperation{
			Name: name, Summary: o.summary,
			Request: s.fields("", s.schemas.Describe(o.request)), Data: s.fields("", s.schemas.Describe(o.data)),
			RequestExample: indented(shown.request), DataExample: indented(shown.data),
		}
		for _, refusal := range shown.refusals {
			operation.Refusals = append(operation.Refusals, shownError(refusal))
		}
		data.Operations = append(data.Operations, operation)
	}
	page, err := template.ParseFS(docs, "docs/page.html")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = page.Execute(&out, data)
	return out.Bytes(), err
}

// shownError takes code and message from an example, and the status from the code.
func shownError(name string) pageError {
	entry := parsed(refusalExamples[name]).(map[string]any)
	code, message := entry["code"].(string), entry["message"].(string)
	status := refusal.Code(code).Status()
	if sub, ok := entry["sub_code"].(string); ok {
		code = sub
	}
	if details, ok := entry["details"].([]any); ok && name == "rules" {
		message = details[0].(map[string]any)["message"].(string)
	}
	return pageError{status, code, message}
}

func indented(example string) string {
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(example), "", "  "); err != nil {
		panic(fmt.Sprintf("example %q: %v", example, err))
	}
	return out.String()
}

// fields lists the fields of an object in dotted form. It stops at an object of a
// type that encloses it; around are the enclosing types.
func (s *server) fields(path string, schema *huma.Schema, around ...*huma.Schema) []pageField {
	schema = s.resolved(schema)
	if slices.Contains(around, schema) {
		return nil
	}
	around = append(slices.Clone(around), schema)
	var list []pageField
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		at, property := path+name, s.resolved(schema.Properties[name])
		list = append(list, pageField{Name: at, Type: typeName(property), Notes: notes(property), Required: slices.Contains(schema.Required, name)})
		switch inner := property; {
		case inner.Type == huma.TypeObject:
			list = append(list, s.fields(at+".", inner, around...)...)
		case inner.Type == huma.TypeArray && s.resolved(inner.Items).Type == huma.TypeObject:
			list = append(list, s.fields(at+"[].", inner.Items, around...)...)
		}
	}
	return list
}

// resolved follows references, and returns the type of a nullable without null.
func (s *server) resolved(schema *huma.Schema) *huma.Schema {
	for {
		switch {
		case schema.Ref != "":
			schema = s.schemas.Registry.SchemaFromRef(schema.Ref)
		case len(schema.OneOf) > 0:
			schema = schema.OneOf[0]
		default:
			return schema
		}
	}
}

func typeName(s *huma.Schema) string {
	name := s.Type
	if s.Type == huma.TypeArray {
		name = "list"
	}
	if s.Format != "" {
		name = s.Format
	}
	if s.Nullable && s.Type != huma.TypeArray {
		name += " or null"
	}
	return name
}

func notes(s *huma.Schema) string {
	var parts []string
	if s.Description != "" {
		parts = append(parts, s.Description)
	}
	if len(s.Enum) > 0 {
		values := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			values[i] = fmt.Sprint(v)
		}
		parts = append(parts, "One of "+strings.Join(values, ", ")+".")
	}
	if s.PatternDescription != "" {
		parts = append(parts, strings.ToUpper(s.PatternDescription[:1])+s.PatternDescription[1:]+".")
	}
	return strings.Join(parts, " ")
}
