package wire

import (
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/rational"
)

// Optional is a field of a request that may be absent, null or set: an update
// changes the fields that were sent, and null clears one. In an answer it is a
// value or null.
type Optional[T any] struct {
	Sent  bool
	Value *T // nil when absent or null
}

// sent marks the field as sent, and returns what holds its value.
func (o *Optional[T]) sent() reflect.Value {
	o.Sent = true
	return reflect.ValueOf(&o.Value).Elem()
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (o *Optional[T]) UnmarshalJSON(data []byte) error {
	o.Sent = true
	return json.Unmarshal(data, &o.Value)
}

// OrNull is an answer's value, or null.
func OrNull[T any](value *T) Optional[T] { return Optional[T]{Sent: true, Value: value} }

// MarshalJSON writes the value or null.
func (o Optional[T]) MarshalJSON() ([]byte, error) { return json.Marshal(o.Value) }

// Apply sets target when the field was sent.
func (o Optional[T]) Apply(target **T) {
	if o.Sent {
		*target = o.Value
	}
}

// Schema describes a T or null.
func (Optional[T]) Schema(r huma.Registry) *huma.Schema {
	inner := r.Schema(reflect.TypeFor[T](), true, "")
	if inner.Ref != "" {
		return &huma.Schema{OneOf: []*huma.Schema{inner, {Type: "null"}}}
	}
	copied := *inner
	copied.Nullable = true
	return &copied
}

// Decimal is a number of at most two decimals in the API.
type Decimal struct{ rational.Decimal }

// Schema describes the number; bounds come from the field's tags.
func (Decimal) Schema(huma.Registry) *huma.Schema {
	step := 0.01
	return &huma.Schema{Type: huma.TypeNumber, MultipleOf: &step}
}

// Exact is a number with any number of decimals in the API. It is only written, never read.
type Exact struct{ rational.Number }

// Schema describes the number.
func (Exact) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeNumber} }

// Integer is a whole number in any spelling: 2, 2.0 and 2e0 are the same.
type Integer int

// Schema describes the number; bounds come from the field's tags.
func (Integer) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeInteger} }

// Raw is a JSON value that is checked elsewhere.
type Raw json.RawMessage

// UnmarshalJSON keeps the text as it was sent.
func (r *Raw) UnmarshalJSON(data []byte) error {
	*r = append((*r)[:0], data...)
	return nil
}

// MarshalJSON writes the text as it was kept.
func (r Raw) MarshalJSON() ([]byte, error) { return r, nil }

// Schema describes an object of any content.
func (Raw) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}
