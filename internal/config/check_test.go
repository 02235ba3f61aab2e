package config

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"requisite/internal/secrets/vault"
	"requisite/internal/store"
	"requisite/internal/temporalclient"
)

// alone clears the environment of our settings, except for keysets.
func alone(t *testing.T) {
	for _, name := range Variables() {
		t.Setenv(name, "")
	}
	for _, setting := range os.Environ() { // including the settings of the user who runs the tests
		if name, _, _ := strings.Cut(setting, "="); strings.HasPrefix(name, "REQUISITE_") {
			t.Setenv(name, "")
		}
	}
	for _, v := range temporalclient.Variables() {
		t.Setenv(v.Name, "") // restored when the test ends
		require.NoError(t, os.Unsetenv(v.Name))
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	keys := filepath.Join(t.TempDir(), "keys.json")
	require.NoError(t, vault.Keyset{File: keys}.Generate(t.Context()))
	t.Setenv("REQUISITE_KEK_FILE", keys)
	t.Setenv("REQUISITE_PAYLOAD_KEY_FILE", keys)
}

// start does what a program does with its settings. It returns the error, or the
// log of the start.
func start(t *testing.T, args ...string) (log string, err error) {
	s := &Service{}
	c := &cobra.Command{SilenceErrors: true, SilenceUsage: true}
	s.Bind(c.Flags())
	var out bytes.Buffer
	c.PreRunE = Ready(s.Check)
	c.RunE = func(*cobra.Command, []string) error {
		s.LogStart(slog.New(slog.NewJSONHandler(&out, nil)))
		keys, err := vault.Keyset{File: s.KEKFile}.Load(t.Context())
		require.NoError(t, err)
		database, err := s.Database()
		require.NoError(t, err)
		if _, err := store.Open(t.Context(), database, keys, store.Options{}); err != nil { // nothing listens there
			out.WriteString(err.Error())
		}
		return nil
	}
	c.SetArgs(args)
	c.SetOut(&out)
	c.SetErr(&out)
	err = c.Execute()
	return out.String(), err
}

func TestSecrets_AreNeitherInTheLogNorInErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(file, []byte("planted"), 0o600))
	profile := filepath.Join(t.TempDir(), "temporal.toml")
	require.NoError(t, os.WriteFile(profile, []byte("[profile.default]\napi_key = \"planted\"\n"), 0o600))
	broken := filepath.Join(t.TempDir(), "broken.toml")
	require.NoError(t, os.WriteFile(broken, []byte("[profile.default]\napi_key = planted\n"), 0o600))
	const url = "postgres://app@127.0.0.1:1/requisite"
	for name, environment := range map[string]map[string]string{
		"userinfo":                 {"DATABASE_URL": "postgres://app:planted@127.0.0.1:1/requisite"},
		"user name":                {"DATABASE_URL": "postgres://planted@127.0.0.1:1/requisite"},
		"query":                    {"DATABASE_URL": url + "?password=planted&sslpassword=planted"},
		"key and value":            {"DATABASE_URL": "host=127.0.0.1 port=1 user=app password=planted"},
		"a slash in a password":    {"DATABASE_URL": "postgres://app:12/planted@127.0.0.1:1/requisite"},
		"letters before a slash":   {"DATABASE_URL": "postgres://app:planted/12@127.0.0.1:1/requisite"},
		"a hash in a password":     {"DATABASE_URL": "postgres://app:12#planted@127.0.0.1:1/requisite"},
		"a question mark":          {"DATABASE_URL": "postgres://app:12?planted@127.0.0.1:1/requisite"},
		"a percent sign":           {"DATABASE_URL": "postgres://app:%planted@127.0.0.1:1/requisite"},
		"a control character":      {"DATABASE_URL": "postgres://app:planted\x01@127.0.0.1:1/requisite"},
		"another scheme":           {"DATABASE_URL": "mysql://app:planted@127.0.0.1:1/requisite"},
		"no scheme":                {"DATABASE_URL": "app:planted@127.0.0.1:1/requisite"},
		"a wrong parameter":        {"DATABASE_URL": "postgres://app:planted@127.0.0.1:1/requisite?sslmode=planted"},
		"a wrong pool":             {"DATABASE_URL": "postgres://app:planted@127.0.0.1:1/requisite?pool_max_conns=planted"},
		"a wrong port":             {"DATABASE_URL": "postgres://app:planted@127.0.0.1:99999/requisite"},
		"a file of a certificate":  {"DATABASE_URL": "postgres://app:planted@127.0.0.1:1/requisite?sslmode=verify-full&sslrootcert=/none"},
		"password":                 {"DATABASE_URL": url, "DATABASE_PASSWORD": "planted"},
		"password in a file":       {"DATABASE_URL": url, "DATABASE_PASSWORD_FILE": file},
		"two passwords":            {"DATABASE_URL": url, "DATABASE_PASSWORD_FILE": file, "DATABASE_PASSWORD": "planted"},
		"password given twice":     {"DATABASE_URL": "postgres://app:planted@127.0.0.1:1/requisite", "DATABASE_PASSWORD": "planted"},
		"password without a user":  {"DATABASE_URL": "postgres://127.0.0.1:1/requisite", "DATABASE_PASSWORD": "planted"},
		"Postgres' own variable":   {"DATABASE_URL": url, "PGPASSWORD": "planted"},
		"API key":                  {"DATABASE_URL": url, "TEMPORAL_API_KEY": "planted"},
		"API key without TLS":      {"DATABASE_URL": url, "TEMPORAL_API_KEY": "planted", "TEMPORAL_TLS": "false"},
		"private key":              {"DATABASE_URL": url, "TEMPORAL_TLS_CLIENT_KEY_DATA": "planted", "TEMPORAL_TLS_CLIENT_CERT_DATA": "planted"},
		"private key alone":        {"DATABASE_URL": url, "TEMPORAL_TLS_CLIENT_KEY_DATA": "planted"},
		"Temporal's profile":       {"DATABASE_URL": url, "TEMPORAL_CONFIG_FILE": profile},
		"Temporal's broken file":   {"DATABASE_URL": url, "TEMPORAL_CONFIG_FILE": broken},
		"a collector's address":    {"DATABASE_URL": url, "OTEL_EXPORTER_OTLP_ENDPOINT": "https://app:planted@collector.example"},
		"a collector's query":      {"DATABASE_URL": url, "OTEL_EXPORTER_OTLP_ENDPOINT": "https://collector.example/?key=planted"},
		"a collector's headers":    {"DATABASE_URL": url, "OTEL_EXPORTER_OTLP_HEADERS": "authorization=planted"},
		"a misspelled variable":    {"DATABASE_URL": url, "REQUISITE_SECRET_KEI": "planted"},
		"an unknown variable":      {"DATABASE_URL": url, "REQUISITE_SECRETS_OF_MINE": "planted"},
		"another program's":        {"DATABASE_URL": url, "REQUISITE_SECRET_KEY": "planted"},
		"Temporal's address":       {"DATABASE_URL": url, "TEMPORAL_ADDRESS": "https://app:planted@temporal.example"},
		"a secret after the level": {"DATABASE_URL": "postgres://app:planted@127.0.0.1:1/requisite", "REQUISITE_LOG_LEVEL": "loud"},
	} {
		t.Run(name, func(t *testing.T) {
			alone(t)
			for variable, value := range environment {
				t.Setenv(variable, value)
			}
			log, err := start(t)
			printed := log
			if err != nil {
				printed += err.Error()
			} else {
				require.Contains(t, log, "starting")
			}
			if name == "user name" {
				printed = strings.ReplaceAll(printed, "user=planted", "") // the driver names the user, which is not secret
			}
			require.NotContains(t, printed, "planted")
		})
	}
	alone(t)
	log, err := start(t, "--database-url", "postgres://app:planted@127.0.0.1:1/requisite")
	require.NoError(t, err)
	require.NotContains(t, log, "planted")
	log, err = start(t, "--database-url", url, "--database-password", "planted")
	require.NoError(t, err)
	require.NotContains(t, log, "planted")
}

func TestSettings_AreLoggedWithTheirSource(t *testing.T) {
	alone(t)
	file := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(file, []byte("p"), 0o600))
	t.Setenv("DATABASE_URL", "postgres://app@127.0.0.1:1/requisite?sslmode=require")
	t.Setenv("DATABASE_PASSWORD_FILE", file)
	t.Setenv("TEMPORAL_TLS_SERVER_NAME", "temporal.example")
	t.Setenv("TEMPORAL_API_KEY", "k")
	t.Setenv("HTTPS_PROXY", "http://user:planted@127.0.0.1:1")
	log, err := start(t, "--log-level", "debug")
	require.NoError(t, err)
	for _, part := range []string{
		`"database_url":{"value":"127.0.0.1:1/requisite","from":"DATABASE_URL"}`,
		`"database_password":{"value":"(set)","from":"DATABASE_PASSWORD_FILE"}`,
		`"log_level":{"value":"debug","from":"flag"}`,
		`"metrics_listen":{"value":"","from":"default"}`,
		`"child":{"value":"false","from":"default"}`,
		`"database_security":"the server is not verified"`,
		`"temporal_security":"the server's certificate and name are verified; with an API key"`,
		`"temporal_tls_server_name":{"value":"temporal.example","from":"TEMPORAL_TLS_SERVER_NAME"}`,
		`"temporal_api_key":{"value":"(set)","from":"TEMPORAL_API_KEY"}`,
		`"https_proxy":"Temporal, traces and key management services are reached through it, unless NO_PROXY names them; webhooks and Postgres never"`,
	} {
		require.Contains(t, log, part)
	}
	require.NotContains(t, log, "planted")
}

// TestLoad_DropsTheLineFeedAtTheEnd of every setting, in variables and in files.
func TestLoad_DropsTheLineFeedAtTheEnd(t *testing.T) {
	alone(t)
	file := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(file, []byte("p:\\ %\r\n"), 0o600))
	for _, password := range []map[string]string{{"DATABASE_PASSWORD": "p:\\ %\n"}, {"DATABASE_PASSWORD": "", "DATABASE_PASSWORD_FILE": file}} {
		t.Setenv("DATABASE_URL", "postgres://app@127.0.0.1:1/requisite\n")
		t.Setenv("REQUISITE_LOG_LEVEL", "debug\n")
		for name, value := range password {
			t.Setenv(name, value)
		}
		s := &Service{}
		c := &cobra.Command{}
		s.Bind(c.Flags())
		require.NoError(t, Load(c, nil))
		require.NoError(t, s.Check())
		require.Equal(t, "debug", s.LogLevel)
		database, err := s.Database()
		require.NoError(t, err)
		parsed, err := pgx.ParseConfig(database)
		require.NoError(t, err)
		require.Equal(t, `p:\ %`, parsed.Password)
	}
}

// Each has a line.
func TestCheck_ReportsAllProblems(t *testing.T) {
	alone(t)
	for name, value := range map[string]string{
		"REQUISITE_KEK_FILE": "", "REQUISITE_PAYLOAD_KEY_FILE": "/none/keys.json", "REQUISITE_LOG_LEVEL": "loud", "REQUISITE_METRICS_LISTEN": "9090",
		"TEMPORAL_ADDRESS": "temporal", "TEMPORAL_TLS": "off", "REQUISITE_PATIENSE": "1s", "DATABASE_URL": "postgres://app:p@db.example/x", "DATABASE_PASSWORD": "p",
	} {
		t.Setenv(name, value)
	}
	_, err := start(t)
	require.Error(t, err)
	lines := strings.Split(err.Error(), "\n")
	require.Equal(t, "8 problems with the settings:", lines[0])
	for _, want := range []string{
		"REQUISITE_PATIENSE is set, and no setting reads it; did you mean REQUISITE_PATIENCE?",
		"--database-url (from DATABASE_URL) contains a password, and --database-password (from DATABASE_PASSWORD) is set too; use one",
		"--kek-file (or REQUISITE_KEK_FILE) is not set; make a keyset",
		"--payload-key-file (from REQUISITE_PAYLOAD_KEY_FILE): keyset file: stat /none/keys.json: no such file or directory; mount it there, or make one",
		"TEMPORAL_TLS must be true or false",
		`--temporal-address (from TEMPORAL_ADDRESS) must be host:port, such as 127.0.0.1:7233, not "temporal"`,
		`--metrics-listen (from REQUISITE_METRICS_LISTEN) must be an address to listen on, such as 127.0.0.1:8080, not "9090"`,
		`--log-level (from REQUISITE_LOG_LEVEL) must be debug, info, warn or error, not "loud"`,
	} {
		require.True(t, slices.ContainsFunc(lines[1:], func(line string) bool { return strings.HasPrefix(line, "  "+want) }), "%s\nis not in\n%s", want, err)
	}
}

func TestCheck_RefusesContradictions(t *testing.T) {
	const url = "postgres://app@127.0.0.1:1/requisite"
	for want, environment := range map[string]map[string]string{
		"the database URL contains a % without two":                                      {"DATABASE_URL": "postgres://app:%@127.0.0.1:1/requisite", "DATABASE_PASSWORD": "p"},
		"TEMPORAL_API_KEY begins or ends with":                                           {"DATABASE_URL": url, "TEMPORAL_API_KEY": "k\n"},
		"names no user":                                                                  {"DATABASE_URL": "postgres://db.example/x", "DATABASE_PASSWORD": "p"},
		"contains a password":                                                            {"DATABASE_URL": url + "?password=x", "DATABASE_PASSWORD": "p"},
		"both set; use one":                                                              {"DATABASE_URL": url, "DATABASE_PASSWORD": "p", "DATABASE_PASSWORD_FILE": "/none"},
		"DATABASE_PASSWORD_FILE: open /none":                                             {"DATABASE_URL": url, "DATABASE_PASSWORD_FILE": "/none"},
		"must begin with postgres://":                                                    {"DATABASE_URL": "host=db.example user=app"},
		"sslmode is invalid":                                                             {"DATABASE_URL": url + "?sslmode=verify"},
		`both "sslcert" and "sslkey" are required`:                                       {"DATABASE_URL": url + "?sslmode=require&sslcert=/none"},
		"unable to read CA file: open /none":                                             {"DATABASE_URL": url + "?sslmode=verify-full&sslrootcert=/none"},
		"TEMPORAL_TLS is false, but TEMPORAL_API_KEY is set":                             {"DATABASE_URL": url, "TEMPORAL_TLS": "false", "TEMPORAL_API_KEY": "k"},
		"TEMPORAL_TLS is 0, but TEMPORAL_TLS_SERVER_NAME is set":                         {"DATABASE_URL": url, "TEMPORAL_TLS": "0", "TEMPORAL_TLS_SERVER_NAME": "n"},
		"TEMPORAL_TLS_CLIENT_CERT_… and TEMPORAL_TLS_CLIENT_KEY_… belong":                {"DATABASE_URL": url, "TEMPORAL_TLS_CLIENT_CERT_PATH": "/none"},
		"TEMPORAL_TLS_SERVER_CA_CERT_PATH and TEMPORAL_TLS_SERVER_CA_CERT_DATA are both": {"DATABASE_URL": url, "TEMPORAL_TLS_SERVER_CA_CERT_PATH": "/none", "TEMPORAL_TLS_SERVER_CA_CERT_DATA": "x"},
		"TEMPORAL_TLS_DISABLE_HOST_VERIFICATION must be true or false":                   {"DATABASE_URL": url, "TEMPORAL_TLS_DISABLE_HOST_VERIFICATION": "yes"},
		"failed reading server CA cert path: open /none":                                 {"DATABASE_URL": url, "TEMPORAL_TLS_SERVER_CA_CERT_PATH": "/none"},
		"unable to find profile none":                                                    {"DATABASE_URL": url, "TEMPORAL_PROFILE": "none"},
		"--temporal-namespace":                                                           {"DATABASE_URL": url},
	} {
		t.Run(want, func(t *testing.T) {
			alone(t)
			for name, value := range environment {
				t.Setenv(name, value)
			}
			var args []string
			if want == "--temporal-namespace" {
				args = []string{"--temporal-namespace", ""}
			}
			_, err := start(t, args...)
			require.ErrorContains(t, err, want)
		})
	}
}

func TestUnknownVariables_MisspelledOnesAreRefused(t *testing.T) {
	alone(t)
	t.Setenv("DATABASE_URL", "postgres://app@127.0.0.1:1/requisite")
	t.Setenv("REQUISITE_WEBHOOK_PORTS", "443")       // of another program
	t.Setenv("REQUISITE_API_ROLE_FILE", "/none")     // of another program, in a file
	t.Setenv("REQUISITE_API_SERVICE_HOST", "10.0.0") // as platforms set for a service of that name
	t.Setenv("TEMPORAL_TLS_CA", "/none")             // an older name
	log, err := start(t)
	require.NoError(t, err)
	require.Contains(t, log, `"variables":["REQUISITE_API_SERVICE_HOST","TEMPORAL_TLS_CA"]`)
	for name, candidates := range map[string]string{
		"REQUISITE_KEK_FIEL": "REQUISITE_KEK_FILE", "REQUISITE_METRICS_LISTENS": "REQUISITE_METRICS_LISTEN", "REQUISITE_WEBHOKS_PORTS": "REQUISITE_WEBHOOK_PORTS",
		"TEMPORAL_TLS_SERVERNAME": "TEMPORAL_TLS_SERVER_NAME",
	} {
		t.Setenv(name, "x")
		_, err := start(t)
		require.ErrorContains(t, err, name+" is set, and no setting reads it; did you mean "+candidates+"?")
		t.Setenv(name, "")
	}
}

func TestApart_RefusesOneAddressForTwoListeners(t *testing.T) {
	for _, same := range [][2]string{{"127.0.0.1:1", "127.0.0.1:1"}, {":1", "127.0.0.1:1"}, {"127.0.0.1:1", "0.0.0.0:1"}, {"[::]:1", "10.0.0.1:1"}} {
		require.ErrorContains(t, Apart(same[0], "a", same[1], "b"), "use the same port", same)
	}
	for _, apart := range [][2]string{{"127.0.0.1:1", "127.0.0.1:2"}, {"127.0.0.1:0", "127.0.0.1:0"}, {"10.0.0.1:1", "127.0.0.1:1"}, {"x", ""}} {
		require.NoError(t, Apart(apart[0], "a", apart[1], "b"), apart)
	}
	for _, wrong := range []string{"x", "1.2.3.4", "::1", "127.0.0.1:99999", "127.0.0.1:", "127.0.0.1:-1"} {
		require.ErrorContains(t, Address(wrong, "listen"), "--listen must be", wrong)
	}
	require.NoError(t, errors.Join(Address(":80", "x"), Address("[::1]:0", "x"), Address("", "x")))
}
