package schema_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/store/schema"
)

// TestKnown_RefusesOtherMigrations: those with other contents, and those of a program that recorded
// none. A newer one is accepted, as by programs that go back by one release.
func TestKnown_RefusesOtherMigrations(t *testing.T) {
	t.Parallel()
	const newer = `INSERT INTO goose_db_version (version_id, is_applied, sha256) SELECT max(version_id) + 1, true, 'another' FROM goose_db_version`
	for name, c := range map[string]struct {
		change  string
		refused bool
	}{
		"nothing has changed":     {`SELECT 1`, false},
		"a newer migration":       {newer, false},
		"another migration":       {`UPDATE goose_db_version SET sha256 = repeat('0', 64) WHERE version_id = 4`, true},
		"a table without digests": {`ALTER TABLE goose_db_version DROP COLUMN sha256`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := pgtest.Connect(t, server.Database(t))
			_, err := conn.Exec(t.Context(), c.change)
			require.NoError(t, err)
			of := schema.New(conn)
			_, migrating := of.Migrate(t.Context())
			for _, err := range []error{of.Known(t.Context()), migrating} {
				if !c.refused {
					require.NoError(t, err)
					continue
				}
				var lack db.Lack
				require.ErrorAs(t, err, &lack)
				require.Contains(t, lack.Error(), "is another one than this release has")
			}
		})
	}
}
