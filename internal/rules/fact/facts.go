// Package fact has the stored facts of one workflow; the table with the name and the type of each
// fact, and how a missing one is supplied; and the gaps for missing facts. It does no I/O, and
// knows nothing of rules and their language.
package fact

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"requisite/internal/rational"
)

// This file has the stored facts of one workflow, for which rules are evaluated, and their
// fingerprint.

// Number is an exact number: an amount, a percentage, a score.
type Number = rational.Number

// MaxPersons and MaxIndustryCategoryCodes limit what may be stored for one business. The cost of a
// condition is estimated for facts of this size, so Evaluate refuses larger facts.
const (
	MaxPersons               = 200
	MaxIndustryCategoryCodes = 100
)

// The entity types that a required document can belong to.
const (
	EntityWorkflow = "Workflow"
	EntityBusiness = "Business"
	EntityPerson   = "Person"
)

// EntityTypes are the entity types of required documents.
func EntityTypes() []string { return []string{EntityWorkflow, EntityBusiness, EntityPerson} }

// EntitySalesInfo is the entity type of gaps in the sales amounts.
const EntitySalesInfo = "BusinessSalesInfo"

// Facts has what is stored for one workflow when it is calculated. A nil pointer and an empty list
// are absent facts. They may lead to a gap, and never count as zero, as "no" or as "nobody".
//
// Amounts are in the account's currency, ownership in percent from 0 to 100. Numbers are exact; in
// JSON they are plain decimals without loss.
type Facts struct {
	// AsOf is the account's local date on which ages are counted.
	AsOf Date `json:"as_of,omitzero"`

	WorkflowID string `json:"workflow_id"`
	BusinessID string `json:"business_id"`

	// Currency is the account's currency (ISO 4217), in which amounts are.
	Currency string `json:"currency,omitempty"`

	// SalesInfoID is empty when the business has no sales info record.
	SalesInfoID string `json:"sales_info_id,omitempty"`

	EvaluationScore *Number `json:"evaluation_score,omitempty"`

	AverageMonthlyCreditSales *Number `json:"average_monthly_credit_sales,omitempty"`
	AverageYearlyCreditSales  *Number `json:"average_yearly_credit_sales,omitempty"`
	AverageIndividualSale     *Number `json:"average_individual_sale,omitempty"`
	HighestTicketSale         *Number `json:"highest_ticket_sale,omitempty"`

	EstablishedDate      *Date         `json:"established_date,omitempty"`
	IndustryCategoryCode []string      `json:"industry_category_code,omitempty"`
	Country              *string       `json:"country,omitempty"` // of the address
	Persons              []PersonFacts `json:"persons,omitempty"`

	// NoPersonsAttested reports that the business has stated that it has no persons. Then an empty
	// list of persons is an answer, and not a gap.
	NoPersonsAttested bool `json:"no_persons_attested,omitempty"`

	// Custom has the values of declared facts of the business and of the workflow. A name belongs
	// to one entity type.
	Custom Values `json:"custom,omitempty"`
}

// PersonFacts has what is stored for one person of the business.
type PersonFacts struct {
	PersonID            string  `json:"person_id"`
	Citizenship         *string `json:"citizenship,omitempty"`
	OwnershipPercentage *Number `json:"ownership_percentage,omitempty"`
	DateOfBirth         *Date   `json:"date_of_birth,omitempty"`
	CountryOfResidence  *string `json:"country_of_residence,omitempty"`
	// Custom has the values of declared facts of the person.
	Custom Values `json:"custom,omitempty"`
}

// ExampleFacts has the facts of an example, under the names that conditions use. A fact that is
// left out is absent. Ages follow from established_date and as_of, the day of the calculation.
type ExampleFacts struct {
	AsOf                      *Date         `json:"as_of,omitzero"`
	EvaluationScore           *Number       `json:"evaluation_score,omitzero"`
	AverageMonthlyCreditSales *Number       `json:"average_monthly_credit_sales,omitzero"`
	AverageYearlyCreditSales  *Number       `json:"average_yearly_credit_sales,omitzero"`
	AverageIndividualSale     *Number       `json:"average_individual_sale,omitzero"`
	HighestTicketSale         *Number       `json:"highest_ticket_sale,omitzero"`
	EstablishedDate           *Date         `json:"established_date,omitzero"`
	IndustryCategoryCode      []string      `json:"industry_category_code,omitzero"`
	Country                   *string       `json:"country,omitzero"`
	Persons                   []PersonFacts `json:"persons,omitzero" maxItems:"400"`
	// NoPersonsAttested reports that the business has stated that it has no persons.
	NoPersonsAttested bool `json:"no_persons_attested,omitzero"`
	// Custom has the values of declared facts of the business and of the workflow.
	Custom Values `json:"custom,omitempty"`
}

// Facts adds what a calculation would know.
func (e ExampleFacts) Facts() Facts {
	f := Facts{
		WorkflowID: "the workflow", BusinessID: "the business",
		Persons: e.Persons, NoPersonsAttested: e.NoPersonsAttested, Custom: e.Custom,
	}
	for _, row := range builtIn {
		if row.example != nil {
			copyInto(row.stored(&f), row.example(&e))
		}
	}
	if e.AsOf != nil {
		f.AsOf = *e.AsOf
	}
	return f
}

// Fingerprint is the SHA-256, in hex, of the facts that a caller supplies about the business, its
// persons and the workflow. It excludes WorkflowID, AsOf, Currency and EvaluationScore, which the
// service sets itself. The order of persons and of lists of texts does not change it, nor does a
// repeated industry category code.
func (f Facts) Fingerprint() string {
	f.WorkflowID, f.AsOf, f.Currency, f.EvaluationScore = "", Date{}, "", nil
	f.SortLists()
	f.Persons = SortedPersons(f.Persons)
	sum := sha256.Sum256(CanonicalJSON(f))
	return hex.EncodeToString(sum[:])
}

// SortLists sorts the facts that are lists of texts, whose order means nothing. It does not change
// the caller's lists.
func (f *Facts) SortLists() {
	for _, row := range builtIn {
		if texts, ok := row.texts(f); ok {
			*texts = distinctCodes(*texts)
		}
	}
	f.Custom = f.Custom.sorted()
}

// texts returns where a built-in fact that is a list of texts is stored.
func (row *Row) texts(f *Facts) (*[]string, bool) {
	if row.List == nil {
		return nil, false
	}
	texts, ok := row.stored(f).(*[]string)
	return texts, ok
}

// TooMany says what the facts have more of than any record can hold, and how many that can hold. It
// is empty if nothing exceeds its limit.
func (f *Facts) TooMany() (many string, most int) {
	for _, row := range builtIn {
		if texts, ok := row.texts(f); ok && len(*texts) > row.List.Most {
			return fmt.Sprintf("%d %s", len(*texts), row.List.Many), row.List.Most
		}
	}
	return "", 0
}

// distinctCodes sorts codes and removes repetitions.
func distinctCodes(codes []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(codes)))
}

// SortedPersons returns the same persons by id, with the lists of texts among their facts sorted.
func SortedPersons(persons []PersonFacts) []PersonFacts {
	sorted := slices.Clone(persons)
	for i := range sorted {
		sorted[i].Custom = sorted[i].Custom.sorted()
	}
	slices.SortStableFunc(sorted, func(a, b PersonFacts) int { return cmp.Compare(a.PersonID, b.PersonID) })
	return sorted
}

// Digest is the beginning of the SHA-256 of a text, in base64. It is long enough to tell texts apart.
func Digest(text []byte) string {
	sum := sha256.Sum256(text)
	return base64.RawStdEncoding.EncodeToString(sum[:16])
}

// CanonicalJSON writes a value of this package's types as JSON. After parsing or compiling, JSON
// can express all their values.
func CanonicalJSON(v any) []byte {
	text, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		panic(fmt.Sprintf("requirement: a rule source that JSON cannot express: %v", err))
	}
	return text
}
