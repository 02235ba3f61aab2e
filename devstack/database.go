package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/persistence/sql/sqlplugin/postgresql"

	"requisite/internal/localpostgres"
)

const (
	productDatabase    = "requisite"
	storeDatabase      = "temporal"
	visibilityDatabase = "temporal_visibility"

	// storeLock is the key of the advisory lock that marks Temporal's store as in use.
	storeLock = 0x7265717569736974

	connectionsPerStore = 20
)

// database is the product's PostgreSQL database and its server, which also has Temporal's databases.
type database struct {
	url    *url.URL
	server *localpostgres.Server // nil if the server is not ours
	claim  *pgx.Conn
}

// openDatabase uses the database that the options name, or starts a server and creates one.
func openDatabase(ctx context.Context, o options, progress func(string)) (*database, error) {
	if o.databaseURL != "" {
		return openExisting(ctx, o.databaseURL)
	}
	progress("starting PostgreSQL")
	dir := ""
	if !o.ephemeral {
		dir = filepath.Join(o.dir, "postgres")
	}
	server, err := localpostgres.Start(ctx, localpostgres.Options{Dir: dir, Port: o.postgresPort, Progress: progress})
	if err != nil {
		return nil, err
	}
	parsed, err := url.Parse(server.URL(productDatabase))
	if err == nil {
		err = server.CreateDatabase(ctx, productDatabase)
	}
	if err != nil {
		return nil, errors.Join(err, server.Stop())
	}
	return &database{url: parsed, server: server}, nil
}

func openExisting(ctx context.Context, text string) (*database, error) {
	parsed, err := url.Parse(text)
	if err != nil || !strings.HasPrefix(parsed.Scheme, "postgres") || parsed.Hostname() == "" || len(parsed.Path) < 2 {
		return nil, errors.New("the database URL is not of the form postgres://user:password@host:port/database")
	}
	d := &database{url: parsed}
	conn, err := d.connect(ctx, d.name())
	if err != nil {
		return nil, fmt.Errorf("--database-url (DATABASE_URL): %w; without it, devstack starts a server", err)
	}
	return d, conn.Close(ctx)
}

// name is the product's database.
func (d *database) name() string { return strings.TrimPrefix(d.url.Path, "/") }

// connect opens a connection to a database of the server. Errors do not carry the password.
func (d *database) connect(ctx context.Context, name string) (*pgx.Conn, error) {
	u := *d.url
	u.Path = "/" + name
	conn, err := pgx.Connect(ctx, u.String())
	if err != nil {
		return nil, fmt.Errorf("connect to the database %s at %s: %w", name, d.url.Host, err)
	}
	return conn, nil
}

// sqlConfig is Temporal's description of a database on the server.
func (d *database) sqlConfig(name string) *config.SQL {
	port := d.url.Port()
	if port == "" {
		port = "5432"
	}
	password, _ := d.url.User.Password()
	attributes := map[string]string{"sslmode": "prefer"}
	for key, values := range d.url.Query() {
		if !strings.HasPrefix(key, "pool_") { // settings of pgx's own pool, which Temporal does not use
			attributes[key] = values[0]
		}
	}
	return &config.SQL{
		PluginName:        postgresql.PluginNamePGX,
		DatabaseName:      name,
		ConnectProtocol:   "tcp",
		ConnectAddr:       net.JoinHostPort(d.url.Hostname(), port),
		User:              url.User(d.url.User.Username()).String(), // escaped, because Temporal puts it into a URL unchanged
		Password:          password,
		ConnectAttributes: attributes,
		MaxConns:          connectionsPerStore,
		MaxIdleConns:      connectionsPerStore,
		MaxConnLifetime:   time.Hour,
	}
}

// claimStore ensures that no other devstack uses the same store: two Temporal servers would corrupt it. The claim lasts as
// long as its connection.
func (d *database) claimStore(ctx context.Context) error {
	conn, err := d.connect(ctx, storeDatabase)
	if err != nil {
		return err
	}
	var claimed bool
	if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", int64(storeLock)).Scan(&claimed); err != nil {
		return errors.Join(fmt.Errorf("claim Temporal's store: %w", err), conn.Close(ctx))
	}
	if !claimed {
		return errors.Join(fmt.Errorf("another devstack uses the database %s at %s; stop it first", storeDatabase, d.url.Host),
			conn.Close(ctx))
	}
	d.claim = conn
	return nil
}

// ended is closed when a server that we started has ended; it is nil for any other server.
func (d *database) ended() <-chan struct{} {
	if d.server == nil {
		return nil
	}
	return d.server.Done()
}

func (d *database) close() error {
	if d.claim != nil {
		_ = d.claim.Close(context.Background()) // the server releases the claim either way
	}
	if d.server == nil {
		return nil
	}
	return d.server.Stop()
}
