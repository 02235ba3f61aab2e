package domain

import (
	"time"

	"requisite/internal/id"
	"requisite/internal/rational"
)

// Business is an applicant firm. A nil pointer is a field without a value;
// dates are YYYY-MM-DD.
type Business struct {
	ID        id.UUID
	AccountID id.UUID
	// ExternalID is the caller's own name of the business, unique in its account. It is no
	// fact, and may be personal.
	ExternalID           *string
	LegalName            string
	OperatingName        *string
	EstablishedDate      *string
	IndustryCategoryCode []string
	Website              *string
	PhoneNumber          *string
	Email                *string
	Address              *Address
	// NoPersonsAttested is the statement that the business has no persons. It is
	// never true while a person is on record.
	NoPersonsAttested bool
	Custom            Custom
	// ErasedAt is when the personal data was erased. From then on nothing about the
	// business changes, and nothing is calculated for it.
	ErasedAt  *time.Time
	CreatedAt time.Time
	UpdatedAt time.Time
}

// WireID is the business's id in the API.
func (b Business) WireID() id.BusinessID { return id.BusinessID{UUID: b.ID} }

// Address is a postal address. A nil pointer is a part without a value.
type Address struct {
	Line1      *string `json:"line1" nullable:"true"`
	Line2      *string `json:"line2" nullable:"true"`
	City       *string `json:"city" nullable:"true"`
	Region     *string `json:"region" nullable:"true"`
	PostalCode *string `json:"postal_code" nullable:"true"`
	Country    *string `json:"country" nullable:"true" doc:"ISO 3166-1 alpha-2, or XK for Kosovo."`
}

// Person is somebody on record with a business. A nil pointer is a field
// without a value.
type Person struct {
	ID         id.UUID
	BusinessID id.UUID
	// ExternalID is like the ExternalID of a business, unique in the person's business.
	ExternalID  *string
	FirstName   *string // a person has one name or both
	LastName    *string
	Citizenship *string // one of fact.Citizenships
	// OwnershipHundredths is the percentage owned.
	OwnershipHundredths *rational.Decimal
	DateOfBirth         *string
	CountryOfResidence  *string // one of fact.Countries
	Email               *string
	Custom              Custom
	CreatedAt           time.Time
	UpdatedAt           time.Time
}

// WireID is the person's id in the API.
func (p Person) WireID() id.PersonID { return id.PersonID{UUID: p.ID} }

// SalesInfo is what a business states about its sales. It is never edited: it is
// deleted and created again.
type SalesInfo struct {
	ID      id.UUID
	Amounts []SalesAmount
}

// WireID is the record's id in the API.
func (s SalesInfo) WireID() id.SalesInfoID { return id.SalesInfoID{UUID: s.ID} }

// StoredBusiness is a business with its sales, nil for none, and the ids of its persons.
type StoredBusiness struct {
	Business
	SalesInfo *SalesInfo
	PersonIDs []id.PersonID
}

// Applicant is a business with its persons and its sales, which are put on record
// together.
type Applicant struct {
	Business  Business
	Persons   []Person
	SalesInfo *SalesInfo // nil when none is stated
}

// SalesAmount is one stated amount, in the major unit of its currency.
type SalesAmount struct {
	Type       string
	Hundredths rational.Decimal
	Currency   string
}
