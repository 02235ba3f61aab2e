// Package generate makes the types and operations of the clients from the
// OpenAPI description of the API, one set of files for each language.
package generate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

//go:generate go test -count=1 requisite/api/command -run ^TestClients_MatchTheDescription$ -update

// Files returns the generated files, by their path below clients/.
func Files(openAPI []byte) (map[string][]byte, error) {
	m, err := read(openAPI)
	if err != nil {
		return nil, err
	}
	golang, err := m.golang()
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"go/generated.go":                  golang,
		"typescript/src/generated.ts":      m.typescript(),
		"python/requisite/_types.py":       m.pythonTypes(),
		"python/requisite/_calls.py":       m.pythonCalls(false),
		"python/requisite/_async_calls.py": m.pythonCalls(true),
	}, nil
}

// model is what the languages are written from.
type model struct {
	version    string
	objects    []object // by name
	operations []call   // by name
	eventTypes []string
	// contents are the decrypted contents of webhooks: an object's name, by event type.
	contents map[string]string
	// codes and subCodes belong to refusals, warnings to warnings. They are empty where the
	// description does not list them.
	codes, subCodes, warnings []string
}

// object is a JSON object with named fields.
type object struct {
	name, doc string
	fields    []field // the required ones first, then by name
	requested bool    // part of a request
}

type field struct {
	name, doc string
	required  bool
	of        typ
}

// typ is the type of a value.
type typ struct {
	kind     kind
	nullable bool
	element  *typ     // of a list, or of the values of a map
	object   string   // the object's name
	values   []string // of a string: all that it can be, when the description says
	either   []typ    // of a union
}

type kind int

const (
	anything kind = iota
	text
	integer
	number
	boolean
	list
	dictionary
	reference
	union
)

// call is one operation.
type call struct {
	name, summary string
	request, data string // objects
	writes        bool   // takes an Idempotency-Key
	items         string // the field of data that pages carry, when the operation has pages
	item          typ    // the type of its elements
}

// schema is as much of JSON Schema as the description uses.
type schema struct {
	Ref         string             `json:"$ref"`
	Type        any                `json:"type"`
	Description string             `json:"description"`
	Enum        []any              `json:"enum"`
	Const       any                `json:"const"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
	Items       *schema            `json:"items"`
	Additional  any                `json:"additionalProperties"`
	OneOf       []*schema          `json:"oneOf"`
	AnyOf       []*schema          `json:"anyOf"`
	AllOf       []*schema          `json:"allOf"`
	Content     *schema            `json:"contentSchema"`
	Decrypted   *schema            `json:"x-decrypted"`
}

type media struct {
	Content map[string]struct {
		Schema *schema `json:"schema"`
	} `json:"content"`
	Ref string `json:"$ref"`
}

type described struct {
	OperationID string `json:"operationId"`
	Summary     string `json:"summary"`
	Parameters  []struct {
		Name string `json:"name"`
		Ref  string `json:"$ref"`
	} `json:"parameters"`
	RequestBody media            `json:"requestBody"`
	Responses   map[string]media `json:"responses"`
}

type document struct {
	Info struct {
		Version string `json:"version"`
	} `json:"info"`
	Paths      map[string]map[string]described `json:"paths"`
	Webhooks   map[string]map[string]described `json:"webhooks"`
	Components struct {
		Schemas    map[string]*schema `json:"schemas"`
		Parameters map[string]struct {
			Name string `json:"name"`
		} `json:"parameters"`
		Responses map[string]media `json:"responses"`
	} `json:"components"`
}

// reader makes a model of a document.
type reader struct {
	document
	objects map[string]*object
}

func read(openAPI []byte) (*model, error) {
	r := reader{objects: map[string]*object{}}
	if err := json.Unmarshal(openAPI, &r.document); err != nil {
		return nil, fmt.Errorf("read the OpenAPI description: %w", err)
	}
	m := &model{version: r.Info.Version, contents: map[string]string{}}
	for _, path := range slices.Sorted(maps.Keys(r.Paths)) {
		operation, ok := r.Paths[path]["post"]
		if !ok {
			continue
		}
		c, err := r.call(strings.TrimPrefix(path, "/"), operation)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		m.operations = append(m.operations, c)
	}
	if len(m.operations) == 0 {
		return nil, fmt.Errorf("the OpenAPI description has no operation")
	}
	// What every answer can carry, and no operation's data names.
	for _, name := range []string{"Gap", "LimitMet", "Meta", "Warning"} {
		if _, ok := r.Components.Schemas[name]; ok {
			r.object(name, &schema{Ref: prefix + name})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Webhooks)) {
		if content := r.content(name); content != "" {
			m.contents[name] = content
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.objects)) {
		m.objects = append(m.objects, *r.objects[name])
	}
	for _, c := range m.operations {
		m.request(typ{kind: reference, object: c.request})
	}
	m.eventTypes = m.listed("ConfigCreateRequestConfig", "event_types")
	m.codes, m.subCodes, m.warnings = r.refusals("code"), r.refusals("sub_code"), m.listed("Warning", "code")
	return m, nil
}

const prefix = "#/components/schemas/"

func (r *reader) call(name string, d described) (call, error) {
	c := call{name: name, summary: d.Summary}
	for _, p := range d.Parameters {
		if p.Ref != "" {
			p.Name = r.Components.Parameters[p.Ref[strings.LastIndex(p.Ref, "/")+1:]].Name
		}
		c.writes = c.writes || p.Name == "Idempotency-Key"
	}
	base := ""
	for _, word := range strings.Split(name, ".") {
		base += strings.ToUpper(word[:1]) + word[1:]
	}
	request := d.RequestBody.Content["application/json"].Schema
	answer := d.Responses["200"]
	if answer.Ref != "" {
		answer = r.Components.Responses[answer.Ref[strings.LastIndex(answer.Ref, "/")+1:]]
	}
	data := r.property(answer.Content["application/json"].Schema, "data")
	if request == nil || data == nil {
		return call{}, fmt.Errorf("a request and an answer with data must be described")
	}
	in, out := r.typ(base+"Request", request), r.typ(base+"Data", data)
	if in.kind != reference || out.kind != reference {
		return call{}, fmt.Errorf("the request and data must be objects with named fields")
	}
	c.request, c.data = in.object, out.object
	return c, r.pages(&c)
}

// pages finds the list that an operation with pages answers. Each client then has an
// iterator for it.
func (r *reader) pages(c *call) error {
	_, page := r.objects[c.request].field("page")
	if _, next := r.objects[c.data].field("next"); page != next {
		return fmt.Errorf("a request with page must have an answer with next, and the other way around")
	}
	if !page {
		return nil
	}
	for _, f := range r.objects[c.data].fields {
		if f.of.kind != list {
			continue
		}
		if c.items != "" {
			return fmt.Errorf("the data of a page has two lists, %s and %s", c.items, f.name)
		}
		c.items, c.item = f.name, *f.of.element
	}
	if c.items == "" {
		return fmt.Errorf("the data of a page has no list")
	}
	return nil
}

// fields reports whether a schema describes an object with named fields, perhaps
// with none, and not one with any names.
func (s *schema) fields() bool {
	return len(s.Properties) > 0 || s.Additional == false || s.Additional == nil && slices.Contains(types(s.Type), "object")
}

// property finds a field in a schema, through references and allOf.
func (r *reader) property(s *schema, name string) *schema {
	if s == nil {
		return nil
	}
	s = r.resolved(s)
	if p := s.Properties[name]; p != nil {
		return p
	}
	for _, part := range s.AllOf {
		if p := r.property(part, name); p != nil {
			return p
		}
	}
	return nil
}

func (r *reader) resolved(s *schema) *schema {
	for s.Ref != "" {
		next, ok := r.Components.Schemas[strings.TrimPrefix(s.Ref, prefix)]
		if !ok {
			return &schema{}
		}
		s = next
	}
	return s
}

// typ is the type that a schema describes. name is for an object that the
// description does not name.
func (r *reader) typ(name string, s *schema) typ {
	if s.Ref == prefix+"RuleSet" || s.Ref == prefix+"PublishedRuleSet" {
		return typ{kind: anything} // a document of its own, which callers keep as JSON
	}
	if s.Ref != "" {
		return r.object(strings.TrimPrefix(s.Ref, prefix), s)
	}
	if len(s.AllOf) == 1 && len(s.Properties) == 0 {
		return r.typ(name, s.AllOf[0])
	}
	if choice := slices.Concat(s.OneOf, s.AnyOf); len(choice) > 0 && len(s.Properties) == 0 {
		return r.union(name, choice)
	}
	t := typ{}
	kinds := types(s.Type)
	if i := slices.Index(kinds, "null"); i >= 0 {
		t.nullable = true
		kinds = slices.Delete(kinds, i, i+1)
	}
	if s.Const != nil && s.Enum == nil {
		s.Enum = []any{s.Const}
	}
	switch {
	case len(kinds) > 1:
		t.kind = anything
	case len(kinds) == 0 && len(s.Properties) == 0 && len(s.AllOf) == 0:
		t.kind = anything
		if values := words(s.Enum); len(values) > 0 {
			t.kind, t.values = text, values
		}
	case len(kinds) == 0 || kinds[0] == "object":
		if len(s.AllOf) > 0 || s.fields() {
			made := r.object(name, s)
			made.nullable = t.nullable
			return made
		}
		element := typ{kind: anything}
		if inner, ok := s.Additional.(map[string]any); ok && len(inner) > 0 {
			element = r.typ(name+"Value", again(inner))
		}
		t.kind, t.element = dictionary, &element
	case kinds[0] == "array":
		element := typ{kind: anything}
		if s.Items != nil {
			element = r.typ(strings.TrimSuffix(name, "s"), s.Items)
		}
		t.kind, t.element = list, &element
	case kinds[0] == "string":
		t.kind, t.values = text, words(s.Enum)
	case kinds[0] == "integer":
		t.kind = integer
	case kinds[0] == "number":
		t.kind = number
	case kinds[0] == "boolean":
		t.kind = boolean
	}
	return t
}

func (r *reader) union(name string, choice []*schema) typ {
	var either []typ
	nullable := false
	for i, s := range choice {
		if kinds := types(s.Type); len(kinds) == 1 && kinds[0] == "null" {
			nullable = true
			continue
		}
		one := r.typ(fmt.Sprint(name, i+1), s)
		nullable = nullable || one.nullable
		either = append(either, one)
	}
	switch len(either) {
	case 0:
		return typ{kind: anything, nullable: nullable}
	case 1:
		either[0].nullable = nullable
		return either[0]
	}
	return typ{kind: union, either: either, nullable: nullable}
}

// object reads a schema as an object of the given name, once; a named schema that
// is none gives its own type.
func (r *reader) object(name string, s *schema) typ {
	s = r.resolved(s)
	if _, known := r.objects[name]; known {
		return typ{kind: reference, object: name}
	}
	properties, required, isObject := map[string]*schema{}, []string{}, false
	r.merge(s, properties, &required, &isObject)
	if !isObject {
		s.Ref = ""
		return r.typ(name, s)
	}
	o := &object{name: name, doc: s.Description}
	r.objects[name] = o // before its fields: an object may contain itself
	for _, field := range slices.Sorted(maps.Keys(properties)) {
		o.add(field, properties[field], slices.Contains(required, field), r.typ(name+pascal(field), properties[field]))
	}
	slices.SortStableFunc(o.fields, func(a, b field) int {
		if a.required == b.required {
			return strings.Compare(a.name, b.name)
		} else if a.required {
			return -1
		}
		return 1
	})
	return typ{kind: reference, object: name}
}

func (r *reader) merge(s *schema, properties map[string]*schema, required *[]string, isObject *bool) {
	s = r.resolved(s)
	*isObject = *isObject || s.fields()
	maps.Copy(properties, s.Properties)
	*required = append(*required, s.Required...)
	for _, part := range s.AllOf {
		r.merge(part, properties, required, isObject)
	}
}

func (o *object) add(name string, s *schema, required bool, of typ) {
	o.fields = append(o.fields, field{name: name, doc: s.Description, required: required, of: of})
}

func (o *object) field(name string) (field, bool) {
	i := slices.IndexFunc(o.fields, func(f field) bool { return f.name == name })
	if i < 0 {
		return field{}, false
	}
	return o.fields[i], true
}

// object finds an object by its name.
func (m *model) object(name string) object {
	i := slices.IndexFunc(m.objects, func(o object) bool { return o.name == name })
	return m.objects[i]
}

// content finds the object that an event's data is when it is decrypted: the
// description gives it as the contentSchema of data.
func (r *reader) content(event string) string {
	for _, body := range r.Webhooks[event]["post"].RequestBody.Content {
		data := r.property(body.Schema, "data")
		if data == nil {
			continue
		}
		data = r.resolved(data)
		for _, s := range []*schema{data.Content, data.Decrypted} {
			if s == nil {
				continue
			}
			if t := r.typ(pascal(strings.ToLower(event))+"Content", s); t.kind == reference {
				return t.object
			}
		}
	}
	return ""
}

// refusals lists the values of a field of the entries of errors.
func (r *reader) refusals(name string) []string {
	entry, ok := r.Components.Schemas["Refusal"]
	if !ok {
		return nil
	}
	var values []string
	var collect func(*schema)
	collect = func(s *schema) {
		s = r.resolved(s)
		if p := s.Properties[name]; p != nil {
			p = r.resolved(p)
			values = append(values, words(p.Enum)...)
			if c, ok := p.Const.(string); ok {
				values = append(values, c)
			}
		}
		for _, part := range slices.Concat(s.AllOf, s.OneOf, s.AnyOf) {
			collect(part)
		}
	}
	collect(entry)
	slices.Sort(values)
	return slices.Compact(values)
}

// request marks what a type reaches as part of a request.
func (m *model) request(t typ) {
	switch t.kind {
	case list, dictionary:
		m.request(*t.element)
	case union:
		for _, one := range t.either {
			m.request(one)
		}
	case reference:
		i := slices.IndexFunc(m.objects, func(o object) bool { return o.name == t.object })
		if i < 0 || m.objects[i].requested {
			return
		}
		m.objects[i].requested = true
		for _, f := range m.objects[i].fields {
			m.request(f.of)
		}
	}
}

// listed are the values that a field of text, or of a list of texts, may have.
func (m *model) listed(name, property string) []string {
	for _, o := range m.objects {
		if f, ok := o.field(property); o.name == name && ok {
			if f.of.kind == list {
				return f.of.element.values
			}
			return f.of.values
		}
	}
	return nil
}

func types(t any) []string {
	switch t := t.(type) {
	case string:
		return []string{t}
	case []any:
		return words(t)
	}
	return nil
}

func words(list []any) []string {
	var texts []string
	for _, one := range list {
		if s, ok := one.(string); ok {
			texts = append(texts, s)
		}
	}
	return texts
}

// again reads a schema that was decoded without its type.
func again(decoded map[string]any) *schema {
	var s schema
	encoded, err := json.Marshal(decoded)
	if err == nil {
		err = json.Unmarshal(encoded, &s)
	}
	if err != nil {
		return &schema{}
	}
	return &s
}

// pascal turns a name of the API into one of an exported identifier.
func pascal(name string) string {
	var out strings.Builder
	for _, word := range strings.FieldsFunc(name, func(c rune) bool { return c == '_' || c == '.' || c == '-' }) {
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}

// snake turns the name of an operation into one of a Python function.
func snake(name string) string {
	var out strings.Builder
	for _, c := range strings.ReplaceAll(name, ".", "_") {
		if c >= 'A' && c <= 'Z' {
			out.WriteByte('_')
			c += 'a' - 'A'
		}
		out.WriteRune(c)
	}
	return out.String()
}

// wrapped breaks a text into lines of a comment.
func wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = word
			continue
		}
		line = strings.TrimSpace(line + " " + word)
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
