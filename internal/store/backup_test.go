package store_test

import (
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/store"
)

// TestBackup_IsRecordedByTheGuidesCommand, which is the same with and without Docker Compose.
func TestBackup_IsRecordedByTheGuidesCommand(t *testing.T) {
	b := setup(t)
	guide, err := os.ReadFile("../../docs/operating/backup.md")
	require.NoError(t, err)
	commands := regexp.MustCompile(`(?m)^\$ .*psql .*(?:-c |--command=)"(UPDATE [^"]+)"`).FindAllSubmatch(guide, -1)
	require.Len(t, commands, 2)
	require.Equal(t, string(commands[0][1]), string(commands[1][1]))
	last := func() time.Time {
		now, err := b.Store.Standing(b.Context(), false)
		require.NoError(t, err)
		require.Contains(t, now.LastSuccess, store.Backup)
		return now.LastSuccess[store.Backup]
	}
	require.WithinDuration(t, time.Now(), last(), time.Hour, "a new database has nothing to lose")
	require.NoError(t, b.Exec(`UPDATE schedule_success SET at = '2020-01-01'`))
	require.Equal(t, 2020, last().Year())
	require.NoError(t, b.Exec(string(commands[0][1])))
	require.Greater(t, last().Year(), 2020)
}
