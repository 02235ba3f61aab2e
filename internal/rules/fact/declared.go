package fact

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"requisite/internal/rational"
)

// Facts that an account declares itself, in a rule set or a pricing model, and their values.

// Declaration declares one fact. Rules read it as custom.NAME, or as person.custom.NAME where
// EntityType is Person. In one account a name keeps its entity type and its type for ever.
type Declaration struct {
	Name       string       `json:"name"`
	EntityType string       `json:"entity_type"`
	Type       DeclaredType `json:"type"`
	// Choices are all values, of TEXT and TEXT_LIST only; nil where any text is one.
	Choices []string `json:"choices,omitempty"`
	Label   string   `json:"label"`
	Ask     string   `json:"ask"`
	// Default is what an absent fact counts as; nil where its absence is a gap.
	Default *Value `json:"default,omitempty"`
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

// Bounds of declared facts.
const (
	MaxDeclared        = 50 // in a rule set or a pricing model
	MaxDeclaredPersons = 20 // of those, of persons
	MaxDeclaredText    = 200
	MaxDeclaredTexts   = 100
)

// Values are what is on file for declared facts, by name.
type Values map[string]Value

// Value is one value as it was stated: true or false, a number, a text, or a list of texts. A
// date is its text. The zero Value is none.
type Value struct{ stated any } // bool, Number, string or []string

// Stated is a bool, a Number, a string or a []string; nil of the zero Value.
func (v Value) Stated() any { return v.stated }

// ParseValue reads a value from JSON. It refuses null, objects, and lists of anything but texts.
func ParseValue(text []byte) (v Value, err error) {
	err = v.UnmarshalJSON(text)
	return v, err
}

var errNoValue = errors.New("is not true, false, a number, a text or a list of texts")

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

// MarshalJSON writes numbers as plain decimals without loss, and an empty list as [].
func (v Value) MarshalJSON() ([]byte, error) { return json.Marshal(v.stated) }

// Refuse says why a value is none of this fact; it is empty where it is one.
func (d Declaration) Refuse(v Value) string {
	switch stated := v.stated.(type) {
	case bool:
		if d.Type == DeclaredBoolean {
			return ""
		}
	case Number:
		switch d.Type {
		case DeclaredNumber:
			if decimals, ends := stated.Decimals(); !ends || decimals > 6 || stated.Cmp(maxAmount) >= 0 || stated.Neg().Cmp(maxAmount) >= 0 {
				return "a number is above -10000000000000 and below 10000000000000, with at most 6 decimals"
			}
			return ""
		case DeclaredAmount:
			return AmountFact.UnrecordedNumber(stated, true)
		}
	case string:
		switch d.Type {
		case DeclaredDate:
			if _, err := ParseDate(stated); err != nil {
				return "a date is written YYYY-MM-DD"
			}
			return ""
		case DeclaredText:
			return d.refuseText(stated)
		}
	case []string:
		if d.Type != DeclaredTextList {
			break
		}
		if len(stated) > MaxDeclaredTexts {
			return fmt.Sprintf("a list has at most %d texts", MaxDeclaredTexts)
		}
		for i, text := range stated {
			if why := d.refuseText(text); why != "" {
				return why
			}
			if slices.Contains(stated[:i], text) {
				return fmt.Sprintf("%q is in the list twice", text)
			}
		}
		return ""
	}
	return fmt.Sprintf("is not of the type %s", d.Type)
}

func (d Declaration) refuseText(text string) string {
	switch n := utf8.RuneCountInString(text); {
	case d.Choices != nil && !slices.Contains(d.Choices, text):
		return fmt.Sprintf("%q is not one of its choices", text)
	case n == 0 || n > MaxDeclaredText:
		return fmt.Sprintf("a text has 1 to %d characters", MaxDeclaredText)
	}
	return ""
}
