package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store/db"
)

// Applicants creates businesses together with their persons and sales.
type Applicants struct{ *unit }

func (u *unit) applicants() Applicants { return Applicants{u} }

// CreateBusiness adds a business to an account. It sets the id and the times.
func (r Applicants) CreateBusiness(ctx context.Context, accountID id.AccountID, b domain.Business) (domain.Business, error) {
	made, err := r.Create(ctx, accountID, domain.Applicant{Business: b})
	return made.Business, err
}

// Create adds a business with its persons and its sales, all or none. It reports the problems of
// all parts together. It sets ids and times, keeps the order of the persons, and checks the values
// of declared facts.
func (r Applicants) Create(ctx context.Context, accountID id.AccountID, a domain.Applicant) (domain.Applicant, error) {
	account, err := r.tenants().Get(ctx, accountID)
	if err != nil {
		return domain.Applicant{}, err
	}
	a.Persons = slices.Clone(a.Persons)
	if err := r.applicable(ctx, account, &a); err != nil {
		return domain.Applicant{}, err
	}
	if len(a.Persons) > fact.MaxPersons {
		return domain.Applicant{}, tooManyPersons(id.BusinessID{})
	}
	if err := r.withinQuota(ctx, countsLife, "businesses", account.WireID().String(), r.quotas.Businesses, 0, func() *refusal.Refusal {
		return refusal.Rule(refusal.EntityAccount, accountID.String(), refusal.BusinessLimitExceeded,
			"An account has at most %d businesses on record.", r.quotas.Businesses)
	}, `SELECT FROM business WHERE account_id = $1`, account.ID); err != nil {
		return domain.Applicant{}, err
	}
	a.Business.ID, a.Business.AccountID, a.Business.CreatedAt, a.Business.UpdatedAt = r.newID(), account.ID, r.at, r.at
	if len(a.Persons) > 0 {
		a.Business.NoPersonsAttested = false
	}
	if err := r.freeExternalIDs(ctx, businessExternalIDs, account.ID, a.Business.ID, a.Business.ExternalID); err != nil {
		return domain.Applicant{}, err
	}
	batch := &pgx.Batch{}
	if err := r.businesses().insert(batch, a.Business); err != nil {
		return domain.Applicant{}, err
	}
	for i, p := range a.Persons {
		a.Persons[i] = r.persons().insert(batch, a.Business.ID, p)
	}
	if a.SalesInfo != nil {
		made := domain.SalesInfo{ID: r.newID(), Amounts: a.SalesInfo.Amounts}
		a.SalesInfo = &made
		r.businesses().insertSales(batch, a.Business.ID, made)
	}
	return a, db.SendAll(ctx, r.q, batch)
}

// applicable finds everything that an account refuses about an applicant. It converts the values of
// declared facts to their canonical form.
func (r Applicants) applicable(ctx context.Context, account domain.Account, a *domain.Applicant) error {
	dates, customs := statedPersons(a.Persons, PersonPath)
	dates = append([]statedDate{{"business.established_date", a.Business.EstablishedDate}}, dates...)
	customs = append([]customOf{newCustom("business.custom", fact.EntityBusiness, a.Business.Custom)}, customs...)
	var more []refusal.Field
	if a.SalesInfo != nil {
		more = otherCurrencies(account, a.SalesInfo.Amounts)
	}
	values, err := r.businesses().fit(ctx, account, dates, customs, more...)
	if err != nil {
		return err
	}
	a.Business.Custom = values[0]
	for i, of := range values[1:] {
		a.Persons[i].Custom = of
	}
	return nil
}

// Names returns the names that businesses and persons have now, by id. Ids of other records have none.
func (r Applicants) Names(ctx context.Context, businesses, persons []string) (map[string]string, error) {
	found, err := db.Many[struct {
		ID                             id.UUID
		IsPerson                       bool
		LegalName, FirstName, LastName string
	}](ctx, r.q, `
		WITH of AS (SELECT id FROM account WHERE organization_id = $1 AND environment = $2)
		SELECT b.id, false AS is_person, b.legal_name, '' AS first_name, '' AS last_name
		FROM business b JOIN of ON of.id = b.account_id WHERE b.id = ANY ($3)
		UNION ALL
		SELECT p.id, true, '', coalesce(p.first_name, ''), coalesce(p.last_name, '')
		FROM person p JOIN business b ON b.id = p.business_id JOIN of ON of.id = b.account_id WHERE p.id = ANY ($4)`,
		r.scope.OrganizationID, r.scope.Environment, keysOf(id.Business, businesses), keysOf(id.Person, persons))
	if err != nil {
		return nil, fmt.Errorf("read names of persons and businesses: %w", err)
	}
	names := make(map[string]string, len(found))
	for _, of := range found {
		prefix := id.Business
		if of.IsPerson {
			prefix = id.Person
		}
		names[id.Format(prefix, of.ID)] = requirement.Identity{LegalName: of.LegalName, FirstName: of.FirstName, LastName: of.LastName}.Name()
	}
	return names, nil
}

// keysOf returns the distinct keys of the ids with a prefix.
func keysOf(prefix id.Prefix, wireIDs []string) []id.UUID {
	keys := []id.UUID{}
	for _, wireID := range wireIDs {
		if key, err := id.Parse(prefix, wireID); err == nil && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}
