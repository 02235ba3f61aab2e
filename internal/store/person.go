package store

import (
	"context"
	"fmt"
	"reflect"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/store/db"
)

// Persons reads and writes the persons of businesses. Changing a person changes the facts of the
// business.
type Persons struct{ *unit }

func (u *unit) persons() Persons { return Persons{u} }

const personColumns = `p.id, p.business_id, p.external_id, p.first_name, p.last_name, p.citizenship,
	(p.ownership_percentage * 100)::bigint AS ownership_hundredths,
	to_char(p.date_of_birth, 'YYYY-MM-DD') AS date_of_birth,
	p.country_of_residence, p.email, p.custom, p.created_at, p.updated_at`

// Create adds persons to a business, all or none. It sets ids and times, and keeps the order. A
// business has at most fact.MaxPersons, because the cost of rules is checked for that number.
// Create clears no_persons_attested. path returns where in the request a person is.
func (r Persons) Create(ctx context.Context, businessID id.BusinessID, path func(int) string, persons ...domain.Person) ([]domain.Person, error) {
	b, err := r.businesses().locked(ctx, businessID)
	if err != nil {
		return nil, err
	}
	account, err := r.tenants().Get(ctx, r.scope.Environment.Account(b.AccountID))
	if err != nil {
		return nil, err
	}
	dates, customs := statedPersons(persons, path)
	values, err := r.businesses().fit(ctx, account, dates, customs)
	if err != nil {
		return nil, err
	}
	count, err := r.businesses().countPersons(ctx, b.ID)
	if err != nil {
		return nil, err
	}
	if count+len(persons) > fact.MaxPersons {
		return nil, tooManyPersons(businessID)
	}
	if err := r.businesses().touch(ctx, b.ID); err != nil {
		return nil, err
	}
	if _, err := r.q.Exec(ctx, `UPDATE business SET no_persons_attested = false WHERE id = $1 AND no_persons_attested`, b.ID); err != nil {
		return nil, fmt.Errorf("clear the statement that a business has no persons: %w", err)
	}
	externalIDs := make([]*string, len(persons))
	for i, p := range persons {
		externalIDs[i] = p.ExternalID
	}
	if err := r.freeExternalIDs(ctx, personExternalIDs, b.ID, id.Nil, externalIDs...); err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	made := make([]domain.Person, len(persons))
	for i, p := range persons {
		p.Custom = values[i]
		made[i] = r.insert(batch, b.ID, p)
	}
	return made, db.SendAll(ctx, r.q, batch)
}

// PersonPath is the path of an element of persons in a request.
func PersonPath(i int) string { return fmt.Sprintf("persons[%d]", i) }

// statedPersons returns the dates and the values of declared facts of new persons.
func statedPersons(persons []domain.Person, path func(int) string) (dates []statedDate, customs []customOf) {
	for i, p := range persons {
		dates = append(dates, statedDate{path(i) + ".date_of_birth", p.DateOfBirth})
		customs = append(customs, newCustom(path(i)+".custom", fact.EntityPerson, p.Custom))
	}
	return dates, customs
}

func tooManyPersons(businessID id.BusinessID) *refusal.Refusal {
	return refusal.Rule(refusal.EntityBusiness, businessID.String(), refusal.PersonLimitExceeded,
		"A business has at most %d persons on record.", fact.MaxPersons)
}

func (r Persons) insert(batch *pgx.Batch, businessID id.UUID, p domain.Person) domain.Person {
	p.ID, p.BusinessID, p.CreatedAt, p.UpdatedAt = r.newID(), businessID, r.at, r.at
	batch.Queue(`
		INSERT INTO person (
			id, business_id, first_name, last_name,
			citizenship, ownership_percentage, date_of_birth, country_of_residence,
			email, external_id, custom, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6::bigint / 100.0, $7::text::date, $8, $9, $10, $11, $12, $12)`,
		p.ID, p.BusinessID, p.FirstName, p.LastName,
		p.Citizenship, p.OwnershipHundredths, p.DateOfBirth, p.CountryOfResidence, p.Email, p.ExternalID, p.Custom.Text(), r.at)
	return p
}

func (r Businesses) countPersons(ctx context.Context, businessID id.UUID) (int, error) {
	var count int
	if err := r.q.QueryRow(ctx, `SELECT count(*) FROM person WHERE business_id = $1`, businessID).Scan(&count); err != nil {
		return 0, fmt.Errorf("count the persons of a business: %w", err)
	}
	return count, nil
}

// Get finds a person.
func (r Persons) Get(ctx context.Context, wireID id.PersonID) (domain.Person, error) {
	p, err := find[struct {
		domain.Person
		AccountID id.UUID
	}](ctx, r.unit, refusal.EntityPerson, wireID, `
		SELECT `+personColumns+`, b.account_id FROM person p JOIN business b ON b.id = p.business_id JOIN account a ON a.id = b.account_id
		WHERE p.id = $1 AND a.organization_id = $2 AND a.environment = $3`)
	if err != nil {
		return domain.Person{}, err
	}
	r.noteAccount(p.AccountID)
	return p.Person, nil
}

// locked locks a person's business, reads both, and sets the time of the change.
func (r Persons) locked(ctx context.Context, wireID id.PersonID) (domain.Person, domain.Business, error) {
	p, err := r.Get(ctx, wireID)
	if err != nil {
		return domain.Person{}, domain.Business{}, err
	}
	b, err := r.businesses().locked(ctx, id.BusinessID{UUID: p.BusinessID})
	if err != nil {
		return domain.Person{}, domain.Business{}, err
	}
	p, err = r.Get(ctx, wireID)
	r.stamp(&p.UpdatedAt)
	return p, b, err
}

// Update locks a person, merges values of declared facts, lets change edit the person, and saves
// it. As in Businesses.Update, only changes of facts count.
func (r Persons) Update(ctx context.Context, wireID id.PersonID, custom domain.CustomChange, change func(*domain.Person)) error {
	p, b, err := r.locked(ctx, wireID)
	if err != nil {
		return err
	}
	before := p
	change(&p)
	if err := r.change(ctx, b, before, &p, custom); err != nil {
		return err
	}
	if b.ErasedAt != nil {
		return refusal.Erased(b.WireID().String())
	}
	if err := r.changeExternalID(ctx, personExternalIDs, p.BusinessID, p.ID, before.ExternalID, p.ExternalID); err != nil {
		return err
	}
	if before.ExternalID = p.ExternalID; reflect.DeepEqual(before, p) {
		return nil
	}
	batch := &pgx.Batch{}
	batch.Queue(countChangeSQL, p.BusinessID)
	batch.Queue(`
		UPDATE person SET first_name = $2, last_name = $3, citizenship = $4, ownership_percentage = $5::bigint / 100.0,
		       date_of_birth = $6::text::date, country_of_residence = $7, email = $8, custom = $9, updated_at = $10
		WHERE id = $1`,
		p.ID, p.FirstName, p.LastName, p.Citizenship, p.OwnershipHundredths, p.DateOfBirth, p.CountryOfResidence, p.Email, p.Custom.Text(), r.at)
	return db.SendAll(ctx, r.q, batch)
}

// lockWorkflowsOfPersonSQL runs before the lock on the business, as in a calculation. A workflow
// that is created between the two may cause a deadlock. Postgres then stops one of the
// transactions, which can be repeated.
const lockWorkflowsOfPersonSQL = `SELECT FROM workflow WHERE business_id = (SELECT business_id FROM person WHERE id = $1) ORDER BY id FOR NO KEY UPDATE`

// Delete removes a person with all their data. It also removes their personal data from their
// documents and findings in all workflows of the business. Statuses and dates stay. The texts of
// other documents that mention the person change with their next calculation. Decisions keep what
// they recorded.
func (r Persons) Delete(ctx context.Context, wireID id.PersonID) error {
	if _, err := r.q.Exec(ctx, lockWorkflowsOfPersonSQL, wireID.UUID); err != nil {
		return fmt.Errorf("lock the workflows of a person: %w", err)
	}
	p, b, err := r.locked(ctx, wireID)
	if err != nil {
		return err
	}
	if b.ErasedAt != nil {
		return refusal.Erased(b.WireID().String())
	}
	batch := &pgx.Batch{}
	batch.Queue(countChangeSQL, p.BusinessID)
	batch.Queue(`
		UPDATE required_document SET `+erasedDocumentSQL+`, updated_at = greatest(updated_at, $3)
		WHERE entity_type = 'Person' AND entity_id = $2 AND workflow_id IN (SELECT id FROM workflow WHERE business_id = $1)`, p.BusinessID, wireID.String(), r.at)
	batch.Queue(`
		UPDATE workflow SET findings = `+erasedFindingsSQL(`finding @> of`)+`
		FROM jsonb_build_object('entity_type', 'Person', 'entity_id', $2::text) AS of
		WHERE business_id = $1 AND findings @> jsonb_build_array(of)`,
		p.BusinessID, wireID.String())
	batch.Queue(`DELETE FROM person WHERE id = $1`, p.ID)
	return db.SendAll(ctx, r.q, batch)
}

// List lists a business's persons, newest first. An empty external id does not filter. The string
// is the After of the next page. It is empty on the last page.
func (r Persons) List(ctx context.Context, businessID id.BusinessID, externalID string, p domain.Page) ([]domain.Person, string, error) {
	after, err := after(p, id.Person)
	if err != nil {
		return nil, "", err
	}
	b, err := r.businesses().Get(ctx, businessID)
	if err != nil {
		return nil, "", err
	}
	found, err := db.Many[domain.Person](ctx, r.q, `
		SELECT `+personColumns+` FROM person p WHERE p.business_id = $1 AND p.id < $2 AND ($3 = '' OR p.external_id = $3) ORDER BY p.id DESC LIMIT $4`,
		b.ID, after, externalID, p.Limit+1)
	if err != nil {
		return nil, "", fmt.Errorf("list the persons of a business: %w", err)
	}
	found, next := cut(found, p)
	return found, next, nil
}

// OwnershipWarnings warns when the persons of a business own more than 100 percent together. It
// does not refuse, because a caller may enter one person before correcting another.
func (r Persons) OwnershipWarnings(ctx context.Context, businessID id.UUID) ([]refusal.Warning, error) {
	var together rational.Decimal
	err := r.q.QueryRow(ctx, `SELECT coalesce(sum(ownership_percentage) * 100, 0)::bigint FROM person WHERE business_id = $1`, businessID).Scan(&together)
	if err != nil {
		return nil, fmt.Errorf("add up the ownership of a business: %w", err)
	}
	return calculation.OwnershipWarnings(together), nil
}

// NewWarnings are the warnings about persons who were added to a business.
func (r Persons) NewWarnings(ctx context.Context, added []domain.Person, path func(int) string) ([]refusal.Warning, error) {
	all, err := db.Many[domain.Person](ctx, r.q, `SELECT `+personColumns+` FROM person p WHERE p.business_id = $1 ORDER BY p.id`, added[0].BusinessID)
	if err != nil {
		return nil, fmt.Errorf("read the persons of a business: %w", err)
	}
	return calculation.NewPersonWarnings(all, added, path), nil
}

// Nameless is the problem of a person without a name.
var Nameless = refusal.Wrong(refusal.Required, "A person has a first_name, a last_name or both.")

// change merges values of declared facts into a person, and returns what an account refuses.
func (r Persons) change(ctx context.Context, b domain.Business, before domain.Person, p *domain.Person, custom domain.CustomChange) error {
	if p.FirstName == nil && p.LastName == nil {
		field := "person.first_name"
		if before.LastName != nil {
			field = "person.last_name"
		}
		return refusal.Fields(Nameless.At(field))
	}
	if p.DateOfBirth == nil && custom.IsNothing() {
		return nil
	}
	account, err := r.tenants().Get(ctx, r.scope.Environment.Account(b.AccountID))
	if err != nil {
		return err
	}
	values, err := r.businesses().fit(ctx, account,
		[]statedDate{{"person.date_of_birth", p.DateOfBirth}},
		[]customOf{{"person.custom", fact.EntityPerson, p.Custom, custom}})
	if err != nil {
		return err
	}
	p.Custom = values[0]
	return nil
}
