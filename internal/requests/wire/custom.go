package wire

import (
	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/domain"
)

// Custom has the values of facts that an account declares itself, in an answer: an object, even
// without values.
type Custom struct{ domain.Custom }

// Schema describes an object with values of declared facts.
func (Custom) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: FactValue()}
}

// FactValue describes a value of a declared fact. Its alternatives are in anyOf, which the reader of
// requests does not check: the type of the value does.
func FactValue() *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{
		{Type: huma.TypeBoolean}, {Type: huma.TypeNumber}, {Type: huma.TypeString},
		{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString}},
	}}
}
