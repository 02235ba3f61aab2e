package spec

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/text/typo"
)

// IndustryCode is an industry category code. Its leading zeros matter.
type IndustryCode string

func (IndustryCode) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type:               huma.TypeString,
		Pattern:            `^[A-Za-z0-9.]{1,10}$`,
		PatternDescription: "1 to 10 characters of A-Z, a-z, 0-9 and the dot",
	}
}

// Citizenship is a country code, or a code for a person without a citizenship.
type Citizenship string

func (Citizenship) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type:               huma.TypeString,
		Pattern:            `^(` + strings.Join(fact.Citizenships(), "|") + `)$`,
		PatternDescription: "an ISO 3166-1 alpha-2 country code in upper case, XK for Kosovo, or XXA, XXB or XXC for a stateless person, a refugee or another refugee",
	}
}

// Values are all codes, and the one that was probably meant.
func (Citizenship) Values(text string) (all []string, meant string) {
	return fact.Citizenships(), countryMeant(text)
}

// Country is a country code.
type Country string

func (Country) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type:               huma.TypeString,
		Pattern:            `^(` + strings.Join(fact.Countries(), "|") + `)$`,
		PatternDescription: "an ISO 3166-1 alpha-2 country code in upper case, or XK for Kosovo",
	}
}

// Values are all codes, and the one that was probably meant.
func (Country) Values(text string) (all []string, meant string) {
	return fact.Countries(), countryMeant(text)
}

func countryMeant(text string) string {
	if code, ok := fact.CountryMeant(text); ok {
		return code
	}
	return ""
}

// NewStatus is a status that an update states. One that no update sets is read too: its refusal, which says why, is
// INVALID_STATUS_CHANGE.
type NewStatus document.Status

func (NewStatus) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type:               huma.TypeString,
		Pattern:            `^(` + strings.Join(Texts(document.Statuses()...), "|") + `)$`,
		PatternDescription: "one of " + strings.Join(Texts(document.Settable()...), ", "),
	}
}

// Values are those that an update may set, and the one that was probably meant.
func (NewStatus) Values(text string) (all []string, meant string) {
	all = Texts(document.Settable()...)
	meant, _ = typo.Meant(text, all)
	return all, meant
}

// SalesAmountType is a type of sales amount.
type SalesAmountType string

// EntityType is an entity type of required documents.
type EntityType string
