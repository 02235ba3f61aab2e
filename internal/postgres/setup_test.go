package postgres_test

import (
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

	"requisite/internal/decimal"
	"requisite/internal/domain"
	"requisite/internal/needs"
	"requisite/internal/postgres"
	"requisite/internal/postgres/pgtest"
	"requisite/internal/refusal"
	"requisite/internal/requirement"
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
	clock    *atomic.Int64 // added to the real time, in nanoseconds
	opening  sync.Once
	direct   *pgxpool.Pool
}

func setup(t *testing.T) *bundle {
	t.Parallel()
	return prepare(t)
}

func prepare(t testing.TB) *bundle {
	b := &bundle{TB: t, clock: new(atomic.Int64)}
	b.store, b.operator, b.url = server.Stores(t, func() time.Time { return time.Now().Add(time.Duration(b.clock.Load())) })
	b.account, b.call = b.newAccount("first", "UTC")
	b.write(b.call, func(r *postgres.Records) (err error) {
		date, share, us := "2001-01-01", decimal.Number(5000), "US"
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
	return domain.Run{ID: fmt.Sprint("run-", b.runs.Add(1)), Call: b.call, WorkflowID: b.workflow.WireID(), StartedAt: time.Now()}
}

// evaluate compiles the rule set of a snapshot and evaluates it.
func (b *bundle) evaluate(ctx context.Context, s domain.Snapshot) ([]requirement.Requirement, error) {
	if s.RuleSet == nil {
		return nil, nil
	}
	p, err := b.store.RuleSetByID(ctx, s.Scope, s.RuleSet.ID)
	if err != nil {
		return nil, err
	}
	set, problems := requirement.ParseRuleSetJSON([]byte(p.Content))
	if len(problems) > 0 {
		return nil, errors.New(problems[0].Message)
	}
	program, problems := requirement.Compile(set, requirement.Options{})
	if len(problems) > 0 {
		return nil, errors.New(problems[0].Message)
	}
	found, err := program.Evaluate(ctx, s.Facts)
	if err == nil && len(found.Gaps) > 0 {
		err = refusal.Missing(found.Gaps)
	}
	return found.Required, err
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
	return b.store.UnderLocks(b.Context(), run, b.find)
}

func (b *bundle) find(ctx context.Context, s domain.Snapshot) (postgres.Finding, error) {
	required, err := b.evaluate(ctx, s)
	return postgres.Documents(required), err
}

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
			share := decimal.Number(hundredths)
			p.OwnershipHundredths = &share
		})
	})
}

func refused(t require.TestingT, err error) *refusal.Refusal {
	found, ok := refusal.FromError(err)
	require.True(t, ok, "%v", err)
	return found
}
