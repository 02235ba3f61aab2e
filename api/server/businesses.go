package server

import (
	"context"
	"fmt"
	"net/url"
	"slices"

	"requisite/api/spec"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/view"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/calculation"
	"requisite/internal/store"
)

// BusinessFields are the optional fields of a business. An update changes only the
// fields that the request contains.
type BusinessFields struct {
	ExternalIDField
	OperatingName        wire.Optional[string]              `json:"operating_name,omitempty" minLength:"1" maxLength:"200"`
	EstablishedDate      wire.Optional[string]              `json:"established_date,omitempty" format:"date" doc:"Not after today in the account's time zone."`
	IndustryCategoryCode wire.Optional[[]spec.IndustryCode] `json:"industry_category_code,omitempty" maxItems:"100" doc:"Leading zeros matter. A code stated twice is kept once."`
	Website              wire.Optional[string]              `json:"website,omitempty" maxLength:"2048" pattern:"^[hH][tT][tT][pP][sS]?://[^\\s/?#]+\\S*$" patternDescription:"an http or https URL, such as https://www.example.com"`
	PhoneNumber          wire.Optional[string]              `json:"phone_number,omitempty" minLength:"1" maxLength:"50"`
	Email                wire.Optional[string]              `json:"email,omitempty" maxLength:"254" pattern:"^[^\\s@]+@[^\\s@]+$" patternDescription:"an e-mail address"`
	Address              wire.Optional[AddressFields]       `json:"address,omitempty" doc:"Only the parts that are sent change; null removes a part, or the whole address."`
	CustomField
	NoPersonsAttested wire.Optional[bool] `json:"no_persons_attested,omitempty" doc:"States that the business has no persons, so rules about persons do not report them as missing. Refused while persons are on record. Adding a person sets it to false."`
}

// AddressFields are the parts of an address in a request.
type AddressFields struct {
	Line1      wire.Optional[string]       `json:"line1,omitempty" maxLength:"200"`
	Line2      wire.Optional[string]       `json:"line2,omitempty" maxLength:"200"`
	City       wire.Optional[string]       `json:"city,omitempty" maxLength:"100"`
	Region     wire.Optional[string]       `json:"region,omitempty" maxLength:"100"`
	PostalCode wire.Optional[string]       `json:"postal_code,omitempty" maxLength:"20"`
	Country    wire.Optional[spec.Country] `json:"country,omitempty"`
}

// apply changes the parts that were sent. nil is null. An address without parts is none.
func (f *AddressFields) apply(before *domain.Address) *domain.Address {
	if f == nil {
		return nil
	}
	var a domain.Address
	if before != nil {
		a = *before
	}
	f.Line1.Apply(&a.Line1)
	f.Line2.Apply(&a.Line2)
	f.City.Apply(&a.City)
	f.Region.Apply(&a.Region)
	f.PostalCode.Apply(&a.PostalCode)
	if f.Country.Sent {
		a.Country = (*string)(f.Country.Value)
	}
	if a == (domain.Address{}) {
		return nil
	}
	return &a
}

func (f BusinessFields) apply(b *domain.Business) {
	f.ExternalIDField.apply(&b.ExternalID)
	f.OperatingName.Apply(&b.OperatingName)
	f.EstablishedDate.Apply(&b.EstablishedDate)
	f.Website.Apply(&b.Website)
	f.PhoneNumber.Apply(&b.PhoneNumber)
	f.Email.Apply(&b.Email)
	if f.Address.Sent {
		b.Address = f.Address.Value.apply(b.Address)
	}
	if f.NoPersonsAttested.Sent {
		b.NoPersonsAttested = f.NoPersonsAttested.Value != nil && *f.NoPersonsAttested.Value
	}
	if f.IndustryCategoryCode.Sent {
		b.IndustryCategoryCode = nil
		if f.IndustryCategoryCode.Value != nil {
			for _, code := range *f.IndustryCategoryCode.Value {
				if !slices.Contains(b.IndustryCategoryCode, string(code)) {
					b.IndustryCategoryCode = append(b.IndustryCategoryCode, string(code))
				}
			}
		}
	}
}

// check finds what the schema cannot express.
func (f BusinessFields) check() []refusal.Field {
	problems := tooEarly("business.established_date", f.EstablishedDate, earliestEstablished)
	if website := f.Website.Value; website != nil {
		if u, err := url.Parse(*website); err != nil || u.Hostname() == "" {
			problems = append(problems, refusal.Field{Field: "business.website", Message: "This must be an http or https URL, such as https://www.example.com."})
		}
	}
	return problems
}

// warnings are about these fields and about a legal name, which may be nil.
func (f BusinessFields) warnings(legalName *string) []refusal.Warning {
	return slices.Concat(
		invisible("business.legal_name", legalName),
		invisible("business.operating_name", f.OperatingName.Value),
		looksLikeDefault("business.established_date", f.EstablishedDate),
		codesWithoutDigit("business.industry_category_code", f.IndustryCategoryCode),
		tooFewDigits("business.phone_number", f.PhoneNumber.Value),
	)
}

type businessCreateRequest struct {
	AccountRequest
	Business struct {
		LegalName string `json:"legal_name" minLength:"1" maxLength:"200"`
		BusinessFields
	} `json:"business"`
	Persons   []newPerson   `json:"persons,omitempty" nullable:"false" maxItems:"200" doc:"The persons of the business, as in person.create."`
	SalesInfo *newSalesInfo `json:"sales_info,omitempty" doc:"The sales of the business, as in business.salesInfo.create."`
}

func (in *businessCreateRequest) persons() newPersons {
	return newPersons{in.Persons, store.PersonPath}
}

func (in *businessCreateRequest) check() []refusal.Field {
	var problems []refusal.Field
	if attested := in.Business.NoPersonsAttested.Value; attested != nil && *attested && len(in.Persons) > 0 {
		problems = append(problems, refusal.Field{
			Field:   "business.no_persons_attested",
			Message: "This cannot be true in a request with persons: leave out this field or the persons.",
		})
	}
	if in.SalesInfo != nil {
		problems = append(problems, in.SalesInfo.check()...)
	}
	problems = append(problems, in.Business.check()...)
	return append(problems, in.persons().check()...)
}

type businessCreateData struct {
	BusinessID  id.BusinessID  `json:"business_id"`
	PersonIDs   []id.PersonID  `json:"person_ids,omitempty" nullable:"false" doc:"In the order of persons. Absent when none are stated."`
	SalesInfoID id.SalesInfoID `json:"sales_info_id,omitzero" doc:"Absent when no sales are stated."`
}

func (in *businessCreateRequest) warn() []refusal.Warning {
	return append(in.Business.warnings(&in.Business.LegalName), in.persons().warnings()...)
}

func businessCreate(ctx context.Context, r *store.Records, in *businessCreateRequest) (businessCreateData, []refusal.Warning, error) {
	a := domain.Applicant{Business: domain.Business{LegalName: in.Business.LegalName}, Persons: in.persons().persons()}
	in.Business.apply(&a.Business)
	a.Business.Custom = in.Business.values()
	if in.SalesInfo != nil {
		a.SalesInfo = &domain.SalesInfo{Amounts: in.SalesInfo.amounts()}
	}
	a, err := r.Applicants.Create(ctx, in.AccountID, a)
	if err != nil {
		return businessCreateData{}, nil, err
	}
	data := businessCreateData{BusinessID: a.Business.WireID(), PersonIDs: personIDs(a.Persons)}
	if a.SalesInfo != nil {
		data.SalesInfoID = a.SalesInfo.WireID()
	}
	return data, calculation.NewPersonWarnings(a.Persons, a.Persons, store.PersonPath), nil
}

type BusinessRequest struct {
	BusinessID id.BusinessID `json:"business_id"`
}

type businessUpdateRequest struct {
	BusinessRequest
	Business struct {
		LegalName *string `json:"legal_name,omitempty" minLength:"1" maxLength:"200"`
		BusinessFields
	} `json:"business"`
}

func (in *businessUpdateRequest) check() []refusal.Field { return in.Business.check() }

func (in *businessUpdateRequest) warn() []refusal.Warning {
	return append(nothingToUpdate("business", in.Business), in.Business.warnings(in.Business.LegalName)...)
}

func businessUpdate(ctx context.Context, r *store.Records, in *businessUpdateRequest) (wire.Empty, error) {
	return wire.Empty{}, r.Businesses.Update(ctx, in.BusinessID, in.Business.change(), func(b *domain.Business) {
		if in.Business.LegalName != nil {
			b.LegalName = *in.Business.LegalName
		}
		in.Business.apply(b)
	})
}

// businessOnRecord is a business with the fields that are not facts. A decision keeps only facts.
type businessOnRecord struct {
	view.BusinessData
	ExternalIDOnRecord
}

func businessView(r *store.Records, b domain.StoredBusiness) businessOnRecord {
	return businessOnRecord{view.Business(b.Business, r.Environment(), b.SalesInfo, b.PersonIDs), ExternalIDOnRecord{b.ExternalID}}
}

func businessGet(ctx context.Context, r *store.Records, in *BusinessRequest) (businessOnRecord, error) {
	b, err := r.Businesses.Stored(ctx, in.BusinessID)
	return businessView(r, b), err
}

type businessListRequest struct {
	AccountRequest
	Filters externalIDFilter `json:"filters,omitempty"`
	Page    page             `json:"page,omitempty"`
}

func (in *businessListRequest) check() []refusal.Field { return checkAfter[id.BusinessID](in.Page) }

type businessListData struct {
	Businesses []businessOnRecord `json:"businesses" nullable:"false"`
	Next       *string            `json:"next" doc:"Pass it as page.after for the next page; null on the last one."`
}

func businessList(ctx context.Context, r *store.Records, in *businessListRequest) (businessListData, error) {
	found, next, err := r.Businesses.List(ctx, in.AccountID, string(in.Filters.ExternalID), in.Page.page())
	data := businessListData{Businesses: []businessOnRecord{}, Next: orNull(next)}
	for _, b := range found {
		data.Businesses = append(data.Businesses, businessView(r, b))
	}
	return data, err
}

type statedAmount struct {
	Type     spec.SalesAmountType `json:"type"`
	Value    wire.Decimal         `json:"value" minimum:"0" exclusiveMaximum:"10000000000000"`
	Currency string               `json:"currency" pattern:"^[A-Z]{3}$" patternDescription:"an ISO 4217 code in upper case"`
}

type newSalesInfo struct {
	SalesAmount []statedAmount `json:"sales_amount" nullable:"false" maxItems:"4" doc:"Each type at most once."`
}

func (n newSalesInfo) check() []refusal.Field {
	var problems []refusal.Field
	seen := map[spec.SalesAmountType]bool{}
	for i, m := range n.SalesAmount {
		if seen[m.Type] {
			problems = append(problems, refusal.Field{
				Field:   fmt.Sprintf("sales_info.sales_amount[%d].type", i),
				Message: "Each type may be stated once. Remove the second " + string(m.Type) + ".",
			})
		}
		seen[m.Type] = true
	}
	return problems
}

func (n newSalesInfo) amounts() []domain.SalesAmount {
	amounts := make([]domain.SalesAmount, len(n.SalesAmount))
	for i, m := range n.SalesAmount {
		amounts[i] = domain.SalesAmount{Type: string(m.Type), Hundredths: rational.Decimal(m.Value.Decimal), Currency: m.Currency}
	}
	return amounts
}

type salesInfoCreateRequest struct {
	BusinessRequest
	SalesInfo    newSalesInfo   `json:"sales_info"`
	Replaces     id.SalesInfoID `json:"replaces,omitzero" doc:"The sales info of the business that this one replaces, in one step. Amounts of the old record that are not stated are not kept. If it was removed or replaced before, the answer is ENTITY_NOT_FOUND."`
	ValidateOnly bool           `json:"validate_only,omitempty" doc:"Check everything and write nothing. If sales info is on record and replaces does not name it, the response has the warning SALES_INFO_EXISTS instead of a refusal. The request does not use up an Idempotency-Key."`
}

func (in *salesInfoCreateRequest) check() []refusal.Field { return in.SalesInfo.check() }

type salesInfoIDData struct {
	SalesInfoID id.SalesInfoID `json:"sales_info_id,omitzero" doc:"Absent when only validated."`
}

func salesInfoCreate(ctx context.Context, s *Server, c *caller, in *salesInfoCreateRequest) (wire.Reply, error) {
	amounts := in.SalesInfo.amounts()
	if in.ValidateOnly {
		// Refuse an Idempotency-Key that was used with another body.
		if _, err := s.store.Outcome(ctx, domain.Run{Call: c.call}); err != nil {
			return wire.Reply{}, err
		}
		r := s.store.Records(c.call.Scope)
		warnings, err := r.Businesses.CheckSalesInfo(ctx, in.BusinessID, in.Replaces, amounts)
		c.accountID = r.AccountID()
		return wire.Reply{Data: salesInfoIDData{}, Warnings: warnings}, err
	}
	return s.store.Write(ctx, c.call, func(r *store.Records) (any, error) {
		info, err := r.Businesses.CreateSalesInfo(ctx, in.BusinessID, in.Replaces, amounts)
		c.accountID = r.AccountID()
		return salesInfoIDData{info.WireID()}, err
	})
}

type salesInfoDeleteRequest struct {
	SalesInfoID id.SalesInfoID `json:"sales_info_id"`
}

func salesInfoDelete(ctx context.Context, r *store.Records, in *salesInfoDeleteRequest) (wire.Empty, error) {
	return wire.Empty{}, r.Businesses.DeleteSalesInfo(ctx, in.SalesInfoID)
}
