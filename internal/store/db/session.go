package db

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// sessionSettings are the settings that our statements depend on. A server, a database or a role
// may have other values, so every new connection sets these. The values are SQL. Settings that a
// server does not know are skipped.
//
// Not listed are settings that only change speed, such as costs; Connections.Role; and
// default_transaction_read_only, with which providers protect a full disk.
var sessionSettings = []sessionSetting{
	// How values travel as text.
	{"client_encoding", `'UTF8'`},
	{"datestyle", `'ISO, MDY'`},
	{"intervalstyle", `'postgres'`},
	{"timezone", `'UTC'`},
	{"bytea_output", `'hex'`},
	{"extra_float_digits", `'1'`},

	// What a statement means.
	{"search_path", `'public'`},
	{"standard_conforming_strings", `'on'`},
	{"array_nulls", `'on'`},
	{"transform_null_equals", `'off'`},
	{"row_security", `'on'`},                   // 'off' refuses each statement that a policy limits
	{"gin_fuzzy_search_limit", `'0'`},          // other values leave out rows at random
	{"restrict_nonsystem_relation_kind", `''`}, // "view" refuses our views; since Postgres 15.8

	// What a transaction promises. Waiting until standbys apply a commit promises more than needed.
	{"default_transaction_isolation", `'read committed'`},
	{"synchronous_commit", `CASE pg_catalog.current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END`},

	// What ends a session or a transaction that does its work.
	{"exit_on_error", `'off'`},
	{"idle_session_timeout", `'0'`},
	{"transaction_timeout", `'0'`}, // since Postgres 17

	// How a statement is planned: by index, above all.
	{"plan_cache_mode", `'auto'`},
	{"enable_bitmapscan", `'on'`},
	{"enable_hashagg", `'on'`},
	{"enable_hashjoin", `'on'`},
	{"enable_incremental_sort", `'on'`},
	{"enable_indexonlyscan", `'on'`},
	{"enable_indexscan", `'on'`},
	{"enable_material", `'on'`},
	{"enable_memoize", `'on'`},
	{"enable_mergejoin", `'on'`},
	{"enable_nestloop", `'on'`},
	{"enable_seqscan", `'on'`},
	{"enable_sort", `'on'`},
	{"enable_tidscan", `'on'`},
}

type sessionSetting struct{ name, value string }

// timeouts returns the settings of a session that operators choose.
func (c Connections) timeouts() []sessionSetting {
	milliseconds := func(d time.Duration) string { return fmt.Sprintf(`'%d'`, d.Milliseconds()) }
	return []sessionSetting{
		{"statement_timeout", milliseconds(c.Statement)},
		{"lock_timeout", milliseconds(c.Lock)},
		{"idle_in_transaction_session_timeout", milliseconds(c.IdleTransaction)},
	}
}

// isSessionSetting reports whether each new connection sets the Postgres setting.
func isSessionSetting(name string) bool {
	for _, s := range append(Connections{}.timeouts(), sessionSettings...) {
		if strings.EqualFold(s.name, name) {
			return true
		}
	}
	return false
}

// beginSession prepares a new connection for our statements, or refuses its server. It takes one
// round trip after the startup, because poolers pass on few settings of the startup message. It
// runs for each connection, because a failover may lead to another server.
func (c Connections) beginSession() pgconn.AfterConnectFunc {
	var rows []string
	settings := append(c.timeouts(), sessionSettings...)
	if c.Role != "" {
		settings = append(settings, sessionSetting{"role", `'` + strings.ReplaceAll(c.Role, `'`, `''`) + `'`})
	}
	for _, s := range settings {
		rows = append(rows, `('`+s.name+`', `+s.value+`)`)
	}
	sql := `SELECT pg_catalog.current_setting('server_encoding'), pg_catalog.current_setting('session_replication_role'),
		pg_catalog.count(pg_catalog.set_config(s.name, s.value, false))
		FROM (VALUES ` + strings.Join(rows, `, `) + `) AS s (name, value) WHERE pg_catalog.current_setting(s.name, true) IS NOT NULL`
	return func(ctx context.Context, conn *pgconn.PgConn) error {
		if err := checkVersion(conn.ParameterStatus("server_version")); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(ctx, c.Connect) // the driver's own limit has ended with the startup
		defer cancel()
		results, err := conn.Exec(ctx, sql).ReadAll() // the simple protocol needs no second round trip
		switch {
		case err != nil && ctx.Err() != nil:
			return fmt.Errorf("%w: %w", errNoSession, err)
		case err != nil:
			return fmt.Errorf("set the settings of the session: %w", err)
		}
		if len(results) != 1 || len(results[0].Rows) != 1 || len(results[0].Rows[0]) != 3 {
			return errors.New("set the settings of the session: the answer is not Postgres's")
		}
		row := results[0].Rows[0]
		return checkServer(string(row[0]), string(row[1]))
	}
}

// checkServer refuses a server with settings that a session cannot change.
func checkServer(encoding, replicationRole string) error {
	if encoding != "UTF8" {
		return fmt.Errorf(
			"the database's encoding is %s, and Requisite needs UTF8; make a database with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0, "+
				"and name it in the database URL",
			encoding)
	}
	if replicationRole == "replica" {
		return errors.New(
			"session_replication_role is replica, which turns off triggers and foreign keys; " +
				"reset it with ALTER ROLE … RESET session_replication_role, and the same for the database")
	}
	return nil
}

// WithoutStatementTimeout returns the configuration of a connection for a change that may take
// long.
func (d *DB) WithoutStatementTimeout() *pgx.ConnConfig {
	config, connections := d.Config().ConnConfig.Copy(), d.connections
	connections.Statement = 0
	config.AfterConnect = connections.beginSession()
	return config
}
