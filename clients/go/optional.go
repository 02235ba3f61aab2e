package requisite

import (
	"bytes"
	"encoding/json"
)

// Optional is a field that a request can leave out, set to null, or give a value:
// an update changes the fields that it names, and null clears one.
type Optional[T any] struct {
	sent  bool
	value *T
}

// Set gives a field a value.
func Set[T any](value T) Optional[T] { return Optional[T]{true, &value} }

// Null sets a field to null.
func Null[T any]() Optional[T] { return Optional[T]{sent: true} }

// Get is the value; false for null, and for a field that was left out.
func (o Optional[T]) Get() (value T, ok bool) {
	if o.value == nil {
		return value, false
	}
	return *o.value, true
}

// IsZero is true for a field that is left out.
func (o Optional[T]) IsZero() bool { return !o.sent }

// MarshalJSON writes the value, or null.
func (o Optional[T]) MarshalJSON() ([]byte, error) { return json.Marshal(o.value) }

// UnmarshalJSON reads a value, or null.
func (o *Optional[T]) UnmarshalJSON(data []byte) error {
	o.sent, o.value = true, nil
	if bytes.Equal(data, []byte("null")) {
		return nil
	}
	return json.Unmarshal(data, &o.value)
}

// Ptr is a pointer to a value, for optional fields of a request.
func Ptr[T any](value T) *T { return &value }
