package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/sig1"
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

// Scopes finds the scope of a record. It is for operators' commands, which work on the records of
// every tenant.
type Scopes struct{ *base }

// Account finds the scope of an account.
func (s Scopes) Account(ctx context.Context, wireID id.AccountID) (domain.Scope, error) {
	environment := domain.Sandbox
	if wireID.Prefix() == id.AccountLive {
		environment = domain.Live
	}
	return existing[domain.Scope](ctx, s.db, refusal.EntityAccount, wireID,
		`SELECT organization_id, environment FROM account WHERE id = $1 AND environment = $2`, wireID.UUID, environment)
}

// Workflow finds the scope of a workflow, as Account does for an account.
func (s Scopes) Workflow(ctx context.Context, wireID id.WorkflowID) (domain.Scope, error) {
	return existing[domain.Scope](ctx, s.db, refusal.EntityWorkflow, wireID,
		`SELECT a.organization_id, a.environment FROM workflow w JOIN account a ON a.id = w.account_id WHERE w.id = $1`, wireID.UUID)
}

// Proposal finds the scope of a proposal of rules, as Account does for an account.
func (s Scopes) Proposal(ctx context.Context, wireID id.ProposalID) (domain.Scope, error) {
	return existing[domain.Scope](ctx, s.db, refusal.EntityDocumentRules, wireID,
		`SELECT a.organization_id, a.environment FROM rule_proposal q JOIN account a ON a.id = q.account_id WHERE q.id = $1`, wireID.UUID)
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

// today is Get that also returns the account's day.
func (r Tenants) today(ctx context.Context, wireID id.AccountID) (domain.Account, fact.Date, error) {
	a, err := r.Get(ctx, wireID)
	if err != nil {
		return a, fact.Date{}, err
	}
	today, err := localDate(r.at, a.TimeZone)
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

// secretBytes and tokenBytes are the lengths of random secrets.
const (
	secretBytes = 33
	tokenBytes  = 33
)

// Credentials keeps credentials, their nonces, and when each was last used.
type Credentials struct {
	*base
	nonces *nonces
	uses   *uses
}

// Create creates a credential and returns its secrets, which cannot be read again. The
// rights of a credential never change: another credential replaces it.
func (s Credentials) Create(ctx context.Context, scope domain.Scope, wanted domain.NewCredential) (domain.Credential, domain.Secrets, error) {
	c := domain.Credential{
		APIKey:         id.Format(scope.Environment.Prefix(), id.New()),
		OrganizationID: scope.OrganizationID,
		Environment:    scope.Environment,
		Name:           wanted.Name,
		Policy:         cmp.Or(wanted.Policy, domain.Strict),
		Permissions:    wanted.Permissions,
		CreatedAt:      s.db.Clock(),
		ExpiresAt:      wanted.ExpiresAt,
	}
	if err := names.Check(c.Name); err != nil {
		return domain.Credential{}, domain.Secrets{}, fmt.Errorf("create a credential: %w", err)
	}
	if len(c.Permissions) == 0 {
		c.Permissions = domain.DefaultPermissions()
	}
	if c.Policy == domain.Minimal && c.Environment == domain.Live && !wanted.Force {
		return domain.Credential{}, domain.Secrets{}, errors.New(
			"a live credential must be strict: a minimal one signs nothing but its own name (starter makes one all the same with --force)")
	}
	if c.ExpiresAt != nil && !c.ExpiresAt.After(c.CreatedAt) {
		return domain.Credential{}, domain.Secrets{}, fmt.Errorf("a credential must expire in the future, not at %s", c.ExpiresAt.UTC().Format(time.RFC3339))
	}
	secret, token := make([]byte, secretBytes), make([]byte, tokenBytes)
	rand.Read(secret)
	rand.Read(token)
	secrets := domain.Secrets{
		SecretKey: base64.StdEncoding.EncodeToString(secret),
		AuthToken: base64.RawURLEncoding.EncodeToString(token),
	}
	hash := sha256.Sum256([]byte(secrets.AuthToken))
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		sealed, err := s.secrets().sealNew(ctx, tx, secret, credentialBinding(c.APIKey))
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `
			INSERT INTO credential (api_key, organization_id, environment, name, policy, policy_forced, permissions, secret_sealed, token_sha256, created_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			c.APIKey, c.OrganizationID, c.Environment, c.Name, c.Policy, wanted.Force, c.Permissions, sealed, hash[:], c.CreatedAt, c.ExpiresAt)
		return err
	})
	if db.Violates(err, "credential_organization_id_fkey") {
		return domain.Credential{}, domain.Secrets{}, noOrganization(c.OrganizationID)
	}
	if err != nil {
		return domain.Credential{}, domain.Secrets{}, fmt.Errorf("create a credential: %w", err)
	}
	return c, secrets, nil
}

func credentialBinding(apiKey string) string { return "credential/" + apiKey }

const credentialColumns = `api_key, organization_id, environment, name, policy, permissions, created_at, expires_at, last_used_at, revoked_at`

// List lists an organization's credentials, also expired and revoked ones.
func (s Credentials) List(ctx context.Context, organizationID id.UUID) ([]domain.Credential, error) {
	return db.Many[domain.Credential](ctx, s.db,
		`SELECT `+credentialColumns+` FROM credential WHERE organization_id = $1 ORDER BY created_at, api_key`, organizationID)
}

// Minimal lists the active minimal credentials.
func (s Credentials) Minimal(ctx context.Context) ([]domain.MinimalCredential, error) {
	return db.Many[domain.MinimalCredential](ctx, s.db, `SELECT api_key, name, environment FROM minimal_credentials()`)
}

// Revoke revokes a credential at once, for every process. Repeating it changes nothing.
func (s Credentials) Revoke(ctx context.Context, apiKey string) error {
	tag, err := s.db.Exec(ctx, `UPDATE credential SET revoked_at = coalesce(revoked_at, $2) WHERE api_key = $1`, apiKey, s.db.Clock())
	switch {
	case err != nil:
		return fmt.Errorf("revoke a credential: %w", err)
	case tag.RowsAffected() == 0:
		return fmt.Errorf("there is no credential %s", apiKey)
	}
	return nil
}

// Active finds a credential that is neither revoked nor expired, with the data to verify
// a signature. It returns false if there is none.
func (s Credentials) Active(ctx context.Context, apiKey string) (domain.Credential, sig1.Credential, bool, error) {
	type row struct {
		domain.Credential
		SecretSealed []byte
		TokenSHA256  []byte `db:"token_sha256"`
	}
	found, ok, err := db.One[row](ctx, s.db.Authenticating(apiKey),
		`SELECT `+credentialColumns+`, secret_sealed, token_sha256
		FROM credential
		WHERE api_key = $1
			AND revoked_at IS NULL
			AND (expires_at IS NULL OR expires_at > $2)`,
		apiKey, s.db.Clock())
	if err != nil || !ok {
		return domain.Credential{}, sig1.Credential{}, false, err
	}
	secret, err := s.vault.Open(found.SecretSealed, credentialBinding(apiKey))
	if err != nil {
		return domain.Credential{}, sig1.Credential{}, false, fmt.Errorf("secret of credential %s: %w", apiKey, err)
	}
	proof := sig1.Credential{Secret: secret, Minimal: found.Policy == domain.Minimal}
	copy(proof.TokenSHA256[:], found.TokenSHA256)
	return found.Credential, proof, true, nil
}
