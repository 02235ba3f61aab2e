// Package pgtest gives each test a database of its own on one real Postgres,
// copied from a migrated template.
package pgtest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/localpostgres"
	"requisite/internal/postgres"
	"requisite/internal/vault"
)

// Server is the Postgres of one test binary.
type Server struct {
	server *localpostgres.Server
	keys   *vault.Vault
	made   atomic.Int64
	create sync.Mutex // a template can be copied by one at a time
}

const template = "requisite_template"

// Main starts a server, hands it to use, runs the tests and stops it.
func Main(m *testing.M, use func(*Server)) {
	os.Exit(run(m, use))
}

func run(m *testing.M, use func(*Server)) int {
	ctx := context.Background()
	s := &Server{}
	var err error
	if s.keys, err = vault.Ephemeral(); err != nil {
		return fail(err)
	}
	if s.server, err = localpostgres.Start(ctx, localpostgres.Options{}); err != nil {
		return fail(err)
	}
	defer func() { _ = s.server.Stop() }()
	if err := s.migrate(ctx); err != nil {
		return fail(err)
	}
	use(s)
	return m.Run()
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "pgtest:", err)
	return 1
}

func (s *Server) migrate(ctx context.Context) error {
	if err := s.server.CreateDatabase(ctx, template); err != nil {
		return err
	}
	store, err := postgres.Open(ctx, s.server.URL(template), s.keys, postgres.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	_, err = store.Migrate(ctx)
	return err
}

// Database makes a database for one test and returns its URL.
func (s *Server) Database(t testing.TB) string {
	name := fmt.Sprintf("test_%d", s.made.Add(1))
	s.create.Lock()
	defer s.create.Unlock()
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, s.server.URL("postgres"))
	require.NoError(t, err)
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s", name, template))
	require.NoError(t, err)
	return s.server.URL(name)
}

// Store opens a store on a database of its own. now is its clock; nil is the
// real one.
func (s *Server) Store(t testing.TB, now func() time.Time) (*postgres.Store, string) {
	url := s.Database(t)
	return s.Open(t, url, s.keys, postgres.Options{Now: now, MaxConnections: 10}), url
}

// Open opens another store on a test's database; nil keys are the server's.
func (s *Server) Open(t testing.TB, url string, keys *vault.Vault, o postgres.Options) *postgres.Store {
	if keys == nil {
		keys = s.keys
	}
	store, err := postgres.Open(t.Context(), url, keys, o)
	require.NoError(t, err)
	t.Cleanup(store.Close)
	return store
}
