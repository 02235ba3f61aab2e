package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/postgres"
	"requisite/internal/postgres/pgtest"
)

// credential is what the operator sees of a credential.
func (b *bundle) credential(apiKey string) domain.Credential {
	b.Helper()
	found, err := b.operator.Credentials(b.Context(), b.call.Scope.OrganizationID)
	require.NoError(b, err)
	for _, c := range found {
		if c.APIKey == apiKey {
			return c
		}
	}
	require.Fail(b, "there is no such credential")
	return domain.Credential{}
}

func TestPermissionsOfCredentials(t *testing.T) {
	b := setup(t)
	for _, one := range []struct{ wanted, want domain.Permissions }{
		{nil, domain.AllPermissions()},
		{domain.Permissions{domain.PermissionRead}, domain.Permissions{domain.PermissionRead}},
		{domain.Permissions{domain.PermissionKeys, domain.PermissionWrite}, domain.Permissions{domain.PermissionKeys, domain.PermissionWrite}},
	} {
		made, _, err := b.operator.CreateCredential(t.Context(), b.call.Scope, domain.NewCredential{Name: "c", Permissions: one.wanted})
		require.NoError(t, err)
		found, _, ok, err := b.store.ActiveCredential(t.Context(), made.APIKey)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, one.want, found.Permissions)
		require.Equal(t, one.want, b.credential(made.APIKey).Permissions)
	}
	_, _, err := b.operator.CreateCredential(t.Context(), b.call.Scope, domain.NewCredential{Name: "c", Permissions: domain.Permissions{"admin"}})
	require.ErrorContains(t, err, "23514")
	require.ErrorContains(t, b.exec(`UPDATE credential SET permissions = '{}'`), "23514", "one that may do nothing")
}

func TestACredentialExpires(t *testing.T) {
	b := setup(t)
	expires := time.Now().Add(time.Hour).UTC().Truncate(time.Millisecond)
	made, _, err := b.operator.CreateCredential(t.Context(), b.call.Scope, domain.NewCredential{Name: "c", Policy: domain.Minimal, ExpiresAt: &expires})
	require.NoError(t, err)
	require.True(t, expires.Equal(*b.credential(made.APIKey).ExpiresAt))
	for _, one := range []struct {
		at     time.Time
		active bool
	}{{expires.Add(-time.Second), true}, {expires, false}, {expires.Add(time.Hour), false}} {
		frozen := server.Open(t, pgtest.As(b.url, pgtest.API), nil, postgres.Options{Now: func() time.Time { return one.at }})
		_, _, ok, err := frozen.ActiveCredential(t.Context(), made.APIKey)
		require.NoError(t, err)
		require.Equal(t, one.active, ok, "%s", one.at)
	}
	minimal := func() int {
		found, err := b.store.MinimalCredentials(t.Context())
		require.NoError(t, err)
		return len(found)
	}
	require.Equal(t, 1, minimal())
	require.NoError(t, b.exec(`UPDATE credential SET expires_at = now()`))
	require.Zero(t, minimal(), "the api does not warn of one that has expired")

	past := time.Now().Add(-time.Second)
	_, _, err = b.operator.CreateCredential(t.Context(), b.call.Scope, domain.NewCredential{Name: "c", ExpiresAt: &past})
	require.ErrorContains(t, err, "must expire in the future")
}

func TestTheLastUseOfACredential(t *testing.T) {
	b := setup(t)
	b.serve(pgtest.API)
	made, _, err := b.operator.CreateCredential(t.Context(), b.call.Scope, domain.NewCredential{Name: "c"})
	require.NoError(t, err)
	other, _, err := b.operator.CreateCredential(t.Context(), b.call.Scope, domain.NewCredential{Name: "d"})
	require.NoError(t, err)
	use := func() *time.Time {
		found, _, ok, err := b.store.ActiveCredential(t.Context(), made.APIKey)
		require.NoError(t, err)
		require.True(t, ok)
		b.store.NoteUse(found, func(err error) { require.NoError(t, err) })
		b.store.AwaitUses()
		return b.credential(made.APIKey).LastUsedAt
	}
	require.Nil(t, b.credential(made.APIKey).LastUsedAt)
	first := use()
	require.WithinDuration(t, time.Now(), *first, time.Minute)
	b.pass(59 * time.Minute)
	require.Equal(t, first, use(), "one write an hour")
	b.pass(2 * time.Minute)
	second := use()
	require.WithinDuration(t, first.Add(time.Hour), *second, 2*time.Minute)
	require.Nil(t, b.credential(other.APIKey).LastUsedAt)

	// Another process has read the credential before this one wrote.
	stale := made
	stale.LastUsedAt = first
	another := server.Open(t, pgtest.As(b.url, pgtest.API), nil, postgres.Options{Now: func() time.Time { return second.Add(time.Minute) }})
	another.NoteUse(stale, func(err error) { require.NoError(t, err) })
	another.AwaitUses()
	require.Equal(t, second, b.credential(made.APIKey).LastUsedAt)
}

// TestNotingAUseKeepsNobodyWaiting: the row is locked, and requests go on.
func TestNotingAUseKeepsNobodyWaiting(t *testing.T) {
	b := setup(t)
	b.serve(pgtest.API)
	made, _, err := b.operator.CreateCredential(t.Context(), b.call.Scope, domain.NewCredential{Name: "c"})
	require.NoError(t, err)
	failed := make(chan error, 10)
	tx, err := b.pool().Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `SELECT FROM credential FOR UPDATE`)
	require.NoError(t, err)
	for range 5 {
		b.store.NoteUse(made, func(err error) { failed <- err })
		_, _, ok, err := b.store.ActiveCredential(t.Context(), made.APIKey)
		require.NoError(t, err)
		require.True(t, ok)
	}
	require.Empty(t, failed)
	require.NoError(t, tx.Rollback(t.Context()))
	b.store.AwaitUses()
	require.Empty(t, failed)
	require.NotNil(t, b.credential(made.APIKey).LastUsedAt)

	require.NoError(t, b.exec(`ALTER TABLE credential RENAME COLUMN last_used_at TO gone`))
	b.pass(2 * time.Hour)
	for range 5 {
		b.store.NoteUse(made, func(err error) { failed <- err })
		b.store.AwaitUses()
	}
	require.Len(t, failed, 1, "what cannot be written is not tried for every request")
	require.ErrorContains(t, <-failed, made.APIKey)
}

// TestTheAPIWritesNothingOfACredentialButItsUse: not of another one, and nothing
// that says what it may do.
func TestTheAPIWritesNothingOfACredentialButItsUse(t *testing.T) {
	b := setup(t)
	mine, _, err := b.operator.CreateCredential(t.Context(), b.call.Scope, domain.NewCredential{Name: "mine", Permissions: domain.Permissions{domain.PermissionRead}})
	require.NoError(t, err)
	other, _, err := b.operator.CreateCredential(t.Context(), b.call.Scope, domain.NewCredential{Name: "other"})
	require.NoError(t, err)
	conn := b.as(pgtest.API)
	_, err = conn.Exec(t.Context(), `SELECT set_config('requisite.api_key', $1, false), set_config('requisite.organization', $2, false), set_config('requisite.environment', 'sandbox', false)`,
		mine.APIKey, b.call.Scope.OrganizationID.String())
	require.NoError(t, err)
	for _, column := range []string{"permissions = '{read,write}'", "expires_at = NULL", "revoked_at = NULL", "policy = 'minimal'", "name = 'x'", "last_used_at = now(), permissions = '{read,write}'"} {
		_, err := conn.Exec(t.Context(), fmt.Sprintf(`UPDATE credential SET %s WHERE api_key = $1`, column), mine.APIKey)
		require.ErrorContains(t, err, "42501", column)
	}
	for key, want := range map[string]int64{mine.APIKey: 1, other.APIKey: 0} {
		tag, err := conn.Exec(t.Context(), `UPDATE credential SET last_used_at = now() WHERE api_key = $1`, key)
		require.NoError(t, err)
		require.Equal(t, want, tag.RowsAffected())
	}
	worker := b.as(pgtest.Worker)
	_, err = worker.Exec(t.Context(), `UPDATE credential SET last_used_at = now()`)
	require.ErrorContains(t, err, "42501")
	reader := `reader_of_uses`
	require.NoError(t, b.exec(`CREATE ROLE `+reader+` LOGIN PASSWORD 'of-the-tests'`))
	require.NoError(t, b.operator.GrantRead(t.Context(), reader))
	rows, err := b.as(reader).Query(t.Context(), `SELECT permissions::text FROM credential WHERE expires_at IS NULL ORDER BY name`)
	require.NoError(t, err)
	seen, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"{read}", "{read,write,rules,keys,webhooks}"}, seen)
}
