package released

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func migrationsOf(files map[string]string) fstest.MapFS {
	dir := fstest.MapFS{}
	for name, text := range files {
		dir[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return dir
}

func TestMigrations_OfAReleaseDoNotChange(t *testing.T) {
	list, err := RecordMigrations(migrationsOf(map[string]string{"00001_a.sql": "a", "00002_b.sql": "b"}), nil, "1.0.0")
	require.NoError(t, err)
	require.Len(t, list, 2)
	for _, c := range []struct {
		name  string
		files map[string]string
		told  string // empty when nothing is wrong
	}{
		{"as they were", map[string]string{"00001_a.sql": "a", "00002_b.sql": "b"}, ""},
		{"with a new one", map[string]string{"00001_a.sql": "a", "00002_b.sql": "b", "00003_c.sql": "c"}, ""},
		{"changed", map[string]string{"00001_a.sql": "a ", "00002_b.sql": "b"}, "00001_a.sql has changed since release 1.0.0"},
		{"removed", map[string]string{"00001_a.sql": "a"}, "00002_b.sql is gone"},
		{"renamed", map[string]string{"00001_a.sql": "a", "00002_better.sql": "b"}, "00002_b.sql is gone"},
		{"a new one with an old number", map[string]string{"00001_a.sql": "a", "00002_b.sql": "b", "00002_c.sql": "c"}, "Give it the number 00003"},
		{"one without a number", map[string]string{"00001_a.sql": "a", "00002_b.sql": "b", "c.sql": "c"}, "Give it the number 00003"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := CheckMigrations(migrationsOf(c.files), list)
			if c.told == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.told)
		})
	}
}

func TestRecord_KeepsMigrationsOfEarlierReleases(t *testing.T) {
	first, err := RecordMigrations(migrationsOf(map[string]string{"00001_a.sql": "a"}), nil, "1.9.0")
	require.NoError(t, err)
	both := map[string]string{"00001_a.sql": "a", "00002_b.sql": "b"}
	second, err := RecordMigrations(migrationsOf(both), first, "1.10.0")
	require.NoError(t, err)
	require.Equal(t, first[0], second[0])
	require.Equal(t, int64(1), Schema(second, "1.9.0"))
	require.Equal(t, int64(2), Schema(second, "1.10.0"))

	again, err := RecordMigrations(migrationsOf(map[string]string{"00001_a.sql": "a", "00002_b.sql": "other"}), second, "1.10.0")
	require.NoError(t, err, "the release is not out yet")
	require.NotEqual(t, second[1].SHA256, again[1].SHA256)

	_, err = RecordMigrations(migrationsOf(map[string]string{"00001_a.sql": "other", "00002_b.sql": "b"}), second, "1.10.0")
	require.ErrorContains(t, err, "00001_a.sql has changed since release 1.9.0")
	_, err = RecordMigrations(migrationsOf(both), second, "1.9.0")
	require.ErrorContains(t, err, "1.10.0 is recorded already")
}
