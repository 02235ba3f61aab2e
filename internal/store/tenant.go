package store

import (
	"context"
	"fmt"
	"time"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/fact"
	"requisite/internal/store/db"
	"requisite/internal/text/names"
)

// Tenants reads and writes the accounts of the scope.
type Tenants struct{ *unit }

func (u *unit) tenants() Tenants { return Tenants{u} }

// Organizations creates and lists organizations and their accounts, for operators.
type Organizations struct{ *base }

// Create creates an organization. Its name must be new, and have no invisible
// characters.
func (s Organizations) Create(ctx context.Context, name string) (domain.Organization, error) {
	o := domain.Organization{ID: id.New(), Name: name, CreatedAt: s.db.Clock()}
	if err := names.Check(name); err != nil {
		return domain.Organization{}, fmt.Errorf("create an organization: %w", err)
	}
	_, err := s.db.Exec(ctx, `INSERT INTO organization (id, name, created_at) VALUES ($1, $2, $3)`, o.ID, o.Name, o.CreatedAt)
	if db.Violates(err, "organization_name_key") {
		return domain.Organization{}, fmt.Errorf("there is an organization named %q already; choose another name", name)
	}
	if err != nil {
		return domain.Organization{}, fmt.Errorf("create an organization: %w", err)
	}
	return o, nil
}

// List lists all organizations, oldest first.
func (s Organizations) List(ctx context.Context) ([]domain.Organization, error) {
	return db.Many[domain.Organization](ctx, s.db, `SELECT id, name, created_at FROM organization ORDER BY id`)
}

const accountColumns = `a.id, a.organization_id, a.environment, a.name, a.currency, a.time_zone, a.rules_need_approval, a.recalculation, a.created_at`

// CreateAccount creates an account without rules or prices.
func (s Organizations) CreateAccount(ctx context.Context, scope domain.Scope, name, currency, timeZone string) (domain.Account, error) {
	if _, err := time.LoadLocation(timeZone); err != nil || timeZone == "" || timeZone == "Local" {
		return domain.Account{}, fmt.Errorf("%q is not an IANA time zone such as America/New_York or UTC", timeZone)
	}
	a := domain.Account{
		ID: id.New(), OrganizationID: scope.OrganizationID, Environment: scope.Environment,
		Name: name, Currency: currency, TimeZone: timeZone, Recalculation: domain.RecalculationManual, CreatedAt: s.db.Clock(),
	}
	_, err := s.db.Exec(ctx, `
		INSERT INTO account (id, organization_id, environment, name, currency, time_zone, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		a.ID, a.OrganizationID, a.Environment, a.Name, a.Currency, a.TimeZone, a.CreatedAt)
	if db.Violates(err, "account_organization_id_fkey") {
		return domain.Account{}, noOrganization(a.OrganizationID)
	}
	if err != nil {
		return domain.Account{}, fmt.Errorf("create an account: %w", err)
	}
	return a, nil
}

func noOrganization(organization id.UUID) error {
	return fmt.Errorf("there is no organization %s; list them with starter organization list", id.Format(id.Organization, organization))
}

// Accounts lists an organization's accounts of both environments, oldest first. If the organization
// is nil, it lists the accounts of all.
func (s Organizations) Accounts(ctx context.Context, organizationID *id.UUID) ([]domain.Account, error) {
	return db.Many[domain.Account](ctx, s.db,
		`SELECT `+accountColumns+` FROM account a WHERE $1::uuid IS NULL OR a.organization_id = $1 ORDER BY a.id`, organizationID)
}

// Get finds an account of the scope.
func (r Tenants) Get(ctx context.Context, wireID id.AccountID) (domain.Account, error) {
	if wireID.Prefix() != r.scope.Environment.Prefix() {
		return domain.Account{}, refusal.NotFound(refusal.EntityAccount, wireID.String())
	}
	a, err := find[domain.Account](ctx, r.unit, refusal.EntityAccount, wireID, `
		SELECT `+accountColumns+`
		FROM account a
		WHERE a.id = $1 AND a.organization_id = $2 AND a.environment = $3`)
	if err != nil {
		return domain.Account{}, err
	}
	r.noteAccount(a.ID)
	return a, nil
}

// Today is the account's day.
func (r Tenants) Today(ctx context.Context, wireID id.AccountID) (fact.Date, error) {
	_, today, err := r.today(ctx, wireID)
	return today, err
}

// today is Get that also returns the account's day.
func (r Tenants) today(ctx context.Context, wireID id.AccountID) (domain.Account, fact.Date, error) {
	a, err := r.Get(ctx, wireID)
	if err != nil {
		return a, fact.Date{}, err
	}
	today, err := r.unit.today(a.TimeZone)
	return a, today, err
}

// List lists the accounts of the scope, newest first. The string is the After of the next page. It
// is empty on the last page.
func (r Tenants) List(ctx context.Context, p domain.Page) ([]domain.Account, string, error) {
	after, err := after(p, r.scope.Environment.Prefix())
	if err != nil {
		return nil, "", err
	}
	found, err := db.Many[domain.Account](ctx, r.q, `
		SELECT `+accountColumns+` FROM account a WHERE a.organization_id = $1 AND a.environment = $2 AND a.id < $3 ORDER BY a.id DESC LIMIT $4`,
		r.scope.OrganizationID, r.scope.Environment, after, p.Limit+1)
	if err != nil {
		return nil, "", fmt.Errorf("list accounts: %w", err)
	}
	found, next := cut(found, p)
	return found, next, nil
}
