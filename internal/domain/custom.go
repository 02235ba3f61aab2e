package domain

import (
	"bytes"
	"encoding/json"
)

// Custom are values of facts that an account declares itself, by name. Each is JSON in one form:
// without blanks, and numbers as plain decimals. So equal values have equal bytes. None is nil.
type Custom map[string]json.RawMessage

// MarshalJSON writes an object, also of none.
func (c Custom) MarshalJSON() ([]byte, error) {
	if c == nil {
		return []byte("{}"), nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(map[string]json.RawMessage(c))
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), err
}

// UnmarshalJSON reads an object of values in their one form. Blanks do not matter.
func (c *Custom) UnmarshalJSON(text []byte) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil {
		return err
	}
	*c = nil
	for name, value := range values {
		var compact bytes.Buffer
		if err := json.Compact(&compact, value); err != nil {
			return err
		}
		if *c == nil {
			*c = Custom{}
		}
		(*c)[name] = compact.Bytes()
	}
	return nil
}

// Text is the JSON of c, as Postgres takes it.
func (c Custom) Text() string {
	text, err := c.MarshalJSON()
	if err != nil {
		return "" // which Postgres refuses
	}
	return string(text)
}

// Size is the length of c in JSON without blanks and without needless escapes.
func (c Custom) Size() int { return len(c.Text()) }

// CustomChange is what a request states of the values of one record.
type CustomChange struct {
	// Clear removes all values first.
	Clear bool
	// Values are JSON by name, in any form; null removes one.
	Values Custom
}

// IsNothing reports whether the request states nothing.
func (c CustomChange) IsNothing() bool { return !c.Clear && len(c.Values) == 0 }
