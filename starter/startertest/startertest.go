// Package startertest runs commands of starter in tests, on a database or an API of their own.
package startertest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/secrets/vault"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
	"requisite/starter/command"
)

var server *pgtest.Server

// Main runs the tests of a package that calls Setup.
func Main(m *testing.M) { pgtest.Main(m, func(s *pgtest.Server) { server = s }) }

// Bundle is one account with one application, in a database of its own.
type Bundle struct {
	*testing.T
	Store *store.Store // with the rights of the operator
	URL   string
	Call  domain.Call
	// The ids of the application.
	Account, Business, Person, Workflow string
}

// Setup makes a bundle, and sets the variables that commands need for its database.
func Setup(t *testing.T) *Bundle { return SetupAt(t, nil) }

// SetupAt is Setup with a clock of the store; nil is the real one.
func SetupAt(t *testing.T, now func() time.Time) *Bundle {
	b := &Bundle{T: t}
	_, b.Store, b.URL = server.Stores(t, now)
	kek := filepath.Join(t.TempDir(), "kek.json")
	require.NoError(t, vault.Keyset{File: kek}.Generate(t.Context()))
	t.Setenv("DATABASE_URL", pgtest.As(b.URL, pgtest.Owner))
	t.Setenv("REQUISITE_KEK_FILE", kek)
	t.Setenv("REQUISITE_API_ROLE", pgtest.API)
	account, call := pgtest.NewAccount(t, b.Store, "first", "UTC")
	call.Actor = domain.System
	b.Call = call
	b.Account = account.WireID().String()
	b.Write(func(r *store.Records) error {
		date, share, citizenship := "2001-01-01", rational.Decimal(5000), "CA"
		business, err := r.Applicants.CreateBusiness(t.Context(), account.WireID(), domain.Business{LegalName: "Secret Name Ltd", EstablishedDate: &date})
		if err != nil {
			return err
		}
		b.Business = business.WireID().String()
		persons, err := r.Persons.Create(t.Context(), business.WireID(), store.PersonPath,
			domain.Person{FirstName: new("Planted"), LastName: new("Name"), Citizenship: &citizenship, OwnershipHundredths: &share})
		if err != nil {
			return err
		}
		b.Person = persons[0].WireID().String()
		return nil
	})
	b.Workflow = b.OpenWorkflow()
	return b
}

// Write runs a change in a transaction.
func (b *Bundle) Write(change func(*store.Records) error) {
	b.Helper()
	_, err := b.Store.Write(b.Context(), b.Call, func(r *store.Records) (any, error) { return struct{}{}, change(r) })
	require.NoError(b, err)
}

// OpenWorkflow opens one more workflow.
func (b *Bundle) OpenWorkflow() string {
	b.Helper()
	var made domain.Workflow
	b.Write(func(r *store.Records) (err error) {
		made, err = r.Workflows.Create(b.Context(), id.Must[id.AccountID](b.Account), id.Must[id.BusinessID](b.Business), domain.NewWorkflow{State: domain.Started})
		return err
	})
	return made.WireID().String()
}

// MustRun runs a command that must succeed, and returns its standard output.
func (b *Bundle) MustRun(args ...string) string {
	b.Helper()
	out, err := b.Try(args...)
	require.NoError(b, err, out)
	return out
}

// Publish puts the rules of a file in force, as an operator, and returns the output.
func (b *Bundle) Publish(file string, more ...string) string {
	b.Helper()
	return b.MustRun(append([]string{"rules", "publish", file, "--as-operator", b.Account}, more...)...)
}

// Try runs a command, and returns its standard output.
func (b *Bundle) Try(args ...string) (string, error) {
	root := command.New()
	var out, progress bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&progress)
	root.SetArgs(args)
	err := root.ExecuteContext(b.Context())
	return out.String(), err
}

// Exec runs a statement as the owner of the database.
func (b *Bundle) Exec(sql string, args ...any) {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), b.URL)
	require.NoError(b, err)
	defer conn.Close(b.Context())
	_, err = conn.Exec(b.Context(), sql, args...)
	require.NoError(b, err)
}

// Count runs a query that returns a number.
func (b *Bundle) Count(sql string) int {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), b.URL)
	require.NoError(b, err)
	defer conn.Close(b.Context())
	var n int
	require.NoError(b, conn.QueryRow(b.Context(), sql).Scan(&n))
	return n
}

// FakeAPI answers operations with the result of answer. It returns the flags with which a
// command calls it.
func FakeAPI(t *testing.T, answer func(operation string, body map[string]any) string) (flags []string) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		text := answer(strings.TrimPrefix(r.URL.Path, "/"), body)
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.Contains(text, `"UNAVAILABLE"`):
			w.WriteHeader(http.StatusServiceUnavailable)
		case !strings.Contains(text, `"SUCCESS"`):
			w.WriteHeader(http.StatusBadRequest)
		}
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(api.Close)
	return []string{
		"--base-url", api.URL,
		"--api-key", "sb_3eY9UJuj09636NVPlgmhfa",
		"--secret-key", "xBeain5pFnPyQkl98qzA+BG+Cjzskpqq9fGKDbDoXNP5",
		"--auth-token", "t",
	}
}

// Success is an answer with this data, in JSON.
func Success(data string) string { return `{"meta":{"status":"SUCCESS"},"data":` + data + `}` }

// Failure is an answer with an error.
func Failure(code, more string) string {
	return `{"meta":{"status":"ERROR"},"errors":[{"code":"` + code + `","message":"m"` + more + `}]}`
}

// RulesFile writes a file into a directory of its own, and returns its path.
func RulesFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// Run runs a command, and returns what it printed on both outputs.
func Run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	root := command.New()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetArgs(args)
	err := root.ExecuteContext(t.Context())
	return out.String(), err
}

// Hostile is a name that an attacker may choose: it clears the terminal, reverses
// text, and begins a line of its own.
const Hostile = "x\x1b[2J\u009b1A\u202eevil\u2066\nstarter: all is well"

// RequireHarmless fails if the output controls the terminal or has invisible characters.
func RequireHarmless(t *testing.T, printed string) {
	t.Helper()
	for _, r := range printed {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			t.Fatalf("%U in %q", r, printed)
		}
	}
	require.NotContains(t, "\n"+printed, "\nstarter: all is well", "a name begins a line of its own")
}
