package schema_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/testkit/released"
)

const releasedMigrations = "testdata/released.txt"

// TestReleasedMigrations_DoNotChange: databases in service have applied them, and apply
// only what has a higher number.
func TestReleasedMigrations_DoNotChange(t *testing.T) {
	list, err := released.Migrations(releasedMigrations)
	require.NoError(t, err)
	require.NotEmpty(t, list)
	require.NoError(t, released.CheckMigrations(os.DirFS("migrations"), list))
}

// TestRecordMigrations adds the migrations that a release brings to those that may not
// change any more:
//
//	go test ./internal/store/schema -run '^TestRecordMigrations$' -record 1.0.0
func TestRecordMigrations(t *testing.T) {
	release := released.Recording(t)
	var list []released.Migration
	if _, err := os.Stat(releasedMigrations); err == nil {
		list, err = released.Migrations(releasedMigrations)
		require.NoError(t, err)
	}
	list, err := released.RecordMigrations(os.DirFS("migrations"), list, release)
	require.NoError(t, err)
	require.NoError(t, released.WriteMigrations(releasedMigrations, list))
}
