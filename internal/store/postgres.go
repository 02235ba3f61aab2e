package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"requisite/internal/limiter"
	"requisite/internal/store/db"
	"requisite/internal/store/schema"
)

// Database says whether the database is ready, how its connections are used, and what operators look
// at.
type Database struct{ *base }

// Ping reports whether the database answers. It works even when tenants hold all their connections.
func (s Database) Ping(ctx context.Context) error { return s.db.Ping(ctx) }

// Schema is the schema of the store's database.
func (s Database) Schema() schema.Schema { return schema.New(s.db) }

// PoolStat is the current use of the connections.
func (s Database) PoolStat() *pgxpool.Stat { return s.db.Stat() }

// ConnectionWaits counts how often work waited for a connection.
func (s Database) ConnectionWaits() int64 { return s.db.Waits() }

// Shared is how organizations share the connections. It is nil if their use is not limited.
func (s Database) Shared() *limiter.Limiter { return s.db.Shared() }

// Usable returns what the database lacks for a program's work, whatever the rights of its role: a
// db.Lack, or the error of the connection.
func (s Database) Usable(ctx context.Context) error { return s.db.Try(ctx, trialScope, tryToWrite) }

// errHasRoom rolls back what HasRoom has written.
var errHasRoom = errors.New("there is room")

// HasRoom checks that Postgres can still write a file. It writes 1 MiB to a temporary table, and
// rolls that back.
func (s Database) HasRoom(ctx context.Context) error {
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		for _, sql := range []string{
			`CREATE TEMPORARY TABLE requisite_room (filling text) ON COMMIT DROP`,
			`INSERT INTO requisite_room SELECT md5(n::text) FROM generate_series(1, 16000) AS n`,
		} {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return fmt.Errorf("write a temporary table: %w", err)
			}
		}
		return errHasRoom
	})
	if errors.Is(err, errHasRoom) {
		return nil
	}
	return err
}

// Server is what Postgres reports about itself. Postgres does not know how full its disk is.
type Server struct {
	Version        string `json:"version"`
	Database       string `json:"database"`
	Bytes          int64  `json:"database_bytes"`
	Connections    int    `json:"connections"` // of all clients of the server
	MaxConnections int    `json:"max_connections"`
	// Busiest is the role with the most of these connections.
	Busiest            string `json:"busiest_role"`
	BusiestConnections int    `json:"busiest_role_connections"`
	// Hidden are connections of other roles whose transactions this role may not see.
	Hidden        int       `json:"hidden_connections"`
	Role          string    `json:"role"`
	HeldBackBytes int64     `json:"held_back_bytes"` // write-ahead log that an inactive replication slot keeps
	Now           time.Time `json:"now"`
	// OldestTransaction is when the oldest transaction began, including prepared ones. It is nil if
	// there is none. Transactions of Hidden connections are left out.
	OldestTransaction *time.Time `json:"oldest_transaction"`
	// NeverBackedUp reports that no backup has been recorded since the schema was created.
	NeverBackedUp bool `json:"never_backed_up"`
	// NeverRestored reports the same of a restore that was verified.
	NeverRestored bool `json:"never_restored"`
	// Archives reports that the server archives its write-ahead log. The times are nil before
	// the first success or failure.
	Archives          bool       `json:"archives"`
	LastArchived      *time.Time `json:"last_archived"`
	LastArchiveFailed *time.Time `json:"last_archive_failed"`
	// ArchiveTimeoutSeconds is how often a segment is archived that is not full; 0 for never.
	ArchiveTimeoutSeconds int       `json:"archive_timeout_seconds"`
	Started               time.Time `json:"started"`
}

// Of the sessions of other roles, Postgres shows only the role, the database and the program, except
// to members of pg_read_all_stats. Processes of the server itself have no role.
const (
	hiddenSession = `(backend_type IS NULL AND usesysid IS NOT NULL)`
	clientSession = `(backend_type = 'client backend' OR ` + hiddenSession + `)`
)

// neverSQL begins the condition that a job has recorded nothing yet: its row is as old as the migration that made it.
const neverSQL = `EXISTS (SELECT FROM schedule_success s JOIN goose_db_version v ON v.tstamp AT TIME ZONE 'UTC' = s.at WHERE s.schedule = `

// Server reads what Postgres reports about itself.
func (s Database) Server(ctx context.Context) (Server, error) {
	found, _, err := db.One[Server](ctx, s.db, `
		SELECT current_setting('server_version') AS version, current_database() AS database, pg_database_size(current_database()) AS bytes,
			(SELECT count(*) FROM pg_stat_activity WHERE `+clientSession+`)::int AS connections,
			(SELECT count(*) FROM pg_stat_activity WHERE `+hiddenSession+`)::int AS hidden, current_user AS role,
			coalesce(b.usename, '') AS busiest, coalesce(b.connections, 0) AS busiest_connections,
			current_setting('max_connections')::int AS max_connections,
			CASE WHEN pg_is_in_recovery() THEN 0
				ELSE (SELECT coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0)
					FROM pg_replication_slots WHERE NOT active) END::bigint AS held_back_bytes,
			clock_timestamp() AS now,
			least(
				(SELECT min(xact_start) FROM pg_stat_activity
					WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()),
				(SELECT min(prepared) FROM pg_prepared_xacts)) AS oldest_transaction,
			`+neverSQL+`'backup') AS never_backed_up, `+neverSQL+`'restore') AS never_restored,
			current_setting('archive_mode') <> 'off' AS archives, a.last_archived_time AS last_archived, a.last_failed_time AS last_archive_failed,
			(SELECT setting::int FROM pg_settings WHERE name = 'archive_timeout') AS archive_timeout_seconds, pg_postmaster_start_time() AS started
		FROM pg_stat_archiver a LEFT JOIN (
			SELECT usename::text, count(*)::int AS connections FROM pg_stat_activity WHERE `+clientSession+`
			GROUP BY usename ORDER BY count(*) DESC, usename LIMIT 1) b ON true`)
	if err != nil {
		return Server{}, fmt.Errorf("ask Postgres about itself: %w", err)
	}
	return found, nil
}

// SeesAll reports whether row-level security hides no record from the role of the connection, because it is the owner
// of the schema or a member of it.
func (s Database) SeesAll(ctx context.Context) (all bool, role string, err error) {
	err = s.db.QueryRow(ctx, `SELECT pg_has_role(current_user, relowner, 'USAGE'), current_user FROM pg_class WHERE oid = 'webhook_endpoint'::regclass`).
		Scan(&all, &role)
	if err != nil {
		return false, "", fmt.Errorf("ask Postgres what it hides: %w", err)
	}
	return all, role, nil
}

// OutdatedCollations lists the databases of the server, and the collations of indexes in this
// database, whose texts were sorted by another version of a library than the server has now. Each
// name can follow ALTER, such as "DATABASE temporal". It skips databases to which the role may not
// connect.
func (s Database) OutdatedCollations(ctx context.Context) ([]string, error) {
	found, err := db.Column[string](ctx, s.db, `
		SELECT format('DATABASE %I', datname) FROM pg_database
		WHERE datallowconn
			AND has_database_privilege(oid, 'CONNECT')
			AND datcollversion IS NOT NULL
			AND datcollversion IS DISTINCT FROM pg_database_collation_actual_version(oid)
		UNION ALL
		SELECT format('COLLATION %s', oid::regcollation) FROM pg_collation
		WHERE collversion IS NOT NULL AND oid IN (SELECT unnest(indcollation::oid[]) FROM pg_index) AND collversion IS DISTINCT FROM pg_collation_actual_version(oid)
		ORDER BY 1`)
	if err != nil {
		return nil, fmt.Errorf("compare the versions of collations: %w", err)
	}
	return found, nil
}

// Table is the size of a table, with its indexes and large values.
type Table struct {
	Name  string `json:"name"`
	Rows  int64  `json:"rows"` // an estimate
	Bytes int64  `json:"bytes"`
}

// Tables lists the tables of the service, the largest first.
func (s Database) Tables(ctx context.Context) ([]Table, error) {
	return db.Many[Table](ctx, s.db, `
		SELECT c.relname AS name, greatest(c.reltuples, 0)::bigint AS rows, pg_total_relation_size(c.oid) AS bytes FROM pg_class c
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 3 DESC, 1`)
}

// Sessions are sessions of the server with the same program, state and wait.
type Sessions struct {
	Program   string  `json:"program"` // empty for clients that are not the service
	State     string  `json:"state"`
	WaitsFor  string  `json:"waits_for"`
	Count     int     `json:"count"`
	OldestSec float64 `json:"oldest_transaction_seconds"`
}

// Sessions counts the sessions of the server. It does not show their statements.
func (s Database) Sessions(ctx context.Context) ([]Sessions, error) {
	return db.Many[Sessions](ctx, s.db, `
		SELECT CASE WHEN application_name LIKE 'requisite-%' THEN application_name ELSE '' END AS program,
			CASE WHEN `+hiddenSession+` THEN 'hidden from this role' ELSE coalesce(state, '') END AS state,
			concat_ws('/', wait_event_type, wait_event) AS waits_for,
			count(*)::int AS count,
			coalesce(extract(epoch FROM max(clock_timestamp() - xact_start)), 0)::float8 AS oldest_sec
		FROM pg_stat_activity WHERE `+clientSession+` GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`)
}

// serverSettings are the settings of Postgres that matter to the service. None of them can hold a
// secret.
var serverSettings = []string{
	"archive_mode", "autovacuum", "checkpoint_timeout",
	"default_transaction_read_only", "effective_cache_size", "fsync",
	"full_page_writes", "idle_in_transaction_session_timeout",
	"lock_timeout", "maintenance_work_mem", "max_connections", "max_locks_per_transaction", "max_prepared_transactions",
	"max_slot_wal_keep_size", "max_wal_size", "server_encoding", "shared_buffers",
	"statement_timeout", "synchronous_commit", "temp_buffers", "TimeZone", "wal_level", "work_mem",
}

// Settings reads some settings of Postgres, with the values of the caller's session.
func (s Database) Settings(ctx context.Context) (map[string]string, error) {
	rows, err := db.Many[struct{ Name, Value string }](ctx, s.db, `
		SELECT name, concat(setting, unit) AS value
		FROM pg_settings
		WHERE name = ANY ($1)`,
		serverSettings)
	if err != nil {
		return nil, fmt.Errorf("read settings of Postgres: %w", err)
	}
	settings := map[string]string{}
	for _, r := range rows {
		settings[r.Name] = r.Value
	}
	return settings, nil
}
