// Package harness starts Postgres, Temporal, the api and the worker, each as a real process,
// for tests that stop or measure them.
package harness

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
	"requisite/internal/config"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/localpostgres"
	"requisite/internal/localpostgres/heldport"
	"requisite/internal/rational"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
	"requisite/internal/secrets/vault"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/temporalclient"
	"requisite/internal/testkit/await"
)

// Stack is a stack with the account of one test. A test that does not share the stack at
// the time may stop its processes.
type Stack struct {
	*Processes
	Client    *requisite.Client
	AccountID string
}

// Processes are the processes of a stack and their data.
type Processes struct {
	DatabaseURL           string // as superuser
	TemporalAddress       string
	Devstack, API, Worker *Program

	PayloadKeyFile string
	// Metrics has the addresses of metrics by program.
	Metrics map[string]string
	// Dir has the logs, and the data of Postgres.
	Dir string

	// TemporalUI is the address of the UI if the options of devstack start one.
	TemporalUI string
	// TemporalDatabaseURL is of a database on Temporal's Postgres, as superuser. Temporal's own are temporal and
	// temporal_visibility.
	TemporalDatabaseURL string

	// Builds has the builds of programs that are not built from the sources, by program.
	Builds map[string]Build

	bin      string
	options  Options
	postgres *server
	env      []string
	life     testing.TB // its cleanup ends the processes
	// Postgres and Temporal restart on the same ports.
	postgresPort, temporalPort int
	lost                       int // number of calls of LoseTemporal
}

// Options configure a stack.
type Options struct {
	Devstack         []string // additional options of devstack
	PostgresDir      string   // data directory of Postgres; below Dir if empty
	PostgresSettings []string // additional settings of Postgres, name=value

	// Keysets is a directory with kek.json and payload.json. If it is empty, the stack
	// creates them.
	Keysets string
	// Fill creates the schema and its data, and sets the stack's Client and AccountID. If
	// it is nil, the stack has one account, as New describes.
	Fill func(testing.TB, *Stack)
}

// Build is a build of a program, with additional environment.
type Build struct {
	Dir string // directory of the programs; those built from the sources if empty
	Env []string
}

// Request is a request that names a workflow.
type Request struct {
	WorkflowID string `json:"workflow_id"`
}

// The database roles of a stack. Owner owns the schema, and operators use it. None is a
// superuser.
const (
	Owner  = "requisite_owner"
	API    = "requisite_api"
	Worker = "requisite_worker"
)

const databasePassword = "of-the-tests"

// as returns the URL of a database for a role.
func as(database, role string) string {
	u, err := url.Parse(database)
	if err != nil {
		panic(err) // the URL comes from a test
	}
	u.User = url.UserPassword(role, databasePassword)
	return u.String()
}

// AsOwner returns the URL of a stack's database for its owner, the role of operators.
func AsOwner(database string) string { return as(database, Owner) }

// AsProgram returns the URL of a stack's database for a program, "api" or "worker".
func AsProgram(database, program string) string { return as(database, "requisite_"+program) }

// createDatabase creates the product's database and the role that owns it.
func (s *Stack) createDatabase(t testing.TB) {
	require.NoError(t, s.postgres.CreateDatabase(t.Context(), "requisite"))
	s.DatabaseURL = s.postgres.URL("requisite")
	conn, err := pgx.Connect(t.Context(), s.DatabaseURL)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	for _, sql := range []string{`CREATE ROLE ` + Owner + ` LOGIN CREATEROLE PASSWORD '` + databasePassword + `'`, `ALTER DATABASE requisite OWNER TO ` + Owner,
		`GRANT pg_read_all_stats TO ` + Owner} {
		_, err = conn.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
}

// Impatient is a setting for tests in which runs cannot end. The api answers STILL_RUNNING
// after four seconds.
const Impatient = "REQUISITE_PATIENCE=4s"

// New starts a stack with one account, a pricing model, one credential and no rules. env is
// additional environment of the programs.
func New(t testing.TB, env ...string) *Stack {
	s := NewStopped(t, Options{}, env...)
	s.StartPrograms(t)
	return s
}

// NewStopped is New, but does not start the api and the worker.
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
		require.NoError(t, os.WriteFile(file, keys, 0o600)) // the file in the checkout may have other permissions
	}
	s.PayloadKeyFile = payloadKey
	s.env = []string{
		"DATABASE_URL=" + as(s.DatabaseURL, Owner), "REQUISITE_KEK_FILE=" + kek, "REQUISITE_PAYLOAD_KEY_FILE=" + payloadKey,
		"TEMPORAL_ADDRESS=" + s.TemporalAddress, "TEMPORAL_NAMESPACE=requisite", "REQUISITE_API_ROLE=" + API,
		"REQUISITE_LISTEN=" + HeldAddress(s.life),
		"REQUISITE_WEBHOOK_ALLOW=127.0.0.0/8", "REQUISITE_DRAIN=500ms", "REQUISITE_HEALTH_LISTEN=127.0.0.1:0",
		// On a slow machine a run may take longer than the default patience.
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

// CreateLogins creates the roles of the api and the worker, without rights. Operators use the role
// of the api.
func (s *Stack) CreateLogins(t testing.TB) {
	for _, role := range []string{API, Worker} {
		_, err := s.Exec(t.Context(), `CREATE ROLE `+role+` LOGIN PASSWORD '`+databasePassword+`'`)
		require.NoError(t, err)
	}
	_, err := s.Exec(t.Context(), `GRANT `+API+` TO `+Owner)
	require.NoError(t, err)
}

// Environment returns the environment of the programs.
func (s *Stack) Environment() []string { return slices.Clone(s.env) }

func (s *Stack) StartPostgres(t testing.TB) {
	options := localpostgres.Options{
		Dir: s.postgresDir(), LogFile: filepath.Join(s.Dir, "postgres.log"),
		Settings: s.options.PostgresSettings, Port: s.postgresPort,
	}
	s.postgres = watch(startCluster(t, filepath.Join(s.bin, "postgres"), options))
}

// postgresDir returns the data directory of the product's Postgres.
func (s *Stack) postgresDir() string {
	return cmp.Or(s.options.PostgresDir, filepath.Join(s.Dir, "postgres"))
}

func (s *Stack) StopPostgres(t testing.TB) { require.NoError(t, s.postgres.Stop()) }

// RevivePostgres restarts Postgres if it has crashed.
func (s *Stack) RevivePostgres(t testing.TB) {
	select {
	case <-s.postgres.Done():
		_ = s.postgres.Stop() // releases the directory
		s.StartPostgres(t)
	default:
	}
}

// NewPrograms builds the programs without starting a process.
func NewPrograms(t testing.TB) *Stack {
	bin, err := Programs()
	require.NoError(t, err)
	return &Stack{Processes: &Processes{Dir: t.TempDir(), bin: bin, life: t}}
}

// NewBare starts only Postgres and Temporal, for a test that starts the programs itself.
// devstack are additional options of devstack.
func NewBare(t testing.TB, devstack ...string) *Stack { return bare(t, Options{Devstack: devstack}) }

func bare(t testing.TB, o Options) *Stack {
	bin, err := Programs()
	require.NoError(t, err)
	s := &Stack{Processes: &Processes{Dir: t.TempDir(), bin: bin, options: o, life: t}}
	CountStack(t)
	s.showLogsOf(t)
	// Postgres does not run as root, and must be able to reach its data.
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

// SuperuserURL returns the URL of a database of the stack's Postgres for a superuser.
func (s *Stack) SuperuserURL(database string) string { return s.postgres.URL(database) }

// Command returns the command of a built program, with exactly the given environment.
func (s *Stack) Command(env []string, name string, args ...string) *exec.Cmd {
	command := exec.Command(filepath.Join(s.bin, name), args...)
	command.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.Dir}, env...)
	return command
}

// Starter returns a command of starter, with the stack's settings.
func (s *Stack) Starter(args ...string) *exec.Cmd { return s.Command(s.env, "starter", args...) }

// Start runs a command until the test ends.
func (s *Stack) Start(t testing.TB, command *exec.Cmd) *Program {
	return startProgram(t, t, command, "")
}

// PostgresPID returns the id of Postgres's main process.
func (s *Stack) PostgresPID() int { return s.postgres.PID() }

// KillPostgres kills Postgres, as in a power failure.
func (s *Stack) KillPostgres(t testing.TB) {
	s.postgres.asked.Store(true)
	require.NoError(t, syscall.Kill(s.PostgresPID(), syscall.SIGKILL))
	<-s.postgres.Done()
	_ = s.postgres.Stop() // releases the directory
}

// RestartTemporal kills Temporal and starts it again on the same data and port.
func (s *Stack) RestartTemporal(t testing.TB) {
	s.Devstack.Kill(t)
	s.StartTemporal(t)
}

// StartTemporal starts Temporal again after it was killed.
func (s *Stack) StartTemporal(t testing.TB) { require.Equal(t, s.TemporalAddress, s.startDevstack(t)) }

// startDevstack starts Temporal with its own Postgres, so that a test can stop the
// product's database alone.
func (s *Stack) startDevstack(t testing.TB, more ...string) (address string) {
	args := []string{
		"--dir", filepath.Join(s.Dir, "temporal"),
		"--log-file", filepath.Join(s.Dir, "devstack.log"),
		"--temporal-port", strconv.Itoa(s.temporalPort),
		"--no-ui", "--stop-on-stdin-eof",
	}
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
		Database       string `json:"database_url"`
	}
	events := make(chan event, 100) // more than devstack sends before it is ready
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
			default: // the test no longer reads
			}
		}
	}()
	for {
		e := await.Next(t, "devstack to be ready", events, s.Devstack.process())
		if e.Event == "ready" {
			s.TemporalUI, s.TemporalDatabaseURL = e.UI, e.Database
			return e.Address
		}
		t.Log("devstack:", e.Message)
	}
}

// prepare creates the schema, an account with a pricing model, and a credential.
func (s *Stack) prepare(t testing.TB) {
	store := s.open(t)
	defer store.Close()
	_, err := store.Database.Schema().Migrate(t.Context())
	require.NoError(t, err)
	s.CreateLogins(t)
	require.NoError(t, store.Database.Schema().GrantAPI(t.Context(), API))
	require.NoError(t, store.Database.Schema().GrantWorker(t.Context(), Worker))
	s.useTenant(t, store, "tests")
}

// open returns the store with the rights of operators.
func (s *Stack) open(t testing.TB) *store.Store {
	keys, err := vault.Keyset{File: s.KEKFile()}.Load(t.Context())
	require.NoError(t, err)
	store, err := store.Open(t.Context(), as(s.DatabaseURL, Owner), keys, store.Options{ApplicationName: "tests", Connections: pgtest.Patient(db.Connections{})})
	require.NoError(t, err)
	return store
}

// useTenant creates an organization with one account, a pricing model and a credential. The
// stack uses them from now on.
func (s *Stack) useTenant(t testing.TB, st *store.Store, name string) {
	ctx := t.Context()
	scope, credential, accountID := newTenant(ctx, t, st, name)
	model := requirement.PricingModel{
		Base:  rational.Int(500),
		Rules: []requirement.PricingRule{{Name: "old", When: "business_age_years >= 5", Points: rational.Int(100)}},
	}
	_, err := st.Write(ctx, domain.Call{Scope: scope, Actor: domain.System}, func(r *store.Records) (any, error) {
		_, err := r.Rules.PublishPrices(ctx, accountID, calculation.NewDraft(model.CanonicalJSON()))
		return nil, err
	})
	require.NoError(t, err)
	s.AccountID = accountID.String()
	s.Client, err = credential.Client(s.baseURL())
	require.NoError(t, err)
}

// baseURL returns the address of the api, even if the api has not been started.
func (s *Processes) baseURL() string {
	for _, setting := range s.env {
		if address, ok := strings.CutPrefix(setting, "REQUISITE_LISTEN="); ok {
			return "http://" + address
		}
	}
	return ""
}

// Tenant creates another organization, with one account and no pricing model.
func (s *Stack) Tenant(t testing.TB, name string) (c *requisite.Client, accountID string) {
	credential, accountID := s.Credential(t, name)
	c, err := credential.Client(s.Client.BaseURL)
	require.NoError(t, err)
	return c, accountID
}

// Credential is a credential of a caller.
type Credential struct {
	APIKey    string `json:"api_key"`
	SecretKey string `json:"secret_key"`
	AuthToken string `json:"auth_token"`
}

// Client returns a client that signs with the credential.
func (c Credential) Client(baseURL string) (*requisite.Client, error) {
	signer, err := requisite.NewSigner(c.APIKey, c.SecretKey, c.AuthToken)
	keeping := http.DefaultTransport.(*http.Transport).Clone()
	keeping.MaxIdleConnsPerHost = keeping.MaxIdleConns // as in the client's own transport
	return &requisite.Client{BaseURL: baseURL, Signer: signer, HTTP: &http.Client{Transport: keeping}}, err
}

// Credential creates another organization with one account, and returns its credential.
func (s *Stack) Credential(t testing.TB, name string) (c Credential, accountID string) {
	keys, err := vault.Keyset{File: s.KEKFile()}.Load(t.Context())
	require.NoError(t, err)
	store, err := store.Open(t.Context(), s.DatabaseURL, keys, store.Options{ApplicationName: name, Connections: pgtest.Patient(db.Connections{})})
	require.NoError(t, err)
	defer store.Close()
	_, c, account := newTenant(t.Context(), t, store, name)
	return c, account.String()
}

func newTenant(ctx context.Context, t testing.TB, store *store.Store, name string) (domain.Scope, Credential, id.AccountID) {
	o, err := store.Organizations.Create(ctx, name)
	require.NoError(t, err)
	scope := domain.Scope{OrganizationID: o.ID, Environment: domain.Sandbox}
	account, err := store.Organizations.CreateAccount(ctx, scope, name, "USD", "UTC")
	require.NoError(t, err)
	credential, secrets, err := store.Credentials.Create(ctx, scope, domain.NewCredential{Name: name})
	require.NoError(t, err)
	return scope, Credential{APIKey: credential.APIKey, SecretKey: secrets.SecretKey, AuthToken: secrets.AuthToken}, account.WireID()
}

// StartPrograms starts the api and the worker, unless they run.
func (s *Stack) StartPrograms(t testing.TB) { s.startThose(t, "api", "worker") }

// StartAPI starts only the api, unless it runs.
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
		return AnswersOK(ctx, s.Client.BaseURL+"/readyz")
	})
}

// AnswersOK returns nil if a GET gets the status 200.
func AnswersOK(ctx context.Context, url string) error {
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

// StartWorker starts an additional worker of any build.
func (s *Stack) StartWorker(t testing.TB, b Build) *Program {
	return s.start(t, t, "worker", b, "REQUISITE_METRICS_LISTEN=")
}

// start starts a build of a program. The cleanup of life ends it.
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

// SecondAPI starts an additional api, and returns its address.
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

// HeldAddress returns a reserved loopback address, for a program that restarts on the same
// address, or whose address another program must know before the start.
func HeldAddress(t testing.TB) string { return hold(t).Address() }

func hold(t testing.TB) *heldport.Port {
	port, err := heldport.Hold(0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, port.Release()) })
	return port
}

// Hold runs a statement in a transaction, and keeps the transaction open until release.
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
			_ = conn.Close(ctx) // ends the transaction
		}
	}
	t.Cleanup(release)
	return release
}
