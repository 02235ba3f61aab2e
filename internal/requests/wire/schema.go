package wire

import (
	"cmp"
	"errors"
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
	"requisite/internal/text/rawjson"
	"requisite/internal/text/typo"
)

// Schemas describes the wire's types once, for checking requests and for the
// published API description alike. It is safe for concurrent use once every
// type was described.
type Schemas struct {
	Registry huma.Registry
	patterns sync.Map // pattern text to *regexp.Regexp
	fields   sync.Map // type of a struct to its fields
}

// NewSchemas returns an empty set of schemas.
func NewSchemas() *Schemas {
	s := &Schemas{Registry: huma.NewMapRegistry("#/components/schemas/", schemaName)}
	s.Registry.RegisterTypeAlias(reflect.TypeFor[rational.Number](), reflect.TypeFor[Exact]())
	return s
}

// OneOf is the schema of a text that is one of the values.
func OneOf[T ~string](values ...T) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}

// schemaName names an unnamed type after its field, without the suffix Struct.
func schemaName(t reflect.Type, hint string) string {
	return strings.TrimSuffix(huma.DefaultSchemaNamer(t, hint), "Struct")
}

// Describe gives the schema of a type, made from its fields' tags.
func (s *Schemas) Describe(t reflect.Type) *huma.Schema {
	return s.Registry.Schema(t, true, t.Name())
}

// Decode reads a request into target, a pointer to a described struct: see Read. All
// problems are reported together, as one BAD_REQUEST, up to refusal.MaxFields of them. The
// checks find what a schema cannot express. They run also after other problems, unless those
// are too many, and their errors end the decoding.
func (s *Schemas) Decode(body []byte, target any, checks ...func() ([]refusal.Field, error)) error {
	found, err := s.Read(body, target, requestChecks{s})
	if bad := (*Malformed)(nil); errors.As(err, &bad) {
		line, column := Position(body, bad.At)
		return refusal.Fields(refusal.At("", refusal.Malformed, "The body is not valid JSON, at line %d, column %d: %s.", line, column, bad.Cause))
	}
	var problems []refusal.Field
	known := map[string]bool{}
	for _, p := range found {
		problems, known[p.Path] = append(problems, p.Problem.At(p.Path)), true
	}
	for _, check := range checks {
		if len(found) == maxProblems {
			break
		}
		more, err := check()
		if err != nil {
			return err
		}
		// A value that could not be read may cause further, misleading problems.
		problems = append(problems, slices.DeleteFunc(more, func(p refusal.Field) bool { return within(known, p.Field) })...)
	}
	if len(problems) > 0 {
		return refusal.Fields(problems...)
	}
	return nil
}

// within reports whether a path is known, or below a known one.
func within(known map[string]bool, path string) bool {
	for i, c := range path {
		if (c == '.' || c == '[') && known[path[:i]] {
			return true
		}
	}
	return known[path]
}

// requestChecks are the checks of requests, which their schemas express.
type requestChecks struct{ *Schemas }

func (c requestChecks) Kind(path func() string, schema *huma.Schema, v rawjson.Value) refusal.Problem {
	expected := c.branch(schema, 0).Type
	switch {
	case v.Kind() == 'n' && nullable(schema):
		return refusal.Problem{}
	case path() == "":
		return refusal.NotOfType(expected, "The body must be one JSON object.")
	case v.Kind() == 'n':
		return refusal.NotOfType(expected, "This may not be null.")
	}
	return refusal.NotOfType(expected, "%s", map[string]string{
		huma.TypeObject: "This must be an object.", huma.TypeArray: "This must be an array.", huma.TypeString: "This must be a string.",
		huma.TypeNumber: "This must be a number.", huma.TypeInteger: "This must be a number.", huma.TypeBoolean: "This must be true or false.",
	}[expected])
}

// nullable reports whether a schema allows null, itself or through a branch.
func nullable(s *huma.Schema) bool {
	return s.Nullable || s.Type == "" && len(s.OneOf) == 0 ||
		slices.ContainsFunc(s.OneOf, func(b *huma.Schema) bool { return b.Type == "null" })
}

func (requestChecks) Twice() refusal.Problem {
	return refusal.Wrong(refusal.Duplicate, "This name stands twice in one object; send it once.")
}

func (requestChecks) Missing(string) refusal.Problem {
	return refusal.Wrong(refusal.Required, "This is required.")
}

// ValueError is the problem that a type has with a value.
type ValueError refusal.Problem

func (e ValueError) Error() string { return e.Message }

func (requestChecks) Unfit(_ rawjson.Value, err error) refusal.Problem {
	if why := (ValueError{}); errors.As(err, &why) {
		return refusal.Problem(why)
	}
	return refusal.Wrong(refusal.WrongFormat, "This is not a valid value.")
}

// Unknown names the nearest field.
func (requestChecks) Unknown(_ func() string, schema *huma.Schema, name string) (problem refusal.Problem, meant string) {
	near, is := typo.Meant(name, slices.Collect(maps.Keys(schema.Properties)))
	switch {
	case !is:
		return refusal.UnknownName("", "There is no such field."), ""
	case strings.EqualFold(near, name):
		return refusal.UnknownName(near, "There is no such field; names are case-sensitive: did you mean %s?", near), ""
	}
	return refusal.UnknownName(near, "There is no such field: did you mean %s?", near), ""
}

func (requestChecks) Count(schema *huma.Schema, n int) refusal.Problem {
	switch {
	case schema.MaxItems != nil && n > *schema.MaxItems:
		return refusal.Beyond(refusal.TooLong, *schema.MaxItems, "This may have at most %d elements.", *schema.MaxItems)
	case schema.MinItems != nil && n < *schema.MinItems:
		return refusal.Beyond(refusal.TooShort, *schema.MinItems, "This must have at least %d element(s).", *schema.MinItems)
	}
	return refusal.Problem{}
}

func (c requestChecks) Text(schema *huma.Schema, text string) refusal.Problem {
	length := utf8.RuneCountInString(text)
	switch {
	case len(schema.Enum) > 0 && !slices.Contains(schema.Enum, any(text)):
		values := texts(schema.Enum)
		if near, is := typo.Meant(text, values); is {
			return refusal.NotOneOf(values, near, "This must be one of %s: did you mean %s?", strings.Join(values, ", "), near)
		}
		return refusal.NotOneOf(values, "", "This must be one of %s.", strings.Join(values, ", "))
	case strings.ContainsFunc(text, isControl), schema.MinLength != nil && strings.ContainsAny(text, "\n\r\t"):
		return refusal.Wrong(refusal.WrongFormat, "This may not contain control characters.")
	case schema.MinLength != nil && *schema.MinLength == 1 && strings.TrimSpace(text) == "":
		return refusal.Beyond(refusal.TooShort, 1, "This must not be empty.")
	case schema.MinLength != nil && length < *schema.MinLength:
		return refusal.Beyond(refusal.TooShort, *schema.MinLength, "This must have at least %d character(s).", *schema.MinLength)
	case schema.MaxLength != nil && length > *schema.MaxLength:
		return refusal.Beyond(refusal.TooLong, *schema.MaxLength, "This may have at most %d characters.", *schema.MaxLength)
	case schema.Pattern != "" && !c.pattern(schema.Pattern).MatchString(text):
		return refusal.Wrong(refusal.WrongFormat, "This must be %s.", cmp.Or(schema.PatternDescription, "of the form "+schema.Pattern))
	case schema.Format == "date" && dateForm.MatchString(text) && !isDate(text):
		return refusal.Wrong(refusal.WrongFormat, "There is no such day.")
	case schema.Format == "date" && !isDate(text):
		return refusal.Wrong(refusal.WrongFormat, "This must be a date of the form YYYY-MM-DD.")
	case schema.Format == "date-time" && !isDateTime(text):
		return refusal.Wrong(refusal.WrongFormat, "This must be a date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ.")
	}
	return refusal.Problem{}
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

func texts(values []any) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	return texts
}

func (requestChecks) Number(schema *huma.Schema, v rawjson.Value) refusal.Problem {
	exact, err := rational.Parse(string(v.Text))
	if err != nil {
		return refusal.Wrong(refusal.WrongFormat, "This number is out of range.")
	}
	n := exact.Rat()
	compare := func(bound *float64) int { return n.Cmp(new(big.Rat).SetFloat64(*bound)) }
	switch {
	case schema.Type == huma.TypeInteger && !n.IsInt():
		return refusal.NotOfType(huma.TypeInteger, "This must be a whole number.")
	case schema.Minimum != nil && compare(schema.Minimum) < 0:
		return refusal.Beyond(refusal.TooSmall, *schema.Minimum, "This may not be less than %s.", plain(*schema.Minimum))
	case schema.Maximum != nil && compare(schema.Maximum) > 0:
		return refusal.Beyond(refusal.TooLarge, *schema.Maximum, "This may not be more than %s.", plain(*schema.Maximum))
	case schema.ExclusiveMaximum != nil && compare(schema.ExclusiveMaximum) >= 0:
		return refusal.Beyond(refusal.TooLarge, *schema.ExclusiveMaximum, "This must be less than %s.", plain(*schema.ExclusiveMaximum))
	case schema.MultipleOf != nil && !isHundredths(n):
		return refusal.Wrong(refusal.WrongFormat, "This may have at most two decimals.")
	}
	return refusal.Problem{}
}

// isHundredths checks multipleOf: 0.01, the only step in use, exactly.
func isHundredths(n *big.Rat) bool {
	return new(big.Rat).Mul(n, big.NewRat(100, 1)).IsInt()
}

func plain(f float64) string { return new(big.Float).SetFloat64(f).Text('f', -1) }
