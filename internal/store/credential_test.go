package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// credential is what the operator sees of a credential.
func (b *bundle) credential(apiKey string) domain.Credential {
	b.Helper()
	found, err := b.Operator.Credentials.List(b.Context(), b.Call.Scope.OrganizationID)
	require.NoError(b, err)
	for _, c := range found {
		if c.APIKey == apiKey {
			return c
		}
	}
	require.Fail(b, "there is no such credential")
	return domain.Credential{}
}

func TestCredential_Permissions(t *testing.T) {
	b := setup(t)
	for _, one := range []struct{ wanted, want domain.Permissions }{
		{nil, domain.DefaultPermissions()},
		{domain.Permissions{domain.PermissionRead}, domain.Permissions{domain.PermissionRead}},
		{domain.AllPermissions(), domain.AllPermissions()},
		{domain.Permissions{domain.PermissionKeys, domain.PermissionWrite}, domain.Permissions{domain.PermissionKeys, domain.PermissionWrite}},
	} {
		made, _ := b.newCredential(domain.NewCredential{Permissions: one.wanted})
		found, _ := b.authenticate(made.APIKey)
		require.Equal(t, one.want, found.Permissions)
		require.Equal(t, one.want, b.credential(made.APIKey).Permissions)
	}
	require.ErrorContains(t, only2(b.Operator.Credentials.Create(t.Context(), b.Call.Scope, domain.NewCredential{Name: "c", Permissions: domain.Permissions{"admin"}})), "23514")
	require.False(t, domain.DefaultPermissions().Has(domain.PermissionApproveRules))
	require.NoError(t, b.Exec(`UPDATE credential SET permissions = DEFAULT`))
	require.Zero(t, b.Count(`SELECT count(*) FROM credential WHERE 'approve_rules' = ANY (permissions)`))
	require.ErrorContains(t, b.Exec(`UPDATE credential SET permissions = '{}'`), "23514", "one that may do nothing")
}

func TestCredential_Expires(t *testing.T) {
	b := setup(t)
	expires := b.Now().Add(time.Hour)
	made, _ := b.newCredential(domain.NewCredential{Policy: domain.Minimal, ExpiresAt: &expires})
	require.True(t, expires.Equal(*b.credential(made.APIKey).ExpiresAt))
	for _, one := range []struct {
		at     time.Time
		active bool
	}{{expires.Add(-time.Second), true}, {expires, false}, {expires.Add(time.Hour), false}} {
		frozen := server.Open(t, pgtest.As(b.URL, pgtest.API), nil, store.Options{Now: func() time.Time { return one.at }})
		_, _, ok, err := frozen.Credentials.Active(t.Context(), made.APIKey)
		require.NoError(t, err)
		require.Equal(t, one.active, ok, "%s", one.at)
	}
	minimal := func() int {
		found, err := b.Store.Credentials.Minimal(t.Context())
		require.NoError(t, err)
		return len(found)
	}
	require.Equal(t, 1, minimal())
	require.NoError(t, b.Exec(`UPDATE credential SET expires_at = now()`))
	require.Zero(t, minimal(), "the api does not warn of one that has expired")

	past := b.Now().Add(-time.Second)
	require.ErrorContains(t, only2(b.Operator.Credentials.Create(t.Context(), b.Call.Scope, domain.NewCredential{Name: "c", ExpiresAt: &past})), "must expire in the future")
}

func TestCredential_LastUseIsWrittenOnceAnHour(t *testing.T) {
	b := setup(t)
	b.serve(pgtest.API)
	made, _ := b.newCredential(domain.NewCredential{})
	other, _ := b.newCredential(domain.NewCredential{})
	use := func() *time.Time {
		found, _ := b.authenticate(made.APIKey)
		b.Store.Credentials.NoteUse(found, func(err error) { require.NoError(t, err) })
		b.Store.AwaitUses()
		return b.credential(made.APIKey).LastUsedAt
	}
	require.Nil(t, b.credential(made.APIKey).LastUsedAt)
	first := use()
	require.True(t, b.Now().Equal(*first))
	b.Pass(59 * time.Minute)
	require.Equal(t, first, use(), "one write an hour")
	b.Pass(2 * time.Minute)
	second := use()
	require.True(t, b.Now().Equal(*second))
	require.Nil(t, b.credential(other.APIKey).LastUsedAt)

	// Another process has read the credential before this one wrote.
	stale := made
	stale.LastUsedAt = first
	another := server.Open(t, pgtest.As(b.URL, pgtest.API), nil, store.Options{Now: func() time.Time { return second.Add(time.Minute) }})
	another.Credentials.NoteUse(stale, func(err error) { require.NoError(t, err) })
	another.AwaitUses()
	require.Equal(t, second, b.credential(made.APIKey).LastUsedAt)
}

// TestCredential_WritingLastUseDelaysNoRequest: the row is locked, and requests go on.
func TestCredential_WritingLastUseDelaysNoRequest(t *testing.T) {
	b := setup(t)
	b.serve(pgtest.API)
	made, _ := b.newCredential(domain.NewCredential{})
	failed := make(chan error, 10)
	tx, err := b.Pool().Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM credential FOR UPDATE`)))
	for range 5 {
		b.Store.Credentials.NoteUse(made, func(err error) { failed <- err })
		b.authenticate(made.APIKey)
	}
	require.Empty(t, failed)
	require.NoError(t, tx.Rollback(t.Context()))
	b.Store.AwaitUses()
	require.Empty(t, failed)
	require.NotNil(t, b.credential(made.APIKey).LastUsedAt)

	require.NoError(t, b.Exec(`ALTER TABLE credential RENAME COLUMN last_used_at TO gone`))
	b.Pass(2 * time.Hour)
	for range 5 {
		b.Store.Credentials.NoteUse(made, func(err error) { failed <- err })
		b.Store.AwaitUses()
	}
	require.Len(t, failed, 1, "what cannot be written is not tried for every request")
	require.ErrorContains(t, <-failed, made.APIKey)
}

// TestAPIRole_WritesTheLastUseOfTheAuthenticatedCredential: and of no other.
func TestAPIRole_WritesTheLastUseOfTheAuthenticatedCredential(t *testing.T) {
	b := setup(t)
	mine, _ := b.newCredential(domain.NewCredential{Name: "mine", Permissions: domain.Permissions{domain.PermissionRead}})
	other, _ := b.newCredential(domain.NewCredential{Name: "other"})
	conn := b.as(pgtest.API)
	_, err := conn.Exec(t.Context(), `SELECT set_config('requisite.api_key', $1, false), set_config('requisite.organization', $2, false), set_config('requisite.environment', 'sandbox', false)`,
		mine.APIKey, b.Call.Scope.OrganizationID.String())
	require.NoError(t, err)
	for key, want := range map[string]int64{mine.APIKey: 1, other.APIKey: 0} {
		tag, err := conn.Exec(t.Context(), `UPDATE credential SET last_used_at = now() WHERE api_key = $1`, key)
		require.NoError(t, err)
		require.Equal(t, want, tag.RowsAffected())
	}
}
