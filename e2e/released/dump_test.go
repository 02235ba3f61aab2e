//go:build deep

package released_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"requisite/e2e/parts"
	"requisite/internal/testkit/released"
)

// bookkeeping is the table of what was migrated, which is goose's and not the product's.
const bookkeeping = "goose_db_version"

type column struct{ Table, Name string }

// columns lists those of the product's schema that are written, by table.
func columns(t testing.TB, conn *pgx.Conn) []column {
	rows, err := conn.Query(t.Context(), `
		SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> $1
			AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
		ORDER BY c.relname, a.attnum`, bookkeeping)
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[column])
	require.NoError(t, err)
	require.NotEmpty(t, found)
	return found
}

// dump is every row of the product's tables, in the form of pg_dump --data-only.
func dump(t testing.TB, s *parts.Stack) []byte {
	conn := connect(t, s.DatabaseURL)
	var tables []string
	names := map[string][]string{}
	for _, c := range columns(t, conn) {
		if !slices.Contains(tables, c.Table) {
			tables = append(tables, c.Table)
		}
		names[c.Table] = append(names[c.Table], c.Name)
	}
	var out bytes.Buffer
	for _, table := range tables {
		list := `(` + strings.Join(names[table], ", ") + `)`
		fmt.Fprintf(&out, "COPY %s %s FROM stdin;\n", table, list)
		_, err := conn.PgConn().CopyTo(t.Context(), &out, `COPY (SELECT `+strings.Join(names[table], ", ")+` FROM `+table+` ORDER BY 1, 2) TO STDOUT`)
		require.NoError(t, err, table)
		out.WriteString("\\.\n\n")
	}
	return out.Bytes()
}

var copying = regexp.MustCompile(`(?m)^COPY (\w+) \(.*\) FROM stdin;\n`)

// load puts what dump wrote into the schema that it was taken from, instead of what the
// migrations left in the tables.
func load(t testing.TB, database string, text string) {
	conn := connect(t, database)
	// As when a backup is restored: constraints between tables were checked when it was made.
	_, err := conn.Exec(t.Context(), `SET session_replication_role = replica`)
	require.NoError(t, err)
	heads := copying.FindAllStringSubmatchIndex(text, -1)
	var tables []string
	for _, at := range heads {
		tables = append(tables, text[at[2]:at[3]])
	}
	_, err = conn.Exec(t.Context(), `TRUNCATE `+strings.Join(tables, ", "))
	require.NoError(t, err)
	for i, at := range heads {
		// A line of its own: a value that ends in a backslash and a dot is no end.
		rows, _, found := strings.Cut(text[at[1]-1:], "\n\\.\n")
		require.True(t, found, "the rows of %s do not end", tables[i])
		rows = strings.TrimPrefix(rows+"\n", "\n")
		tag, err := conn.PgConn().CopyFrom(t.Context(), strings.NewReader(rows), strings.TrimSuffix(text[at[0]:at[1]], ";\n"))
		require.NoError(t, err, tables[i])
		require.EqualValues(t, strings.Count(rows, "\n"), tag.RowsAffected())
	}
	// As pg_dump does: a sequence goes on after the rows that it numbered.
	_, err = conn.Exec(t.Context(), `SELECT setval(pg_get_serial_sequence('webhook_event_position', 'written'), max(written)) FROM webhook_event_position`)
	require.NoError(t, err)
}

// unfilled are columns that a recording leaves empty.
var unfilled = map[string]string{
	"webhook_endpoint.settle_at":         "a worker removes the mark within moments",
	"webhook_endpoint_health.wake_lease": "it is a lease of seconds, of a worker that is waking the endpoint's run",
}

// requireFilled fails when the recorded data leave out something that the service
// stores: a table without rows, or a column without a value in any row.
func requireFilled(t testing.TB, s *parts.Stack) {
	conn := connect(t, s.DatabaseURL)
	var empty []string
	known := map[string]bool{}
	for _, c := range columns(t, conn) {
		name := c.Table + "." + c.Name
		known[name] = true
		var filled bool
		err := conn.QueryRow(t.Context(), fmt.Sprintf(`SELECT EXISTS (SELECT FROM %s WHERE %s IS NOT NULL)`, c.Table, c.Name)).Scan(&filled)
		require.NoError(t, err)
		if _, listed := unfilled[name]; !filled && !listed {
			empty = append(empty, name)
		}
	}
	require.Empty(t, empty, "these are stored, but nothing of them would be recorded: let the recording use them, or say in unfilled why not")
	for name := range unfilled {
		require.True(t, known[name], "unfilled lists %s, which does not exist", name)
	}
}

// migrateTo makes the schema that a release had.
func migrateTo(t testing.TB, s *parts.Stack, release string) {
	list, err := released.Migrations("../../internal/postgres/schema/testdata/released.txt")
	require.NoError(t, err)
	version := released.Schema(list, release)
	require.Positive(t, version, "released.txt has no migration of release %s: record it, as CONTRIBUTING.md says", release)
	config, err := pgx.ParseConfig(parts.AsOwner(s.DatabaseURL))
	require.NoError(t, err)
	db := stdlib.OpenDB(*config)
	defer db.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, os.DirFS("../../internal/postgres/schema/migrations"))
	require.NoError(t, err)
	_, err = provider.UpTo(t.Context(), version)
	require.NoError(t, err)
}

func connect(t testing.TB, url string) *pgx.Conn {
	config, err := pgx.ParseConfig(url)
	require.NoError(t, err)
	config.RuntimeParams["timezone"], config.RuntimeParams["datestyle"] = "UTC", "ISO"
	conn, err := pgx.ConnectConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}
