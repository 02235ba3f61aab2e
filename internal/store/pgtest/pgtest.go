// Package pgtest gives each test its own database on one real Postgres, copied from a migrated
// template, and a Bundle of records in it.
package pgtest

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/localpostgres"
	"requisite/internal/secrets/vault"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/testkit/await"
)

// Server is the Postgres server of one test binary.
type Server struct {
	server *localpostgres.Server
	keys   *vault.Vault
	dir    string     // of a server that one test owns
	create sync.Mutex // a template can be copied by one at a time; guards the fields below
	admin  *pgx.Conn  // creates the databases; nil until it is needed
	made   int
}

const template = "requisite_template"

// Roles of the server. None is a superuser, so that tests notice a missing right or policy.
const (
	Owner  = "requisite_owner"
	API    = "requisite_api"
	Worker = "requisite_worker"
	// Serving is a member of API and Worker, for tests of what both do.
	Serving = "requisite_serving"
)

const password = "of-the-tests"

// As is the URL of a database for one of the roles.
func As(database, role string) string {
	u, err := url.Parse(database)
	if err != nil {
		panic(err) // the test itself passed a bad URL
	}
	u.User = url.UserPassword(role, password)
	return u.String()
}

// Main starts a server, passes it to use, runs the tests and stops it. The server has no
// autovacuum, which would visit hundreds of short-lived databases, and change plans while tests
// read them. Main starts no server while one target is fuzzed and no test runs: each fuzz worker
// would start its own, and no target needs it.
func Main(m *testing.M, use func(*Server)) {
	flag.Parse()
	if flag.Lookup("test.fuzz").Value.String() != "" && flag.Lookup("test.run").Value.String() == "^$" {
		os.Exit(m.Run())
	}
	os.Exit(run(m, use))
}

func run(m *testing.M, use func(*Server)) int {
	ctx := context.Background()
	s := &Server{}
	var err error
	if s.keys, err = vault.Ephemeral(); err != nil {
		return fail(err)
	}
	if s.server, err = localpostgres.Start(ctx, localpostgres.Options{InMemory: true, Settings: []string{"autovacuum=off"}}); err != nil {
		return fail(err)
	}
	defer func() { _ = s.server.Stop() }()
	if err := s.migrate(ctx); err != nil {
		return fail(err)
	}
	use(s)
	return m.Run()
}

// Own starts a server for one test, with the durability of production. The test may Crash it.
func Own(t testing.TB) *Server {
	dir, err := os.MkdirTemp("", "pgtest-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o711)) // when root runs the test, the server runs as another user
	s := &Server{dir: filepath.Join(dir, "postgres")}
	s.keys, err = vault.Ephemeral()
	require.NoError(t, err)
	s.server, err = localpostgres.Start(t.Context(), localpostgres.Options{Dir: s.dir})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.server.Stop()) })
	require.NoError(t, s.migrate(t.Context()))
	return s
}

// Crash kills a server of Own, and returns when it is back at the same address.
func (s *Server) Crash(t testing.TB) {
	process, err := os.FindProcess(s.server.PID())
	require.NoError(t, err)
	require.NoError(t, process.Kill())
	await.Closed(t, "the server to end", s.server.Done())
	require.NoError(t, s.server.Stop())
	s.admin = nil
	s.server, err = localpostgres.Start(t.Context(), localpostgres.Options{Dir: s.dir, Port: s.server.Port()})
	require.NoError(t, err)
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "pgtest:", err)
	return 1
}

func (s *Server) migrate(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.server.URL("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, role := range []string{Owner, API, Worker, Serving} {
		if _, err := conn.Exec(ctx, fmt.Sprintf(`CREATE ROLE %s LOGIN PASSWORD '%s'`, role, password)); err != nil {
			return err
		}
		for _, sql := range SetHostile(`ROLE ` + role) {
			if _, err := conn.Exec(ctx, sql); err != nil {
				return err
			}
		}
	}
	for _, sql := range []string{
		`GRANT requisite_api, requisite_worker TO requisite_serving`,
		`GRANT requisite_api, pg_read_all_stats TO requisite_owner`,
		`CREATE DATABASE ` + template + ` OWNER ` + Owner,
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	store, err := store.Open(ctx, As(s.server.URL(template), Owner), s.keys, store.Options{Connections: Patient(db.Connections{})})
	if err != nil {
		return err
	}
	defer store.Close()
	if _, err := store.Database.Schema().Migrate(ctx); err != nil {
		return err
	}
	return errors.Join(store.Database.Schema().GrantAPI(ctx, API), store.Database.Schema().GrantWorker(ctx, Worker))
}

// Database makes a database for one test and returns its URL, with every right. In memory it does not outlive the test; on a
// disk it stays until the server stops, because to drop it there takes longer than to make it.
func (s *Server) Database(t testing.TB) string {
	s.create.Lock()
	defer s.create.Unlock()
	ctx := context.WithoutCancel(t.Context()) // a canceled statement would close the connection of all tests
	if s.admin == nil {
		var err error
		s.admin, err = pgx.Connect(ctx, s.server.URL("postgres"))
		require.NoError(t, err)
	}
	s.made++
	name := fmt.Sprintf("test_%d", s.made)
	// Copying files takes a third of the time of Postgres' default, which writes each page to the
	// WAL.
	_, err := s.admin.Exec(ctx, fmt.Sprintf("CREATE DATABASE %s OWNER %s TEMPLATE %s STRATEGY FILE_COPY", name, Owner, template))
	require.NoError(t, err)
	require.NoError(t, s.migratedNow(ctx, name))
	if s.server.InMemory() {
		t.Cleanup(func() {
			s.create.Lock()
			defer s.create.Unlock()
			// Postgres gives the sessions of a database 5 s to end. One that a busy machine keeps longer goes with the server.
			if _, err := s.admin.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
				t.Log(err)
			}
		})
	}
	// So that commands which a test runs with this URL wait too.
	return s.server.URL(name) + fmt.Sprintf("&connect_timeout=%d", int(patience.Seconds()))
}

// migratedNow dates the migrations of a new database to now, not to when its template was made. A job that has never run counts as
// missed some minutes after the migrations, and on a slow machine a package's last tests begin later than that.
func (s *Server) migratedNow(ctx context.Context, name string) error {
	conn, err := pgx.Connect(ctx, s.server.URL(name))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, `
		UPDATE goose_db_version SET tstamp = now() AT TIME ZONE 'UTC';
		UPDATE schedule_success SET at = now()`)
	return err
}

// Stores opens two stores on a new database: one that serves, with the rights of the api and the
// worker, and one for operators. It also returns the database's URL, with every right. now is their
// clock; nil is the real one.
func (s *Server) Stores(t testing.TB, now func() time.Time) (serving, operator *store.Store, url string) {
	url = s.Database(t)
	return s.Open(t, As(url, Serving), s.keys, store.Options{Now: now, Connections: db.Connections{Max: 10}}),
		s.Open(t, As(url, Owner), s.keys, store.Options{Now: now, Connections: db.Connections{Max: 5}}),
		url
}

// patience is the timeout of statements, locks, transactions and connections in tests. It is so
// long that a slow machine does not reach it.
const patience = time.Hour

// Open opens another store on a test's database. If keys is nil, it uses the server's. Timeouts are
// too long to be reached, unless the options set one for statements.
func (s *Server) Open(t testing.TB, url string, keys *vault.Vault, o store.Options) *store.Store {
	o.Connections = Patient(o.Connections)
	if keys == nil {
		keys = s.keys
	}
	store, err := store.Open(t.Context(), url, keys, o)
	require.NoError(t, err)
	t.Cleanup(store.Close)
	return store
}

// Connect opens a pool that is separate from the stores, with timeouts that are too long to be
// reached.
func Connect(t testing.TB, url string) *db.DB {
	conn, err := db.Open(t.Context(), url, db.Options{Connections: Patient(db.Connections{})})
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	return conn
}

// ConnectOne opens one connection with the settings of the stores' sessions.
func ConnectOne(t testing.TB, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.ConnectConfig(t.Context(), Connect(t, url).Config().ConnConfig)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// Patient fills in the timeouts that no test reaches.
func Patient(c db.Connections) db.Connections {
	if c.Statement == 0 {
		c.Statement, c.Lock, c.IdleTransaction = patience, cmp.Or(c.Lock, patience), cmp.Or(c.IdleTransaction, patience)
		c.Connect = cmp.Or(c.Connect, patience)
	}
	return c
}

// AwaitLocks waits until n sessions of the pool's database wait for a lock.
func AwaitLocks(t testing.TB, pool db.Querier, n int, what string) {
	t.Helper()
	await.True(t, what+" to wait for a lock", func(ctx context.Context) error {
		var waiting int
		err := pool.QueryRow(ctx, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting)
		if err == nil && waiting < n {
			err = fmt.Errorf("%d sessions wait for a lock", waiting)
		}
		return err
	})
}
