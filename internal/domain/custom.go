package domain

import (
	"bytes"
	"encoding/json"
)

// Custom has the values of facts that an account declares itself, by name. Each value is JSON without
// blanks, with numbers as plain decimals, so equal values have equal bytes. Without values it is nil.
type Custom map[string]json.RawMessage

// MarshalJSON writes an object, even without values.
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

// UnmarshalJSON reads an object of values. It removes blanks; otherwise values must have the form of Custom.
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
		return "" // Postgres refuses it
	}
	return string(text)
}

// Size returns the length of Text.
func (c Custom) Size() int { return len(c.Text()) }

// CustomChange is how a request changes the values of one record.
type CustomChange struct {
	// Clear removes all values first.
	Clear bool
	// Values are JSON by name, in any form; null removes one.
	Values Custom
}

// IsNothing reports whether the request changes nothing.
func (c CustomChange) IsNothing() bool { return !c.Clear && len(c.Values) == 0 }
