package admin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/store/pgtest"
	"requisite/starter/startertest"
)

func TestMigrate_DatabaseOnlyNeedsNoKeysetAndNoTemporal(t *testing.T) {
	b := startertest.Setup(t)
	t.Setenv("DATABASE_URL", pgtest.As(b.URL, pgtest.Owner))
	t.Setenv("REQUISITE_KEK_FILE", "")
	t.Setenv("REQUISITE_PAYLOAD_KEY_FILE", "")
	t.Setenv("REQUISITE_API_ROLE", "")
	t.Setenv("TEMPORAL_ADDRESS", "127.0.0.1:1")
	require.Equal(t, "database: 0 migration(s) applied\n", b.MustRun("migrate", "--database-only"))
	_, err := b.Try("migrate")
	require.ErrorContains(t, err, "reach Temporal at 127.0.0.1:1")
	require.NotContains(t, err.Error(), "key")
}
