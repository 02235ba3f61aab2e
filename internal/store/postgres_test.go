package store_test

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// TestServer_SaysWhatItMayNotSee: a role sees that others are connected, and not what they do. With
// pg_read_all_stats it sees their transactions, too.
func TestServer_SaysWhatItMayNotSee(t *testing.T) {
	b := setup(t)
	role := fmt.Sprintf("looker_%d", time.Now().UnixNano())
	as := pgtest.As(b.URL, role)
	parsed, err := url.Parse(as)
	require.NoError(t, err)
	password, _ := parsed.User.Password()
	require.NoError(t, b.Exec(`CREATE ROLE `+role+` LOGIN PASSWORD '`+password+`'`))
	require.NoError(t, b.Exec(`GRANT SELECT ON schedule_success, goose_db_version TO `+role))
	tx, err := b.Pool().Begin(t.Context()) // of another role
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
	var began time.Time
	require.NoError(t, tx.QueryRow(t.Context(), `SELECT now()`).Scan(&began))

	looking := server.Open(t, as, nil, store.Options{})
	found, err := looking.Database.Server(t.Context())
	require.NoError(t, err)
	require.Positive(t, found.Hidden)
	require.Greater(t, found.Connections, found.Hidden, "its own is not hidden")
	require.Equal(t, role, found.Role)
	require.NotEmpty(t, found.Busiest)
	require.Positive(t, found.BusiestConnections)
	all, who, err := looking.Database.SeesAll(t.Context())
	require.NoError(t, err)
	require.Equal(t, []any{false, role}, []any{all, who}, "row-level security hides records from it")
	all, _, err = server.Open(t, b.URL, nil, store.Options{}).Database.SeesAll(t.Context())
	require.NoError(t, err)
	require.True(t, all)
	sessions, err := looking.Database.Sessions(t.Context())
	require.NoError(t, err)
	hidden := 0
	for _, s := range sessions {
		if s.State == "hidden from this role" {
			hidden += s.Count
		}
	}
	require.Positive(t, hidden)

	require.NoError(t, b.Exec(`GRANT pg_read_all_stats TO `+role))
	found, err = looking.Database.Server(t.Context())
	require.NoError(t, err)
	require.Zero(t, found.Hidden)
	require.NotNil(t, found.OldestTransaction)
	require.False(t, found.OldestTransaction.After(began))
}
