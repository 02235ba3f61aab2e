package wire

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/rational"
	"requisite/internal/refusal"
)

// Schemas describes the wire's types once, for checking requests and for the
// published API description alike. It is safe for concurrent use once every
// type was described.
type Schemas struct {
	Registry huma.Registry
	patterns sync.Map // pattern text to *regexp.Regexp
}

// NewSchemas returns an empty set of descriptions.
func NewSchemas() *Schemas {
	return &Schemas{Registry: huma.NewMapRegistry("#/components/schemas/", schemaName)}
}

// schemaName names what has no name of its own after where it stands, without
// a word about how it is written.
func schemaName(t reflect.Type, hint string) string {
	return strings.TrimSuffix(huma.DefaultSchemaNamer(t, hint), "Struct")
}

// Describe gives the schema of a type, made from its fields' tags.
func (s *Schemas) Describe(t reflect.Type) *huma.Schema {
	return s.Registry.Schema(t, true, t.Name())
}

// Checked is a request with conditions that its schema cannot say. Check lists
// every problem that the request alone shows. It is called on whatever of the
// request could be read, so that all problems come back at once.
type Checked interface{ Check() []refusal.Field }

// Decode checks body against the schema of target, a pointer to a described
// struct, and fills it. All problems come back at once, as one BAD_REQUEST.
func (s *Schemas) Decode(body []byte, target any) error {
	tree, problems := parseTree(body)
	if tree == nil && len(problems) > 0 {
		return refusal.Fields(problems...)
	}
	if _, ok := tree.(object); !ok {
		return refusal.Fields(refusal.Field{Message: "The body must be one JSON object."})
	}
	c := checker{schemas: s, problems: problems}
	c.check("", s.Describe(reflect.TypeOf(target).Elem()), tree)
	err := json.Unmarshal(body, target)
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

// merge adds problems at places that have none yet: what could not be read for
// one reason may look wrong for another.
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
}

func (c *checker) problem(path, format string, args ...any) {
	c.problems = append(c.problems, refusal.Field{Field: path, Message: fmt.Sprintf(format, args...)})
}

func (c *checker) check(path string, schema *huma.Schema, value any) {
	if schema.Ref != "" {
		schema = c.schemas.Registry.SchemaFromRef(schema.Ref)
	}
	if value == nil {
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
		if _, ok := value.(bool); !ok {
			c.problem(path, "This must be true or false.")
		}
	}
}

// nullable: a schema says so itself, or through a branch that is null.
func nullable(s *huma.Schema) bool {
	return s.Nullable || s.Type == "" && len(s.OneOf) == 0 ||
		slices.ContainsFunc(s.OneOf, func(b *huma.Schema) bool { return b.Type == "null" })
}

func (c *checker) object(path string, schema *huma.Schema, value any) {
	members, ok := value.(object)
	if !ok {
		c.problem(path, "This must be an object.")
		return
	}
	if open, _ := schema.AdditionalProperties.(bool); open {
		return
	}
	for _, name := range schema.Required {
		if _, sent := members[name]; !sent {
			c.problem(join(path, name), "This is required.")
		}
	}
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if property, known := schema.Properties[name]; known {
			c.check(join(path, name), property, members[name])
		} else {
			c.problem(join(path, name), "There is no such field%s.", suggestion(name, schema))
		}
	}
}

// suggestion helps with the commonest slip: the right name in another case.
func suggestion(name string, schema *huma.Schema) string {
	for known := range schema.Properties {
		if strings.EqualFold(known, name) {
			return fmt.Sprintf("; names are case-sensitive: did you mean %s", known)
		}
	}
	return ""
}

func (c *checker) array(path string, schema *huma.Schema, value any) {
	elements, ok := value.([]any)
	if !ok {
		c.problem(path, "This must be an array.")
		return
	}
	if schema.MaxItems != nil && len(elements) > *schema.MaxItems {
		c.problem(path, "This may have at most %d elements.", *schema.MaxItems)
		return
	}
	if schema.MinItems != nil && len(elements) < *schema.MinItems {
		c.problem(path, "This must have at least %d element(s).", *schema.MinItems)
	}
	for i, element := range elements {
		c.check(fmt.Sprintf("%s[%d]", path, i), schema.Items, element)
	}
}

func (c *checker) string(path string, schema *huma.Schema, value any) {
	text, ok := value.(string)
	if !ok {
		c.problem(path, "This must be a string.")
		return
	}
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

// isControl finds what no text holds; lines may be broken where a text is longer
// than a name.
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

func (c *checker) number(path string, schema *huma.Schema, value any) {
	text, ok := value.(number)
	if !ok {
		c.problem(path, "This must be a number.")
		return
	}
	exact, err := rational.Parse(string(text))
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

// isHundredths checks multipleOf: 0.01, the only step that the wire knows,
// exactly.
func isHundredths(n *big.Rat) bool {
	return new(big.Rat).Mul(n, big.NewRat(100, 1)).IsInt()
}

func plain(f float64) string { return new(big.Float).SetFloat64(f).Text('f', -1) }
