package pgtest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
)

// Bundle is one application of one account in a database of its own.
type Bundle struct {
	testing.TB
	Store    *store.Store // with the rights of the service
	Operator *store.Store
	URL      string // of a role with every right
	Call     domain.Call
	Account  domain.Account
	Business domain.Business
	Person   domain.Person
	Workflow domain.Workflow
	runs     atomic.Int64
	Began    time.Time     // the store's time at the beginning
	Clock    *atomic.Int64 // how far the test has moved the clock since, in nanoseconds
	opening  sync.Once
	direct   *pgxpool.Pool
}

// NewBundle makes a database with an account, a business with one person, and a started workflow.
func NewBundle(t testing.TB, server *Server) *Bundle {
	b := &Bundle{TB: t, Began: time.Now().Truncate(time.Millisecond), Clock: new(atomic.Int64)}
	b.Store, b.Operator, b.URL = server.Stores(t, b.Now)
	b.Account, b.Call = b.NewAccount("first", "UTC")
	b.Write(b.Call, func(r *store.Records) (err error) {
		date, share, us := "2001-01-01", rational.Decimal(5000), "US"
		if b.Business, err = r.Applicants.CreateBusiness(t.Context(), b.Account.WireID(), domain.Business{LegalName: "Ltd", EstablishedDate: &date}); err != nil {
			return err
		}
		persons, err := r.Persons.Create(t.Context(), b.Business.WireID(), store.PersonPath,
			domain.Person{FirstName: new("A"), LastName: new("B"), Citizenship: &us, OwnershipHundredths: &share})
		if err != nil {
			return err
		}
		b.Person = persons[0]
		b.Workflow, err = r.Workflows.Create(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started})
		return err
	})
	return b
}

// InAccount returns the bundle of another account in the same database.
func (b *Bundle) InAccount(account domain.Account, call domain.Call) *Bundle {
	c := &Bundle{TB: b.TB, Store: b.Store, Operator: b.Operator, URL: b.URL, Began: b.Began, Clock: b.Clock, Account: account, Call: call}
	c.runs.Store(b.runs.Add(1000) - 1000) // so that the two bundles have different runs
	return c
}

// NewAccount makes an organization with an account of the same name. It returns the account and a
// call of its tenant.
func (b *Bundle) NewAccount(name, zone string) (domain.Account, domain.Call) {
	return NewAccount(b.TB, b.Operator, name, zone)
}

// NewAccount is Bundle.NewAccount without a bundle.
func NewAccount(t testing.TB, operator *store.Store, name, zone string) (domain.Account, domain.Call) {
	t.Helper()
	o, err := operator.Organizations.Create(t.Context(), name)
	require.NoError(t, err)
	scope := domain.Scope{OrganizationID: o.ID, Environment: domain.Sandbox}
	account, err := operator.Organizations.CreateAccount(t.Context(), scope, name, "USD", zone)
	require.NoError(t, err)
	return account, domain.Call{Scope: scope, Actor: domain.APIKey("tester"), Operation: "test"}
}

// Try makes a change in one transaction, and returns its error.
func (b *Bundle) Try(call domain.Call, change func(*store.Records) error) error {
	_, err := b.Store.Write(b.Context(), call, func(r *store.Records) (any, error) { return struct{}{}, change(r) })
	return err
}

// Write makes a change that must succeed.
func (b *Bundle) Write(call domain.Call, change func(*store.Records) error) {
	b.Helper()
	require.NoError(b, b.Try(call, change))
}

// Run returns a new run of the workflow.
func (b *Bundle) Run() domain.Run {
	return domain.Run{ID: fmt.Sprint("run-", b.runs.Add(1)), Call: b.Call, WorkflowID: b.Workflow.WireID(), StartedAt: b.Now()}
}

// AtOnce runs n calls in as many goroutines.
func AtOnce(n int, call func(int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { call(i) })
	}
	all.Wait()
}

// Exec runs a statement with every right.
func (b *Bundle) Exec(sql string, args ...any) error {
	b.Helper()
	_, err := b.Pool().Exec(b.Context(), sql, args...)
	return err
}

// Count reads one number with every right.
func (b *Bundle) Count(sql string, args ...any) int {
	b.Helper()
	var n int
	require.NoError(b, b.Pool().QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

// AwaitLock waits until a session of the database waits for a lock.
func (b *Bundle) AwaitLock(what string) {
	b.Helper()
	b.AwaitLocks(1, what)
}

// AwaitLocks waits until n sessions do.
func (b *Bundle) AwaitLocks(n int, what string) {
	b.Helper()
	AwaitLocks(b.TB, b.Pool(), n, what)
}

// Pool returns a pool that is separate from the store's.
func (b *Bundle) Pool() *pgxpool.Pool {
	b.opening.Do(func() {
		var err error
		b.direct, err = pgxpool.New(context.WithoutCancel(b.Context()), b.URL)
		require.NoError(b, err)
		b.Cleanup(b.direct.Close)
	})
	return b.direct
}

// Refused returns the refusal in an error. The test fails if there is none.
func Refused(t require.TestingT, err error) *refusal.Refusal {
	found, ok := refusal.FromError(err)
	require.True(t, ok, "%v", err)
	return found
}
