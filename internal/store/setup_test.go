package store_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/sig1"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/needs"
)

var server *pgtest.Server

func TestMain(m *testing.M) {
	_ = flag.Set("rapid.checks", strconv.Itoa(15*needs.Depth)) // the command line comes after it
	pgtest.Main(m, func(s *pgtest.Server) { server = s })
}

// bundle is pgtest's, with what only these tests do.
type bundle struct{ *pgtest.Bundle }

func setup(t *testing.T) *bundle {
	t.Parallel()
	return prepare(t)
}

func prepare(t testing.TB) *bundle { return &bundle{pgtest.NewBundle(t, server)} }

// only is the error of a call that has one more result, and only2 of one that has two.
func only[T any](_ T, err error) error          { return err }
func only2[A, B any](_ A, _ B, err error) error { return err }

// authenticate finds a credential that is in force.
func (b *bundle) authenticate(apiKey string) (domain.Credential, sig1.Credential) {
	b.Helper()
	found, proof, ok, err := b.Store.Credentials.Active(b.Context(), apiKey)
	require.NoError(b, err)
	require.True(b, ok)
	return found, proof
}

func (b *bundle) calculatedEvents() int {
	return b.Count(`SELECT count(*) FROM webhook_event WHERE event_type = 'REQUIRED_DOCUMENTS_CALCULATED'`)
}

func (b *bundle) completeWorkflow() error {
	return b.Try(b.Call, func(r *store.Records) error {
		return only(r.Workflows.Complete(b.Context(), b.Workflow.WireID(), false))
	})
}

// factChange is a write to a fact of the bundle's workflow.
type factChange struct {
	name string
	make func(*store.Records) error
}

// factChanges are writes of every kind to what rules see, in an order in which each is possible.
func (b *bundle) factChanges() []factChange {
	ctx, business := b.Context(), b.Business.WireID()
	require.NoError(b, b.tryPrice(pricing(allFacts()...)))
	var info domain.SalesInfo
	return []factChange{
		{"business.update", func(r *store.Records) error {
			return r.Businesses.Update(ctx, business, domain.CustomChange{}, func(b *domain.Business) { b.IndustryCategoryCode = []string{"0742"} })
		}},
		{"person.create", func(r *store.Records) error {
			return only(r.Persons.Create(ctx, business, store.PersonPath, domain.Person{FirstName: new("C"), LastName: new("D")}))
		}},
		{"person.update", func(r *store.Records) error {
			return r.Persons.Update(ctx, b.Person.WireID(), domain.CustomChange{}, func(p *domain.Person) { p.Citizenship = new("CA") })
		}},
		{"custom of the business", func(r *store.Records) error {
			return r.Businesses.Update(ctx, business, change(`{"legal_form":"LLC"}`), func(*domain.Business) {})
		}},
		{"custom of a person", func(r *store.Records) error {
			return r.Persons.Update(ctx, b.Person.WireID(), change(`{"roles":[]}`), func(*domain.Person) {})
		}},
		{workflowUpdate, func(r *store.Records) error {
			return r.Workflows.Update(ctx, b.Workflow.WireID(), nil, change(`{"channel":"web"}`))
		}},
		{personDelete, func(r *store.Records) error { return r.Persons.Delete(ctx, b.Person.WireID()) }},
		{"salesInfo.create", func(r *store.Records) (err error) {
			info, err = r.Businesses.CreateSalesInfo(ctx, business, id.SalesInfoID{},
				[]domain.SalesAmount{{Type: "AVERAGE_MONTHLY_CREDIT_SALES", Hundredths: rational.Decimal(100), Currency: "USD"}})
			return err
		}},
		{"salesInfo.delete", func(r *store.Records) error { return r.Businesses.DeleteSalesInfo(ctx, info.WireID()) }},
		{rulesPublish, func(r *store.Records) error {
			return only(r.Rules.Publish(ctx, b.Account.WireID(), draft(rule("NEW", ""))))
		}},
	}
}

const (
	personDelete   = "person.delete"
	rulesPublish   = "rules.publish"
	workflowUpdate = "workflow.update"
)

// unseenChanges are writes of what is on file and no rule sees.
func (b *bundle) unseenChanges() []factChange {
	ctx := b.Context()
	return []factChange{
		{"business.update", func(r *store.Records) error {
			return r.Businesses.Update(ctx, b.Business.WireID(), domain.CustomChange{}, func(b *domain.Business) { b.PhoneNumber = new("+15550100") })
		}},
		{"person.update", func(r *store.Records) error {
			return r.Persons.Update(ctx, b.Person.WireID(), domain.CustomChange{}, func(p *domain.Person) { p.LastName = new("Renamed") })
		}},
	}
}

// keyed is the bundle's call with an idempotency key.
func (b *bundle) keyed(key string) domain.Call {
	call := b.Call
	call.IdempotencyKey, call.BodySHA256 = key, make([]byte, 32)
	return call
}

// mustCalculate calculates the documents of the workflow. A recalculation of the same facts must then leave
// everything as it is.
func (b *bundle) mustCalculate() calculation.RunResult {
	b.Helper()
	result, err := b.calculate(b.Run())
	require.NoError(b, err)
	before := b.calculated()
	again := b.Run()
	again.Recalculation = true
	_, err = b.calculate(again)
	require.NoError(b, err)
	require.Equal(b, before, b.calculated(), "a calculation that is repeated changes nothing")
	return result
}

// calculated returns what a calculation of the workflow may change, as Postgres stores it, without the time of the calculation.
func (b *bundle) calculated() string {
	b.Helper()
	var text string
	require.NoError(b, b.Pool().QueryRow(b.Context(), `
		SELECT concat_ws(E'\n',
			(SELECT w.decision_number || ' decisions, ' || w.findings FROM workflow w WHERE w.id = $1),
			(SELECT count(*) || ' events' FROM webhook_event e WHERE e.workflow_id = $1),
			(SELECT string_agg(d::text, E'\n' ORDER BY d.id) FROM required_document d WHERE d.workflow_id = $1))`, b.Workflow.ID).Scan(&text))
	return text
}

func (b *bundle) newCredential(c domain.NewCredential) (domain.Credential, domain.Secrets) {
	b.Helper()
	c.Name = cmp.Or(c.Name, "c")
	made, secrets, err := b.Operator.Credentials.Create(b.Context(), b.Call.Scope, c)
	require.NoError(b, err)
	return made, secrets
}

func (b *bundle) publish(documents ...requirement.DocumentRule) calculation.Publication {
	b.Helper()
	var p store.Published
	b.Write(b.Call, func(r *store.Records) (err error) {
		p, err = r.Rules.Publish(b.Context(), b.Account.WireID(), draft(documents...))
		return err
	})
	return p.Publication
}

// saveScore calculates the workflow's score.
func (b *bundle) saveScore(score rational.Number) {
	b.Helper()
	require.NoError(b, b.save(b.load(), store.Score{Score: score}))
}

func (b *bundle) setOwnership(hundredths int) {
	b.Write(b.Call, func(r *store.Records) error {
		return r.Persons.Update(b.Context(), b.Person.WireID(), domain.CustomChange{}, func(p *domain.Person) {
			share := rational.Decimal(hundredths)
			p.OwnershipHundredths = &share
		})
	})
}

func (b *bundle) tryBusiness() error {
	return b.Try(b.Call, func(r *store.Records) error {
		return only(r.Applicants.CreateBusiness(b.Context(), b.Account.WireID(), domain.Business{LegalName: "Ltd"}))
	})
}

func (b *bundle) tryPerson() error {
	return b.Try(b.Call, func(r *store.Records) error {
		return only(r.Persons.Create(b.Context(), b.Business.WireID(), store.PersonPath, domain.Person{FirstName: new("C"), LastName: new("D")}))
	})
}

func (b *bundle) tryWorkflow(state domain.State) error {
	b.Pass(time.Millisecond)
	return b.Try(b.Call, func(r *store.Records) error {
		return only(r.Workflows.Create(b.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: state}))
	})
}

// calculate does what a run does: read, evaluate, write, and again when facts
// changed in between.
func (b *bundle) calculate(run domain.Run) (calculation.RunResult, error) {
	for {
		snapshot, err := b.Store.LoadFacts(b.Context(), run.Call, run.WorkflowID, run.StartedAt)
		if err != nil {
			return calculation.RunResult{}, err
		}
		required, err := b.evaluate(b.Context(), snapshot)
		if err != nil {
			return calculation.RunResult{}, err
		}
		result, err := b.Store.Save(b.Context(), run, snapshot.WithoutFacts(), store.Required(required))
		if !errors.Is(err, calculation.ErrFactsChanged) {
			return result, err
		}
	}
}

func draft(documents ...requirement.DocumentRule) calculation.Draft {
	for i, d := range documents {
		documents[i].Name, documents[i].Category, documents[i].RequirementText = cmp.Or(d.Name, d.DocumentTypeCode), cmp.Or(d.Category, "c"), cmp.Or(d.RequirementText, "t")
		if d.EntityType == "" {
			documents[i].EntityType = "Business"
		}
	}
	return calculation.NewDraft(requirement.RuleSet{Documents: documents}.CanonicalJSON())
}

// load reads the facts of the workflow as a run does.
func (b *bundle) load() calculation.Snapshot {
	b.Helper()
	s, err := b.Store.LoadFacts(b.Context(), b.Call, b.Workflow.WireID(), b.Now())
	require.NoError(b, err)
	return s
}

func rule(code, when string) requirement.DocumentRule {
	return requirement.DocumentRule{DocumentTypeCode: code, When: when}
}

// save writes what a run has found.
func (b *bundle) save(s calculation.Snapshot, found store.Found) error {
	return only(b.Store.Save(b.Context(), b.Run(), s.WithoutFacts(), found))
}

// evaluate compiles the rule set of a snapshot and evaluates it.
func (b *bundle) evaluate(ctx context.Context, s calculation.Snapshot) (found requirement.Result, err error) {
	if s.RuleSet == nil {
		return found, nil
	}
	p, err := b.Store.Versions.RuleSetByID(ctx, s.Scope, s.RuleSet.ID)
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
