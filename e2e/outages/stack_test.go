package outages_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/apiclient"
	"requisite/internal/localpostgres"
	"requisite/internal/postgres"
	"requisite/internal/sig1"
	"requisite/internal/temporalclient"
	"requisite/internal/vault"
)

// bin holds the programs, built once for all tests.
var bin string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "requisite-outages-")
	if err == nil {
		bin = dir
		err = build()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func build() error {
	for dir, packages := range map[string][]string{"../..": {"./api", "./worker"}, "../../devstack": {"."}} {
		command := exec.Command("go", append([]string{"build", "-o", bin + "/"}, packages...)...)
		command.Dir = dir
		if out, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("go build in %s: %w\n%s", dir, err, out)
		}
	}
	return nil
}

// stack is a stack of one test's own, whose parts it may take away.
type stack struct {
	dir, databaseURL      string
	postgres              *localpostgres.Server
	devstack, api, worker *program
	env                   []string
	client                *apiclient.Client
	accountID             string
}

// request names a workflow, as every operation on one does.
type request struct {
	WorkflowID string `json:"workflow_id"`
}

func newStack(t *testing.T) *stack {
	s := &stack{dir: t.TempDir()}
	// Postgres does not run as root and must reach its data.
	for dir := s.dir; len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) {
		require.NoError(t, os.Chmod(dir, 0o755))
	}
	s.startPostgres(t)
	t.Cleanup(func() { _ = s.postgres.Stop() })
	require.NoError(t, s.postgres.CreateDatabase(t.Context(), "requisite"))
	s.databaseURL = s.postgres.URL("requisite")
	kek, payloadKey := filepath.Join(s.dir, "kek.json"), filepath.Join(s.dir, "payload.json")
	require.NoError(t, vault.Generate(kek))
	require.NoError(t, vault.Generate(payloadKey))

	temporal := s.startDevstack(t)
	s.env = []string{
		"DATABASE_URL=" + s.databaseURL, "REQUISITE_KEK_FILE=" + kek, "REQUISITE_PAYLOAD_KEY_FILE=" + payloadKey,
		"TEMPORAL_ADDRESS=" + temporal, "TEMPORAL_NAMESPACE=requisite",
		"REQUISITE_LISTEN=" + freeAddress(t), "REQUISITE_PATIENCE=4s",
	}
	s.prepare(t, kek)
	s.startPrograms(t)
	return s
}

func (s *stack) startPostgres(t *testing.T) {
	options := localpostgres.Options{Dir: filepath.Join(s.dir, "postgres"), LogFile: filepath.Join(s.dir, "postgres.log")}
	if s.postgres != nil {
		options.Port = s.postgres.Port()
	}
	var err error
	s.postgres, err = localpostgres.Start(t.Context(), options)
	require.NoError(t, err)
}

func (s *stack) stopPostgres(t *testing.T) { require.NoError(t, s.postgres.Stop()) }

// startDevstack runs Temporal with a store of its own, so that the product's
// database can go away alone.
func (s *stack) startDevstack(t *testing.T) (address string) {
	args := []string{"--ephemeral", "--no-ui", "--temporal-port", "0", "--stop-on-stdin-eof", "--log-file", filepath.Join(s.dir, "devstack.log")}
	for _, name := range temporalclient.SearchAttributes() {
		args = append(args, "--search-attribute", name+"=Keyword")
	}
	command := exec.Command(filepath.Join(bin, "devstack"), args...)
	command.Env = append(os.Environ(), "DATABASE_URL=")
	output, err := command.StdoutPipe()
	require.NoError(t, err)
	s.devstack = startProgram(t, command)
	var event struct {
		Event, Message string
		Address        string `json:"temporal_address"`
	}
	lines := bufio.NewScanner(output)
	for event.Event != "ready" {
		require.True(t, lines.Scan(), "devstack ended: %s", event.Message)
		require.NoError(t, json.Unmarshal(lines.Bytes(), &event))
	}
	go func() {
		for lines.Scan() {
		}
	}()
	return event.Address
}

// prepare makes the schema, an account with one rule, and a credential.
func (s *stack) prepare(t *testing.T, kek string) {
	ctx := t.Context()
	keys, err := vault.Load(kek)
	require.NoError(t, err)
	store, err := postgres.Open(ctx, s.databaseURL, keys, postgres.Options{ApplicationName: "outages"})
	require.NoError(t, err)
	defer store.Close()
	_, err = store.Migrate(ctx)
	require.NoError(t, err)
	o, err := store.CreateOrganization(ctx, "outages")
	require.NoError(t, err)
	scope := postgres.Scope{OrganizationID: o.ID, Environment: postgres.Sandbox}
	account, err := store.CreateAccount(ctx, scope, "outages", "USD", "UTC")
	require.NoError(t, err)
	credential, secrets, err := store.CreateCredential(ctx, scope, "outages", postgres.Strict, false)
	require.NoError(t, err)
	signer, err := sig1.NewSigner(credential.APIKey, secrets.SecretKey, secrets.AuthToken)
	require.NoError(t, err)
	s.accountID = account.WireID()
	s.client = &apiclient.Client{Signer: signer, HTTP: &http.Client{Timeout: time.Minute}}
}

// startPrograms starts the api and the worker, whichever does not run.
func (s *stack) startPrograms(t *testing.T) {
	for name, p := range map[string]**program{"api": &s.api, "worker": &s.worker} {
		if *p != nil && !(*p).killed {
			continue
		}
		command := exec.Command(filepath.Join(bin, name), "--stop-on-stdin-eof")
		command.Env = append(os.Environ(), s.env...)
		log, err := os.OpenFile(filepath.Join(s.dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		require.NoError(t, err)
		command.Stderr = log
		*p = startProgram(t, command)
		require.NoError(t, log.Close())
	}
	for _, setting := range s.env {
		if address, ok := strings.CutPrefix(setting, "REQUISITE_LISTEN="); ok {
			s.client.BaseURL = "http://" + address
		}
	}
	s.poll(t, "the api does not become healthy", func(ctx context.Context) (bool, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.client.BaseURL+"/healthz", nil)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			return false, err
		}
		return response.StatusCode == http.StatusOK, response.Body.Close()
	})
	t.Cleanup(func() {
		if t.Failed() {
			for _, name := range []string{"api", "worker"} {
				log, _ := os.ReadFile(filepath.Join(s.dir, name+".log"))
				t.Logf("the end of %s's log:\n%s", name, log[max(0, len(log)-4000):])
			}
		}
	})
}

// application puts one business on record and opens a workflow for it; the one
// rule requires one document.
func (s *stack) application(t *testing.T) request {
	ctx := t.Context()
	var business struct {
		ID string `json:"business_id"`
	}
	_, err := s.client.Call(ctx, "account.documentRules.publish", map[string]any{"account_id": s.accountID, "rules": json.RawMessage(`{"documents":[
		{"document_type_code":"OLD","name":"n","category":"c","requirement_text":"t","entity_type":"Business","when":"business_age_years >= 5"}]}`)}, nil)
	require.NoError(t, err)
	_, err = s.client.Call(ctx, "business.create", map[string]any{"account_id": s.accountID,
		"business": map[string]any{"legal_name": "Outage Ltd", "established_date": "2001-01-01"}}, &business)
	require.NoError(t, err)
	var w request
	_, err = s.client.Call(ctx, "workflow.create", map[string]any{"account_id": s.accountID, "workflow": map[string]string{"business_id": business.ID}}, &w)
	require.NoError(t, err)
	return w
}

func (s *stack) documents(t *testing.T, w request) []json.RawMessage {
	var list struct {
		Documents []json.RawMessage `json:"required_documents"`
	}
	_, err := s.client.Call(t.Context(), "workflow.requiredDocument.list", w, &list)
	require.NoError(t, err)
	return list.Documents
}

// events counts the calculations that changed something: one, whatever happens.
func (s *stack) events(t *testing.T) int {
	var n int
	err := s.query(t.Context(), `SELECT count(*) FROM webhook_event WHERE event_type = 'REQUIRED_DOCUMENTS_CALCULATED'`, &n)
	require.NoError(t, err)
	return n
}

func (s *stack) query(ctx context.Context, sql string, target any) error {
	conn, err := pgx.Connect(ctx, s.databaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return conn.QueryRow(ctx, sql).Scan(target)
}

// within sends a request that must be answered in the given time.
func (s *stack) within(t *testing.T, limit time.Duration, operation string, in any, options ...apiclient.Option) apiclient.Answer {
	t.Helper()
	body, err := json.Marshal(in)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	answer, err := s.client.Send(ctx, operation, body, options...)
	require.NoError(t, err, "%s was not answered in time", operation)
	return answer
}

// eventually repeats a request until it succeeds.
func (s *stack) eventually(t *testing.T, operation string, in any, options ...apiclient.Option) {
	t.Helper()
	s.poll(t, operation+" does not succeed", func(ctx context.Context) (bool, error) {
		_, err := s.client.Call(ctx, operation, in, nil, options...)
		return err == nil, err
	})
}

type answered struct {
	apiclient.Answer
	err error
}

func (s *stack) inBackground(operation string, in any) <-chan answered {
	result := make(chan answered, 1)
	go func() {
		body, err := json.Marshal(in)
		if err != nil {
			result <- answered{err: err}
			return
		}
		answer, err := s.client.Send(context.Background(), operation, body)
		result <- answered{answer, err}
	}()
	return result
}

func (s *stack) awaitDocuments(t *testing.T, w request) {
	t.Helper()
	s.poll(t, "the run does not go on", func(context.Context) (bool, error) { return len(s.documents(t, w)) > 0, nil })
}

func (s *stack) awaitDocumentsInDatabase(t *testing.T) {
	t.Helper()
	s.poll(t, "the run does not go on", func(ctx context.Context) (bool, error) {
		var there bool
		err := s.query(ctx, `SELECT EXISTS (SELECT FROM required_document)`, &there)
		return there, err
	})
}

// program is a part of the stack that a test can stop, freeze or kill.
type program struct {
	command *exec.Cmd
	killed  bool
}

func startProgram(t *testing.T, command *exec.Cmd) *program {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	_, err := command.StdinPipe() // its end stops the program, should this test die
	require.NoError(t, err)
	require.NoError(t, command.Start())
	p := &program{command: command}
	t.Cleanup(func() {
		if !p.killed {
			_ = command.Process.Signal(syscall.SIGCONT)
			_ = command.Process.Signal(syscall.SIGTERM)
			_ = command.Wait()
		}
	})
	return p
}

func (p *program) signal(t *testing.T, signal os.Signal) {
	require.NoError(t, p.command.Process.Signal(signal))
}

func (p *program) kill(t *testing.T) {
	p.killed = true
	require.NoError(t, p.command.Process.Kill())
	_ = p.command.Wait() // killed, as its state says
}

func freeAddress(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	return listener.Addr().String()
}
