package wire

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/text/rawjson"
)

// Checks checks the values of one kind of document, and words the problems.
type Checks interface {
	// Kind judges null, and a value of another kind than its schema has.
	Kind(path func() string, schema *huma.Schema, v rawjson.Value) refusal.Problem
	Text(schema *huma.Schema, text string) refusal.Problem
	Number(schema *huma.Schema, v rawjson.Value) refusal.Problem
	// Count judges how many elements or members there are.
	Count(schema *huma.Schema, n int) refusal.Problem
	// Unknown reports a name that the object does not have, and guesses which name was meant. The
	// value is read under that name, unless the object has a value for it too.
	Unknown(path func() string, schema *huma.Schema, name string) (problem refusal.Problem, meant string)
	Missing(name string) refusal.Problem
	Twice() refusal.Problem
	// Unfit reports a value that its type refuses.
	Unfit(v rawjson.Value, err error) refusal.Problem
}

// Read checks a body against the schema of target, a pointer to a described struct, and
// fills it with what fits. It returns up to maxProblems, first the names that occur twice.
// For any body it uses at most 1 MiB plus ten times the body's size of memory. Its error is
// Malformed.
func (s *Schemas) Read(body []byte, target any, checks Checks) ([]Problem, error) {
	v, twice, err := parseTree(body)
	if err != nil {
		return nil, err
	}
	for i := range twice {
		twice[i].Problem = checks.Twice()
	}
	r := reader{trail: trail{body: body}, schemas: s, checks: checks, problems: twice, twice: len(twice)}
	into := reflect.ValueOf(target).Elem()
	r.value(s.Describe(into.Type()), v, into)
	return r.problems, nil
}

// lister is a type whose values its schema lists in a pattern. For a text that is none of them it returns all values, and the
// one that was probably meant, if any is near.
type lister interface {
	Values(text string) (all []string, meant string)
}

type reader struct {
	trail
	schemas  *Schemas
	checks   Checks
	problems []Problem
	twice    int // the problems about repeated names among them
}

// report reports a problem of the current value, unless its name is repeated.
func (r *reader) report(at int, problem refusal.Problem) (bad bool) {
	if problem.None() {
		return false
	}
	path := r.path()
	if !r.full() && !slices.ContainsFunc(r.problems[:r.twice], func(p Problem) bool { return p.Path == path }) {
		r.problems = append(r.problems, Problem{path, problem, at})
	}
	return true
}

// full reports that there are enough problems: the reader stops.
func (r *reader) full() bool { return len(r.problems) >= maxProblems }

// value reads v into a value that is zero.
func (r *reader) value(schema *huma.Schema, v rawjson.Value, into reflect.Value) {
	if r.full() {
		return
	}
	if field, ok := into.Addr().Interface().(interface{ sent() reflect.Value }); ok {
		into = field.sent()
	}
	schema = r.schemas.branch(schema, v.Kind())
	if v.Kind() == 'n' || !hasKind(schema, v.Kind()) {
		r.report(v.At, r.checks.Kind(r.path, schema, v))
		return
	}
	if into.Kind() == reflect.Pointer {
		p, known := reflect.New(into.Type().Elem()), len(r.problems)
		r.value(schema, v, p.Elem())
		if len(r.problems) == known || v.Kind() == '{' || v.Kind() == '[' { // these may fit in part
			into.Set(p)
		}
		return
	}
	open, _ := schema.AdditionalProperties.(bool)
	switch kind := v.Kind(); {
	case open || schema.Type == "":
		r.fill(into, v, "")
	case kind == '{':
		r.object(schema, v, into)
	case kind == '[' && into.Kind() == reflect.Slice:
		r.array(schema, v, into)
	case kind == '"':
		text := string(v.Unquoted(&r.scratch))
		wrong := r.checks.Text(schema, text)
		if lister, ok := into.Addr().Interface().(lister); ok && wrong.Code == refusal.WrongFormat {
			all, meant := lister.Values(text)
			if meant != "" {
				wrong.Message += " Did you mean " + meant + "?"
			}
			wrong = refusal.NotOneOf(all, meant, "%s", wrong.Message)
		}
		if !r.report(v.At, wrong) {
			r.fill(into, v, text)
		}
	case kind == '0':
		if !r.report(v.At, r.checks.Number(schema, v)) {
			r.fill(into, v, "")
		}
	default:
		r.fill(into, v, "")
	}
}

// branch resolves a reference, and chooses the alternative for a value of a kind. It chooses the
// first alternative if none fits, and returns the whole schema for null.
func (s *Schemas) branch(schema *huma.Schema, kind byte) *huma.Schema {
	if schema.Ref != "" {
		schema = s.Registry.SchemaFromRef(schema.Ref)
	}
	if kind == 'n' || len(schema.OneOf) == 0 {
		return schema
	}
	for _, one := range schema.OneOf {
		if one = s.branch(one, kind); hasKind(one, kind) {
			return one
		}
	}
	return s.branch(schema.OneOf[0], kind)
}

// hasKind reports whether a schema is for values of a kind other than null.
func hasKind(schema *huma.Schema, kind byte) bool {
	switch schema.Type {
	case huma.TypeObject:
		return kind == '{'
	case huma.TypeArray:
		return kind == '['
	case huma.TypeString:
		return kind == '"'
	case huma.TypeNumber, huma.TypeInteger:
		return kind == '0'
	case huma.TypeBoolean:
		return kind == 't' || kind == 'f'
	}
	return schema.Type == ""
}

func (r *reader) object(schema *huma.Schema, v rawjson.Value, into reflect.Value) {
	if of, is := schema.AdditionalProperties.(*huma.Schema); is {
		r.entries(schema, of, v, into)
		return
	}
	fields := r.schemas.fieldsOf(into.Type())
	last := map[string]int{} // the position of the last value of each known name
	v.Members(func(name, value rawjson.Value) bool {
		if f, known := fields[string(name.Unquoted(&r.scratch))]; known {
			last[f.name] = value.At
		}
		return true
	})
	v.Members(func(name, value rawjson.Value) bool {
		r.within(step{-1, name.At}, func() {
			f, known := fields[string(name.Unquoted(&r.scratch))]
			if !known {
				problem, meant := r.checks.Unknown(r.path, schema, name.String())
				r.report(name.At, problem)
				if _, there := last[meant]; meant == "" || there {
					return
				}
				f, last[meant] = fields[meant], value.At
			}
			if last[f.name] == value.At {
				r.value(schema.Properties[f.name], value, into.FieldByIndex(f.index))
			}
		})
		return !r.full()
	})
	for _, name := range schema.Required {
		if _, there := last[name]; !there {
			if problem := r.checks.Missing(name); !problem.None() && !r.full() {
				r.problems = append(r.problems, Problem{join(r.path(), name), problem, v.At})
			}
		}
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// entries reads an object whose names are not known beforehand.
func (r *reader) entries(schema, of *huma.Schema, v rawjson.Value, into reflect.Value) {
	if r.report(v.At, r.checks.Count(schema, v.Count()/2)) {
		return
	}
	into.Set(reflect.MakeMap(into.Type()))
	v.Members(func(name, value rawjson.Value) bool {
		r.within(step{-1, name.At}, func() {
			entry := reflect.New(into.Type().Elem()).Elem()
			r.value(of, value, entry)
			into.SetMapIndex(reflect.ValueOf(name.String()), entry)
		})
		return !r.full()
	})
}

func (r *reader) array(schema *huma.Schema, v rawjson.Value, into reflect.Value) {
	count := v.Count()
	into.Set(reflect.MakeSlice(into.Type(), 0, 0)) // the list was sent, even if its elements are wrong
	if r.report(v.At, r.checks.Count(schema, count)) {
		return
	}
	into.Set(reflect.MakeSlice(into.Type(), count, count))
	v.Elements(func(i int, element rawjson.Value) bool {
		r.within(step{index: i}, func() { r.value(schema.Items, element, into.Index(i)) })
		return !r.full()
	})
}

// fill sets a value without parts.
func (r *reader) fill(into reflect.Value, v rawjson.Value, text string) {
	var err error
	target := into.Addr().Interface()
	if typed, ok := target.(encoding.TextUnmarshaler); ok && v.Kind() == '"' {
		err = typed.UnmarshalText(v.Unquoted(&r.scratch))
	} else if typed, ok := target.(json.Unmarshaler); ok {
		err = typed.UnmarshalJSON(v.Text)
	} else if v.Kind() == '"' {
		into.SetString(text)
	} else if into.CanInt() {
		var n rational.Number
		n, err = rational.Parse(string(v.Text))
		whole := n.Rat().Num()
		if err == nil && (!n.IsInt() || !whole.IsInt64() || into.OverflowInt(whole.Int64())) {
			err = errors.New("out of range")
		} else if err == nil {
			into.SetInt(whole.Int64())
		}
	} else {
		err = json.Unmarshal(v.Text, target)
	}
	if err != nil {
		r.report(v.At, r.checks.Unfit(v, err))
	}
}

// field is a field of a struct, by its name in JSON.
type field struct {
	name  string
	index []int
}

func (s *Schemas) fieldsOf(t reflect.Type) map[string]field {
	known, ok := s.fields.Load(t)
	if !ok {
		fields := map[string]field{}
		for _, f := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.IsExported() && !f.Anonymous && name != "-" {
				fields[cmp.Or(name, f.Name)] = field{cmp.Or(name, f.Name), f.Index}
			}
		}
		known, _ = s.fields.LoadOrStore(t, fields)
	}
	return known.(map[string]field)
}
