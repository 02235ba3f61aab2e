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

func TestLoad_FlagsPrecedeVariablesAndFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(file, []byte("planted-secret\n"), 0o600))
	t.Setenv("DATABASE_URL", "postgres://app@db.example:5432/requisite")
	t.Setenv("DATABASE_PASSWORD_FILE", file)
	s, err := load(t)
	require.NoError(t, err)
	url, err := s.Database()
	require.NoError(t, err)
	require.Equal(t, "postgres://app:planted-secret@db.example:5432/requisite", url)

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
