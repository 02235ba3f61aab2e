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

	"requisite/e2e/harness"
	"requisite/internal/store/schema"
	"requisite/internal/testkit/released"
)

// bookkeeping is the table of goose with the migrations. It does not belong to the product.
const bookkeeping = "goose_db_version"

type column struct{ Table, Name string }

// columns lists the columns of the product's schema that are not generated.
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

// dump returns every row of the product's tables, in the format of pg_dump --data-only.
func dump(t testing.TB, s *harness.Stack) []byte {
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

// load loads a dump into the schema of its release. It replaces the rows that the
// migrations have created.
func load(t testing.TB, database string, text string) {
	conn := connect(t, database)
	// As in the restore of a backup: the rows satisfied the foreign keys when they were dumped.
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
		// The end is a line of its own. A value may end in a backslash and a dot.
		rows, _, found := strings.Cut(text[at[1]-1:], "\n\\.\n")
		require.True(t, found, "the rows of %s do not end", tables[i])
		rows = strings.TrimPrefix(rows+"\n", "\n")
		tag, err := conn.PgConn().CopyFrom(t.Context(), strings.NewReader(rows), strings.TrimSuffix(text[at[0]:at[1]], ";\n"))
		require.NoError(t, err, tables[i])
		require.EqualValues(t, strings.Count(rows, "\n"), tag.RowsAffected())
	}
	// As in pg_dump: a sequence continues after the rows that it numbered.
	_, err = conn.Exec(t.Context(), `SELECT setval(pg_get_serial_sequence('webhook_event_position', 'written'), max(written)) FROM webhook_event_position`)
	require.NoError(t, err)
}

// unfilled has the columns that a recording leaves empty, with the reason.
var unfilled = map[string]string{
	"recalculation.again_at":             "it is there while a recalculation runs that an automatic start is to follow",
	"webhook_endpoint_health.wake_lease": "it is a lease of seconds, while a worker wakes the endpoint's run",
}

// requireFilled requires that the recorded data has a row in every table, and a value in
// every column.
func requireFilled(t testing.TB, s *harness.Stack) {
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
	require.Empty(t, empty, "the recording stores nothing in these columns: make it use them, or give a reason in unfilled")
	for name := range unfilled {
		require.True(t, known[name], "unfilled lists %s, which does not exist", name)
	}
}

// migrateTo creates the schema of a release.
func migrateTo(t testing.TB, s *harness.Stack, release string) {
	list, err := released.Migrations("../../internal/store/schema/testdata/released.txt")
	require.NoError(t, err)
	version := released.Schema(list, release)
	require.Positive(t, version, "released.txt has no migration of release %s: record it, as CONTRIBUTING.md says", release)
	config, err := pgx.ParseConfig(harness.AsOwner(s.DatabaseURL))
	require.NoError(t, err)
	db := stdlib.OpenDB(*config)
	defer db.Close()
	applied, err := schema.Applied()
	require.NoError(t, err)
	provider, err := goose.NewProvider("", db, os.DirFS("../../internal/store/schema/migrations"), goose.WithStore(applied))
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
