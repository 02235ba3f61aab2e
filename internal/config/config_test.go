package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

func load(t *testing.T, args ...string) (*Service, error) {
	s := &Service{}
	c := &cobra.Command{}
	s.Bind(c.Flags())
	require.NoError(t, c.ParseFlags(args))
	return s, Load(c, nil)
}

func TestSettingsComeFromFlagsThenTheEnvironmentThenFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(file, []byte("planted-secret\n"), 0o600))
	t.Setenv("DATABASE_URL", "postgres://app@db.example:5432/requisite")
	t.Setenv("DATABASE_PASSWORD_FILE", file)
	s, err := load(t)
	require.NoError(t, err)
	url, err := s.databaseURL()
	require.NoError(t, err)
	require.Equal(t, "postgres://app:planted-secret@db.example:5432/requisite", url)
	require.NotContains(t, s.LogValue().String(), "planted-secret")

	s, err = load(t, "--database-url", "postgres://other@db.example/x")
	require.NoError(t, err)
	require.Equal(t, "postgres://other@db.example/x", s.DatabaseURL)

	t.Setenv("DATABASE_PASSWORD", "another")
	_, err = load(t)
	require.ErrorContains(t, err, "both set")
	t.Setenv("DATABASE_PASSWORD", "")
	t.Setenv("DATABASE_PASSWORD_FILE", file+".none")
	_, err = load(t)
	require.ErrorContains(t, err, "DATABASE_PASSWORD_FILE")
}

func TestContradictionsAreRefused(t *testing.T) {
	for url, want := range map[string]string{
		"postgres://app:secret@db.example/x": "use one",
		"postgres://db.example/x":            "names no user",
	} {
		s := &Service{DatabaseURL: url, DatabasePassword: "p"}
		_, err := s.databaseURL()
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "secret@")
	}
	err := (&Service{LogLevel: "loud"}).Check()
	for _, want := range []string{"DATABASE_URL", "REQUISITE_KEK_FILE", "REQUISITE_PAYLOAD_KEY_FILE", "--log-level"} {
		require.ErrorContains(t, err, want)
	}
}
