package main

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

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/internal/postgres/pgtest"
	"requisite/internal/rational"
	"requisite/internal/secrets/vault"
)

var server *pgtest.Server

func TestMain(m *testing.M) { pgtest.Main(m, func(s *pgtest.Server) { server = s }) }

// bundle is one account with one application in a database of its own, on
// which commands run.
type bundle struct {
	*testing.T
	store    *postgres.Store
	url      string
	call     domain.Call
	account  string
	business string
	person   string
	workflow string
}

func setup(t *testing.T) *bundle {
	b := &bundle{T: t}
	_, b.store, b.url = server.Stores(t, nil)
	kek := filepath.Join(t.TempDir(), "kek.json")
	require.NoError(t, vault.Keyset{File: kek}.Generate(t.Context()))
	t.Setenv("DATABASE_URL", pgtest.As(b.url, pgtest.Owner))
	t.Setenv("REQUISITE_KEK_FILE", kek)
	o, err := b.store.CreateOrganization(t.Context(), "Ltd")
	require.NoError(t, err)
	b.call = domain.Call{Scope: domain.Scope{OrganizationID: o.ID, Environment: domain.Sandbox}, Actor: domain.System, Operation: "test"}
	account, err := b.store.CreateAccount(t.Context(), b.call.Scope, "first", "USD", "UTC")
	require.NoError(t, err)
	b.account = account.WireID().String()
	b.write(func(r *postgres.Records) error {
		date, share, citizenship := "2001-01-01", rational.Decimal(5000), "CA"
		business, err := r.CreateBusiness(t.Context(), account.WireID(), domain.Business{LegalName: "Secret Name Ltd", EstablishedDate: &date})
		if err != nil {
			return err
		}
		b.business = business.WireID().String()
		person, err := r.CreatePerson(t.Context(), business.WireID(), domain.Person{FirstName: "Planted", LastName: "Name", Citizenship: &citizenship, OwnershipHundredths: &share})
		b.person = person.WireID().String()
		return err
	})
	b.workflow = b.open()
	return b
}

func (b *bundle) write(change func(*postgres.Records) error) {
	b.Helper()
	_, err := b.store.Write(b.Context(), b.call, func(r *postgres.Records) (any, error) { return struct{}{}, change(r) })
	require.NoError(b, err)
}

// open makes one more workflow.
func (b *bundle) open() string {
	b.Helper()
	var made domain.Workflow
	b.write(func(r *postgres.Records) (err error) {
		made, err = r.CreateWorkflow(b.Context(), id.Must[id.AccountID](b.account), id.Must[id.BusinessID](b.business), domain.Started)
		return err
	})
	return made.WireID().String()
}

// run runs a command that must succeed, and gives its standard output.
func (b *bundle) run(args ...string) string {
	b.Helper()
	out, err := b.try(args...)
	require.NoError(b, err, out)
	return out
}

func (b *bundle) try(args ...string) (string, error) {
	root := command()
	var out, progress bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&progress)
	root.SetArgs(args)
	err := root.ExecuteContext(b.Context())
	return out.String(), err
}

func (b *bundle) exec(sql string, args ...any) {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), b.url)
	require.NoError(b, err)
	defer conn.Close(b.Context())
	_, err = conn.Exec(b.Context(), sql, args...)
	require.NoError(b, err)
}

func (b *bundle) count(sql string) int {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), b.url)
	require.NoError(b, err)
	defer conn.Close(b.Context())
	var n int
	require.NoError(b, conn.QueryRow(b.Context(), sql).Scan(&n))
	return n
}

// fakeAPI answers each operation as answer says, with status 400 when that is no success,
// and returns the flags of a command that asks it.
func fakeAPI(t *testing.T, answer func(operation string, body map[string]any) string) (flags []string) {
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
	return []string{"--base-url", api.URL, "--api-key", "sb_3eY9UJuj09636NVPlgmhfa", "--secret-key", "xBeain5pFnPyQkl98qzA+BG+Cjzskpqq9fGKDbDoXNP5", "--auth-token", "t"}
}

// success is an answer with data, which is JSON.
func success(data string) string { return `{"meta":{"status":"SUCCESS"},"data":` + data + `}` }

// failure is an answer with an error.
func failure(code, more string) string {
	return `{"meta":{"status":"ERROR"},"errors":[{"code":"` + code + `","message":"m"` + more + `}]}`
}

// rulesFile writes a file of rules.
func rulesFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}
