package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/log"
	v12 "go.temporal.io/server/schema/postgresql/v12"
	"go.temporal.io/server/tools/common/schema"
	sqltool "go.temporal.io/server/tools/sql"
)

func noEnvironment(string) string { return "" }

func TestOptionsHaveDefaults(t *testing.T) {
	t.Parallel()
	o, err := parseOptions(nil, noEnvironment, io.Discard)
	require.NoError(t, err)
	require.Equal(t, ".stack/data", o.dir)
	require.Equal(t, "requisite", o.namespace)
	require.Equal(t, 72*time.Hour, o.retention)
	require.Equal(t, 4, o.historyShards)
}

func TestDatabaseURLComesFromTheEnvironment(t *testing.T) {
	t.Parallel()
	environment := func(name string) string { return map[string]string{"DATABASE_URL": "postgres://h/d"}[name] }
	o, err := parseOptions(nil, environment, io.Discard)
	require.NoError(t, err)
	require.Equal(t, "postgres://h/d", o.databaseURL)
	o, err = parseOptions([]string{"--database-url=postgres://other/d"}, environment, io.Discard)
	require.NoError(t, err)
	require.Equal(t, "postgres://other/d", o.databaseURL)
}

func TestWrongOptionsAreRefused(t *testing.T) {
	t.Parallel()
	for arguments, reason := range map[string]string{
		"--retention=1h":     "below Temporal's minimum",
		"--history-shards=0": "not between 1 and 1024",
		"--namespace=":       "--namespace must not be empty",
		"--dir=":             "--dir must not be empty",
		"--ephemeral --database-url=postgres://h/d":          "leave out --database-url",
		"--codec-endpoint=localhost:1":                       "not an http URL",
		"--codec-endpoint=http://h --codec-sign-in=h":        "not an http URL",
		"--codec-sign-in=http://h/sign-in":                   "needs --codec-endpoint",
		"--search-attribute=AccountId":                       "want Name=Type",
		"--search-attribute=AccountId=Number":                "unknown type",
		"--search-attribute=WorkflowId=Keyword":              "one of Temporal's own",
		"--search-attribute=A=Int --search-attribute=A=Bool": "twice with different types",
		"surplus": "unexpected argument",
	} {
		var said bytes.Buffer
		_, err := parseOptions(strings.Fields(arguments), noEnvironment, &said)
		require.Error(t, err, arguments)
		require.Contains(t, said.String(), reason, arguments)
	}
	_, err := parseOptions([]string{"--help"}, noEnvironment, io.Discard)
	require.ErrorIs(t, err, flag.ErrHelp)
}

func TestPortsAreHeldAndDifferent(t *testing.T) {
	t.Parallel()
	ports, err := holdPorts(options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, ports.release()) }()
	numbers := map[int]bool{ports.ui.Number(): true}
	for _, port := range ports.services() {
		numbers[port] = true
	}
	require.Len(t, numbers, 5)

	listener, err := net.Listen("tcp", address(0))
	require.NoError(t, err)
	defer listener.Close()
	taken := listener.Addr().(*net.TCPAddr).Port
	_, err = holdPorts(options{temporalPort: taken})
	require.ErrorContains(t, err, "for Temporal is in use; stop what uses it, or give --temporal-port 0")
	_, err = holdPorts(options{uiPort: taken})
	require.ErrorContains(t, err, "give --ui-port 0")
	without, err := holdPorts(options{uiPort: taken, noUI: true})
	require.NoError(t, err, "nobody needs the port of a UI that is not started")
	require.NoError(t, without.release())
}

func TestEventsAreLinesAndEndWithTheError(t *testing.T) {
	t.Parallel()
	var output bytes.Buffer
	events := newEventStream(&output)
	events.progress("a & b\nc")
	events.ready(endpoints{DatabaseURL: "d", TemporalAddress: "t", Namespace: "n"})
	events.failed(errors.New("broken"))
	events.progress("late")
	require.Equal(t, `{"event":"progress","message":"a & b\nc"}
{"event":"ready","database_url":"d","temporal_address":"t","namespace":"n"}
{"event":"error","message":"broken"}
`, output.String())
}

func TestSearchAttributesTakeFreeColumns(t *testing.T) {
	t.Parallel()
	keyword, number := enumspb.INDEXED_VALUE_TYPE_KEYWORD, enumspb.INDEXED_VALUE_TYPE_INT
	existing := map[string]string{"Keyword02": "Old"}

	aliases, err := withAliases(existing, searchAttributes{"New": keyword, "Old": keyword, "Pages": number})
	require.NoError(t, err)
	require.Equal(t, map[string]string{"Keyword01": "New", "Keyword02": "Old", "Int01": "Pages"}, aliases)
	require.Equal(t, map[string]string{"Keyword02": "Old"}, existing, "the argument is not changed")

	_, err = withAliases(existing, searchAttributes{"Old": number})
	require.ErrorContains(t, err, "cannot be changed")
	_, err = withAliases(nil, searchAttributes{"A": number, "B": number, "C": number, "D": number})
	require.ErrorContains(t, err, "all 3 search attributes of type Int are taken")
}

func TestDatabaseURLBecomesTemporalsConfiguration(t *testing.T) {
	t.Parallel()
	for _, wrong := range []string{"host=localhost dbname=x", "mysql://h/d", "postgres://h", "postgres:///d", "postgres://h/"} {
		_, err := openExisting(t.Context(), wrong)
		require.ErrorContains(t, err, "not of the form", wrong)
	}
	_, err := openExisting(t.Context(), "postgres://someone:hidden@127.0.0.1:1/d")
	require.ErrorContains(t, err, "without it, devstack starts a server")
	require.NotContains(t, err.Error(), "hidden")
}

// newDatabase starts a server for this test alone.
func newDatabase(t *testing.T) *database {
	t.Helper()
	d, err := openDatabase(t.Context(), options{ephemeral: true}, func(string) {})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.close()) })
	return d
}

func version(t *testing.T, d *database, name string) string {
	t.Helper()
	conn, err := d.connect(t.Context(), name)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	var found string
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT curr_version FROM schema_version WHERE db_name = $1", name).Scan(&found))
	return found
}

func TestInterruptedCreationBeginsAnew(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	s := storeSchemas()[0]
	require.NoError(t, d.server.CreateDatabase(t.Context(), s.database+"_unfinished"))
	require.NoError(t, s.fill(d, s.database+"_unfinished", log.NewNoopLogger()))

	for range 2 { // the second time changes nothing
		require.NoError(t, createMissing(t.Context(), d, log.NewNoopLogger(), func(string) {}))
		require.NoError(t, upgradeOutdated(d, log.NewNoopLogger(), func(string) {}))
		require.Equal(t, v12.Version, version(t, d, storeDatabase))
		require.Equal(t, v12.VisibilityVersion, version(t, d, visibilityDatabase))
	}
	_, err := d.connect(t.Context(), s.database+"_unfinished")
	require.ErrorContains(t, err, "does not exist")
}

func TestOldSchemaIsUpgraded(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	for _, s := range storeSchemas() {
		require.NoError(t, d.server.CreateDatabase(t.Context(), s.database))
		conn, err := sqltool.NewConnection(d.sqlConfig(s.database), log.NewNoopLogger())
		require.NoError(t, err)
		require.NoError(t, schema.NewSetupSchemaTask(conn, &schema.SetupConfig{InitialVersion: "0.0"}, log.NewNoopLogger()).Run())
		require.NoError(t, schema.NewUpdateSchemaTask(conn, &schema.UpdateConfig{SchemaName: s.path, TargetVersion: "1.5"}, log.NewNoopLogger()).Run())
		conn.Close()
	}
	var said []string
	require.NoError(t, upgradeOutdated(d, log.NewNoopLogger(), func(message string) { said = append(said, message) }))
	require.Contains(t, said[0], "from version 1.5 to "+v12.Version)
	require.Equal(t, v12.Version, version(t, d, storeDatabase))
	require.Equal(t, v12.VisibilityVersion, version(t, d, visibilityDatabase))
}

func TestForeignDatabaseOfTheSameNameIsLeftAlone(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	require.NoError(t, d.server.CreateDatabase(t.Context(), storeDatabase))
	require.ErrorContains(t, upgradeOutdated(d, log.NewNoopLogger(), func(string) {}), "not one of Temporal's databases")
}
