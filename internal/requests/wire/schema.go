package wire

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
)

// Schemas describes the wire's types once, for checking requests and for the
// published API description alike. It is safe for concurrent use once every
// type was described.
type Schemas struct {
	Registry huma.Registry
	patterns sync.Map // pattern text to *regexp.Regexp
}

// NewSchemas returns an empty set of schemas.
func NewSchemas() *Schemas {
	return &Schemas{Registry: huma.NewMapRegistry("#/components/schemas/", schemaName)}
}

// schemaName names a type without a name after its field, without the suffix Struct.
func schemaName(t reflect.Type, hint string) string {
	return strings.TrimSuffix(huma.DefaultSchemaNamer(t, hint), "Struct")
}

// Describe gives the schema of a type, made from its fields' tags.
func (s *Schemas) Describe(t reflect.Type) *huma.Schema {
	return s.Registry.Schema(t, true, t.Name())
}

// Checked is a request with conditions that its schema cannot express. Check lists the
// problems of the request alone. Decode calls it also after other problems, to report all
// of them together.
type Checked interface{ Check() []refusal.Field }

// Decode checks body against the schema of target, a pointer to a described
// struct, and fills it. All problems are reported together, as one BAD_REQUEST,
// up to refusal.MaxFields of them. For any body it uses at most 1 MiB plus ten
// times the body's size of memory.
func (s *Schemas) Decode(body []byte, target any) error {
	value, problems := parseTree(body)
	if value.text == nil {
		return refusal.Fields(problems...)
	}
	if value.kind() != '{' {
		return refusal.Fields(refusal.Field{Message: "The body must be one JSON object."})
	}
	c := checker{schemas: s, problems: problems}
	c.check("", s.Describe(reflect.TypeOf(target).Elem()), value)
	if c.full() {
		return refusal.Fields(c.problems...)
	}
	err := json.Unmarshal(c.withoutSkipped(body), target)
	if more, ok := target.(Checked); ok {
		c.merge(more.Check())
	}
	if len(c.problems) > 0 {
		return refusal.Fields(c.problems...)
	}
	if err != nil {
		return fmt.Errorf("fill %T with a checked request: %w", target, err)
	}
	return nil
}

// merge adds problems at paths that have none yet: a value that could not be
// read may cause further, misleading problems.
func (c *checker) merge(more []refusal.Field) {
	known := map[string]bool{}
	for _, p := range c.problems {
		known[p.Field] = true
	}
	for _, p := range more {
		if !known[p.Field] {
			c.problems = append(c.problems, p)
		}
	}
}

type checker struct {
	schemas  *Schemas
	problems []refusal.Field
	skipped  []raw // values that have a problem and would take room of their own
	scratch  []byte
}

func (c *checker) problem(path, format string, args ...any) {
	if !c.full() {
		c.problems = append(c.problems, refusal.Field{Field: path, Message: fmt.Sprintf(format, args...)})
	}
}

// full reports that there are more problems than are reported: the check stops.
func (c *checker) full() bool { return len(c.problems) >= maxProblems }

// withoutSkipped is the body with null instead of the values that are not to be read.
func (c *checker) withoutSkipped(body []byte) []byte {
	if len(c.skipped) == 0 {
		return body
	}
	slices.SortFunc(c.skipped, func(a, b raw) int { return cmp.Compare(a.at, b.at) })
	kept, from := make([]byte, 0, len(body)+len("null")*len(c.skipped)), 0
	for _, v := range c.skipped {
		if v.at < from {
			continue // within another
		}
		kept = append(append(kept, body[from:v.at]...), "null"...)
		from = v.at + len(v.text)
	}
	return append(kept, body[from:]...)
}

func (c *checker) check(path string, schema *huma.Schema, value raw) {
	if c.full() {
		return
	}
	if schema.Ref != "" {
		schema = c.schemas.Registry.SchemaFromRef(schema.Ref)
	}
	if value.kind() == 'n' {
		if !nullable(schema) {
			c.problem(path, "This may not be null.")
		}
		return
	}
	if len(schema.OneOf) > 0 {
		c.check(path, schema.OneOf[0], value)
		return
	}
	switch schema.Type {
	case huma.TypeObject:
		c.object(path, schema, value)
	case huma.TypeArray:
		c.array(path, schema, value)
	case huma.TypeString:
		c.string(path, schema, value)
	case huma.TypeNumber, huma.TypeInteger:
		c.number(path, schema, value)
	case huma.TypeBoolean:
		if kind := value.kind(); kind != 't' && kind != 'f' {
			c.problem(path, "This must be true or false.")
		}
	}
}

// nullable reports whether a schema allows null, itself or through a branch.
func nullable(s *huma.Schema) bool {
	return s.Nullable || s.Type == "" && len(s.OneOf) == 0 ||
		slices.ContainsFunc(s.OneOf, func(b *huma.Schema) bool { return b.Type == "null" })
}

func (c *checker) object(path string, schema *huma.Schema, value raw) {
	if value.kind() != '{' {
		c.problem(path, "This must be an object.")
		return
	}
	if open, _ := schema.AdditionalProperties.(bool); open {
		return
	}
	known, unknown := c.sort(schema, value)
	for _, name := range schema.Required {
		if _, sent := known[name]; !sent {
			c.problem(join(path, name), "This is required.")
		}
	}
	names := slices.Concat(slices.Collect(maps.Keys(known)), unknown)
	slices.Sort(names)
	for _, name := range names {
		if member, is := known[name]; is {
			c.check(join(path, name), schema.Properties[name], member)
		} else {
			c.problem(join(path, name), "There is no such field%s.", suggestion(name, schema))
		}
	}
}

// sort separates the known members of an object, each with its last value, from unknown
// names. It keeps the first maxProblems unknown names, in order.
func (c *checker) sort(schema *huma.Schema, value raw) (known map[string]raw, unknown []string) {
	known = make(map[string]raw, len(schema.Properties))
	value.members(func(name, member raw) bool {
		text := name.name(&c.scratch)
		if _, is := schema.Properties[string(text)]; is {
			if earlier, twice := known[string(text)]; twice {
				c.skip(earlier)
			}
			known[string(text)] = member
			return true
		}
		if suggestion(string(text[:min(len(text), maxNameShown)]), schema) != "" {
			c.skip(member) // the decoder would take it for the field in the right case
		}
		if len(unknown) == maxProblems && string(text) >= unknown[len(unknown)-1] {
			return true
		}
		if i, twice := slices.BinarySearch(unknown, string(text)); !twice {
			if len(unknown) == maxProblems {
				unknown = unknown[:maxProblems-1]
			}
			unknown = slices.Insert(unknown, i, string(text))
		}
		return true
	})
	return known, unknown
}

// skip hides a value with a problem from the decoder. With too many problems, Decode
// decodes nothing.
func (c *checker) skip(v raw) {
	if len(c.skipped) <= 2*maxProblems {
		c.skipped = append(c.skipped, v)
	}
}

// suggestion finds the known name that differs only in case.
func suggestion(name string, schema *huma.Schema) string {
	for known := range schema.Properties {
		if strings.EqualFold(known, name) {
			return fmt.Sprintf("; names are case-sensitive: did you mean %s", known)
		}
	}
	return ""
}

func (c *checker) array(path string, schema *huma.Schema, value raw) {
	if value.kind() != '[' {
		c.problem(path, "This must be an array.")
		return
	}
	count := value.count()
	if schema.MaxItems != nil && count > *schema.MaxItems {
		c.problem(path, "This may have at most %d elements.", *schema.MaxItems)
		c.skip(value)
		return
	}
	if schema.MinItems != nil && count < *schema.MinItems {
		c.problem(path, "This must have at least %d element(s).", *schema.MinItems)
	}
	value.elements(func(i int, element raw) bool {
		c.check(fmt.Sprintf("%s[%d]", path, i), schema.Items, element)
		return !c.full()
	})
}

func (c *checker) string(path string, schema *huma.Schema, value raw) {
	if value.kind() != '"' {
		c.problem(path, "This must be a string.")
		return
	}
	text := value.unquoted()
	known := len(c.problems)
	c.text(path, schema, text)
	if schema.Pattern != "" && len(c.problems) > known {
		c.skip(value) // a type of its own may not read it
	}
}

func (c *checker) text(path string, schema *huma.Schema, text string) {
	length := utf8.RuneCountInString(text)
	switch {
	case len(schema.Enum) > 0 && !slices.Contains(schema.Enum, any(text)):
		c.problem(path, "This must be one of %s.", list(schema.Enum))
	case strings.ContainsFunc(text, isControl), schema.MinLength != nil && strings.ContainsAny(text, "\n\r\t"):
		c.problem(path, "This may not contain control characters.")
	case schema.MinLength != nil && *schema.MinLength == 1 && strings.TrimSpace(text) == "":
		c.problem(path, "This must not be empty.")
	case schema.MinLength != nil && length < *schema.MinLength:
		c.problem(path, "This must have at least %d character(s).", *schema.MinLength)
	case schema.MaxLength != nil && length > *schema.MaxLength:
		c.problem(path, "This may have at most %d characters.", *schema.MaxLength)
	case schema.Pattern != "" && !c.schemas.pattern(schema.Pattern).MatchString(text):
		c.problem(path, "This must be %s.", patternWords(schema))
	case schema.Format == "date" && !isDate(text):
		if dateForm.MatchString(text) {
			c.problem(path, "There is no such day.")
			return
		}
		c.problem(path, "This must be a date of the form YYYY-MM-DD.")
	case schema.Format == "date-time" && !isDateTime(text):
		c.problem(path, "This must be a date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ.")
	}
}

func patternWords(schema *huma.Schema) string {
	if schema.PatternDescription != "" {
		return schema.PatternDescription
	}
	return "of the form " + schema.Pattern
}

func (s *Schemas) pattern(text string) *regexp.Regexp {
	if known, ok := s.patterns.Load(text); ok {
		return known.(*regexp.Regexp)
	}
	compiled := regexp.MustCompile(text)
	s.patterns.Store(text, compiled)
	return compiled
}

// isControl finds characters that no text may hold; line breaks are allowed in
// texts that are longer than a name.
func isControl(r rune) bool { return unicode.Is(unicode.Cc, r) && r != '\n' && r != '\r' && r != '\t' }

var dateForm = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil && !strings.HasPrefix(text, "0000")
}

func isDateTime(text string) bool {
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}

func list(values []any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	return strings.Join(texts, ", ")
}

func (c *checker) number(path string, schema *huma.Schema, value raw) {
	if value.kind() != '0' {
		c.problem(path, "This must be a number.")
		return
	}
	exact, err := rational.Parse(string(value.text))
	if err != nil {
		c.problem(path, "This number is out of range.")
		return
	}
	n := exact.Rat()
	compare := func(bound *float64) int { return n.Cmp(new(big.Rat).SetFloat64(*bound)) }
	switch {
	case schema.Type == huma.TypeInteger && !n.IsInt():
		c.problem(path, "This must be a whole number.")
	case schema.Minimum != nil && compare(schema.Minimum) < 0:
		c.problem(path, "This may not be less than %s.", plain(*schema.Minimum))
	case schema.Maximum != nil && compare(schema.Maximum) > 0:
		c.problem(path, "This may not be more than %s.", plain(*schema.Maximum))
	case schema.ExclusiveMaximum != nil && compare(schema.ExclusiveMaximum) >= 0:
		c.problem(path, "This must be less than %s.", plain(*schema.ExclusiveMaximum))
	case schema.MultipleOf != nil && !isHundredths(n):
		c.problem(path, "This may have at most two decimals.")
	}
}

// isHundredths checks multipleOf: 0.01, the only step in use, exactly.
func isHundredths(n *big.Rat) bool {
	return new(big.Rat).Mul(n, big.NewRat(100, 1)).IsInt()
}

func plain(f float64) string { return new(big.Float).SetFloat64(f).Text('f', -1) }
