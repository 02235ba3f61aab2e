// Package view holds records as the API shows them.
package view

import (
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/wire"
)

// BusinessData is a business as the API shows it.
type BusinessData struct {
	BusinessID           id.BusinessID                 `json:"business_id"`
	AccountID            id.AccountID                  `json:"account_id"`
	LegalName            string                        `json:"legal_name"`
	OperatingName        *string                       `json:"operating_name"`
	EstablishedDate      *string                       `json:"established_date"`
	IndustryCategoryCode []string                      `json:"industry_category_code" nullable:"false"`
	Website              *string                       `json:"website"`
	PhoneNumber          *string                       `json:"phone_number"`
	Email                *string                       `json:"email"`
	Address              wire.Optional[domain.Address] `json:"address"`
	NoPersonsAttested    bool                          `json:"no_persons_attested"`
	Custom               wire.Custom                   `json:"custom" doc:"The values of facts that the account declares itself, by name."`
	SalesInfo            *SalesInfoData                `json:"sales_info,omitempty"`
	PersonIDs            []id.PersonID                 `json:"person_ids" nullable:"false"`
	ErasedAt             *wire.DateTime                `json:"erased_at,omitempty" doc:"When the operator erased the personal data. Nothing about the business changes from then on."`
	CreatedAt            wire.DateTime                 `json:"created_at"`
	UpdatedAt            wire.DateTime                 `json:"updated_at"`
}

// SalesInfoData are the stated sales of a business as the API shows them.
type SalesInfoData struct {
	SalesInfoID id.SalesInfoID    `json:"sales_info_id"`
	SalesAmount []SalesAmountData `json:"sales_amount" nullable:"false"`
}

// SalesAmountData is one stated amount as the API shows it.
type SalesAmountData struct {
	Type     string       `json:"type"`
	Value    wire.Decimal `json:"value"`
	Currency string       `json:"currency"`
}

// PersonData is a person as the API shows them.
type PersonData struct {
	PersonID            id.PersonID                 `json:"person_id"`
	BusinessID          id.BusinessID               `json:"business_id"`
	FirstName           *string                     `json:"first_name"`
	LastName            *string                     `json:"last_name"`
	Citizenship         *string                     `json:"citizenship"`
	OwnershipPercentage wire.Optional[wire.Decimal] `json:"ownership_percentage"`
	DateOfBirth         *string                     `json:"date_of_birth"`
	CountryOfResidence  *string                     `json:"country_of_residence"`
	Email               *string                     `json:"email"`
	Custom              wire.Custom                 `json:"custom" doc:"The values of facts that the account declares itself, by name."`
	CreatedAt           wire.DateTime               `json:"created_at"`
	UpdatedAt           wire.DateTime               `json:"updated_at"`
}

// Business is the business as the API shows it, with its sales, nil for none, and the ids of its
// persons.
func Business(b domain.Business, environment domain.Environment, sales *domain.SalesInfo, persons []id.PersonID) BusinessData {
	shown := BusinessData{
		BusinessID:           b.WireID(),
		AccountID:            environment.Account(b.AccountID),
		LegalName:            b.LegalName,
		OperatingName:        b.OperatingName,
		EstablishedDate:      b.EstablishedDate,
		IndustryCategoryCode: b.IndustryCategoryCode,
		Website:              b.Website,
		PhoneNumber:          b.PhoneNumber,
		Email:                b.Email,
		Address:              wire.OrNull(b.Address),
		NoPersonsAttested:    b.NoPersonsAttested,
		Custom:               wire.Custom{Custom: b.Custom},
		PersonIDs:            persons,
		ErasedAt:             (*wire.DateTime)(b.ErasedAt),
		CreatedAt:            wire.DateTime(b.CreatedAt),
		UpdatedAt:            wire.DateTime(b.UpdatedAt),
	}
	if sales == nil {
		return shown
	}
	shown.SalesInfo = &SalesInfoData{SalesInfoID: sales.WireID(), SalesAmount: []SalesAmountData{}}
	for _, m := range sales.Amounts {
		shown.SalesInfo.SalesAmount = append(shown.SalesInfo.SalesAmount, SalesAmountData{m.Type, wire.Decimal{Decimal: m.Hundredths}, m.Currency})
	}
	return shown
}

// Person is the person as the API shows them.
func Person(p domain.Person) PersonData {
	var share *wire.Decimal
	if p.OwnershipHundredths != nil {
		share = &wire.Decimal{Decimal: *p.OwnershipHundredths}
	}
	return PersonData{
		PersonID:            p.WireID(),
		BusinessID:          id.BusinessID{UUID: p.BusinessID},
		FirstName:           p.FirstName,
		LastName:            p.LastName,
		Citizenship:         p.Citizenship,
		OwnershipPercentage: wire.OrNull(share),
		DateOfBirth:         p.DateOfBirth,
		CountryOfResidence:  p.CountryOfResidence,
		Email:               p.Email,
		Custom:              wire.Custom{Custom: p.Custom},
		CreatedAt:           wire.DateTime(p.CreatedAt),
		UpdatedAt:           wire.DateTime(p.UpdatedAt),
	}
}
