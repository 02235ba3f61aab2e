package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// LoseTemporal deletes Temporal with its store, and starts an empty one at the same
// address, without the service's namespace.
func (s *Stack) LoseTemporal(t testing.TB) {
	s.Devstack.Kill(t)
	// The Postgres of the killed devstack shuts down by itself. The next devstack waits for that.
	s.lost++
	require.NoError(t, os.Rename(filepath.Join(s.Dir, "temporal"), filepath.Join(s.Dir, fmt.Sprint("temporal-lost-", s.lost))))
	require.Equal(t, s.TemporalAddress, s.startDevstack(t, "--namespace", "elsewhere"))
}

// CreateDatabase creates an empty database on the same server, and returns its URL.
func (s *Stack) CreateDatabase(t testing.TB, name string) string {
	require.NoError(t, s.postgres.CreateDatabase(t.Context(), name))
	conn, err := pgx.Connect(t.Context(), s.postgres.URL(name))
	require.NoError(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), `ALTER DATABASE `+name+` OWNER TO `+Owner)
	require.NoError(t, err)
	return s.postgres.URL(name)
}

// UseDatabase sets the database of programs that start from now on.
func (s *Stack) UseDatabase(url string) {
	s.DatabaseURL = url
	for i, setting := range s.env {
		if strings.HasPrefix(setting, "DATABASE_URL=") {
			s.env[i] = "DATABASE_URL=" + AsOwner(url)
		}
	}
}

// Set adds a setting, NAME=value, for programs that start from now on.
func (s *Stack) Set(setting string) { s.env = append(s.env, setting) }

// KEKFile returns the file of the keyset that seals secrets in the database.
func (s *Stack) KEKFile() string { return filepath.Join(s.Dir, "kek.json") }
