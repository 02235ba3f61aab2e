//go:build deep

package deploy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	"requisite/internal/temporalclient"
	"requisite/internal/testkit/await"
)

const password = "planted-password"

// tlsStack is Postgres and Temporal. Both have certificates, and require client certificates.
type tlsStack struct {
	*harness.Stack
	ca, unknown *authority
	postgres    string // host and port
}

func newTLSStack(t *testing.T) *tlsStack {
	s := &tlsStack{ca: newAuthority(t, "ours"), unknown: newAuthority(t, "unknown")}
	cert, key := s.ca.issue(t, "server")
	s.Stack = harness.NewBare(t, "--no-ui=false", "--ui-port", "0", "--tls-cert-file", cert, "--tls-key-file", key, "--tls-ca-file", s.ca.file)
	s.protectPostgres(t, cert, key)
	return s
}

// protectPostgres creates two roles that must connect over TLS, with a password and a
// certificate in their name.
func (s *tlsStack) protectPostgres(t *testing.T, cert, key string) {
	ctx := t.Context()
	super, err := url.Parse(s.SuperuserURL("postgres"))
	require.NoError(t, err)
	s.postgres = super.Host
	conn, err := pgx.Connect(ctx, super.String())
	require.NoError(t, err)
	defer conn.Close(ctx)
	var data string
	require.NoError(t, conn.QueryRow(ctx, "SHOW data_directory").Scan(&data))
	for name, from := range map[string]string{"ours.crt": cert, "ours.key": key, "ca.crt": s.ca.file} {
		content, err := os.ReadFile(from)
		require.NoError(t, err)
		s.give(t, filepath.Join(data, name), content)
	}
	s.give(t, filepath.Join(data, "pg_hba.conf"), []byte(`
hostssl all requisite_owner,requisite_api,requisite_worker 127.0.0.1/32 scram-sha-256 clientcert=verify-full
host    all requisite                     127.0.0.1/32 scram-sha-256
`))
	for _, statement := range []string{
		"CREATE ROLE requisite_owner LOGIN PASSWORD '" + password + "'", "CREATE ROLE requisite_api LOGIN PASSWORD '" + password + "'",
		"CREATE ROLE requisite_worker LOGIN PASSWORD '" + password + "'",
		"CREATE DATABASE requisite OWNER requisite_owner",
		"ALTER SYSTEM SET ssl_cert_file = 'ours.crt'", "ALTER SYSTEM SET ssl_key_file = 'ours.key'", "ALTER SYSTEM SET ssl_ca_file = 'ca.crt'", "ALTER SYSTEM SET ssl = on",
		"SELECT pg_reload_conf()",
	} {
		_, err := conn.Exec(ctx, statement)
		require.NoError(t, err, statement)
	}
	s.Poll(t, "Postgres does not serve TLS", func(ctx context.Context) (bool, error) {
		conn, err := pgx.Connect(ctx, s.databaseURL(t, s.ca, "requisite_owner"))
		if err != nil {
			return false, err
		}
		return true, conn.Close(ctx)
	})
}

// give writes a file that belongs to the user of Postgres.
func (s *tlsStack) give(t *testing.T, file string, content []byte) {
	require.NoError(t, os.WriteFile(file, content, 0o600))
	owner, err := os.Stat(filepath.Dir(file))
	require.NoError(t, err)
	if system := owner.Sys().(*syscall.Stat_t); int(system.Uid) != os.Getuid() {
		require.NoError(t, os.Chown(file, int(system.Uid), int(system.Gid)))
	}
}

// databaseURL includes the password.
func (s *tlsStack) databaseURL(t *testing.T, ca *authority, role string) string {
	return "postgres://" + role + ":" + password + "@" + s.postgres + "/requisite?" + s.clientQuery(t, ca, role)
}

func (s *tlsStack) clientQuery(t *testing.T, ca *authority, role string) string {
	cert, key := ca.issue(t, role)
	return url.Values{"sslmode": {"verify-full"}, "sslrootcert": {s.ca.file}, "sslcert": {cert}, "sslkey": {key}}.Encode()
}

// environment returns the settings of a program that connects correctly to both.
func (s *tlsStack) environment(t *testing.T, role string) map[string]string {
	cert, key := s.ca.issue(t, "requisite")
	return map[string]string{
		"DATABASE_URL": "postgres://" + role + "@" + s.postgres + "/requisite?" + s.clientQuery(t, s.ca, role), "DATABASE_PASSWORD": password,
		"TEMPORAL_ADDRESS": s.TemporalAddress, "TEMPORAL_TLS_SERVER_CA_CERT_PATH": s.ca.file,
		"TEMPORAL_TLS_CLIENT_CERT_PATH": cert, "TEMPORAL_TLS_CLIENT_KEY_PATH": key,
		"REQUISITE_KEK_FILE": filepath.Join(s.Dir, "kek.json"), "REQUISITE_PAYLOAD_KEY_FILE": filepath.Join(s.Dir, "payload.json"),
	}
}

func (s *tlsStack) command(environment map[string]string, name string, args ...string) *exec.Cmd {
	var env []string
	for key, value := range environment {
		env = append(env, key+"="+value)
	}
	return s.Command(env, name, args...)
}

func run(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s\n%s", command, out)
	return strings.TrimSpace(string(out))
}

func TestTLS_EncryptsEveryConnection(t *testing.T) {
	s := newTLSStack(t)
	owner, app := s.environment(t, "requisite_owner"), s.environment(t, "requisite_api")
	run(t, s.command(nil, "starter", "keyset", "create", owner["REQUISITE_KEK_FILE"], owner["REQUISITE_PAYLOAD_KEY_FILE"]))
	run(t, s.command(owner, "starter", "migrate", "--api-role", "requisite_api", "--worker-role", "requisite_worker"))

	t.Run("calculation", func(t *testing.T) { s.calculate(t, owner, app) })
	t.Run("Temporal UI", s.askTheUI)
	t.Run("wrong settings", func(t *testing.T) { s.refuse(t, s.environment(t, "requisite_worker")) })
}

// calculate calculates an application over HTTPS.
func (s *tlsStack) calculate(t *testing.T, owner, app map[string]string) {
	address := harness.HeldAddress(t)
	cert, key := s.ca.issue(t, "api")
	app["REQUISITE_LISTEN"], app["REQUISITE_TLS_CERT_FILE"], app["REQUISITE_TLS_KEY_FILE"] = address, cert, key
	app["REQUISITE_PATIENCE"] = "10m" // on a slow machine a run may take longer than the default patience
	s.Metrics = map[string]string{"api": harness.HeldAddress(t), "worker": harness.HeldAddress(t)}
	logs := map[string]string{}
	var started []await.Process
	for _, name := range []string{"api", "worker"} {
		settings := maps.Clone(app)
		settings["REQUISITE_METRICS_LISTEN"], settings["REQUISITE_HEALTH_LISTEN"] = s.Metrics[name], "127.0.0.1:0"
		settings["DATABASE_URL"] = s.environment(t, "requisite_"+name)["DATABASE_URL"]
		command := s.command(settings, name)
		logs[name] = filepath.Join(t.TempDir(), name+".log")
		log, err := os.Create(logs[name])
		require.NoError(t, err)
		command.Stderr = log
		started = append(started, await.Process{Name: name, Ended: s.Start(t, command).Ended(), Log: log.Name()})
		require.NoError(t, log.Close())
	}
	await.True(t, "the api to be healthy", func(context.Context) error {
		out, err := s.command(nil, "starter", "healthz", "https://"+address, "--ca-file", s.ca.file).CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		return err
	}, started...)
	s.AwaitMetrics(t, "api", `requisite_tls_certificate_expiry_timestamp_seconds{certificate="api"} 1.`, "requisite_healthy 1")
	out, err := s.command(nil, "starter", "healthz", "https://"+address).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "certificate signed by unknown authority")
	out, err = s.command(nil, "starter", "healthz", "http://"+address).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "Client sent an HTTP request to an HTTPS server")

	organization := run(t, s.command(owner, "starter", "organization", "create", "tls"))
	account := run(t, s.command(owner, "starter", "account", "create", organization, "tls"))
	var credential struct {
		APIKey    string `json:"api_key"`
		SecretKey string `json:"secret_key"`
		AuthToken string `json:"auth_token"`
	}
	require.NoError(t, json.Unmarshal([]byte(run(t, s.command(owner, "starter", "credential", "create", organization, "tls"))), &credential))
	caller := map[string]string{
		"REQUISITE_BASE_URL": "https://" + address, "REQUISITE_CA_FILE": s.ca.file,
		"REQUISITE_API_KEY": credential.APIKey, "REQUISITE_SECRET_KEY": credential.SecretKey, "REQUISITE_AUTH_TOKEN": credential.AuthToken,
	}
	call := func(operation, body string) string {
		return run(t, s.command(caller, "starter", "call", operation, body))
	}
	id := func(answer, name string) string {
		_, rest, found := strings.Cut(answer, `"`+name+`": "`)
		require.True(t, found, answer)
		value, _, _ := strings.Cut(rest, `"`)
		return value
	}
	call("account.documentRules.publish", fmt.Sprintf(`{"account_id":%q,"rules":{"documents":[{
		"document_type_code":"ID","name":"n","category":"c","requirement_text":"t","entity_type":"Business"}]}}`, account))
	business := id(call("business.create", fmt.Sprintf(`{"account_id":%q,"business":{"legal_name":"Ltd"}}`, account)), "business_id")
	workflow := fmt.Sprintf(`{"workflow_id":%q}`, id(call("workflow.create", fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q}}`, account, business)), "workflow_id"))
	call("workflow.requiredDocument.calculate", workflow)
	require.Equal(t, 1, strings.Count(call("workflow.requiredDocument.list", workflow), `"document_type_code"`))
	require.Contains(t, call("webhook.key.create", fmt.Sprintf(`{"account_id":%q}`, account)), `"shared_secret"`)

	for name, file := range logs {
		log, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, part := range []string{
			`"database_security":"the server's certificate and name are verified; with a client certificate"`,
			`"temporal_security":"the server's certificate and name are verified; with a client certificate"`,
			`"database_password":{"value":"(set)","from":"DATABASE_PASSWORD"}`,
		} {
			require.Contains(t, string(log), part, name)
		}
		require.NotContains(t, string(log), "planted", name)
	}
}

// askTheUI shows that the UI of the stack connects to Temporal with a certificate.
func (s *tlsStack) askTheUI(t *testing.T) {
	response, err := http.Get(s.TemporalUI + "/api/v1/namespaces/requisite")
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, 200, response.StatusCode, string(body))
	require.Contains(t, string(body), temporalclient.Outcome.GetName())
}

// refuse starts programs with wrong settings. Each must end with an error that says what is
// wrong.
func (s *tlsStack) refuse(t *testing.T, right map[string]string) {
	otherCert, otherKey := s.unknown.issue(t, "requisite")
	base := "postgres://requisite_worker@" + s.postgres + "/requisite?"
	for name, wrong := range map[string]struct {
		set   map[string]string // an empty value removes a setting
		wants []string
	}{
		"Postgres has a certificate of an unknown CA": {
			map[string]string{"DATABASE_URL": base + "sslmode=verify-full&sslrootcert=" + s.unknown.file},
			[]string{"reach Postgres", "certificate signed by unknown authority", "sslrootcert"},
		},
		"Postgres is asked without a certificate": {
			map[string]string{"DATABASE_URL": base + "sslmode=verify-full&sslrootcert=" + s.ca.file},
			[]string{"reach Postgres", "connection requires a valid client certificate", "sslcert"},
		},
		"Postgres is shown a certificate of an unknown CA": {
			map[string]string{"DATABASE_URL": base + s.clientQuery(t, s.unknown, "requisite_worker")},
			[]string{"reach Postgres", "connection requires a valid client certificate", "sslcert"},
		},
		"Postgres is shown a certificate of another role": {
			map[string]string{"DATABASE_URL": base + s.clientQuery(t, s.ca, "requisite_owner")},
			[]string{"reach Postgres", "requisite_worker", "the common name of the client certificate"},
		},
		"Postgres is asked in plain text": {
			map[string]string{"DATABASE_URL": base + "sslmode=disable"},
			[]string{"reach Postgres", "no encryption", "sslmode"},
		},
		"Temporal has a certificate of an unknown CA": {
			map[string]string{"TEMPORAL_TLS_SERVER_CA_CERT_PATH": s.unknown.file},
			[]string{"reach Temporal", "certificate signed by unknown authority", "TEMPORAL_TLS_SERVER_CA_CERT_PATH"},
		},
		"Temporal is asked without a certificate": {
			map[string]string{"TEMPORAL_TLS_CLIENT_CERT_PATH": "", "TEMPORAL_TLS_CLIENT_KEY_PATH": ""},
			[]string{"reach Temporal", "TEMPORAL_TLS_CLIENT_CERT_PATH"},
		},
		"Temporal is shown a certificate of an unknown CA": {
			map[string]string{"TEMPORAL_TLS_CLIENT_CERT_PATH": otherCert, "TEMPORAL_TLS_CLIENT_KEY_PATH": otherKey},
			[]string{"reach Temporal", "TEMPORAL_TLS_CLIENT_CERT_PATH"},
		},
		"Temporal is asked in plain text": {
			map[string]string{"TEMPORAL_TLS_CLIENT_CERT_PATH": "", "TEMPORAL_TLS_CLIENT_KEY_PATH": "", "TEMPORAL_TLS_SERVER_CA_CERT_PATH": ""},
			[]string{"reach Temporal", "is in plain text", "TEMPORAL_TLS"},
		},
		"an address that is taken": {
			map[string]string{"REQUISITE_METRICS_LISTEN": s.postgres, "REQUISITE_HEALTH_LISTEN": "127.0.0.1:0"},
			[]string{"listen for metrics on", "address already in use", "--metrics-listen names another address"},
		},
		"Temporal has another name": {
			map[string]string{"TEMPORAL_TLS_SERVER_NAME": "temporal.example"},
			[]string{"reach Temporal", "temporal.example", "TEMPORAL_TLS_SERVER_NAME"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			environment := map[string]string{}
			for _, settings := range []map[string]string{right, wrong.set} {
				for key, value := range settings {
					if environment[key] = value; value == "" {
						delete(environment, key)
					}
				}
			}
			out := s.failedStart(t, environment)
			t.Log(out)
			for _, want := range wrong.wants {
				require.Contains(t, out, want)
			}
		})
	}
}

// failedStart returns the error of a worker that must end by itself.
func (s *tlsStack) failedStart(t *testing.T, environment map[string]string) string {
	command := s.command(environment, "worker")
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	require.NoError(t, command.Start())
	defer context.AfterFunc(await.Context(t), func() { _ = command.Process.Kill() })()
	var exit *exec.ExitError
	require.ErrorAs(t, command.Wait(), &exit, "it started\n%s", &out)
	require.Equal(t, 1, exit.ExitCode(), "the worker did not end by itself\n%s", &out)
	said, found := strings.CutPrefix(lastLine(out.Bytes()), "worker: ")
	require.True(t, found, "%s", &out)
	require.NotContains(t, out.String(), "planted")
	return said
}

// lastLine returns the error without the log. The settings in the log contain words of every
// error.
func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}
