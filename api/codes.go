package main

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/rules/requirement"
)

// industryCode is one industry category code; leading zeros are part of it.
type industryCode string

func (industryCode) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type:               huma.TypeString,
		Pattern:            `^[A-Za-z0-9.]{1,10}$`,
		PatternDescription: "1 to 10 characters of A-Z, a-z, 0-9 and the dot",
	}
}

// citizenship is the code of a country, or one for persons without a citizenship.
type citizenship string

func (citizenship) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type:               huma.TypeString,
		Pattern:            `^(` + strings.Join(requirement.Citizenships(), "|") + `)$`,
		PatternDescription: "an ISO 3166-1 alpha-2 country code in upper case, XK for Kosovo, or XXA, XXB or XXC for a stateless person, a refugee or another refugee",
	}
}

// salesAmountType is one of the types of sales amounts that are facts.
type salesAmountType string

func (salesAmountType) Schema(huma.Registry) *huma.Schema { return enumNamed("SalesAmountType") }
