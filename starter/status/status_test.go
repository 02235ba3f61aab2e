package status_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/secrets/vault"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
	"requisite/starter/cli"
	"requisite/starter/startertest"
)

// line is one line of the command.
type line struct {
	State, Check, Found string
	Do                  string `json:"what_to_do"`
}

// setup makes a database, with Temporal away.
func setup(t *testing.T) *startertest.Bundle {
	b := startertest.Setup(t)
	b.Exec(`GRANT pg_read_all_stats TO requisite_owner`)
	t.Setenv("TEMPORAL_ADDRESS", refused(t))
	t.Setenv("REQUISITE_WORKER_ROLE", pgtest.Worker)
	return b
}

// refused is an address at which nobody listens.
func refused(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return listener.Addr().String()
}

// status runs the command, which finds something wrong.
func status(t *testing.T, b *startertest.Bundle, flags ...string) map[string]line {
	t.Helper()
	out, err := b.Try(append([]string{"status", "--json", "--timeout", "1h"}, flags...)...)
	var exit *cli.ExitError
	require.True(t, errors.As(err, &exit), "%v", err)
	require.Equal(t, cli.ExitRefused, exit.Code)
	var list []line
	require.NoError(t, json.Unmarshal([]byte(out), &list), out)
	lines := map[string]line{}
	for _, l := range list {
		require.NotContains(t, lines, l.Check)
		require.True(t, l.State == "OK" || l.Do != "", "%+v", l)
		lines[l.Check] = l
	}
	return lines
}

// TestStatus_DoesNotCountWhatPostgresHides: a line that sees none of the records must not say that all is well.
func TestStatus_DoesNotCountWhatPostgresHides(t *testing.T) {
	b := setup(t)
	for _, role := range []string{pgtest.API, pgtest.Worker} {
		lines := status(t, b, "--database-url", pgtest.As(b.URL, role))
		for _, check := range []string{"keyset of secrets", "backlog", "longest waiting", "endpoints"} {
			require.Equal(t, []string{"UNKNOWN", "ask as the owner of the schema, with its DATABASE_URL"}, []string{lines[check].State, lines[check].Do}, "%s: %+v", role, lines[check])
		}
		require.NotEqual(t, "WRONG", lines["postgres"].State, "%s: %+v", role, lines["postgres"])
	}
}

func TestStatus_LooksAtPostgresWithoutTemporal(t *testing.T) {
	b := setup(t)
	lines := status(t, b)
	for check, state := range map[string]string{
		"programs": "UNKNOWN", "temporal": "WRONG", "task queue sync": "UNKNOWN", "schedule prune": "UNKNOWN", "payload keyset": "UNKNOWN", "backup": "UNKNOWN",
		"postgres": "OK", "schema": "OK", "role of the api": "OK", "role of the worker": "OK", "collations": "OK", "connections": "OK", "transactions": "OK", "clock": "OK", "disk": "OK", "archive": "OK",
		"keyset of secrets": "OK", "success of prune": "OK", "success of reconcile": "OK", "backlog": "OK", "longest waiting": "OK", "endpoints": "OK",
	} {
		require.Equal(t, state, lines[check].State, "%s: %+v", check, lines[check])
	}
	require.Equal(t, `see the line "temporal"`, lines["task queue sync"].Do)
	require.Contains(t, lines["keyset of secrets"].Found, "1 key(s) open all")
	require.Contains(t, lines["backup"].Found, "none has been recorded since the schema was made")
	out, _ := b.Try("status")
	require.Regexp(t, `(?m)^STATE +CHECK +FOUND +WHAT TO DO$`, out)
	require.Regexp(t, `(?m)^OK +schema +version \d+ +-$`, out)
}

// TestStatus_OfAStoppedTemporal_HasOneWrongLine: its address refuses connections, the programs are not ready because of that,
// and the work of the schedules stands still.
func TestStatus_OfAStoppedTemporal_HasOneWrongLine(t *testing.T) {
	b := setup(t)
	program := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no answer from Temporal", http.StatusServiceUnavailable)
	}))
	t.Cleanup(program.Close)
	t.Setenv("REQUISITE_PROGRAMS", program.URL)
	b.Exec(`UPDATE schedule_success SET at = now() - interval '1 day' WHERE schedule NOT IN ('backup', 'restore')`)
	lines := status(t, b)
	for _, l := range lines {
		if l.State == "WRONG" {
			require.Equal(t, "temporal", l.Check, "%+v", l)
		}
	}
	require.Equal(t, line{"WRONG", "temporal", "reach Temporal at " + os.Getenv("TEMPORAL_ADDRESS") + ": the connection was refused", "start it, or mend TEMPORAL_ADDRESS and TEMPORAL_TLS_…"}, lines["temporal"])
	require.Equal(t, line{"UNKNOWN", "program " + program.URL, "not ready (503): no answer from Temporal", `see the line "temporal"`}, lines["program "+program.URL])
	require.Equal(t, line{"UNKNOWN", "success of prune", "it has not succeeded for 24 h", `see the line "temporal"`}, lines["success of prune"])
	require.Equal(t, `see the line "temporal"`, lines["task queue sync"].Do)

	t.Setenv("TEMPORAL_ADDRESS", "temporal.invalid:7233")
	require.Contains(t, status(t, b)["temporal"].Found, "the host name temporal.invalid")
}

// TestStatus_OfReceiversThatFail_IsWell: they are not the operator's.
func TestStatus_OfReceiversThatFail_IsWell(t *testing.T) {
	b := setup(t)
	b.Write(func(r *store.Records) error {
		for _, name := range []string{"first", "second", "third"} {
			if _, err := r.Webhooks.CreateEndpoint(t.Context(), id.Must[id.AccountID](b.Account), domain.Endpoint{URL: "https://" + name + ".example/", URLKey: name}); err != nil {
				return err
			}
		}
		return nil
	})
	for _, failure := range []string{"HTTP 500", "HTTP 429"} {
		b.Exec(`UPDATE webhook_endpoint_health SET failures = 5, failing_since = now(), last_error = '` + failure + `'`)
		found := status(t, b)["endpoints"]
		require.Equal(t, "OK", found.State, "%+v", found)
		require.Equal(t, "3 of 3 enabled ones are failing", found.Found)
	}
}

// TestStatus_FindsWhatIsWrongInPostgres breaks one thing after another.
func TestStatus_FindsWhatIsWrongInPostgres(t *testing.T) {
	b := setup(t)
	other := filepath.Join(t.TempDir(), "other.json")
	require.NoError(t, vault.Keyset{File: other}.Generate(t.Context()))
	b.MustRun("credential", "create", id.Format(id.Organization, b.Call.Scope.OrganizationID), "API") // which the keyset seals
	b.Write(func(r *store.Records) error {
		for _, name := range []string{"first", "second", "third"} {
			if _, err := r.Webhooks.CreateEndpoint(t.Context(), id.Must[id.AccountID](b.Account), domain.Endpoint{URL: "https://" + name + ".example/", URLKey: name}); err != nil {
				return err
			}
		}
		return nil
	})
	for _, c := range []struct {
		check, found string
		do, undo     string
		env          string
	}{
		{check: "schema", found: "version 6, and this release needs", do: `UPDATE goose_db_version SET is_applied = false WHERE version_id > 6`, undo: `UPDATE goose_db_version SET is_applied = true`},
		{check: "role of the api", found: "lacks rights: INSERT on business", do: `REVOKE INSERT ON business FROM requisite_api`, undo: `GRANT INSERT ON business TO requisite_api`},
		{check: "role of the worker", found: "lacks rights: DELETE on outcome", do: `REVOKE DELETE ON outcome FROM requisite_worker`, undo: `GRANT DELETE ON outcome TO requisite_worker`},
		{check: "role of the api", found: "row-level security does not bind", env: "REQUISITE_API_ROLE=" + pgtest.Owner},
		{check: "role of the worker", found: "does not exist", env: "REQUISITE_WORKER_ROLE=nobody"},
		{check: "role of the worker", found: "is not set", env: "REQUISITE_WORKER_ROLE="},
		{check: "postgres", found: "Postgres is read-only", do: `ALTER ROLE requisite_owner SET default_transaction_read_only = on`, undo: `ALTER ROLE requisite_owner RESET default_transaction_read_only`},
		{check: "disk", found: "it is read-only", do: `ALTER ROLE requisite_owner SET default_transaction_read_only = on`, undo: `ALTER ROLE requisite_owner RESET default_transaction_read_only`},
		{check: "disk", found: "No space left on device", do: `
			CREATE FUNCTION full_disk() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE disk_full USING MESSAGE = 'No space left on device'; END $$;
			CREATE EVENT TRIGGER full_disk ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION full_disk()`, undo: `DROP EVENT TRIGGER full_disk`},
		{check: "keyset of secrets", found: "does not open the secrets", env: "REQUISITE_KEK_FILE=" + other},
		{check: "keyset of secrets", found: "no such file", env: "REQUISITE_KEK_FILE=" + other + "x"},
		{check: "keyset of secrets", found: "is not set", env: "REQUISITE_KEK_FILE="},
		{check: "collations", found: `DATABASE "test_`, do: `UPDATE pg_database SET datcollversion = '1' WHERE datname = current_database()`, undo: `UPDATE pg_database SET datcollversion = NULL`},
		{check: "collations", found: `COLLATION "changed"`, do: `
			CREATE COLLATION changed (provider = icu, locale = 'en');
			CREATE INDEX of_somebody ON organization (name COLLATE changed);
			UPDATE pg_collation SET collversion = '1' WHERE collname = 'changed'`, undo: `DROP COLLATION changed CASCADE`},
		{check: "backup", found: "none has been recorded for 3 days", do: `UPDATE schedule_success SET at = now() - interval '3 days' WHERE schedule = 'backup'`, undo: `UPDATE schedule_success SET at = now()`},
		{check: "backup", found: "; none has been restored and verified for 20 days", do: `UPDATE schedule_success SET at = now() - interval '20 days' WHERE schedule = 'restore'`, undo: `UPDATE schedule_success SET at = now()`},
		{check: "success of prune", found: "it has not succeeded for 3 h", do: `UPDATE schedule_success SET at = now() - interval '3 hours'`, undo: `UPDATE schedule_success SET at = now()`},
		{check: "success of reconcile", found: "it has not succeeded for 3 h", do: `UPDATE schedule_success SET at = now() - interval '3 hours'`, undo: `UPDATE schedule_success SET at = now()`},
		{check: "endpoints", found: "3 of 3 enabled ones are failing: 0 answer badly or slowly, and 3 at 3 host(s) get no connection", do: `
			UPDATE webhook_endpoint_health SET failures = 5, failing_since = now(), last_error = 'no connection could be made'`, undo: `UPDATE webhook_endpoint_health SET failures = 0, failing_since = NULL, last_error = NULL`},
	} {
		t.Run(c.check+", "+c.found, func(t *testing.T) {
			if c.env != "" {
				name, value, _ := strings.Cut(c.env, "=")
				t.Setenv(name, value)
			}
			if c.do != "" {
				for sql := range strings.SplitSeq(c.do, ";\n") {
					b.Exec(sql)
				}
				defer b.Exec(c.undo)
			}
			found := status(t, b)[c.check]
			require.NotEqual(t, "OK", found.State, "%+v", found)
			require.Contains(t, found.Found, c.found)
		})
	}
}

// TestStatus_SaysWhyADeliveryWaits, and that nobody sends it. The cause is Temporal, which is away.
func TestStatus_SaysWhyADeliveryWaits(t *testing.T) {
	b := setup(t)
	b.Write(func(r *store.Records) error {
		e, err := r.Webhooks.CreateEndpoint(t.Context(), id.Must[id.AccountID](b.Account), domain.Endpoint{URL: "https://first.example/", URLKey: "first", Concurrency: new(1)})
		if err == nil {
			_, err = r.Webhooks.TestEndpoint(t.Context(), e.WireID(), domain.WebhookTest)
		}
		return err
	})
	b.Exec(`INSERT INTO webhook_key (account_id, key_id, day, iteration, status, secret_sealed, created_at, activated_at)
		SELECT id, 'whk_20261124_01', '2026-11-24', 1, 'ACTIVE', '', '2026-11-24', '2026-11-24' FROM account`)
	b.Exec(`UPDATE webhook_delivery SET next_attempt_at = now() - interval '20.5 minutes'`)
	b.Exec(`UPDATE schedule_success SET at = now() - interval '10 minutes' WHERE schedule = 'reconcile'`)
	lines := status(t, b)
	require.Equal(t, "UNKNOWN", lines["longest waiting"].State)
	require.Regexp(t, `^whd_\w+ has been due for 2\d min: NO_WORKER$`, lines["longest waiting"].Found)
	require.Equal(t, `see the line "temporal"`, lines["longest waiting"].Do)
	require.Equal(t, "UNKNOWN", lines["backlog"].State)
	require.Regexp(t, `^1 could have been sent two minutes ago, and nobody sends them; .*1 PENDING, the oldest for 2\d min`, lines["backlog"].Found)
}

func TestStatus_AsksEachProgramForItsHealth(t *testing.T) {
	b := setup(t)
	answers := func(code int, text string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/readyz" {
				t.Error(r.URL.Path)
			}
			w.WriteHeader(code)
			_, _ = io.WriteString(w, text)
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	well, unready, none := answers(200, "ok\n"), answers(503, "the schema is old\n"), "http://"+refused(t)
	t.Setenv("REQUISITE_PROGRAMS", strings.Join([]string{well, unready, none}, ","))
	lines := status(t, b)
	require.Equal(t, "OK", lines["program "+well].State)
	require.Equal(t, line{"WRONG", "program " + unready, "not ready (503): the schema is old", "mend what it names; see its log"}, lines["program "+unready])
	require.Equal(t, "WRONG", lines["program "+none].State)
	require.Equal(t, "no answer: the connection was refused", lines["program "+none].Found)
}

// TestStatus_ComparesTheKeysOfPrograms with each other, and with the keyset of the command.
func TestStatus_ComparesTheKeysOfPrograms(t *testing.T) {
	b := setup(t)
	keyset := vault.Keyset{File: os.Getenv("REQUISITE_KEK_FILE")}
	infos, err := keyset.Keys()
	require.NoError(t, err)
	program := func(id uint32) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, "ok\nprogram: worker\nkey of secrets: %d\n", id)
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	first, second, other := program(infos[0].ID), program(infos[0].ID), program(infos[0].ID+1)
	t.Setenv("REQUISITE_PROGRAMS", first+","+second)
	found := status(t, b)["keys of the programs"]
	require.Equal(t, line{"OK", "keys of the programs", fmt.Sprintf("key %d encrypts secrets", infos[0].ID), ""}, found)
	t.Setenv("REQUISITE_PROGRAMS", first+","+other)
	found = status(t, b)["keys of the programs"]
	require.Equal(t, "WRONG", found.State)
	require.Contains(t, found.Found, fmt.Sprintf("key %d encrypts secrets of program %s", infos[0].ID+1, other))
	require.Contains(t, found.Found, fmt.Sprintf("key %d encrypts secrets of this command, program %s", infos[0].ID, first))

	added, err := keyset.AddKey(t.Context())
	require.NoError(t, err)
	t.Setenv("REQUISITE_PROGRAMS", first)
	require.Equal(t, line{"WRONG", "keys of the programs", fmt.Sprintf("key %d of secrets is unknown to program %s; key %d encrypts secrets", added, first, infos[0].ID),
		"restart them before you run `keyset promote`; docs/operating/keysets.md"}, status(t, b)["keys of the programs"])
}

// TestStatus_AsksTheRunningStack, unless the command looks at another database.
func TestStatus_AsksTheRunningStack(t *testing.T) {
	b := setup(t)
	address := refused(t)
	file := filepath.Join(t.TempDir(), "stack.json")
	stack := cli.Stack{DatabaseURL: os.Getenv("DATABASE_URL"), Metrics: map[string]string{"api": address}, Accounts: []cli.StackAccount{{}}}
	require.NoError(t, cli.WritePrivate(file, stack))
	require.Contains(t, status(t, b, "--stack", file), "program http://"+address)
	stack.DatabaseURL += "x"
	require.NoError(t, cli.WritePrivate(file, stack))
	require.Equal(t, "UNKNOWN", status(t, b, "--stack", file)["programs"].State)
}

// TestStatus_EndsWhenNothingAnswers: Postgres, Temporal and a program accept connections, and say
// nothing.
func TestStatus_EndsWhenNothingAnswers(t *testing.T) {
	b := setup(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	silent := listener.Addr().String()
	t.Setenv("DATABASE_URL", "postgres://requisite@"+silent+"/requisite?sslmode=disable")
	t.Setenv("TEMPORAL_ADDRESS", silent)
	lines := status(t, b, "--timeout", "1s", "--program", "http://"+silent)
	require.Equal(t, "WRONG", lines["postgres"].State)
	require.Equal(t, "WRONG", lines["temporal"].State)
	require.Equal(t, "WRONG", lines["program http://"+silent].State)
	require.Equal(t, line{"UNKNOWN", "backlog", "postgres cannot be reached", `see the line "postgres"`}, lines["backlog"])
	require.Equal(t, line{"UNKNOWN", "runs", "temporal cannot be reached", `see the line "temporal"`}, lines["runs"])
}

func TestStatus_WithoutSettings(t *testing.T) {
	b := setup(t)
	t.Setenv("DATABASE_URL", "")
	lines := status(t, b)
	require.Equal(t, line{"WRONG", "postgres", "--database-url (or DATABASE_URL) is not set", cli.SetByUp}, lines["postgres"])
	_, err := b.Try("status", "--timeout", "0s")
	require.EqualError(t, err, "--timeout must be more than 0, not 0s")
}

// TestBundle_HoldsNoSecretsAndNoPersonalData: secrets and names are planted wherever the command reads,
// and the bundle has none of them.
func TestBundle_HoldsNoSecretsAndNoPersonalData(t *testing.T) {
	b := setup(t)
	program := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, "page %s\n", r.URL.Path)
	}))
	t.Cleanup(program.Close)
	away := "http://" + refused(t)
	var programs []string
	for _, url := range []string{program.URL, away} {
		programs = append(programs, strings.Replace(url, "//", "//user:planted-program-password@", 1)+"?token=planted-token")
	}
	t.Setenv("REQUISITE_PROGRAMS", strings.Join(programs, ","))
	t.Setenv("TEMPORAL_API_KEY", "planted-temporal-key")
	t.Setenv("TEMPORAL_TLS_CLIENT_KEY_DATA", "planted-client-key")
	b.Exec(`UPDATE organization SET name = 'Planted Organization'`)
	b.Exec(`UPDATE account SET name = 'Planted Account'`)
	b.Write(func(r *store.Records) error {
		e, err := r.Webhooks.CreateEndpoint(t.Context(), id.Must[id.AccountID](b.Account), domain.Endpoint{URL: "https://planted.example/hook/planted-path", URLKey: "planted"})
		if err == nil {
			_, err = r.Webhooks.TestEndpoint(t.Context(), e.WireID(), domain.WebhookTest)
		}
		return err
	})
	b.Exec(`UPDATE webhook_delivery SET last_error = 'planted error'`)
	b.Exec(`UPDATE webhook_endpoint_health SET failures = 9, failing_since = now(), last_error = 'planted error'`)
	session := pgtest.ConnectOne(t, os.Getenv("DATABASE_URL")) // of the same role, which sees all of it
	_, err := session.Exec(t.Context(), `SET application_name = 'Planted Session'`)
	require.NoError(t, err)
	_, err = session.Exec(t.Context(), `BEGIN`)
	require.NoError(t, err)
	_, err = session.Exec(t.Context(), `SELECT 'planted statement'`)
	require.NoError(t, err)

	var credential map[string]any
	require.NoError(t, json.Unmarshal([]byte(b.MustRun("credential", "create", id.Format(id.Organization, b.Call.Scope.OrganizationID), "API")), &credential))
	file := filepath.Join(t.TempDir(), "status.json")
	status(t, b, "--bundle", file)
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	kek, err := os.ReadFile(os.Getenv("REQUISITE_KEK_FILE"))
	require.NoError(t, err)
	var keyset struct {
		Key []struct{ KeyData struct{ Value string } }
	}
	require.NoError(t, json.Unmarshal(kek, &keyset))
	require.NotEmpty(t, keyset.Key[0].KeyData.Value)
	database, err := url.Parse(os.Getenv("DATABASE_URL"))
	require.NoError(t, err)
	password, set := database.User.Password()
	require.True(t, set)
	for _, secret := range []string{"planted", "secret name", keyset.Key[0].KeyData.Value, password, credential["secret_key"].(string), credential["auth_token"].(string)} {
		require.NotContains(t, strings.ToLower(string(text)), strings.ToLower(secret))
	}
	var bundle struct {
		Status             []line
		Settings, Postgres map[string]any
		Metrics            map[string][]string
	}
	require.NoError(t, json.Unmarshal(text, &bundle))
	require.NotEmpty(t, bundle.Status)
	require.Contains(t, bundle.Settings["settings"], "temporal_api_key")
	require.NotContains(t, fmt.Sprint(bundle.Postgres), "error", "all queries succeed")
	require.Contains(t, fmt.Sprint(bundle.Postgres), "webhook_delivery")
	require.Equal(t, []string{"page /metrics"}, bundle.Metrics[program.URL])
	require.Regexp(t, `^no answer: `, bundle.Metrics[away][0])
	_, err = b.Try("status", "--bundle", file)
	require.ErrorContains(t, err, "--bundle: open "+file+": file exists")
	out, err := b.Try("status", "--bundle", "-")
	require.Error(t, err)
	require.NoError(t, json.Unmarshal([]byte(out), &bundle), "it is printed alone")
}
