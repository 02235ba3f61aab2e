package fact

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/text/typo"
)

// This file has the facts that an account declares in a rule set or a pricing model, and their
// values.

// Declaration declares one fact. Rules read it as custom.NAME, or as person.custom.NAME if
// EntityType is Person. Within an account a name keeps its entity type and its type forever.
type Declaration struct {
	Name       string       `json:"name"`
	EntityType string       `json:"entity_type"`
	Type       DeclaredType `json:"type"`
	// Choices has all possible values of a TEXT or a TEXT_LIST. If it is nil, any text is possible.
	Choices []string `json:"choices,omitempty"`
	Label   string   `json:"label"`
	Ask     string   `json:"ask"`
	// Default is the value of an absent fact. If it is nil, the absence is a gap.
	Default *Value `json:"default,omitzero"`
	// AskedWhen is a condition of the rules' language. Where it holds, the absence of the fact is a
	// gap although there is a default.
	AskedWhen string `json:"asked_when,omitempty" minLength:"1" doc:"write when to ask for the fact, or leave it out"`
}

// DeclaredType is the type of a declared fact.
type DeclaredType string

// The types of declared facts.
const (
	DeclaredBoolean  DeclaredType = "BOOLEAN"
	DeclaredNumber   DeclaredType = "NUMBER" // at most 6 decimals, absolute value below 10^13
	DeclaredAmount   DeclaredType = "AMOUNT" // as sales amounts, in the account's currency
	DeclaredDate     DeclaredType = "DATE"
	DeclaredText     DeclaredType = "TEXT"      // 1-200 characters
	DeclaredTextList DeclaredType = "TEXT_LIST" // 0-100 different texts; an empty list is a value
)

// DeclaredTypes are the types of declared facts.
func DeclaredTypes() []string {
	return []string{string(DeclaredBoolean), string(DeclaredNumber), string(DeclaredAmount), string(DeclaredDate), string(DeclaredText), string(DeclaredTextList)}
}

// Bounds of declared facts.
const (
	MaxDeclared        = 50 // in a rule set or a pricing model
	MaxDeclaredPersons = 20 // of those, for persons
	MaxDeclaredText    = 200
	MaxDeclaredTexts   = 100
)

// Limits of the values of one record, in bytes of JSON without blanks.
const (
	MaxCustomBytes       = 16 << 10 // of a business or a workflow
	MaxPersonCustomBytes = 4 << 10
)

// Values are the stored values of declared facts, by name.
type Values map[string]Value

// Value is one value as it was stated: true or false, a number, a text, or a list of texts. A date
// is stored as its text. The zero Value means no value.
type Value struct{ stated any } // bool, Number, string or []string

// Stated is a bool, a Number, a string or a []string. It is nil for the zero Value.
func (v Value) Stated() any { return v.stated }

// ParseValue parses a value from JSON. It refuses null, objects, and lists of anything but texts.
func ParseValue(text []byte) (v Value, err error) {
	err = v.UnmarshalJSON(text)
	return v, err
}

var errNoValue = errors.New("is not " + ValueForms)

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Value) UnmarshalJSON(text []byte) error {
	if len(text) == 0 {
		return errNoValue
	}
	switch text[0] {
	case 't', 'f':
		return into[bool](v, text)
	case '"':
		return into[string](v, text)
	case '[':
		if bytes.Contains(text, []byte("null")) { // null would be read as ""
			var texts []*string
			if err := json.Unmarshal(text, &texts); err != nil || slices.Contains(texts, nil) {
				return errNoValue
			}
		}
		return into[[]string](v, text)
	case '{', 'n':
		return errNoValue
	}
	n, err := rational.Parse(string(text))
	if err != nil {
		return errNoValue
	}
	v.stated = n
	return nil
}

func into[T any](v *Value, text []byte) error {
	var value T
	if err := json.Unmarshal(text, &value); err != nil {
		return errNoValue
	}
	v.stated = value
	return nil
}

// ValueForms describes the possible forms of a value.
const ValueForms = "true or false, a number, a text or a list of texts"

// Schema describes a value of any type.
func (Value) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Description: ValueForms, OneOf: []*huma.Schema{
		{Type: huma.TypeString, Description: ValueForms},
		{Type: huma.TypeNumber}, {Type: huma.TypeBoolean},
		{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString}},
	}}
}

// sorted returns the same values, with the texts of each list sorted.
func (v Values) sorted() Values {
	var sorted Values
	for name, value := range v {
		texts, ok := value.stated.([]string)
		if !ok || slices.IsSorted(texts) {
			continue
		}
		if sorted == nil {
			sorted = maps.Clone(v)
		}
		sorted[name] = Value{slices.Sorted(slices.Values(texts))}
	}
	if sorted == nil {
		return v
	}
	return sorted
}

// MarshalJSON writes numbers as plain decimals without loss, and an empty list as [].
func (v Value) MarshalJSON() ([]byte, error) { return CanonicalJSON(v.stated), nil }

// Refuse tells an author why a value does not fit the fact. It is empty if it fits.
func (d Declaration) Refuse(v Value) string {
	refused, why := d.refuse(v)
	if refused != "" {
		return fmt.Sprintf("%q %s", refused, why.Message)
	}
	return why.Message
}

// refuse returns why a value does not fit the fact, and what to write instead. If the reason is a
// text that is not a choice, or that is repeated, it returns that text separately.
func (d *Declaration) refuse(v Value) (refused string, why refusal.Problem) {
	_, refused, why = d.read(v)
	switch why.Code {
	case refusal.UnknownValue:
		var hint string
		why.Suggestion, hint = d.meant(refused)
		why.Message += hint
	case refusal.WrongType:
		why.Message += ": " + d.toWrite()
	}
	return refused, why
}

// answer is refuse in sentences for a caller who knows the value.
func (d *Declaration) answer(v Value) refusal.Problem {
	refused, why := d.refuse(v)
	if refused != "" && d.Type == DeclaredTextList {
		why.Message = "a text " + why.Message
	}
	why.Message = sentence(why.Message)
	return why
}

// toWrite describes what a value looks like.
func (d *Declaration) toWrite() string {
	switch d.Type {
	case DeclaredBoolean:
		return "write true or false"
	case DeclaredNumber, DeclaredAmount:
		return "write a number, without quotes"
	case DeclaredDate:
		return `write a date, such as "2026-01-31"`
	case DeclaredTextList:
		return "write texts in square brackets; [] is none"
	}
	return "write a text, in quotes"
}

func (d *Declaration) notOfType() refusal.Problem {
	expected := huma.TypeString
	switch d.Type {
	case DeclaredBoolean:
		expected = huma.TypeBoolean
	case DeclaredNumber, DeclaredAmount:
		expected = huma.TypeNumber
	case DeclaredTextList:
		expected = huma.TypeArray
	}
	return refusal.NotOfType(expected, "is not of the type %s", d.Type)
}

// read returns the value that rules see, or why the value does not fit the fact. why does not
// contain the value. refused is the text that does not fit, if it is one.
func (d *Declaration) read(v Value) (seen any, refused string, why refusal.Problem) {
	switch stated := v.stated.(type) {
	case bool:
		if d.Type == DeclaredBoolean {
			return v.stated, "", refusal.Problem{}
		}
	case Number:
		switch d.Type {
		case DeclaredNumber:
			return v.stated, "", numberFact.beyond(stated)
		case DeclaredAmount:
			return v.stated, "", AmountFact.beyond(stated)
		}
	case string:
		switch d.Type {
		case DeclaredDate:
			date, err := ParseDate(stated)
			if err != nil {
				return nil, "", refusal.Wrong(refusal.WrongFormat, "a date is written YYYY-MM-DD")
			}
			return date, "", refusal.Problem{}
		case DeclaredText:
			refused, why = d.refuseText(stated)
			return v.stated, refused, why
		}
	case []string:
		if d.Type != DeclaredTextList {
			break
		}
		if len(stated) > MaxDeclaredTexts {
			return nil, "", refusal.Beyond(refusal.TooLong, MaxDeclaredTexts, "a list has at most %d texts", MaxDeclaredTexts)
		}
		for i, text := range stated {
			if refused, why = d.refuseText(text); !why.None() {
				return nil, refused, why
			}
			if slices.Contains(stated[:i], text) {
				return nil, text, refusal.Wrong(refusal.Duplicate, "is in the list twice")
			}
		}
		return v.stated, "", refusal.Problem{}
	}
	return nil, "", d.notOfType()
}

func (d *Declaration) refuseText(text string) (refused string, why refusal.Problem) {
	if message := RefuseText(text); message != "" {
		return "", refusal.Wrong(refusal.WrongFormat, "%s", message)
	}
	if utf8.RuneCountInString(text) > MaxDeclaredText {
		return "", refusal.Beyond(refusal.TooLong, MaxDeclaredText, "a text has 1 to %d characters", MaxDeclaredText)
	}
	if d.Choices != nil && !slices.Contains(d.Choices, text) {
		return text, refusal.NotOneOf(d.Choices, "", "is not one of the choices")
	}
	return "", refusal.Problem{}
}

// RefuseText returns why no fact can have a text as a choice or a value, whatever its length. It is
// empty if a fact can.
func RefuseText(text string) string {
	switch {
	case strings.TrimSpace(text) == "":
		return "a text may not be blank"
	case !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl):
		return "a text may not contain control characters, such as tabs and line breaks"
	}
	return ""
}

// declaredRows returns rows of the table, sorted by name.
func declaredRows(declarations []Declaration) []*Row {
	rows := make([]*Row, len(declarations))
	for i := range declarations {
		rows[i] = declarations[i].row()
	}
	slices.SortStableFunc(rows, func(a, b *Row) int { return cmp.Compare(a.Name, b.Name) })
	return rows
}

// row is the row of a declared fact. If its type is unknown, the shape of its values is unknown.
func (d Declaration) row() *Row {
	row := &Row{Name: NameCustom + "." + d.Name, Since: 1, Type: d.factType(), Declared: &d, Label: d.noun()}
	the := "the " + d.noun()
	if d.Type == DeclaredBoolean {
		the = d.noun()
	}
	switch d.EntityType {
	case EntityPerson:
		row.missing = supply{by: operationPerson}
	case EntityWorkflow:
		row.missing, row.Label = supply{by: operationWorkflow, phrase: the}, the+" is"
	default:
		row.missing, row.Label = supply{by: operationBusiness, phrase: the}, the+" is"
	}
	if d.Default != nil {
		if seen, _, why := d.read(*d.Default); why.None() {
			row.Default = seen
		}
	}
	return row
}

// noun is the label within a sentence. The label of a fact that is true or false is quoted, because
// it does not name a thing: "sells CBD" is true.
func (d *Declaration) noun() string {
	if d.Type == DeclaredBoolean {
		return `"` + d.Label + `"`
	}
	return d.Label
}

func (d *Declaration) factType() *Type {
	switch d.Type {
	case DeclaredBoolean:
		return booleanFact
	case DeclaredNumber:
		return numberFact
	case DeclaredAmount:
		return AmountFact
	case DeclaredDate:
		return declaredDateFact
	}
	form := &TextForm{
		pattern: anyText, part: anyPart,
		Words:    fmt.Sprintf("a text has 1 to %d characters", MaxDeclaredText),
		Shortest: "0", Longest: strings.Repeat("\U0001d7d8", MaxDeclaredText),
	}
	if len(d.Choices) > 0 {
		form = &TextForm{Words: "the choices of " + NameCustom + "." + d.Name + " are " + firstOf(d.Choices), Codes: d.Choices}
	}
	of := textFact(form)
	if len(d.Choices) == 0 {
		of.Longest = strings.Repeat("<", MaxDeclaredText) // no character is longer in JSON
	}
	switch d.Type {
	case DeclaredText:
		return of
	case DeclaredTextList:
		list := &Type{
			Shape: ListOf(TextShape), Wire: DeclaredTextList, Text: form, Longest: d.Choices,
			List: &ListForm{Most: MaxDeclaredTexts, One: "entry of the " + d.Label, Many: d.Label, Article: "an", Element: "entry"},
		}
		if len(d.Choices) == 0 {
			list.Longest = slices.Repeat([]string{of.Longest.(string)}, MaxDeclaredTexts)
		}
		return list
	}
	return &Type{}
}

// firstOf lists texts, or only the first of them if there are many.
func firstOf(texts []string) string {
	const most = 12
	if more := len(texts) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(texts[:most], ", "), more)
	}
	return strings.Join(texts, ", ")
}

// Conditional reports whether the fact has an asked_when. Only the rules' language can say whether
// it holds, and so whether an absent fact counts as its default.
func (row *Row) Conditional() bool { return row.Declared != nil && row.Declared.AskedWhen != "" }

// MayBeGap reports whether the absence of the fact can be a gap.
func (row *Row) MayBeGap() bool { return row.Default == nil || row.Conditional() }

// declared is the value of a declared fact that rules see. A stored value that does not fit the
// fact counts as absent. It is nil for an absent fact with an asked_when.
func (row *Row) declared(values Values) any {
	if v, stated := values[row.Declared.Name]; stated {
		if seen, _, why := row.Declared.read(v); why.None() {
			return seen
		}
	}
	if row.Conditional() {
		return nil
	}
	return row.Default
}

// meant suggests the choice that was probably meant by a text that is not a choice, if any is near. hint continues a message.
func (d *Declaration) meant(text string) (near, hint string) {
	if near, ok := typo.Nearest(text, d.Choices, max(1, len(text)/3)); ok {
		return near, "; did you mean " + near + "?"
	}
	return "", "; they are " + firstOf(d.Choices)
}

// RefuseChoice returns why a fact can never have a text that a condition looks for. It is empty if
// it can.
func (row *Row) RefuseChoice(text string) string {
	if row.Declared == nil || row.Declared.Choices == nil || slices.Contains(row.Declared.Choices, text) {
		return ""
	}
	_, hint := row.Declared.meant(text)
	return fmt.Sprintf("is not one of the choices of %s%s", row.Name, hint)
}

// The reasons why a fact counts as its default.
const (
	NotStated  = "not stated"
	NotAsked   = "not asked" // its asked_when does not hold
	NotCounted = "on file with a value that does not count"
)

// DefaultReasons lists them.
func DefaultReasons() []string { return []string{NotStated, NotAsked, NotCounted} }

// DefaultBecause returns why a fact counts as its default. It is empty if the fact does not. A fact
// whose asked_when holds counts as nothing: it is a gap.
func (row *Row) DefaultBecause(values Values) string {
	if row.Default == nil {
		return ""
	}
	value := values[row.Declared.Name]
	switch {
	case value.stated == nil && row.Conditional():
		return NotAsked
	case value.stated == nil:
		return NotStated
	}
	if _, _, why := row.Declared.read(value); !why.None() {
		return NotCounted
	}
	return ""
}

// again says in a gap that a value is stored and why it does not count, without repeating the
// value. It is empty if no value is stored.
func (row *Row) again(values Values) string {
	if row.Declared == nil || values[row.Declared.Name].stated == nil {
		return ""
	}
	return againFor + row.Declared.mismatch(values[row.Declared.Name])
}

const againFor = " again, for the value on file is "

// mismatch returns why a value does not fit the fact, without repeating the value.
func (d *Declaration) mismatch(v Value) string {
	ofType := Declaration{Type: d.Type}
	if _, _, why := ofType.read(v); why.None() {
		return "not one of the choices"
	}
	return "not of the type " + string(d.Type)
}

// LongestAgain is how many more bytes a gap of the fact can take if a value is stored.
func (row *Row) LongestAgain() int {
	if row.Declared == nil {
		return 0
	}
	return len(againFor) + len("not of the type ,") + len(row.Declared.Type)
}
