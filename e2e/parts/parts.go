// Package parts starts the parts of the service one by one for tests that take
// them away or measure them: Postgres, Temporal, the api and the worker, each a
// real process.
package parts

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/localpostgres"
	"requisite/internal/localpostgres/heldport"
	"requisite/internal/operations/config"
	"requisite/internal/operations/temporalclient"
	"requisite/internal/postgres"
	"requisite/internal/rational"
	"requisite/internal/rules/requirement"
	"requisite/internal/secrets/vault"
	"requisite/internal/testkit/await"
)

// Stack is a stack as one test sees it: the processes, and the account that the test
// uses. A test that has the stack for itself may stop its processes.
type Stack struct {
	*Processes
	Client    *requisite.Client
	AccountID string
}

// Processes are those of a stack, and what they work with.
type Processes struct {
	DatabaseURL           string // with every right
	TemporalAddress       string
	Devstack, API, Worker *Program

	PayloadKeyFile string
	// Metrics are the addresses of the programs' metrics, by program.
	Metrics map[string]string
	// Dir holds the parts' logs and Postgres's data.
	Dir string

	// TemporalUI is its address, for a test that asked devstack for one.
	TemporalUI string

	// Builds are other builds of programs to start, by program; those of the sources
	// otherwise.
	Builds map[string]Build

	bin      string
	options  Options
	postgres *server
	env      []string
	life     testing.TB // the processes end with it
	// The ports of Postgres and Temporal, which are started again on the same ones.
	postgresPort, temporalPort int
	lost                       int // how often Temporal's data was lost
}

// Options change what a stack is made of.
type Options struct {
	Devstack         []string // options of devstack beyond the usual
	PostgresDir      string   // where Postgres keeps its data; below Dir when empty
	PostgresSettings []string // settings of Postgres beyond the usual, as name=value

	// Keysets is a directory with kek.json and payload.json to use; new ones are made
	// when it is empty.
	Keysets string
	// Fill makes the schema and what is in it. It sets the stack's Client and AccountID.
	// When it is nil there is one account, as New describes it.
	Fill func(testing.TB, *Stack)
}

// Build is one build of a program, and what it is started with beyond the usual.
type Build struct {
	Dir string // of its programs; those of the sources when it is empty
	Env []string
}

// Request names a workflow, as every operation on one does.
type Request struct {
	WorkflowID string `json:"workflow_id"`
}

// The database roles of a stack: of the schema and its operators, and of the
// programs that serve. None is a superuser.
const (
	Owner  = "requisite_owner"
	API    = "requisite_api"
	Worker = "requisite_worker"
)

const databasePassword = "of-the-tests"

// as is the URL of a database for one of the roles.
func as(database, role string) string {
	u, err := url.Parse(database)
	if err != nil {
		panic(err) // a test's own
	}
	u.User = url.UserPassword(role, databasePassword)
	return u.String()
}

// AsOwner is the URL of a stack's database for its owner, the role of operators.
func AsOwner(database string) string { return as(database, Owner) }

// AsProgram is the URL of a stack's database for a program, "api" or "worker".
func AsProgram(database, program string) string { return as(database, "requisite_"+program) }

// createDatabase makes the product's database, and the role that owns it.
func (s *Stack) createDatabase(t testing.TB) {
	require.NoError(t, s.postgres.CreateDatabase(t.Context(), "requisite"))
	s.DatabaseURL = s.postgres.URL("requisite")
	conn, err := pgx.Connect(t.Context(), s.DatabaseURL)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	for _, sql := range []string{`CREATE ROLE ` + Owner + ` LOGIN CREATEROLE PASSWORD '` + databasePassword + `'`, `ALTER DATABASE requisite OWNER TO ` + Owner} {
		_, err = conn.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
}

// Impatient, in the environment of the programs, makes the api wait four seconds for
// a run before it answers STILL_RUNNING, for tests in which runs cannot end.
const Impatient = "REQUISITE_PATIENCE=4s"

// New starts everything, with one account, a pricing model, one credential and
// no rules. env adds to the environment of the programs.
func New(t testing.TB, env ...string) *Stack {
	s := NewStopped(t, Options{}, env...)
	s.StartPrograms(t)
	return s
}

// NewStopped is New with the api and the worker not started.
func NewStopped(t testing.TB, o Options, env ...string) *Stack {
	s := bare(t, o)
	s.createDatabase(t)
	kek, payloadKey := filepath.Join(s.Dir, "kek.json"), filepath.Join(s.Dir, "payload.json")
	for _, file := range []string{kek, payloadKey} {
		if o.Keysets == "" {
			require.NoError(t, vault.Keyset{File: file}.Generate(t.Context()))
			continue
		}
		keys, err := os.ReadFile(filepath.Join(o.Keysets, filepath.Base(file)))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, keys, 0o600)) // a checkout may be readable by others
	}
	s.PayloadKeyFile = payloadKey
	s.env = []string{
		"DATABASE_URL=" + as(s.DatabaseURL, Owner), "REQUISITE_KEK_FILE=" + kek, "REQUISITE_PAYLOAD_KEY_FILE=" + payloadKey,
		"TEMPORAL_ADDRESS=" + s.TemporalAddress, "TEMPORAL_NAMESPACE=requisite",
		"REQUISITE_LISTEN=" + HeldAddress(s.life),
		"REQUISITE_WEBHOOK_ALLOW=127.0.0.0/8", "REQUISITE_DRAIN=500ms", "REQUISITE_HEALTH_LISTEN=127.0.0.1:0",
		// On a slow machine a run may take longer than callers usually wait.
		"REQUISITE_PATIENCE=10m",
	}
	s.env = append(s.env, env...)
	s.Metrics = map[string]string{"api": HeldAddress(s.life), "worker": HeldAddress(s.life)}
	if o.Fill == nil {
		s.prepare(t)
	} else {
		o.Fill(t, s)
	}
	return s
}

// CreateLogins makes the roles that the api and the worker connect as, without rights.
func (s *Stack) CreateLogins(t testing.TB) {
	for _, role := range []string{API, Worker} {
		_, err := s.Exec(t.Context(), `CREATE ROLE `+role+` LOGIN PASSWORD '`+databasePassword+`'`)
		require.NoError(t, err)
	}
}

// Environment is what the programs are started with.
func (s *Stack) Environment() []string { return slices.Clone(s.env) }

func (s *Stack) StartPostgres(t testing.TB) {
	options := localpostgres.Options{
		Dir: s.postgresDir(), LogFile: filepath.Join(s.Dir, "postgres.log"),
		Settings: s.options.PostgresSettings, Port: s.postgresPort,
	}
	s.postgres = watch(startCluster(t, filepath.Join(s.bin, "postgres"), options))
}

// postgresDir is where the product's Postgres keeps its data.
func (s *Stack) postgresDir() string {
	return cmp.Or(s.options.PostgresDir, filepath.Join(s.Dir, "postgres"))
}

func (s *Stack) StopPostgres(t testing.TB) { require.NoError(t, s.postgres.Stop()) }

// RevivePostgres starts Postgres again if it has ended by itself.
func (s *Stack) RevivePostgres(t testing.TB) {
	select {
	case <-s.postgres.Done():
		_ = s.postgres.Stop() // there is nothing left to stop; its directory is given back
		s.StartPostgres(t)
	default:
	}
}

// NewPrograms builds the programs, and starts nothing.
func NewPrograms(t testing.TB) *Stack {
	bin, err := Programs()
	require.NoError(t, err)
	return &Stack{Processes: &Processes{Dir: t.TempDir(), bin: bin, life: t}}
}

// NewBare starts Postgres and Temporal alone, for a test that starts the
// programs itself. devstack may be given options beyond the usual.
func NewBare(t testing.TB, devstack ...string) *Stack { return bare(t, Options{Devstack: devstack}) }

func bare(t testing.TB, o Options) *Stack {
	bin, err := Programs()
	require.NoError(t, err)
	s := &Stack{Processes: &Processes{Dir: t.TempDir(), bin: bin, options: o, life: t}}
	CountStack(t)
	s.showLogsOf(t)
	// Postgres does not run as root and must reach its data.
	for dir := s.Dir; len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) {
		require.NoError(t, os.Chmod(dir, 0o755))
	}
	s.postgresPort, s.temporalPort = hold(t).Number(), hold(t).Number()
	s.StartPostgres(t)
	t.Cleanup(func() { _ = s.postgres.Stop() })
	if len(o.Devstack) == 0 {
		s.copyTemporal(t)
	}
	s.TemporalAddress = s.startDevstack(t)
	return s
}

// SuperuserURL reaches a database of the stack's Postgres with every right.
func (s *Stack) SuperuserURL(database string) string { return s.postgres.URL(database) }

// Command is a built program with exactly the given environment.
func (s *Stack) Command(env []string, name string, args ...string) *exec.Cmd {
	command := exec.Command(filepath.Join(s.bin, name), args...)
	command.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.Dir}, env...)
	return command
}

// Starter runs an operator's command with the stack's settings.
func (s *Stack) Starter(args ...string) *exec.Cmd { return s.Command(s.env, "starter", args...) }

// Start runs a command until the test ends.
func (s *Stack) Start(t testing.TB, command *exec.Cmd) *Program {
	return startProgram(t, t, command, "")
}

// PostgresPID is the process of Postgres that starts all others of it.
func (s *Stack) PostgresPID() int { return s.postgres.PID() }

// KillPostgres kills Postgres, as a power failure would.
func (s *Stack) KillPostgres(t testing.TB) {
	s.postgres.asked.Store(true)
	require.NoError(t, syscall.Kill(s.PostgresPID(), syscall.SIGKILL))
	<-s.postgres.Done()
	_ = s.postgres.Stop() // there is nothing left to stop; its directory is given back
}

// RestartTemporal kills Temporal and starts it again on the same data and port.
func (s *Stack) RestartTemporal(t testing.TB) {
	s.Devstack.Kill(t)
	s.StartTemporal(t)
}

// StartTemporal starts Temporal again, which was killed.
func (s *Stack) StartTemporal(t testing.TB) { require.Equal(t, s.TemporalAddress, s.startDevstack(t)) }

// startDevstack runs Temporal with a separate store, so that the product's
// database can be stopped alone.
func (s *Stack) startDevstack(t testing.TB, more ...string) (address string) {
	args := []string{"--dir", filepath.Join(s.Dir, "temporal"), "--no-ui", "--temporal-port", strconv.Itoa(s.temporalPort), "--stop-on-stdin-eof", "--log-file", filepath.Join(s.Dir, "devstack.log")}
	for _, a := range temporalclient.SearchAttributes() {
		args = append(args, "--search-attribute", a.Name+"="+a.Type.String())
	}
	command := exec.Command(filepath.Join(s.bin, "devstack"), slices.Concat(args, s.options.Devstack, more)...)
	command.Env = append(os.Environ(), "DATABASE_URL=")
	read, write, err := os.Pipe()
	require.NoError(t, err)
	command.Stdout = write
	s.Devstack = startProgram(t, s.life, command, filepath.Join(s.Dir, "devstack.log"))
	require.NoError(t, write.Close())
	type event struct {
		Event, Message string
		Address        string `json:"temporal_address"`
		UI             string `json:"temporal_ui_url"`
	}
	events := make(chan event, 100) // more than it says before it is ready
	go func() {
		defer read.Close()
		defer close(events)
		for lines := bufio.NewScanner(read); lines.Scan(); {
			var e event
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				e.Message = err.Error()
			}
			select {
			case events <- e:
			default: // nobody listens any more
			}
		}
	}()
	for {
		e := await.Next(t, "devstack to be ready", events, s.Devstack.process())
		if e.Event == "ready" {
			s.TemporalUI = e.UI
			return e.Address
		}
		t.Log("devstack:", e.Message)
	}
}

// prepare makes the schema, an account with a pricing model, and a credential.
func (s *Stack) prepare(t testing.TB) {
	store := s.open(t)
	defer store.Close()
	_, err := store.Schema().Migrate(t.Context())
	require.NoError(t, err)
	s.CreateLogins(t)
	require.NoError(t, store.Schema().GrantAPI(t.Context(), API))
	require.NoError(t, store.Schema().GrantWorker(t.Context(), Worker))
	s.useTenant(t, store, "tests")
}

// open is the store, as operators use it.
func (s *Stack) open(t testing.TB) *postgres.Store {
	keys, err := vault.Keyset{File: s.KEKFile()}.Load(t.Context())
	require.NoError(t, err)
	store, err := postgres.Open(t.Context(), as(s.DatabaseURL, Owner), keys, postgres.Options{ApplicationName: "tests"})
	require.NoError(t, err)
	return store
}

// useTenant makes an organization with one account, a pricing model and a credential,
// and uses them from now on.
func (s *Stack) useTenant(t testing.TB, store *postgres.Store, name string) {
	ctx := t.Context()
	scope, credential, accountID := newTenant(ctx, t, store, name)
	model := requirement.PricingModel{Base: rational.Int(500), Rules: []requirement.PricingRule{{Name: "old", When: "business_age_years >= 5", Points: rational.Int(100)}}}
	_, err := store.Write(ctx, domain.Call{Scope: scope, Actor: domain.System}, func(r *postgres.Records) (any, error) {
		_, _, err := r.PublishPricingModel(ctx, accountID, domain.NewDraft(model.CanonicalJSON()))
		return nil, err
	})
	require.NoError(t, err)
	s.AccountID = accountID.String()
	s.Client, err = credential.Client(s.baseURL())
	require.NoError(t, err)
}

// baseURL is where the api listens, or will listen once it is started.
func (s *Processes) baseURL() string {
	for _, setting := range s.env {
		if address, ok := strings.CutPrefix(setting, "REQUISITE_LISTEN="); ok {
			return "http://" + address
		}
	}
	return ""
}

// Tenant makes another organization, with one account and no pricing model.
func (s *Stack) Tenant(t testing.TB, name string) (c *requisite.Client, accountID string) {
	credential, accountID := s.Credential(t, name)
	c, err := credential.Client(s.Client.BaseURL)
	require.NoError(t, err)
	return c, accountID
}

// Credential is what a caller needs to sign, wherever it runs.
type Credential struct {
	APIKey    string `json:"api_key"`
	SecretKey string `json:"secret_key"`
	AuthToken string `json:"auth_token"`
}

// Client signs with the credential.
func (c Credential) Client(baseURL string) (*requisite.Client, error) {
	signer, err := requisite.NewSigner(c.APIKey, c.SecretKey, c.AuthToken)
	keeping := http.DefaultTransport.(*http.Transport).Clone()
	keeping.MaxIdleConnsPerHost = keeping.MaxIdleConns // as the client does by itself
	return &requisite.Client{BaseURL: baseURL, Signer: signer, HTTP: &http.Client{Transport: keeping}}, err
}

// Credential is the credential of a new organization with one account; see Tenant.
func (s *Stack) Credential(t testing.TB, name string) (c Credential, accountID string) {
	keys, err := vault.Keyset{File: s.KEKFile()}.Load(t.Context())
	require.NoError(t, err)
	store, err := postgres.Open(t.Context(), s.DatabaseURL, keys, postgres.Options{ApplicationName: name})
	require.NoError(t, err)
	defer store.Close()
	_, c, account := newTenant(t.Context(), t, store, name)
	return c, account.String()
}

func newTenant(ctx context.Context, t testing.TB, store *postgres.Store, name string) (domain.Scope, Credential, id.AccountID) {
	o, err := store.CreateOrganization(ctx, name)
	require.NoError(t, err)
	scope := domain.Scope{OrganizationID: o.ID, Environment: domain.Sandbox}
	account, err := store.CreateAccount(ctx, scope, name, "USD", "UTC")
	require.NoError(t, err)
	credential, secrets, err := store.CreateCredential(ctx, scope, domain.NewCredential{Name: name})
	require.NoError(t, err)
	return scope, Credential{APIKey: credential.APIKey, SecretKey: secrets.SecretKey, AuthToken: secrets.AuthToken}, account.WireID()
}

// StartPrograms starts the api and the worker, whichever does not run.
func (s *Stack) StartPrograms(t testing.TB) { s.startThose(t, "api", "worker") }

// StartAPI starts the api alone, unless it runs.
func (s *Stack) StartAPI(t testing.TB) { s.startThose(t, "api") }

func (s *Stack) startThose(t testing.TB, names ...string) {
	for _, name := range names {
		p := map[string]**Program{"api": &s.API, "worker": &s.Worker}[name]
		if *p != nil && !(*p).asked.Load() {
			continue
		}
		*p = s.start(t, s.life, name, s.Builds[name], "REQUISITE_METRICS_LISTEN="+s.Metrics[name])
	}
	if s.Client.BaseURL == "" {
		s.Client.BaseURL = s.baseURL()
	}
	s.Await(t, "the api to be ready", func(ctx context.Context) error {
		return answersOK(ctx, s.Client.BaseURL+"/readyz")
	})
}

// answersOK is nil when a GET is answered 200.
func answersOK(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		return nil
	}
	body, err := io.ReadAll(response.Body)
	return errors.Join(fmt.Errorf("%s: %s: %s", url, response.Status, body), err)
}

// StartWorker starts another worker, of any build, beside the stack's own.
func (s *Stack) StartWorker(t testing.TB, b Build) *Program {
	return s.start(t, t, "worker", b, "REQUISITE_METRICS_LISTEN=")
}

// start runs a build of a program until the end of life.
func (s *Stack) start(t, life testing.TB, name string, b Build, env ...string) *Program {
	command := exec.Command(filepath.Join(cmp.Or(b.Dir, s.bin), name), "--child")
	command.Env = slices.Concat(os.Environ(), s.env, []string{"DATABASE_URL=" + as(s.DatabaseURL, "requisite_"+name)}, env, b.Env)
	log, err := os.OpenFile(filepath.Join(s.Dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	command.Stderr = log
	p := startProgram(t, life, command, log.Name())
	require.NoError(t, log.Close())
	return p
}

// SecondAPI starts another api on a different address.
func (s *Stack) SecondAPI(t testing.TB) (*Program, string) {
	command := exec.Command(filepath.Join(s.bin, "api"), "--child", "--listen", "127.0.0.1:0")
	command.Env = append(append(os.Environ(), s.env...), "DATABASE_URL="+as(s.DatabaseURL, API))
	log, err := os.OpenFile(filepath.Join(s.Dir, "api2.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	read, write, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { _ = read.Close() })
	command.Stderr, command.Stdout = log, write
	p := startProgram(t, t, command, log.Name())
	require.NoError(t, errors.Join(log.Close(), write.Close()))
	listening, err := config.ReadListening(read)
	require.NoError(t, err, "the log is %s", log.Name())
	return p, "http://" + listening.Address
}

// HeldAddress is one of loopback for a program that stops during the test and
// comes back, or is told where to listen by others. Nobody else gets it.
func HeldAddress(t testing.TB) string { return hold(t).Address() }

func hold(t testing.TB) *heldport.Port {
	port, err := heldport.Hold(0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, port.Release()) })
	return port
}

// Hold keeps a transaction open until it is released.
func (s *Stack) Hold(t testing.TB, sql string) (release func()) {
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, s.DatabaseURL)
	require.NoError(t, err)
	tx, err := conn.Begin(ctx)
	require.NoError(t, err)
	_, err = tx.Exec(ctx, sql)
	require.NoError(t, err)
	released := false
	release = func() {
		if !released {
			released = true
			_ = conn.Close(ctx) // the server ends the transaction with it
		}
	}
	t.Cleanup(release)
	return release
}
