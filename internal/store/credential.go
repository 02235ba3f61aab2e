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
	"requisite/internal/requests/sig1"
	"requisite/internal/store/db"
	"requisite/internal/text/names"
)

// Credentials keeps credentials, their nonces, and when each was last used.
type Credentials struct {
	*base
	nonces *nonces
	uses   *uses
}

// secretBytes and tokenBytes are the lengths of random secrets.
const (
	secretBytes = 33
	tokenBytes  = 33
)

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
