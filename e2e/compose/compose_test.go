// Package compose_test proves the wiring of docker-compose.yml where no engine
// runs: the same programs, with the commands and the environment that the file
// gives them, against an embedded Postgres and Temporal.
package compose_test

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
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"requisite/e2e/parts"
	"requisite/internal/config"
)

type service struct {
	Image       string
	Build       *struct{ Args map[string]string }
	PullPolicy  string `yaml:"pull_policy"`
	Restart     string
	Profiles    []string
	Command     []string
	Entrypoint  []string
	Environment map[string]string
	Secrets     []string
	Volumes     []string
	Ports       []string
	Networks    []string
	NetworkMode string                                `yaml:"network_mode"`
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	User        string
	Privileged  bool
	ReadOnly    bool     `yaml:"read_only"`
	CapDrop     []string `yaml:"cap_drop"`
	CapAdd      []string `yaml:"cap_add"`
	SecurityOpt []string `yaml:"security_opt"`
	Tmpfs       []string
	MemLimit    string        `yaml:"mem_limit"`
	PidsLimit   int           `yaml:"pids_limit"`
	StopGrace   time.Duration `yaml:"stop_grace_period"`
	Healthcheck struct{ Test []string }
	Logging     struct {
		Driver  string
		Options map[string]string
	}
}

type composition struct {
	Services map[string]service
	Networks map[string]struct{ Internal bool }
	Secrets  map[string]struct{ File string }
}

func read(t *testing.T) composition {
	data, err := os.ReadFile("../../docker-compose.yml")
	require.NoError(t, err)
	var c composition
	require.NoError(t, yaml.Unmarshal(data, &c))
	return c
}

// stand is the file's world on this machine: what names and paths become here.
type stand struct {
	*parts.Stack
	file    composition
	replace *strings.Replacer
	// The addresses of each program, which the file has in containers of their own.
	metrics, health map[string]string
	running         map[string]*parts.Program
}

// here is a text of a service, as it is on this machine.
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

// command is what a service runs, with its environment.
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

func TestTheFileStartsTheService(t *testing.T) {
	s := stand{Stack: parts.NewBare(t), file: read(t), running: map[string]*parts.Program{},
		metrics: map[string]string{"api": parts.HeldAddress(t), "worker": parts.HeldAddress(t)}, health: map[string]string{}}
	for _, name := range programs {
		s.health[name] = parts.HeldAddress(t)
	}
	secrets := t.TempDir()
	for name := range s.file.Secrets {
		require.NoError(t, os.WriteFile(filepath.Join(secrets, name), []byte(planted(name)+"\n"), 0o600))
	}
	keys := filepath.Join(t.TempDir(), "keys")
	super, err := url.Parse(s.SuperuserURL("postgres"))
	require.NoError(t, err)
	api, codec := parts.HeldAddress(t), parts.HeldAddress(t)
	s.replace = strings.NewReplacer(
		"postgres:5432", super.Host, "temporal:7233", s.TemporalAddress, "/run/secrets", secrets, "/keys", keys,
		"0.0.0.0:8080", api, "127.0.0.1:8080", api, "0.0.0.0:8234", codec, "127.0.0.1:8234", codec)
	s.makeDatabases(t, super)

	s.run(t, s.command(t, "keys"))
	require.Contains(t, s.run(t, s.command(t, "keys")), "kept", "a second start keeps the keysets")
	s.run(t, s.command(t, "migrate"))
	s.run(t, s.command(t, "migrate"))
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
		err := s.check(t, "worker") // for a second it is what it was
		return err != nil && strings.Contains(err.Error(), "503 Service Unavailable: no answer from Temporal"), err
	})
	s.Devstack.Signal(t, syscall.SIGCONT)
	s.Poll(t, "the worker's health check does not pass again", func(context.Context) (bool, error) {
		err := s.check(t, "worker")
		return err == nil, err
	})
	s.running["worker"].Stop(t)
	require.Error(t, s.check(t, "worker"), "the worker is healthy when it has ended")
}

// programs are the services that run the image until they are stopped.
var programs = []string{"api", "worker", "codec"}

// start starts the programs that do not run, and waits for all health checks.
func (s stand) start(t *testing.T) {
	t.Helper()
	for _, name := range programs {
		if s.running[name] == nil {
			s.running[name] = s.Start(t, s.command(t, name))
		}
	}
	for _, name := range programs {
		s.Poll(t, name+"'s health check does not pass", func(context.Context) (bool, error) {
			err := s.check(t, name)
			return err == nil, err
		})
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

var (
	unset     = regexp.MustCompile(`\$\{[A-Z_]+:-([^}]*)\}`) // what the operator may set, unset
	passedOn  = regexp.MustCompile("(?m)^\\\\set ([a-z]+) `cat (/run/secrets/[a-z_]+)`\n")
	statement = regexp.MustCompile(`(?s)<<'SQL'\n(.*)\nSQL\n`)
)

// makeDatabases does what the script does that makes the databases: its statements,
// with the secrets that it passes on. The first start is cut off halfway.
func (s stand) makeDatabases(t *testing.T, super *url.URL) {
	made := s.file.Services["databases"]
	require.Equal(t, []string{"./deploy/postgres/databases.sh:/scripts/databases.sh:ro"}, made.Volumes)
	require.Equal(t, []string{"/bin/sh", "/scripts/databases.sh"}, made.Entrypoint)
	script, err := os.ReadFile("../../deploy/postgres/databases.sh")
	require.NoError(t, err)
	found := statement.FindSubmatch(script)
	require.Len(t, found, 2)
	sql := string(found[1])
	for _, pair := range passedOn.FindAllStringSubmatch(string(script), -1) {
		require.Contains(t, made.Secrets, filepath.Base(pair[2]))
		secret, err := os.ReadFile(s.replace.Replace(pair[2]))
		require.NoError(t, err)
		sql = strings.ReplaceAll(sql, ":'"+pair[1]+"'", "'"+strings.TrimSpace(string(secret))+"'")
	}
	sql = passedOn.ReplaceAllString(sql, "")
	require.NotContains(t, sql, ":'", "every variable is passed on")
	// Whoever is on the host reads the arguments and, as the same user, the
	// environment of a process. printf is the shell's own.
	visible := strings.Replace(statement.ReplaceAllString(withoutComments(script), ""), `printf '*:*:*:*:%s\n' "$(cat /run/secrets/postgres_password)"`, "", 1)
	require.NotRegexp(t, `(?i)secrets|password`, visible)
	conn, err := pgx.Connect(t.Context(), super.String())
	require.NoError(t, err)
	defer conn.Close(t.Context())
	// The image's superuser has this name; that of the embedded Postgres has another.
	_, err = conn.Exec(t.Context(), `CREATE ROLE postgres SUPERUSER LOGIN PASSWORD '`+planted("postgres_password")+`'`)
	require.NoError(t, err)
	lines := slices.Collect(strings.Lines(sql))
	for _, start := range [][]string{lines[:len(lines)/2], lines, lines} {
		for _, line := range start {
			psql(t, conn, line)
		}
	}
}

// psql runs a line as psql does: \gexec runs what the query returns.
func psql(t *testing.T, conn *pgx.Conn, line string) {
	t.Helper()
	statements := []string{line}
	if query, ok := strings.CutSuffix(strings.TrimSpace(line), ` \gexec`); ok {
		rows, err := conn.Query(t.Context(), query)
		require.NoError(t, err, line)
		statements, err = pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err, line)
	}
	for _, one := range statements {
		_, err := conn.Exec(t.Context(), one)
		require.NoError(t, err, one)
	}
}

// withoutComments is what of a script is run.
func withoutComments(script []byte) string {
	return regexp.MustCompile(`(?m)^#.*$`).ReplaceAllString(string(script), "")
}

// operator runs a command in the service that is for operators.
func (s stand) operator(t *testing.T, args ...string) string {
	t.Helper()
	return strings.TrimSpace(s.run(t, s.Command(s.env("operator"), "starter", args...)))
}

// calculate makes an account with the operator's commands, and sends one
// application through the api.
func (s stand) calculate(t *testing.T, baseURL, name string) (account string) {
	organization := s.operator(t, "organization", "create", name)
	account = s.operator(t, "account", "create", organization, name)
	var credential parts.Credential
	require.NoError(t, json.Unmarshal([]byte(s.operator(t, "credential", "create", organization, name)), &credential))
	client, err := credential.Client(baseURL)
	require.NoError(t, err)
	must := func(operation string, in, out any) {
		t.Helper()
		_, err := client.Call(t.Context(), operation, in, out)
		require.NoError(t, err)
	}
	must("account.documentRules.publish", parts.Object{"account_id": account, "rules": parts.Object{"documents": []parts.Object{{
		"document_type_code": "ID", "name": "n", "category": "c", "requirement_text": "t", "entity_type": "Business"}}}}, nil)
	var business, workflow parts.Object
	must("business.create", parts.Object{"account_id": account, "business": parts.Object{"legal_name": "Ltd"}}, &business)
	must("workflow.create", parts.Object{"account_id": account, "workflow": business}, &workflow)
	must("workflow.requiredDocument.calculate", workflow, nil)
	var list struct {
		Documents []parts.Object `json:"required_documents"`
	}
	must("workflow.requiredDocument.list", workflow, &list)
	require.Len(t, list.Documents, 1)
	must("webhook.key.create", parts.Object{"account_id": account}, nil)
	refused, err := client.Send(t.Context(), "webhook.config.create", []byte(fmt.Sprintf(`{"account_id":%q,"config":{"url":"http://127.0.0.1:1/"}}`, account)))
	require.NoError(t, err)
	require.Equal(t, "BAD_REQUEST", refused.Errors[0].Code, "nothing but public addresses is open")
	return account
}

// planted is the value of a secret in the tests, as long as openssl makes it.
func planted(secret string) string { return secret + "-planted-" + strings.Repeat("0", 48) }

// decode asks the codec endpoint as a page of the Temporal UI does, before and
// after an operator has signed in, and as a program.
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
		require.True(t, found, "%s is on the port that the file publishes", variable)
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

// The image of the UI puts its settings into a YAML file as they are.
func TestTheTextsOfTheTemporalUIComeThrough(t *testing.T) {
	for name, value := range read(t).Services["temporal-ui"].Environment {
		var got map[string]string
		require.NoError(t, yaml.Unmarshal([]byte("setting: "+value), &got), name)
		require.Equal(t, value, got["setting"], name)
	}
}

// TestTheFileIsInOrder holds what an engine would only show at run time.
func TestTheFileIsInOrder(t *testing.T) {
	c := read(t)
	for name, s := range c.Services {
		require.NotContains(t, s.Image, ":latest", name)
		require.Contains(t, s.Image, ":", "%s has a pinned tag", name)
		for dependency := range s.DependsOn {
			require.Contains(t, c.Services, dependency, name)
		}
		for _, secret := range s.Secrets {
			require.Contains(t, c.Secrets, secret, name)
		}
		for key, value := range s.Environment {
			if file, ok := strings.CutPrefix(value, "/run/secrets/"); ok {
				require.Contains(t, s.Secrets, file, "%s: %s", name, key)
			}
			requireNoSecret(t, name, key, value)
			if strings.HasPrefix(key, "REQUISITE_") {
				known := slices.Contains(config.Variables(), key) || slices.Contains(config.Variables(), strings.TrimSuffix(key, "_FILE"))
				require.True(t, known, "%s: no program reads %s", name, key)
			}
		}
	}
	for _, name := range []string{"migrate", "temporal-schema"} {
		require.Equal(t, "service_completed_successfully", c.Services[name].DependsOn["databases"].Condition, name)
	}
	require.Empty(t, c.Services["postgres"].Volumes[1:], "the image runs what is mounted for a new volume only once, even if it was cut off")
	require.NotContains(t, strings.Join(c.Services["migrate"].Volumes, " "), "keys", "it needs no keyset")
	require.Empty(t, c.Services["operator"].DependsOn, "a command would run the services that end once more")
	guide, err := os.ReadFile(operating)
	require.NoError(t, err)
	for _, image := range regexp.MustCompile(`postgres:\d[-.a-z0-9]*`).FindAllString(string(guide), -1) {
		require.Equal(t, c.Services["postgres"].Image, image, "the guide's")
	}
	require.Equal(t, "service_completed_successfully", c.Services["api"].DependsOn["migrate"].Condition)
	require.Equal(t, "service_healthy", c.Services["migrate"].DependsOn["temporal"].Condition)
	require.NotEmpty(t, c.Services["temporal"].Environment["NUM_HISTORY_SHARDS"])
	require.Equal(t, []string{"codec"}, c.Services["codec"].Networks, "nobody else shares the codec's network")
	for name, s := range c.Services {
		if name != "codec" {
			require.NotContains(t, s.Networks, "codec", name)
		}
	}
	fairness, err := os.ReadFile("../../deploy/temporal/dynamicconfig.yaml")
	require.NoError(t, err)
	require.Contains(t, string(fairness), "matching.enableFairness")
}

// requireNoSecret: a password, token or secret is in a file that is named, and
// not in the file.
func requireNoSecret(t *testing.T, name, key, value string) {
	t.Helper()
	if secretive.MatchString(key) {
		require.True(t, strings.HasSuffix(key, "_FILE"), "%s: %s is not a file's name", name, key)
		require.Regexp(t, "^(/run/secrets|/keys)/", value, "%s: %s", name, key)
	}
	for _, m := range authority.FindAllStringSubmatch(value, -1) {
		require.NotContains(t, m[1], ":", "%s: %s has a password", name, key)
	}
}

var (
	secretive = regexp.MustCompile(`PASSWORD|PWD|TOKEN|SECRET|KEY|KEK|AUTH|HEADERS`)
	authority = regexp.MustCompile(`://([^@/ ]*)@`)
)

func TestASecretInTheFileIsFound(t *testing.T) {
	require.Regexp(t, secretive, "POSTGRES_PASSWORD")
	require.Equal(t, "u:p", authority.FindStringSubmatch("postgres://u:p@postgres:5432/requisite")[1])
	for name, s := range read(t).Services {
		require.NotRegexp(t, `(?i)--[a-z-]*(password|token|secret)`, strings.Join(append(s.Command, s.Entrypoint...), " "), name)
	}
}

// TestEveryServiceIsConfined holds every service to what it needs, those of other
// images and those that run once too.
func TestEveryServiceIsConfined(t *testing.T) {
	writable := map[string][]string{ // what a service writes to, besides its volumes
		"postgres": {"/tmp", "/var/run/postgresql"}, "databases": {"/tmp"}, "temporal": {"/tmp"}, "temporal-ui": {"/tmp"},
	}
	c := read(t)
	require.GreaterOrEqual(t, len(c.Services), 10)
	for name, s := range c.Services {
		require.True(t, s.ReadOnly, "%s: read_only", name)
		require.Equal(t, []string{"ALL"}, s.CapDrop, "%s: cap_drop", name)
		require.Empty(t, s.CapAdd, name)
		require.Equal(t, []string{"no-new-privileges:true"}, s.SecurityOpt, name)
		require.False(t, s.Privileged, name)
		require.Regexp(t, `^[1-9][0-9]*[mg]$`, s.MemLimit, "%s: mem_limit", name)
		require.Positive(t, s.PidsLimit, "%s: pids_limit", name)
		require.Equal(t, writable[name], s.Tmpfs, name)
		for _, volume := range s.Volumes {
			host, _, _ := strings.Cut(volume, ":")
			require.True(t, !strings.HasPrefix(host, ".") || strings.HasSuffix(volume, ":ro"), "%s writes to this host: %s", name, volume)
		}
	}
	require.Equal(t, "postgres", c.Services["databases"].User)
	require.Equal(t, "postgres", c.Services["postgres"].User, "root without capabilities cannot become another user")
	connections := regexp.MustCompile(`max_connections=(\d+)`).FindStringSubmatch(strings.Join(c.Services["postgres"].Command, " "))
	require.Len(t, connections, 2)
	atMost, err := strconv.Atoi(connections[1])
	require.NoError(t, err)
	require.Greater(t, c.Services["postgres"].PidsLimit, atMost+50, "a process for each connection")
}

// TestTheImageIsCheckedAsTheServicesAre: whoever runs the image without the file has
// its health check all the same.
func TestTheImageIsCheckedAsTheServicesAre(t *testing.T) {
	data, err := os.ReadFile("../../Dockerfile")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^HEALTHCHECK .* CMD (\[.*\])$`).FindSubmatch(data)
	require.Len(t, found, 2)
	var command []string
	require.NoError(t, json.Unmarshal(found[1], &command))
	for _, name := range programs {
		require.Equal(t, read(t).Services[name].Healthcheck.Test, append([]string{"CMD"}, command...), name)
	}
	require.Equal(t, "http://127.0.0.1:8081", command[len(command)-1])
	require.Contains(t, string(data), "\nENV REQUISITE_HEALTH_LISTEN=0.0.0.0:8081\n", "the programs answer where it asks")
	require.Contains(t, string(data), "\nENV REQUISITE_LISTEN=0.0.0.0:8080\n", "callers are outside of the container")
}

// What runs for long says whether it works, and fills no disk; what it publishes,
// it publishes on loopback, from a network that reaches the host.
func TestWhatRunsForLong(t *testing.T) {
	c := read(t)
	running := 0
	for name, s := range c.Services {
		if s.Restart == "unless-stopped" {
			running++
			require.NotEmpty(t, s.Healthcheck.Test, name)
		}
		require.Equal(t, "json-file", s.Logging.Driver, name)
		require.NotEmpty(t, s.Logging.Options["max-size"], name)
		require.NotEmpty(t, s.Logging.Options["max-file"], name)
		for _, port := range s.Ports {
			require.True(t, strings.HasPrefix(port, "127.0.0.1:"), "%s: %s", name, port)
			require.True(t, slices.ContainsFunc(s.Networks, func(network string) bool { return !c.Networks[network].Internal }), name)
		}
	}
	require.Equal(t, 6, running)
	require.Equal(t, []string{"CMD", "pg_isready", "-h", "127.0.0.1", "-U", "postgres"}, c.Services["postgres"].Healthcheck.Test,
		"the socket answers while the image still makes its data directory")
	// On two networks the image finds two addresses of its own, and cannot read that.
	require.Len(t, c.Services["temporal"].Networks, 2)
	require.NotEmpty(t, c.Services["temporal"].Environment["TEMPORAL_BROADCAST_ADDRESS"])
}
