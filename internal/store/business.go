package store

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/fact"
	"requisite/internal/store/db"
)

// Businesses reads and writes the businesses of the scope, with their sales.
type Businesses struct{ *unit }

func (u *unit) businesses() Businesses { return Businesses{u} }

const businessColumns = `b.id, b.account_id, b.external_id, b.legal_name, b.operating_name,
	to_char(b.established_date, 'YYYY-MM-DD') AS established_date,
	b.industry_category_code,
	b.website, b.phone_number, b.email, b.address,
	b.no_persons_attested, b.custom, b.erased_at, b.created_at, b.updated_at`

// statedDate is a date in a request, with its path. It may not be after today.
type statedDate struct {
	field string
	date  *string
}

// fit merges values of declared facts. It returns everything that an account refuses about a
// request in one refusal, with the other problems.
func (r Businesses) fit(ctx context.Context, account domain.Account, dates []statedDate, customs []customOf, more ...refusal.Field) ([]domain.Custom, error) {
	var problems []refusal.Field
	for _, stated := range dates {
		found, err := r.afterToday(account, stated.field, stated.date)
		if err != nil {
			return nil, err
		}
		problems = append(problems, found...)
	}
	values, found, err := r.facts().change(ctx, account.ID, customs...)
	if err != nil {
		return nil, err
	}
	if problems = slices.Concat(problems, found, more); len(problems) > 0 {
		return nil, refusal.Fields(problems...)
	}
	return values, nil
}

func (r Businesses) insert(batch *pgx.Batch, b domain.Business) error {
	address, err := addressJSON(b)
	if err != nil {
		return err
	}
	batch.Queue(`
		INSERT INTO business (id, account_id, legal_name, operating_name, established_date, industry_category_code,
		                      website, phone_number, email, address, no_persons_attested, external_id, custom, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5::text::date, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)`,
		b.ID, b.AccountID, b.LegalName, b.OperatingName, b.EstablishedDate, codes(b.IndustryCategoryCode),
		b.Website, b.PhoneNumber, b.Email, address, b.NoPersonsAttested, b.ExternalID, b.Custom.Text(), r.at)
	return nil
}

// Get finds a business.
func (r Businesses) Get(ctx context.Context, wireID id.BusinessID) (domain.Business, error) {
	b, err := find[domain.Business](ctx, r.unit, refusal.EntityBusiness, wireID, businessSQL)
	if err == nil {
		r.noteAccount(b.AccountID)
	}
	return b, err
}

const businessSQL = `
	SELECT ` + businessColumns + ` FROM business b JOIN account a ON a.id = b.account_id
	WHERE b.id = $1 AND a.organization_id = $2 AND a.environment = $3`

// lockAndGet is Get that first locks the business with a statement.
func (r Businesses) lockAndGet(ctx context.Context, lock string, wireID id.BusinessID) (domain.Business, error) {
	b, err := lockAndFind[domain.Business](ctx, r.unit, lock, refusal.EntityBusiness, wireID, businessSQL)
	if err == nil {
		r.noteAccount(b.AccountID)
	}
	return b, err
}

// Stored finds a business with its sales and its persons.
func (r Businesses) Stored(ctx context.Context, wireID id.BusinessID) (domain.StoredBusiness, error) {
	b, err := r.Get(ctx, wireID)
	if err != nil {
		return domain.StoredBusiness{}, err
	}
	found, err := r.stored(ctx, b)
	if err != nil {
		return domain.StoredBusiness{}, err
	}
	return found[0], nil
}

// List lists an account's businesses, newest first. An empty external id does not filter. The
// string is the After of the next page. It is empty on the last page.
func (r Businesses) List(ctx context.Context, accountID id.AccountID, externalID string, p domain.Page) ([]domain.StoredBusiness, string, error) {
	after, err := after(p, id.Business)
	if err != nil {
		return nil, "", err
	}
	account, err := r.tenants().Get(ctx, accountID)
	if err != nil {
		return nil, "", err
	}
	var match conditions
	match.add(`b.account_id = %s AND b.id < %s`, account.ID, after)
	if externalID != "" {
		match.add(`b.external_id = %s`, externalID)
	}
	found, err := db.Many[domain.Business](ctx, r.q, `
		SELECT `+businessColumns+` FROM business b WHERE `+strings.Join(match.sql, ` AND `)+` ORDER BY b.id DESC LIMIT `+strconv.Itoa(p.Limit+1), match.args...)
	if err != nil {
		return nil, "", fmt.Errorf("list businesses: %w", err)
	}
	found, next := cut(found, p)
	listed, err := r.stored(ctx, found...)
	return listed, next, err
}

// stored adds the sales and the persons of businesses.
func (r Businesses) stored(ctx context.Context, businesses ...domain.Business) ([]domain.StoredBusiness, error) {
	ids := make([]id.UUID, len(businesses))
	for i, b := range businesses {
		ids[i] = b.ID
	}
	sales, err := r.salesOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	condition, of := among(ids)
	persons, err := db.Many[struct{ ID, BusinessID id.UUID }](ctx, r.q, `SELECT id, business_id FROM person WHERE business_id `+condition+` ORDER BY id`, of)
	if err != nil {
		return nil, fmt.Errorf("list the persons of businesses: %w", err)
	}
	personIDs := map[id.UUID][]id.PersonID{}
	for _, p := range persons {
		personIDs[p.BusinessID] = append(personIDs[p.BusinessID], id.PersonID{UUID: p.ID})
	}
	found := make([]domain.StoredBusiness, len(businesses))
	for i, b := range businesses {
		found[i] = domain.StoredBusiness{Business: b, SalesInfo: salesInfo(sales[b.ID]), PersonIDs: append([]id.PersonID{}, personIDs[b.ID]...)}
	}
	return found, nil
}

// locked locks a business until the transaction ends, reads it, and sets the time of the change.
func (r Businesses) locked(ctx context.Context, wireID id.BusinessID) (domain.Business, error) {
	b, err := r.lockAndGet(ctx, lockBusinessSQL, wireID)
	r.stamp(&b.UpdatedAt)
	return b, err
}

// Update locks a business, merges values of declared facts, lets change edit the business, and
// saves it. Only changes of facts change its version and its time.
func (r Businesses) Update(ctx context.Context, wireID id.BusinessID, custom domain.CustomChange, change func(*domain.Business)) error {
	b, err := r.locked(ctx, wireID)
	if err != nil {
		return err
	}
	before := b
	change(&b)
	account, err := r.tenants().Get(ctx, r.scope.Environment.Account(b.AccountID))
	if err != nil {
		return err
	}
	values, err := r.fit(ctx, account, []statedDate{{"business.established_date", b.EstablishedDate}},
		[]customOf{{"business.custom", fact.EntityBusiness, before.Custom, custom}})
	if err != nil {
		return err
	}
	b.Custom = values[0]
	if b.ErasedAt != nil {
		return refusal.Erased(wireID.String())
	}
	if err := r.attestable(ctx, b); err != nil {
		return err
	}
	if err := r.changeExternalID(ctx, businessExternalIDs, account.ID, b.ID, before.ExternalID, b.ExternalID); err != nil {
		return err
	}
	if before.ExternalID = b.ExternalID; reflect.DeepEqual(before, b) {
		return nil // external_id is not a fact
	}
	address, err := addressJSON(b)
	if err != nil {
		return err
	}
	_, err = r.q.Exec(ctx, `
		UPDATE business SET legal_name = $2, operating_name = $3, established_date = $4::text::date, industry_category_code = $5,
		       website = $6, phone_number = $7, email = $8, address = $9, no_persons_attested = $10, custom = $11, version = version + 1, updated_at = $12
		WHERE id = $1`,
		b.ID, b.LegalName, b.OperatingName, b.EstablishedDate, codes(b.IndustryCategoryCode),
		b.Website, b.PhoneNumber, b.Email, address, b.NoPersonsAttested, b.Custom.Text(), r.at)
	if err != nil {
		return fmt.Errorf("update a business: %w", err)
	}
	return nil
}

// attestable refuses no_persons_attested while the business has persons. The caller has locked the
// business, which also locks its persons.
func (r Businesses) attestable(ctx context.Context, b domain.Business) error {
	if !b.NoPersonsAttested {
		return nil
	}
	persons, err := r.countPersons(ctx, b.ID)
	if err != nil || persons == 0 {
		return err
	}
	return refusal.Rule(refusal.EntityBusiness, b.WireID().String(), refusal.PersonsOnRecord,
		"The business has persons on record (%d), so no_persons_attested cannot be true: remove them with person.delete first, or leave it out.", persons)
}

// touch locks a business and marks its facts as changed. Every write to its sales, and every new
// person, calls it first.
func (r Businesses) touch(ctx context.Context, businessID id.UUID) error {
	var erased bool
	batch := &pgx.Batch{}
	batch.Queue(lockBusinessSQL, businessID)
	batch.Queue(countChangeSQL+` RETURNING erased_at IS NOT NULL`, businessID).QueryRow(func(row pgx.Row) error { return row.Scan(&erased) })
	switch err := db.SendAll(ctx, r.q, batch); {
	case err != nil:
		return fmt.Errorf("mark a business's facts as changed: %w", err)
	case erased:
		return refusal.Erased(id.BusinessID{UUID: businessID}.String())
	}
	return nil
}

// countChangeSQL marks the facts of a business as changed. The caller has locked the business.
const countChangeSQL = `UPDATE business SET version = version + 1 WHERE id = $1`

// afterToday returns a problem if a date is in the future in the account's time zone.
func (r Businesses) afterToday(account domain.Account, field string, date *string) ([]refusal.Field, error) {
	if date == nil {
		return nil, nil
	}
	today, err := r.today(account.TimeZone)
	if err != nil {
		return nil, err
	}
	if *date > today.String() {
		return []refusal.Field{refusal.At(field, refusal.NotAllowed, "This date may not be after today in the account's time zone, %s.", account.TimeZone)}, nil
	}
	return nil, nil
}

func addressJSON(b domain.Business) ([]byte, error) {
	if b.Address == nil {
		return nil, nil
	}
	data, err := json.Marshal(b.Address)
	if err != nil {
		return nil, fmt.Errorf("encode an address: %w", err)
	}
	return data, nil
}

// codes returns an empty list for nil, because the column is never NULL.
func codes(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
