package requisite

import (
	"bytes"
	"encoding/json"
)

// Optional is a field of an update. The zero value leaves the field unchanged, Null clears
// it, and Set gives it a value.
type Optional[T any] struct {
	sent  bool
	value *T
}

// Set returns a field with a value.
func Set[T any](value T) Optional[T] { return Optional[T]{true, &value} }

// Null returns a field that is null.
func Null[T any]() Optional[T] { return Optional[T]{sent: true} }

// Get returns the value; false for null and for a field that is left out.
func (o Optional[T]) Get() (value T, ok bool) {
	if o.value == nil {
		return value, false
	}
	return *o.value, true
}

// IsZero reports whether the field is left out.
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

// Ptr returns a pointer to a value, for optional fields of a request.
func Ptr[T any](value T) *T { return &value }
