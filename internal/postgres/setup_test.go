package postgres_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/postgres"
	"requisite/internal/postgres/pgtest"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/sig1"
	"requisite/internal/rules/requirement"
	"requisite/internal/testkit/needs"
)

var server *pgtest.Server

func TestMain(m *testing.M) {
	_ = flag.Set("rapid.checks", strconv.Itoa(needs.Tries(100, 25))) // the command line comes after it
	pgtest.Main(m, func(s *pgtest.Server) { server = s })
}

// bundle is one application of one account in a database of its own.
type bundle struct {
	testing.TB
	store    *postgres.Store // as the service
	operator *postgres.Store
	url      string // with every right
	call     domain.Call
	account  domain.Account
	business domain.Business
	person   domain.Person
	workflow domain.Workflow
	runs     atomic.Int64
	began    time.Time     // the time of the store's clock at the beginning
	clock    *atomic.Int64 // how far the test has moved it since, in nanoseconds
	opening  sync.Once
	direct   *pgxpool.Pool
}

func setup(t *testing.T) *bundle {
	t.Parallel()
	return prepare(t)
}

func prepare(t testing.TB) *bundle { return prepareOn(t, server) }

func prepareOn(t testing.TB, server *pgtest.Server) *bundle {
	b := &bundle{TB: t, began: time.Now().Truncate(time.Millisecond), clock: new(atomic.Int64)}
	b.store, b.operator, b.url = server.Stores(t, b.now)
	b.account, b.call = b.newAccount("first", "UTC")
	b.write(b.call, func(r *postgres.Records) (err error) {
		date, share, us := "2001-01-01", rational.Decimal(5000), "US"
		if b.business, err = r.CreateBusiness(t.Context(), b.account.WireID(), domain.Business{LegalName: "Ltd", EstablishedDate: &date}); err != nil {
			return err
		}
		b.person, err = r.CreatePerson(t.Context(), b.business.WireID(), domain.Person{FirstName: "A", LastName: "B", Citizenship: &us, OwnershipHundredths: &share})
		if err != nil {
			return err
		}
		b.workflow, err = r.CreateWorkflow(t.Context(), b.account.WireID(), b.business.WireID(), domain.Started)
		return err
	})
	return b
}

func (b *bundle) newAccount(name, zone string) (domain.Account, domain.Call) {
	o, err := b.operator.CreateOrganization(b.Context(), name)
	require.NoError(b, err)
	scope := domain.Scope{OrganizationID: o.ID, Environment: domain.Sandbox}
	account, err := b.operator.CreateAccount(b.Context(), scope, name, "USD", zone)
	require.NoError(b, err)
	return account, domain.Call{Scope: scope, Actor: domain.APIKey("tester"), Operation: "test"}
}

func (b *bundle) try(call domain.Call, change func(*postgres.Records) error) error {
	_, err := b.store.Write(b.Context(), call, func(r *postgres.Records) (any, error) { return struct{}{}, change(r) })
	return err
}

// only is the error of a call that has one more result, and only2 of one that has two.
func only[T any](_ T, err error) error          { return err }
func only2[A, B any](_ A, _ B, err error) error { return err }

func (b *bundle) write(call domain.Call, change func(*postgres.Records) error) {
	b.Helper()
	require.NoError(b, b.try(call, change))
}

func (b *bundle) publish(documents ...requirement.DocumentRule) domain.Publication {
	b.Helper()
	var p domain.Publication
	b.write(b.call, func(r *postgres.Records) (err error) {
		p, _, err = r.PublishRuleSet(b.Context(), b.account.WireID(), draft(documents...))
		return err
	})
	return p
}

func draft(documents ...requirement.DocumentRule) domain.Draft {
	for i, d := range documents {
		documents[i].Name, documents[i].Category, documents[i].RequirementText = d.DocumentTypeCode, "c", "t"
		if d.EntityType == "" {
			documents[i].EntityType = "Business"
		}
	}
	return domain.NewDraft(requirement.RuleSet{Documents: documents}.CanonicalJSON())
}

func rule(code, when string) requirement.DocumentRule {
	return requirement.DocumentRule{DocumentTypeCode: code, When: when}
}

func (b *bundle) run() domain.Run {
	return domain.Run{ID: fmt.Sprint("run-", b.runs.Add(1)), Call: b.call, WorkflowID: b.workflow.WireID(), StartedAt: b.now()}
}

// evaluate compiles the rule set of a snapshot and evaluates it.
func (b *bundle) evaluate(ctx context.Context, s domain.Snapshot) (found requirement.Result, err error) {
	if s.RuleSet == nil {
		return found, nil
	}
	p, err := b.store.RuleSetByID(ctx, s.Scope, s.RuleSet.ID)
	if err != nil {
		return found, err
	}
	set, problems := requirement.ParseRuleSetJSON([]byte(p.Content))
	if len(problems) > 0 {
		return found, errors.New(problems[0].Message)
	}
	program, problems := requirement.Compile(set, requirement.Options{})
	if len(problems) > 0 {
		return found, errors.New(problems[0].Message)
	}
	found, err = program.Evaluate(ctx, s.Facts)
	if err == nil && len(found.Gaps) > 0 {
		err = refusal.Missing(found.Gaps)
	}
	return found, err
}

// calculate does what a run does: read, evaluate, write, and again when facts
// changed in between.
func (b *bundle) calculate(run domain.Run) (domain.RunResult, error) {
	for range 3 {
		snapshot, err := b.store.LoadFacts(b.Context(), run.Call, run.WorkflowID, run.StartedAt)
		if err != nil {
			return domain.RunResult{}, err
		}
		required, err := b.evaluate(b.Context(), snapshot)
		if err != nil {
			return domain.RunResult{}, err
		}
		result, err := b.store.Save(b.Context(), run, snapshot, postgres.Documents(required))
		if !errors.Is(err, domain.ErrFactsChanged) {
			return result, err
		}
	}
	return b.store.UnderLocks(b.Context(), run, noWait, b.find)
}

func (b *bundle) find(ctx context.Context, s domain.Snapshot) (postgres.Finding, error) {
	required, err := b.evaluate(ctx, s)
	return postgres.Documents(required), err
}

// keyed is the bundle's call with an idempotency key.
func (b *bundle) keyed(key string) domain.Call {
	call := b.call
	call.IdempotencyKey, call.BodySHA256 = key, make([]byte, 32)
	return call
}

func (b *bundle) tryBusiness() error {
	return b.try(b.call, func(r *postgres.Records) error {
		return only(r.CreateBusiness(b.Context(), b.account.WireID(), domain.Business{LegalName: "Ltd"}))
	})
}

func (b *bundle) tryWorkflow(state domain.State) error {
	b.pass(time.Millisecond)
	return b.try(b.call, func(r *postgres.Records) error {
		return only(r.CreateWorkflow(b.Context(), b.account.WireID(), b.business.WireID(), state))
	})
}

func (b *bundle) tryPerson() error {
	return b.try(b.call, func(r *postgres.Records) error {
		return only(r.CreatePerson(b.Context(), b.business.WireID(), domain.Person{FirstName: "C", LastName: "D"}))
	})
}

func (b *bundle) completeWorkflow() error {
	return b.try(b.call, func(r *postgres.Records) error { return r.CompleteWorkflow(b.Context(), b.workflow.WireID()) })
}

func (b *bundle) newCredential(c domain.NewCredential) (domain.Credential, domain.Secrets) {
	b.Helper()
	c.Name = cmp.Or(c.Name, "c")
	made, secrets, err := b.operator.CreateCredential(b.Context(), b.call.Scope, c)
	require.NoError(b, err)
	return made, secrets
}

// authenticate finds a credential that is in force.
func (b *bundle) authenticate(apiKey string) (domain.Credential, sig1.Credential) {
	b.Helper()
	found, proof, ok, err := b.store.ActiveCredential(b.Context(), apiKey)
	require.NoError(b, err)
	require.True(b, ok)
	return found, proof
}

// atOnce runs n calls in as many goroutines.
func atOnce(n int, call func(int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { call(i) })
	}
	all.Wait()
}

func (b *bundle) exec(sql string, args ...any) error {
	b.Helper()
	return only(b.pool().Exec(b.Context(), sql, args...))
}

// load reads the facts of the workflow as a run does.
func (b *bundle) load() domain.Snapshot {
	b.Helper()
	s, err := b.store.LoadFacts(b.Context(), b.call, b.workflow.WireID(), b.now())
	require.NoError(b, err)
	return s
}

// save writes what a run has found.
func (b *bundle) save(s domain.Snapshot, found postgres.Finding) error {
	return only(b.store.Save(b.Context(), b.run(), s, found))
}

// saveScore calculates the workflow's score.
func (b *bundle) saveScore(score rational.Number) {
	b.Helper()
	require.NoError(b, b.save(b.load(), postgres.Score(score)))
}

// factChange is a write to a fact of the bundle's workflow.
type factChange struct {
	name string
	make func(*postgres.Records) error
}

// factChanges are writes of every kind, in an order in which each is possible.
func (b *bundle) factChanges() []factChange {
	ctx, business := b.Context(), b.business.WireID()
	var info domain.SalesInfo
	return []factChange{
		{"business.update", func(r *postgres.Records) error {
			return r.UpdateBusiness(ctx, business, func(b *domain.Business) { b.IndustryCategoryCode = []string{"0742"} })
		}},
		{"business.update without a change", func(r *postgres.Records) error {
			return r.UpdateBusiness(ctx, business, func(*domain.Business) {})
		}},
		{"person.update without a change", func(r *postgres.Records) error {
			return r.UpdatePerson(ctx, b.person.WireID(), func(*domain.Person) {})
		}},
		{"person.create", func(r *postgres.Records) error {
			return only(r.CreatePerson(ctx, business, domain.Person{FirstName: "C", LastName: "D"}))
		}},
		{"person.update", func(r *postgres.Records) error {
			return r.UpdatePerson(ctx, b.person.WireID(), func(p *domain.Person) { p.LastName = "C" })
		}},
		{"person.delete", func(r *postgres.Records) error { return r.DeletePerson(ctx, b.person.WireID()) }},
		{"salesInfo.create", func(r *postgres.Records) (err error) {
			info, err = r.CreateSalesInfo(ctx, business, []domain.SalesAmount{{Type: "AVERAGE_MONTHLY_CREDIT_SALES", Hundredths: rational.Decimal(100), Currency: "USD"}})
			return err
		}},
		{"salesInfo.delete", func(r *postgres.Records) error { return r.DeleteSalesInfo(ctx, info.WireID()) }},
		{rulesPublish, func(r *postgres.Records) error {
			return only2(r.PublishRuleSet(ctx, b.account.WireID(), draft(rule("NEW", ""))))
		}},
	}
}

const rulesPublish = "rules.publish"

func (b *bundle) mustCalculate() domain.RunResult {
	b.Helper()
	result, err := b.calculate(b.run())
	require.NoError(b, err)
	return result
}

func (b *bundle) count(sql string, args ...any) int {
	b.Helper()
	var n int
	require.NoError(b, b.pool().QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

// awaitLock waits until a session of the database waits for a lock.
func (b *bundle) awaitLock(what string) {
	b.Helper()
	b.awaitLocks(1, what)
}

// awaitLocks waits until n sessions do.
func (b *bundle) awaitLocks(n int, what string) {
	b.Helper()
	pgtest.AwaitLocks(b.TB, b.pool(), n, what)
}

// pool reaches the database beside the store.
func (b *bundle) pool() *pgxpool.Pool {
	b.opening.Do(func() {
		var err error
		b.direct, err = pgxpool.New(context.WithoutCancel(b.Context()), b.url)
		require.NoError(b, err)
		b.Cleanup(b.direct.Close)
	})
	return b.direct
}

func (b *bundle) calculatedEvents() int {
	return b.count(`SELECT count(*) FROM webhook_event WHERE event_type = 'REQUIRED_DOCUMENTS_CALCULATED'`)
}

func (b *bundle) setOwnership(hundredths int) {
	b.write(b.call, func(r *postgres.Records) error {
		return r.UpdatePerson(b.Context(), b.person.WireID(), func(p *domain.Person) {
			share := rational.Decimal(hundredths)
			p.OwnershipHundredths = &share
		})
	})
}

func refused(t require.TestingT, err error) *refusal.Refusal {
	found, ok := refusal.FromError(err)
	require.True(t, ok, "%v", err)
	return found
}

// noWait is the ready function of calculations under locks that wait for no slot.
func noWait(context.Context) error { return nil }
