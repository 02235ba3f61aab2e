// Package postgres stores the service's data: the pool, the migrations, and the
// queries, in one file for each aggregate. Every query that serves a caller
// takes the caller's scope, and finds nothing outside it. Invariants are
// constraints of the schema; the code here only turns their violations into
// messages.
package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"requisite/internal/limiter"
	"requisite/internal/postgres/db"
	"requisite/internal/secrets/vault"
	"requisite/internal/webhooks/delivery"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Store reads and writes everything that the service keeps. It is safe for
// concurrent use.
type Store struct {
	db       *db.DB
	vault    *vault.Vault
	notifier *notifier
	quotas   Quotas
	counts   counts
	nonces   nonces
	uses     uses
	settled  tally[delivery.State]
	noticed  tally[delivery.NoticeType]
	log      *slog.Logger // may be nil
}

// Options configure a Store; the zero value is suitable for production.
type Options struct {
	Connections db.Connections
	// ApplicationName is how the connections show in pg_stat_activity.
	ApplicationName string
	// Now is the clock for timestamps such as created_at; time.Now when nil.
	Now func() time.Time
	// Tracer traces every statement; nil traces none.
	Tracer pgx.QueryTracer
	// Quotas limit what callers add; the zero value is no limit.
	Quotas Quotas
	// Log tells operators of endpoints in trouble and of deliveries that failed; nil
	// tells nobody.
	Log *slog.Logger
}

// Open connects to the database and checks that it answers.
func Open(ctx context.Context, url string, keys *vault.Vault, o Options) (*Store, error) {
	conn, err := db.Open(ctx, url, db.Options{Connections: o.Connections, ApplicationName: o.ApplicationName, Now: o.Now, Tracer: o.Tracer})
	if err != nil {
		return nil, err
	}
	return &Store{db: conn, vault: keys, quotas: o.Quotas, log: o.Log, notifier: newNotifier(conn)}, nil
}

// Close waits for connections in use and closes all.
func (s *Store) Close() {
	s.uses.close()
	s.notifier.close()
	s.db.Close()
}

// Ping reports whether the database answers. It needs none of the connections
// that tenants hold.
func (s *Store) Ping(ctx context.Context) error { return s.db.Ping(ctx) }

// PoolStat is the current use of the connections.
func (s *Store) PoolStat() *pgxpool.Stat { return s.db.Stat() }

// Shared is the organizations' use of the connections; nil when it is not
// limited.
func (s *Store) Shared() *limiter.Limiter { return s.db.Shared() }

// Migrate brings the schema to the newest version. Concurrent callers wait for
// each other; one that finds nothing to do changes nothing. A migration may run
// for a long time on large tables, but does not wait long for a lock, because
// other transactions queue behind it.
func (s *Store) Migrate(ctx context.Context) (applied int, err error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return 0, fmt.Errorf("migrations: %w", err)
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return 0, fmt.Errorf("migrations: %w", err)
	}
	conn := stdlib.OpenDB(*s.migrating())
	defer func() { err = errors.Join(err, conn.Close()) }()
	provider, err := goose.NewProvider(goose.DialectPostgres, conn, files, goose.WithSessionLocker(locker))
	if err != nil {
		return 0, fmt.Errorf("migrations: %w", err)
	}
	results, err := provider.Up(ctx)
	if err != nil {
		return 0, fmt.Errorf("migrate the schema: %w", err)
	}
	return len(results), nil
}

// migrating is how Migrate connects: a change of a large table takes its time,
// whatever the server's own timeout is.
func (s *Store) migrating() *pgx.ConnConfig {
	config := s.db.Config().ConnConfig.Copy()
	config.RuntimeParams["statement_timeout"] = "0"
	return config
}
