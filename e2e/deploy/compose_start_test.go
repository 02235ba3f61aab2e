//go:build deep

package deploy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
)

// stand runs the services of docker-compose.yml on this machine, with its names and paths
// replaced.
type stand struct {
	*harness.Stack
	file    composition
	replace *strings.Replacer
	// The addresses of each program. In the file each program has its own container.
	metrics, health map[string]string
	running         map[string]*harness.Program
}

// here returns a text of a service with the names and paths of this machine.
func (s stand) here(name, text string) string {
	for port, addresses := range map[string]map[string]string{":9090": s.metrics, ":8081": s.health} {
		if host, found := strings.CutSuffix(text, port); found && addresses[name] != "" {
			if strings.HasPrefix(host, "http://") {
				return "http://" + addresses[name]
			}
			return addresses[name]
		}
	}
	return s.replace.Replace(text)
}

func (s stand) env(name string) (env []string) {
	for key, value := range s.file.Services[name].Environment {
		env = append(env, key+"="+s.here(name, unset.ReplaceAllString(value, "$1")))
	}
	return env
}

// command returns the command of a service, with its environment.
func (s stand) command(t *testing.T, name string, more ...string) *exec.Cmd {
	words := s.file.Services[name].Command
	require.NotEmpty(t, words, name)
	args := make([]string, 0, len(words))
	for _, w := range append(slices.Clone(words[1:]), more...) {
		args = append(args, s.here(name, w))
	}
	return s.Command(s.env(name), words[0], args...)
}

func (s stand) run(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s\n%s", command, out)
	return string(out)
}

func TestCompose_StartsAndOperatesTheService(t *testing.T) {
	s := stand{Stack: harness.NewBare(t), file: read(t), running: map[string]*harness.Program{},
		metrics: map[string]string{"api": harness.HeldAddress(t), "worker": harness.HeldAddress(t)}, health: map[string]string{}}
	for _, name := range programs {
		s.health[name] = harness.HeldAddress(t)
	}
	secrets := t.TempDir()
	for name := range s.file.Secrets {
		require.NoError(t, os.WriteFile(filepath.Join(secrets, name), []byte(planted(name)+"\n"), 0o600))
	}
	keys := filepath.Join(t.TempDir(), "keys")
	super, err := url.Parse(s.SuperuserURL("postgres"))
	require.NoError(t, err)
	api, codec := harness.HeldAddress(t), harness.HeldAddress(t)
	s.replace = strings.NewReplacer(
		"postgres:5432", super.Host, "temporal:7233", s.TemporalAddress, "/run/secrets", secrets, "/keys", keys, "/scripts", absolute(t, "../../deploy/postgres"), "/var/lib/postgresql", t.TempDir(),
		"0.0.0.0:8080", api, "127.0.0.1:8080", api, "0.0.0.0:8234", codec, "127.0.0.1:8234", codec)
	s.makeDatabases(t, secrets, super)

	s.run(t, s.command(t, "keys"))
	require.Contains(t, s.run(t, s.command(t, "keys")), "kept", "a second start keeps the keysets")
	s.run(t, s.command(t, "migrate"))
	s.run(t, s.command(t, "migrate"))
	require.Regexp(t, `^STARTED .*\n\S+ +Docker Compose +requisite +migrate +DONE$`, s.operator(t, "audit", "list"),
		"a start that changes nothing is not in the log")
	for _, name := range programs {
		require.Error(t, s.check(t, name), "%s is healthy before it runs", name)
	}
	s.start(t)
	account := s.calculate(t, "http://"+api, "first")
	s.decode(t, codec)
	s.operate(t, account, func(when string) { s.calculate(t, "http://"+api, when) })
	s.decode(t, codec)
	s.requireTimeToStop(t)

	s.Devstack.Signal(t, syscall.SIGSTOP)
	s.Poll(t, "the worker's health check passes without Temporal", func(context.Context) (bool, error) {
		err := s.check(t, "worker") // the result changes after a second
		return err != nil && strings.Contains(err.Error(), "503 Service Unavailable: no answer from Temporal"), err
	})
	s.Devstack.Signal(t, syscall.SIGCONT)
	s.Poll(t, "the worker's health check does not pass again", func(context.Context) (bool, error) {
		err := s.check(t, "worker")
		return err == nil, err
	})
	s.running["worker"].Stop(t)
	require.Error(t, s.check(t, "worker"), "the worker is healthy after its end")
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	require.NoError(t, err)
	return path
}

// start starts the programs that do not run, and waits until all are healthy.
func (s stand) start(t *testing.T) {
	t.Helper()
	for _, name := range programs {
		if s.running[name] == nil {
			s.running[name] = s.Start(t, s.command(t, name))
		}
	}
	for _, name := range programs {
		program := await.Process{Name: name, Ended: s.running[name].Ended()}
		await.True(t, name+"'s health check to pass", func(context.Context) error { return s.check(t, name) }, program)
	}
}

// check runs the health check of a service.
func (s stand) check(t *testing.T, name string) error {
	words := s.file.Services[name].Healthcheck.Test
	require.Equal(t, []string{"CMD", "starter"}, words[:2])
	args := []string{}
	for _, w := range words[2:] {
		args = append(args, s.here(name, w))
	}
	out, err := s.Command(nil, "starter", args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

var statement = regexp.MustCompile(`(?s)<<'SQL'\n(.*)\nSQL\n`)

// makeDatabases runs the script that creates the databases, and interrupts its first run
// halfway.
func (s stand) makeDatabases(t *testing.T, secrets string, super *url.URL) {
	made := s.file.Services["databases"]
	require.Equal(t, []string{"./deploy/postgres/databases.sh:/scripts/databases.sh:ro"}, made.Volumes)
	require.Equal(t, []string{"/bin/sh", "-c"}, made.Entrypoint[:2])
	require.Contains(t, made.Entrypoint[2], "exec /bin/sh /scripts/databases.sh")
	script := deployed(t, "postgres/databases.sh")
	for _, path := range regexp.MustCompile(`/run/secrets/([a-z_]+)`).FindAllStringSubmatch(script, -1) {
		require.Contains(t, made.Secrets, path[1])
	}
	// Every user of the host can read the arguments of a process, and the same user its
	// environment. printf is a builtin of the shell, and no process.
	visible := statement.ReplaceAllString(withoutComments(script), "")
	visible = strings.Replace(visible, `printf '*:*:*:*:%s\n' "$(sed 's/[\\:]/\\&/g' /run/secrets/postgres_password)"`, "", 1)
	require.NotRegexp(t, `(?i)secrets|password`, visible)
	conn, err := pgx.Connect(t.Context(), super.String())
	require.NoError(t, err)
	defer conn.Close(t.Context())
	// The superuser of the image has this name. The superuser of the embedded Postgres has another.
	_, err = conn.Exec(t.Context(), `CREATE ROLE postgres SUPERUSER LOGIN PASSWORD '`+planted("postgres_password")+`'`)
	require.NoError(t, err)
	sql := statement.FindStringSubmatch(script)[1]
	lines := slices.Collect(strings.Lines(sql))
	for _, run := range []string{strings.Join(lines[:len(lines)/2], ""), sql, sql} {
		makeDatabases(t, strings.Replace(script, sql, run, 1), secrets, super.Port())
	}
}

// withoutComments returns a script without its comments.
func withoutComments(script string) string {
	return regexp.MustCompile(`(?m)^#.*$`).ReplaceAllString(script, "")
}

// operator runs a command in the operator service.
func (s stand) operator(t *testing.T, args ...string) string {
	t.Helper()
	return strings.TrimSpace(s.run(t, s.Command(append(s.env("operator"), "REQUISITE_OPERATOR=Ada King"), "starter", args...)))
}

// calculate creates an account with commands, and calculates an application with the api.
func (s stand) calculate(t *testing.T, baseURL, name string) (account string) {
	organization := s.operator(t, "organization", "create", name)
	account = s.operator(t, "account", "create", organization, name)
	var credential harness.Credential
	require.NoError(t, json.Unmarshal([]byte(s.operator(t, "credential", "create", organization, name)), &credential))
	client, err := credential.Client(baseURL)
	require.NoError(t, err)
	must := func(operation string, in, out any) {
		t.Helper()
		_, err := client.Call(t.Context(), operation, in, out)
		require.NoError(t, err)
	}
	must("account.documentRules.publish", harness.Object{"account_id": account, "rules": harness.Object{"documents": []harness.Object{{
		"document_type_code": "ID", "name": "n", "category": "c", "requirement_text": "t", "entity_type": "Business"}}}}, nil)
	var business, workflow harness.Object
	must("business.create", harness.Object{"account_id": account, "business": harness.Object{"legal_name": "Ltd"}}, &business)
	must("workflow.create", harness.Object{"account_id": account, "workflow": business}, &workflow)
	await.True(t, "a calculation, repeated while it is STILL_RUNNING", func(ctx context.Context) error {
		_, err := client.Call(ctx, "workflow.requiredDocument.calculate", workflow, nil)
		return err
	})
	var list struct {
		Documents []harness.Object `json:"required_documents"`
	}
	must("workflow.requiredDocument.list", workflow, &list)
	require.Len(t, list.Documents, 1)
	must("webhook.key.create", harness.Object{"account_id": account}, nil)
	refused, err := client.Send(t.Context(), "webhook.config.create", []byte(fmt.Sprintf(`{"account_id":%q,"config":{"url":"http://127.0.0.1:1/"}}`, account)))
	require.NoError(t, err)
	require.Equal(t, "BAD_REQUEST", refused.Errors[0].Code, "only public addresses are allowed")
	return account
}

// planted returns the value of a secret in the tests, as long as a real one.
func planted(secret string) string { return secret + "-planted-" + strings.Repeat("0", 48) }

// decode calls the codec endpoint as a page of the Temporal UI does, before and after the
// sign-in, and as a program does.
func (s stand) decode(t *testing.T, address string) {
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	browser := &http.Client{Jar: jar}
	ask := func(path, origin, contentType, authorization, body string) (int, error) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+path, strings.NewReader(body))
		require.NoError(t, err)
		request.Header.Set("Origin", origin)
		request.Header.Set("Content-Type", contentType)
		request.Header.Set("Authorization", authorization)
		response, err := browser.Do(request)
		if err != nil {
			return 0, err
		}
		return response.StatusCode, response.Body.Close()
	}
	ui := s.file.Services["temporal-ui"].Environment
	require.Equal(t, "true", ui["TEMPORAL_CODEC_INCLUDE_CREDENTIALS"])
	published := func(variable string) string {
		path, found := strings.CutPrefix(ui[variable], "http://localhost:8234")
		require.True(t, found, "%s must have the port that the file publishes", variable)
		return path
	}
	decodePath, signInPath := published("TEMPORAL_CODEC_ENDPOINT")+"/decode", published("TEMPORAL_CODEC_DEFAULT_ERROR_LINK")
	decode := func(origin, authorization string) int {
		status, err := ask(decodePath, origin, "application/json", authorization, `{"payloads":[]}`)
		require.NoError(t, err)
		return status
	}
	origin := ui["TEMPORAL_CORS_ORIGINS"]
	s.Poll(t, "the codec endpoint does not answer the UI", func(context.Context) (bool, error) {
		status, err := ask(decodePath, origin, "application/json", "", "{}")
		return status == 401, err
	})
	token := planted("codec_token")
	require.Equal(t, 200, decode(origin, "Bearer "+token))
	require.Equal(t, 403, decode("https://elsewhere.example", "Bearer "+token))
	status, err := ask(signInPath, "http://"+address, "application/x-www-form-urlencoded", "", url.Values{"token": {token}}.Encode())
	require.NoError(t, err)
	require.Equal(t, 200, status)
	require.Equal(t, 200, decode(origin, ""))
}
