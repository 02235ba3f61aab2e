package wire

import (
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/decimal"
)

// Optional is a field that may be absent, null or set. An update changes the
// fields that were sent; null clears one.
type Optional[T any] struct {
	Sent  bool
	Value *T // nil when absent or null
}

// UnmarshalJSON is called only for a field that was sent.
func (o *Optional[T]) UnmarshalJSON(data []byte) error {
	o.Sent = true
	return json.Unmarshal(data, &o.Value)
}

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

// Decimal is a number of at most two decimals on the wire.
type Decimal struct{ decimal.Number }

// Schema describes the number; bounds come from the field's tags.
func (Decimal) Schema(huma.Registry) *huma.Schema {
	step := 0.01
	return &huma.Schema{Type: huma.TypeNumber, MultipleOf: &step}
}

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
