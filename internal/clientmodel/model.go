// Package clientmodel is how clients see the API: its operations and their types, read from the OpenAPI description, and
// a call of an operation as a snippet in each language. The generator of the clients and the documentation share it.
package clientmodel

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Model is what the languages are written from.
type Model struct {
	Version    string
	Objects    []Object    // by name
	Operations []Operation // by name
	EventTypes []string
	// contents are the decrypted contents of webhooks: an object's name, by event type.
	Contents map[string]string
	// Enums are the other lists of values, by name.
	Enums []Enum
	// codes and subCodes belong to refusals, problems to BAD_REQUEST, warnings to warnings. They are empty where the
	// description does not list them.
	Codes, SubCodes, Problems, Warnings []string
}

// Object is a JSON object with named fields.
type Object struct {
	Name, Doc string
	Fields    []Field // the required ones first, then by name
	Requested bool    // part of a request
}

// Event is the object whose data has the type of its event_type. Each language writes it in its own way.
const Event = "Event"

type Field struct {
	Name, Doc string
	Required  bool
	Of        Type
}

// Type is the type of a value.
type Type struct {
	Kind     Kind
	Nullable bool
	Element  *Type    // of a list, or of the values of a map
	Object   string   // the object's name
	Values   []string // of a string: all that it can be, when the description says
	Either   []Type   // of a union
}

type Kind int

const (
	Anything Kind = iota
	Text
	Integer
	Number
	Boolean
	List
	Dictionary
	Reference
	Union
)

// Operation is one operation.
type Operation struct {
	Name, Summary string
	Request, Data string // objects
	Writes        bool   // takes an Idempotency-Key
	OnDay         bool   // takes X-Sandbox-Today
	Items         string // the field of data that pages carry, when the operation has pages
	Item          Type   // the type of its elements
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
			Name   string  `json:"name"`
			Schema *schema `json:"schema"`
		} `json:"parameters"`
		Responses map[string]media `json:"responses"`
	} `json:"components"`
}

// reader makes a model of a document.
type reader struct {
	document
	objects map[string]*Object
}

func Read(openAPI []byte) (*Model, error) {
	r := reader{objects: map[string]*Object{}}
	if err := json.Unmarshal(openAPI, &r.document); err != nil {
		return nil, fmt.Errorf("read the OpenAPI description: %w", err)
	}
	m := &Model{Version: r.Info.Version, Contents: map[string]string{}}
	for _, path := range slices.Sorted(maps.Keys(r.Paths)) {
		operation, ok := r.Paths[path]["post"]
		if !ok {
			continue
		}
		c, err := r.call(strings.TrimPrefix(path, "/"), operation)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		m.Operations = append(m.Operations, c)
	}
	if len(m.Operations) == 0 {
		return nil, fmt.Errorf("the OpenAPI description has no operation")
	}
	// What every answer can carry, and no operation's data names.
	for _, name := range []string{"Gap", "LimitMet", "Meta", "Problem", "Warning"} {
		if _, ok := r.Components.Schemas[name]; ok {
			r.object(name, &schema{Ref: prefix + name})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Webhooks)) {
		if content := r.content(name); content != "" {
			m.Contents[name] = content
		}
	}
	r.addAttempt()
	for _, name := range slices.Sorted(maps.Keys(r.objects)) {
		m.Objects = append(m.Objects, *r.objects[name])
	}
	for _, c := range m.Operations {
		m.request(Type{Kind: Reference, Object: c.Request})
	}
	m.EventTypes = m.listed("ConfigCreateRequestConfig", "event_types")
	m.Codes, m.SubCodes, m.Problems, m.Warnings = r.refusals("code"), r.refusals("sub_code"), m.listed("Problem", "code"), m.listed("Warning", "code")
	m.Enums = r.enums(m)
	m.promise("KeyCreateData", "shared_secret") // an answer without it is the error SecretLost
	m.promise(Event, "data")                    // a receiver and the feed's iterator always give it
	return m, nil
}

const prefix = "#/components/schemas/"

func (r *reader) call(name string, d described) (Operation, error) {
	c := Operation{Name: name, Summary: d.Summary}
	for _, p := range d.Parameters {
		if p.Ref != "" {
			p.Name = r.Components.Parameters[p.Ref[strings.LastIndex(p.Ref, "/")+1:]].Name
		}
		c.Writes = c.Writes || p.Name == "Idempotency-Key"
		c.OnDay = c.OnDay || p.Name == "X-Sandbox-Today"
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
		return Operation{}, fmt.Errorf("a request and an answer with data must be described")
	}
	in, out := r.typ(base+"Request", request), r.typ(base+"Data", data)
	if in.Kind != Reference || out.Kind != Reference {
		return Operation{}, fmt.Errorf("the request and data must be objects with named fields")
	}
	c.Request, c.Data = in.Object, out.Object
	return c, r.pages(&c)
}

// pages finds the list that an operation with pages answers. Each client then has an
// iterator for it.
func (r *reader) pages(c *Operation) error {
	_, page := r.objects[c.Request].Field("page")
	if _, next := r.objects[c.Data].Field("next"); page != next {
		return fmt.Errorf("a request with page must have an answer with next, and the other way around")
	}
	if !page {
		return nil
	}
	for _, f := range r.objects[c.Data].Fields {
		if f.Of.Kind != List {
			continue
		}
		if c.Items != "" {
			return fmt.Errorf("the data of a page has two lists, %s and %s", c.Items, f.Name)
		}
		c.Items, c.Item = f.Name, *f.Of.Element
	}
	if c.Items == "" {
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
func (r *reader) typ(name string, s *schema) Type {
	if s.Ref == prefix+"RuleSet" || s.Ref == prefix+"PublishedRuleSet" {
		return Type{Kind: Anything} // a document of its own, which callers keep as JSON
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
	t := Type{}
	kinds := types(s.Type)
	if i := slices.Index(kinds, "null"); i >= 0 {
		t.Nullable = true
		kinds = slices.Delete(kinds, i, i+1)
	}
	if s.Const != nil && s.Enum == nil {
		s.Enum = []any{s.Const}
	}
	switch {
	case len(kinds) > 1:
		t.Kind = Anything
	case len(kinds) == 0 && len(s.Properties) == 0 && len(s.AllOf) == 0:
		t.Kind = Anything
		if values := words(s.Enum); len(values) > 0 {
			t.Kind, t.Values = Text, values
		}
	case len(kinds) == 0 || kinds[0] == "object":
		if len(s.AllOf) > 0 || s.fields() {
			made := r.object(name, s)
			made.Nullable = t.Nullable
			return made
		}
		element := Type{Kind: Anything}
		if inner, ok := s.Additional.(map[string]any); ok && len(inner) > 0 {
			element = r.typ(name+"Value", again(inner))
		}
		t.Kind, t.Element = Dictionary, &element
	case kinds[0] == "array":
		element := Type{Kind: Anything}
		if s.Items != nil {
			element = r.typ(strings.TrimSuffix(name, "s"), s.Items)
		}
		t.Kind, t.Element = List, &element
	case kinds[0] == "string":
		t.Kind, t.Values = Text, words(s.Enum)
	case kinds[0] == "integer":
		t.Kind = Integer
	case kinds[0] == "number":
		t.Kind = Number
	case kinds[0] == "boolean":
		t.Kind = Boolean
	}
	return t
}

func (r *reader) union(name string, choice []*schema) Type {
	var either []Type
	nullable := false
	for i, s := range choice {
		if kinds := types(s.Type); len(kinds) == 1 && kinds[0] == "null" {
			nullable = true
			continue
		}
		one := r.typ(fmt.Sprint(name, i+1), s)
		nullable = nullable || one.Nullable
		either = append(either, one)
	}
	switch len(either) {
	case 0:
		return Type{Kind: Anything, Nullable: nullable}
	case 1:
		either[0].Nullable = nullable
		return either[0]
	}
	return Type{Kind: Union, Either: either, Nullable: nullable}
}

// object reads a schema as an object of the given name, once; a named schema that
// is none gives its own type.
func (r *reader) object(name string, s *schema) Type {
	s = r.resolved(s)
	if _, known := r.objects[name]; known {
		return Type{Kind: Reference, Object: name}
	}
	properties, required, isObject := map[string]*schema{}, []string{}, false
	r.merge(s, properties, &required, &isObject)
	if !isObject {
		s.Ref = ""
		return r.typ(name, s)
	}
	o := &Object{Name: name, Doc: s.Description}
	r.objects[name] = o // before its fields: an object may contain itself
	for _, field := range slices.Sorted(maps.Keys(properties)) {
		o.add(field, properties[field], slices.Contains(required, field), r.typ(name+pascal(field), properties[field]))
	}
	slices.SortStableFunc(o.Fields, func(a, b Field) int {
		if a.Required == b.Required {
			return strings.Compare(a.Name, b.Name)
		} else if a.Required {
			return -1
		}
		return 1
	})
	return Type{Kind: Reference, Object: name}
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

func (o *Object) add(name string, s *schema, required bool, of Type) {
	o.Fields = append(o.Fields, Field{Name: name, Doc: s.Description, Required: required, Of: of})
}

func (o *Object) Field(name string) (Field, bool) {
	i := slices.IndexFunc(o.Fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return Field{}, false
	}
	return o.Fields[i], true
}

// HasEvent reports whether the description has the object Event.
func (m *Model) HasEvent() bool {
	return slices.ContainsFunc(m.Objects, func(o Object) bool { return o.Name == Event })
}

// Object finds an object by its name.
func (m *Model) Object(name string) Object {
	i := slices.IndexFunc(m.Objects, func(o Object) bool { return o.Name == name })
	return m.Objects[i]
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
			if t := r.typ(pascal(strings.ToLower(event))+"Content", s); t.Kind == Reference {
				return t.Object
			}
		}
	}
	return ""
}

// addAttempt adds to Event what a webhook says of its attempt.
func (r *reader) addAttempt() {
	event := r.objects[Event]
	names := slices.Sorted(maps.Keys(r.Webhooks))
	if event == nil || len(names) == 0 {
		return
	}
	properties := map[string]*schema{}
	for _, body := range r.Webhooks[names[0]]["post"].RequestBody.Content {
		r.merge(body.Schema, properties, new([]string), new(bool))
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if _, known := event.Field(name); !known {
			s := *r.resolved(properties[name])
			s.Description += " Only a receiver gives it."
			event.add(name, &s, false, r.typ("", &s))
		}
	}
}

// promise makes a field required that clients always give, whatever the service may leave out.
func (m *Model) promise(object, field string) {
	for i := range m.Objects {
		for j := range m.Objects[i].Fields {
			if f := &m.Objects[i].Fields[j]; m.Objects[i].Name == object && f.Name == field {
				f.Required = true
			}
		}
	}
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
func (m *Model) request(t Type) {
	switch t.Kind {
	case List, Dictionary:
		m.request(*t.Element)
	case Union:
		for _, one := range t.Either {
			m.request(one)
		}
	case Reference:
		i := slices.IndexFunc(m.Objects, func(o Object) bool { return o.Name == t.Object })
		if i < 0 || m.Objects[i].Requested {
			return
		}
		m.Objects[i].Requested = true
		for _, f := range m.Objects[i].Fields {
			m.request(f.Of)
		}
	}
}

// listed are the values that a field of text, or of a list of texts, may have.
func (m *Model) listed(name, property string) []string {
	for _, o := range m.Objects {
		if f, ok := o.Field(property); o.Name == name && ok {
			if f.Of.Kind == List {
				return f.Of.Element.Values
			}
			return f.Of.Values
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

// Snake turns the name of an operation into one of a Python function.
func Snake(name string) string {
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

// Wrapped breaks a text into lines of a comment.
func Wrapped(text string, width int) []string {
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
