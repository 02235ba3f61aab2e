package reference

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/rules/fact"
)

// IndustryCode is one industry category code; leading zeros are part of it.
type IndustryCode string

func (IndustryCode) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type:               huma.TypeString,
		Pattern:            `^[A-Za-z0-9.]{1,10}$`,
		PatternDescription: "1 to 10 characters of A-Z, a-z, 0-9 and the dot",
	}
}

// Citizenship is the code of a country, or one for persons without a citizenship.
type Citizenship string

func (Citizenship) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type:               huma.TypeString,
		Pattern:            `^(` + strings.Join(fact.Citizenships(), "|") + `)$`,
		PatternDescription: "an ISO 3166-1 alpha-2 country code in upper case, XK for Kosovo, or XXA, XXB or XXC for a stateless person, a refugee or another refugee",
	}
}

// SalesAmountType is one of the types of sales amounts that are facts.
type SalesAmountType string

func (SalesAmountType) Schema(huma.Registry) *huma.Schema { return EnumNamed("SalesAmountType") }
