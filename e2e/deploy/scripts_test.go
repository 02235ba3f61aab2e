package deploy_test

import (
	"encoding/json"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"requisite/internal/localpostgres"
	"requisite/internal/testkit/needs"
)

// deployed reads a file below deploy/.
func deployed(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile("../../deploy/" + path)
	require.NoError(t, err)
	return string(text)
}

// inShell runs a script with other paths, and returns its output.
func inShell(t *testing.T, script string, paths map[string]string, env ...string) string {
	t.Helper()
	for from, to := range paths {
		require.Contains(t, script, from)
		script = strings.ReplaceAll(script, from, to)
	}
	command := exec.Command("/bin/sh", "-c", script)
	command.Env = append(env, "PATH="+os.Getenv("PATH"))
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// makeDatabases runs the script that creates roles and databases on a local server.
func makeDatabases(t *testing.T, script, secrets, port string) {
	t.Helper()
	needs.Program(t, "psql", "apt-get install postgresql-client")
	inShell(t, script, map[string]string{"/run/secrets": secrets, "/tmp/pgpass": filepath.Join(t.TempDir(), "pgpass")}, "PGHOSTADDR=127.0.0.1", "PGPORT="+port)
}

var unset = regexp.MustCompile(`\$\{[A-Z_]+:-([^}]*)\}`) // a variable with a default

// logEverything returns the settings of a command of Postgres, but every statement is slow.
func logEverything(command []string) (settings []string) {
	for _, word := range command[1:] {
		if word != "-c" {
			word = unset.ReplaceAllString(word, "$1")
			settings = append(settings, regexp.MustCompile(`^log_min_duration_statement=.*`).ReplaceAllString(word, "log_min_duration_statement=0"))
		}
	}
	return settings
}

// awkward has each character that a shell, psql, a password file, a URL or YAML reads
// in its own way.
const awkward = `a:b\c\\d'e"f $HOME %s #g @/?&{{h}} ü: `

// TestScripts_PasswordsMayContainAnyCharacter that a line has.
func TestScripts_PasswordsMayContainAnyCharacter(t *testing.T) {
	t.Parallel()
	secrets := t.TempDir()
	secret := func(name string) string { return awkward + name }
	roles := map[string]string{"requisite": "requisite_db_password", "requisite_api": "requisite_api_db_password", "requisite_worker": "requisite_worker_db_password", "temporal": "temporal_db_password"}
	for _, name := range []string{"postgres_password", roles["requisite"], roles["requisite_api"], roles["requisite_worker"], roles["temporal"]} {
		require.NoError(t, os.WriteFile(filepath.Join(secrets, name), []byte(secret(name)+"\n"), 0o600))
	}
	log := filepath.Join(t.TempDir(), "postgres.log")
	server, err := localpostgres.Start(t.Context(), localpostgres.Options{LogFile: log, Settings: logEverything(read(t).Services["postgres"].Command)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	super, err := url.Parse(server.URL("postgres"))
	require.NoError(t, err)
	conn, err := pgx.Connect(t.Context(), super.String())
	require.NoError(t, err)
	defer conn.Close(t.Context())
	for _, sql := range []string{ // as initdb does, without the log
		`SET log_min_duration_statement = -1`, `CREATE ROLE postgres SUPERUSER LOGIN PASSWORD '` + strings.ReplaceAll(secret("postgres_password"), `'`, `''`) + `'`, `RESET log_min_duration_statement`,
	} {
		_, err = conn.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	for range 2 {
		makeDatabases(t, deployed(t, "postgres/databases.sh"), secrets, super.Port())
	}
	for role, name := range roles {
		as := url.URL{Scheme: "postgres", User: url.UserPassword(role, secret(name)), Host: net.JoinHostPort("127.0.0.1", super.Port()), Path: "/requisite", RawQuery: "sslmode=disable"}
		login, err := pgx.Connect(t.Context(), as.String())
		require.NoError(t, err, role)
		if role == "requisite" { // operators run operations with the rights of the api
			_, err = login.Exec(t.Context(), `SET ROLE requisite_api`)
			require.NoError(t, err)
		}
		require.NoError(t, login.Close(t.Context()))
	}

	// The server counts and logs statements, without what they were given.
	personal := "personal data"
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT $1::text AS given, 'in a statement'`, personal).Scan(new(string), new(string)))
	var counted string
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT string_agg(query, E'\n') FROM pg_stat_statements`).Scan(&counted))
	logged, err := os.ReadFile(log)
	require.NoError(t, err)
	for where, text := range map[string]string{"statistics": counted, "log": string(logged)} {
		require.Contains(t, text, "AS given", where)
		for _, hidden := range []string{"PASSWORD", "db_password", personal} {
			require.NotContains(t, text, hidden, where)
		}
	}

	// What Temporal's programs read is in their environment, and in a file of YAML.
	temporal := secret("temporal_db_password")
	tool := filepath.Join(t.TempDir(), "tool")
	require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\nprintf %s \"$SQL_PASSWORD\"\nexit 0\n"), 0o755))
	require.Contains(t, inShell(t, deployed(t, "temporal/schema.sh"), map[string]string{"/run/secrets": secrets, "temporal-sql-tool": tool}), temporal)
	require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\nprintf 'password: \"%s\"' \"$POSTGRES_PWD\"\n"), 0o755))
	var file struct{ Password string }
	require.NoError(t, yaml.Unmarshal([]byte(inShell(t, deployed(t, "temporal/server.sh"), map[string]string{"/run/secrets": secrets, "/etc/temporal/entrypoint.sh": tool})), &file))
	require.Equal(t, temporal, file.Password)
}

// TestFunctionOfTheChart_PassesTheArgumentsAndTheOperator to the Job that it makes.
func TestFunctionOfTheChart_PassesTheArgumentsAndTheOperator(t *testing.T) {
	needs.Program(t, "jq", "apt-get install jq")
	script := regexp.MustCompile("(?s)```sh\n(export REQUISITE_OPERATOR.*?)```").FindStringSubmatch(deployed(t, "helm/requisite/README.md"))
	require.Len(t, script, 2)
	here := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(here, "kubectl"), []byte(`#!/bin/sh
case "$*" in
*--dry-run=client*) echo '{"spec":{"template":{"spec":{"containers":[{"args":["--help"],"env":[{"name":"A","value":"b"}]}]}}}}' ;;
create*) cat >> "$MADE" ;;
*conditions*) echo Complete ;;
*succeeded*) echo 1 ;;
esac
`), 0o700))
	made := filepath.Join(here, "made")
	inShell(t, "PATH="+here+":$PATH\n"+strings.Replace(script[1], `"Ada King"`, `'Ada "$(King)'`, 1), nil, "MADE="+made)
	file, err := os.Open(made)
	require.NoError(t, err)
	defer file.Close()
	jobs := json.NewDecoder(file)
	for _, args := range []string{`["organization", "create", "Example Ltd"]`, `["delivery", "list", "--status", "FAILED"]`} {
		var job json.RawMessage
		require.NoError(t, jobs.Decode(&job))
		require.JSONEq(t, `{"spec": {"template": {"spec": {"containers": [{"args": `+args+`, "env": [
			{"name": "A", "value": "b"}, {"name": "REQUISITE_OPERATOR", "value": "Ada \"$(King)"}]}]}}}}`, string(job))
	}
	require.False(t, jobs.More())
}
