package postgres_test

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/postgres"
	"requisite/internal/sig1"
)

// as makes a role that may log in, and the URL by which it does.
func (b *bundle) as(role string) string {
	require.NoError(b, b.exec(fmt.Sprintf(`CREATE ROLE %s LOGIN PASSWORD 'p'`, role)))
	u, err := url.Parse(b.url)
	require.NoError(b, err)
	u.User = url.UserPassword(role, "p")
	return u.String()
}

// TestTheServiceNeedsNoMoreThanItsRole serves with the app's role, and tries what
// it must not be able to do.
func TestTheServiceNeedsNoMoreThanItsRole(t *testing.T) {
	b := setup(t)
	app := b.as("app_of_a_test")
	require.NoError(t, b.store.GrantApp(t.Context(), "app_of_a_test"))
	require.NoError(t, b.store.GrantApp(t.Context(), "app_of_a_test"), "again")
	credential, _, err := b.store.CreateCredential(t.Context(), b.call.Scope, "c", postgres.Strict, false)
	require.NoError(t, err)
	b.store = server.Open(t, app, nil, postgres.Options{})

	require.NoError(t, b.store.CheckKeyset(t.Context()))
	_, _, ok, err := b.store.ActiveCredential(t.Context(), credential.APIKey)
	require.NoError(t, err)
	require.True(t, ok)
	_, err = b.store.UseNonce(t.Context(), credential.APIKey, "n", time.Now().Add(-2*sig1.NonceLife))
	require.NoError(t, err)
	b.publish(rule("A", "business_age_years >= 5"))
	b.mustCalculate()
	b.activeKey()
	b.owe(b.endpoint(), 1)
	b.end(b.begin(b.claim()[0].ID), 200)
	_, err = b.store.Mend(t.Context())
	require.NoError(t, err)
	require.NoError(t, b.store.Succeeded(t.Context(), postgres.ScheduleReconcile))
	_, err = b.store.Standing(t.Context())
	require.NoError(t, err)
	b.pass(60 * 24 * time.Hour)
	_, err = b.store.Prune(t.Context(), postgres.Retention{}, func(postgres.Pruned) {})
	require.NoError(t, err)
	require.NoError(t, b.store.Rewrap(t.Context(), func(int64) {}))

	conn, err := pgx.Connect(t.Context(), app)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	for _, sql := range []string{
		`ALTER TABLE business ADD COLUMN x int`, `DROP TABLE nonce`, `CREATE TABLE x (y int)`, `UPDATE rule_set SET content = ''`, `DELETE FROM pricing_model`,
		`DELETE FROM webhook_key`, `UPDATE webhook_event SET fields = '{}'`, `DELETE FROM account`, `TRUNCATE workflow`, `UPDATE goose_db_version SET version_id = 1`,
	} {
		_, err := conn.Exec(t.Context(), sql)
		require.ErrorContains(t, err, "42501", sql)
	}
}

func TestTheReadersRoleSeesNoSecrets(t *testing.T) {
	b := setup(t)
	b.mustKey()
	reader := b.as("reader_of_a_test")
	require.NoError(t, b.store.GrantRead(t.Context(), "reader_of_a_test"))
	conn, err := pgx.Connect(t.Context(), reader)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	for _, sql := range []string{`SELECT count(*) FROM business`, `SELECT api_key, name FROM credential`, `SELECT key_id, status FROM webhook_key`, `SELECT state FROM webhook_delivery`} {
		_, err := conn.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
	for _, sql := range []string{
		`SELECT secret_sealed FROM webhook_key`, `SELECT * FROM webhook_key`, `SELECT secret_sealed FROM credential`, `SELECT token_sha256 FROM credential`,
		`SELECT * FROM idempotency`, `UPDATE business SET legal_name = 'x'`, `INSERT INTO nonce VALUES ('a', 'b', now())`,
	} {
		_, err := conn.Exec(t.Context(), sql)
		require.ErrorContains(t, err, "42501", sql)
	}
}
