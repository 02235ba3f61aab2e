package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/view"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

func TestCalculation_SameFactsChangeNothing(t *testing.T) {
	b := setup(t)
	b.publish(rule("OLD", "business_age_years > 3"), rule("BIG", "persons.exists(p, p.ownership_percentage >= 25)"))
	first := b.mustCalculate()
	require.Len(t, first.Changed.Added, 2)
	before := b.Count(`SELECT sum(extract(epoch FROM updated_at))::bigint FROM required_document`)
	second := b.mustCalculate()
	require.Empty(t, second.Changed.Added)
	require.Len(t, second.Changed.Kept, 2)
	require.Equal(t, 1, b.calculatedEvents())
	require.Equal(t, before, b.Count(`SELECT sum(extract(epoch FROM updated_at))::bigint FROM required_document`))
}

func TestCalculation_RepeatedRunReturnsItsFirstResult(t *testing.T) {
	b := setup(t)
	b.publish(rule("OLD", "business_age_years > 3"))
	run := b.Run()
	first, err := b.calculate(run)
	require.NoError(t, err)
	b.publish(rule("OTHER", ""))
	again, err := b.calculate(run)
	require.NoError(t, err)
	require.Equal(t, []any{first.Documents, first.Decision}, []any{again.Documents, again.Decision}, "an activity that runs twice answers what the first one wrote")
	require.Equal(t, 1, b.calculatedEvents())
}

func TestDocument_KeepsItsIDAndStatusWhileNotRequired(t *testing.T) {
	b := setup(t)
	b.publish(rule("BIG", "persons.exists(p, p.ownership_percentage >= 25)"))
	added := b.mustCalculate().Changed.Added[0]
	b.Write(b.Call, func(r *store.Records) error {
		return only(r.Documents.Update(t.Context(), id.Must[id.RequiredDocumentID](added.RequiredDocumentID), document.Review{Status: "NEEDS_REVIEW"}, id.DecisionID{}))
	})
	b.setOwnership(2499)
	removed := b.mustCalculate().Changed.Removed[0]
	require.Equal(t, added.RequiredDocumentID, removed.RequiredDocumentID)
	require.EqualValues(t, "INACTIVE", removed.Status)
	b.setOwnership(2500)
	restored := b.mustCalculate().Changed.Restored[0]
	require.Equal(t, added.RequiredDocumentID, restored.RequiredDocumentID)
	require.EqualValues(t, "NEEDS_REVIEW", restored.Status)
	err := b.Try(b.Call, func(r *store.Records) error {
		return only(r.Documents.Update(t.Context(), id.Must[id.RequiredDocumentID](added.RequiredDocumentID), document.Review{Status: "INACTIVE"}, id.DecisionID{}))
	})
	require.Equal(t, refusal.InvalidStatusChange, pgtest.Refused(t, err).SubCode)
}

func TestSave_NoticesEveryChangeOfAFact(t *testing.T) {
	b := setup(t)
	b.publish(rule("OLD", "business_age_years > 3"))
	for _, change := range b.factChanges() {
		snapshot := b.load()
		b.Write(b.Call, change.make)
		require.ErrorIs(t, b.save(snapshot, store.Required{}), calculation.ErrFactsChanged, change.name)
		err := b.save(snapshot, store.Score{Score: rational.Int(1)})
		if change.name != rulesPublish {
			require.ErrorIs(t, err, calculation.ErrFactsChanged, change.name)
			continue
		}
		require.NoError(t, err, "a score does not depend on the rules")
		snapshot = b.load()
		require.NoError(t, b.save(snapshot, store.Score{Score: rational.Int(2)}))
		require.ErrorIs(t, b.save(snapshot, store.Required{}), calculation.ErrFactsChanged, "documents may depend on the score")
	}
}

// TestSave_IgnoresAChangeThatNoRuleSees, and records what is on file when it saves.
func TestSave_IgnoresAChangeThatNoRuleSees(t *testing.T) {
	for name, kind := range map[string]struct {
		found   store.Found
		refused bool
	}{
		"documents": {store.Required{}, false}, "score": {store.Score{Score: rational.Int(1)}, false}, "refusal": {store.Refused{Kind: decision.Calculation, Refusal: missing}, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			snapshot := b.load()
			for _, change := range b.unseenChanges() {
				b.Write(b.Call, change.make)
			}
			result, err := b.Store.Save(t.Context(), b.Run(), snapshot, kind.found)
			ref := result.Decision
			if kind.refused {
				ref = pgtest.Refused(t, err).Decision
			} else {
				require.NoError(t, err)
			}
			facts := b.decision(ref).OnFile.Facts
			require.Equal(t, []string{"+15550100", "Renamed"}, []string{*facts.Business.PhoneNumber, *facts.Persons[0].LastName})
			if name == "documents" {
				require.False(t, *b.onRecord().DocumentsStale, "they were calculated with what is on file")
			}
		})
	}
}

// TestSave_NoticesAnErasure also of a business without facts.
func TestSave_NoticesAnErasure(t *testing.T) {
	b := setup(t)
	b.Write(b.Call, func(r *store.Records) error { return r.Persons.Delete(t.Context(), b.Person.WireID()) })
	snapshot := b.load()
	require.NoError(t, only(b.Operator.Erase(t.Context(), b.Call.Scope, b.Business.WireID(), false)))
	require.ErrorIs(t, b.save(snapshot, store.Required{}), calculation.ErrFactsChanged)
}

// TestOnFile_FillsEachField: records are read by position, and rules see each fact of them.
func TestOnFile_FillsEachField(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.tryDeclare(declaring(allFacts()...)))
	b.publish(rule("ALWAYS", ""))
	text := func(name string) *string { return &name }
	var sales []domain.SalesAmount
	for i, of := range fact.SalesAmountTypes() {
		sales = append(sales, domain.SalesAmount{Type: of, Hundredths: rational.Decimal(int64(100 + i)), Currency: "USD"})
	}
	b.Write(b.Call, func(r *store.Records) error {
		return errors.Join(
			r.Businesses.Update(t.Context(), b.Business.WireID(), change(`{"shops":0.5,"note":"<n>"}`), func(b *domain.Business) {
				b.LegalName, b.OperatingName, b.EstablishedDate, b.IndustryCategoryCode = "legal", text("operating"), text("2001-02-03"), []string{"0742"}
				b.Website, b.PhoneNumber, b.Email = text("https://x.example"), text("+15550100"), text("b@x.example")
				b.Address = &domain.Address{Line1: text("1"), City: text("c"), Country: text("CA")}
			}),
			r.Workflows.Update(t.Context(), b.Workflow.WireID(), nil, change(`{"first_sale_date":"2026-12-01"}`)),
			r.Persons.Update(t.Context(), b.Person.WireID(), change(`{"roles":["DIRECTOR"]}`), func(p *domain.Person) {
				p.FirstName, p.LastName, p.Citizenship, p.DateOfBirth, p.Email = text("first"), text("last"), text("CA"), text("1990-01-02"), text("p@x.example")
				p.CountryOfResidence = text("FR")
			}),
			only(r.Businesses.CreateSalesInfo(t.Context(), b.Business.WireID(), id.SalesInfoID{}, sales)))
	})
	facts := b.decision(b.mustCalculate().Decision).OnFile.Facts
	r := b.Store.Records(b.Call.Scope)
	business, err := r.Businesses.Stored(t.Context(), b.Business.WireID())
	require.NoError(t, err)
	person, err := r.Persons.Get(t.Context(), b.Person.WireID())
	require.NoError(t, err)
	want := decision.Facts{
		Workflow: facts.Workflow,
		Business: view.Business(business.Business, b.Call.Scope.Environment, business.SalesInfo, business.PersonIDs),
		Persons:  []view.PersonData{view.Person(person)},
	}
	require.JSONEq(t, asJSON(t, want), asJSON(t, facts))

	seen, err := facts.ForRules(fact.Date{Year: 2026, Month: 1, Day: 1})
	require.NoError(t, err)
	for _, row := range fact.BuiltIn.Facts {
		require.True(t, row.Priced || row.Value(&seen) != nil, "%s is not on file, or rules do not see it", row.Name)
	}
	require.JSONEq(t, `{"custom":{"first_sale_date":"2026-12-01","note":"<n>","shops":0.5},"persons":[{"custom":{"roles":["DIRECTOR"]}}]}`,
		fmt.Sprintf(`{"custom":%s,"persons":[{"custom":%s}]}`, asJSON(t, seen.Custom), asJSON(t, seen.Persons[0].Custom)))
	for _, row := range fact.BuiltIn.Fields {
		require.NotNil(t, row.ValueOf(&seen.Persons[0]), "%s is not on file, or rules do not see it", row.Name)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// TestSave_RejectsASnapshotOfAnotherWorkflow: the facts of others may be the same.
func TestSave_RejectsASnapshotOfAnotherWorkflow(t *testing.T) {
	b := setup(t)
	var other domain.Workflow
	b.Write(b.Call, func(r *store.Records) (err error) {
		other, err = r.Workflows.Create(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started})
		return err
	})
	snapshot, err := b.Store.LoadFacts(t.Context(), b.Call, other.WireID(), b.Now())
	require.NoError(t, err)
	own := b.load()
	require.Equal(t, own.Facts.Fingerprint(), snapshot.Facts.Fingerprint())
	require.ErrorContains(t, b.save(snapshot, store.Required{}), "are not those of")
	own.Scope.Environment = domain.Live
	require.ErrorContains(t, b.save(own, store.Required{}), "are not those of")
}

func TestCalculation_ConcurrentRunsConverge(t *testing.T) {
	b := setup(t)
	rules := [][]requirement.DocumentRule{
		{rule("A", "persons.exists(p, p.ownership_percentage >= 25)"), rule("B", "")},
		{rule("A", "persons.exists(p, p.ownership_percentage >= 25)"), {DocumentTypeCode: "C", EntityType: "Person", When: "person.ownership_percentage >= 50"}},
	}
	b.publish(rules[0]...)
	var all errgroup.Group
	for range 50 {
		all.Go(func() error { return only(b.calculate(b.Run())) })
	}
	for i := range 20 {
		all.Go(func() error {
			err := b.Try(b.Call, func(r *store.Records) error {
				return r.Persons.Update(t.Context(), b.Person.WireID(), domain.CustomChange{}, func(p *domain.Person) {
					share := rational.Decimal(i * 300)
					p.OwnershipHundredths = &share
				})
			})
			if err == nil && i%5 == 0 {
				err = b.Try(b.Call, func(r *store.Records) error {
					return only(r.Rules.Publish(t.Context(), b.Account.WireID(), draft(append([]requirement.DocumentRule{}, rules[i/5%2]...)...)))
				})
			}
			return err
		})
	}
	require.NoError(t, all.Wait())
	b.mustCalculate()
	events := b.calculatedEvents()
	last := b.mustCalculate()
	require.Empty(t, last.Changed.Added)
	require.Empty(t, last.Changed.Removed)
	require.Empty(t, last.Changed.Restored)
	require.Equal(t, events, b.calculatedEvents(), "a last calculation changes nothing that a fresh one would not give")

	required, err := b.evaluate(t.Context(), b.load())
	require.NoError(t, err)
	require.Len(t, last.Changed.Kept, len(required.Required))
}

// publishOne requires one document and returns its id.
func (b *bundle) publishOne() string {
	b.publish(rule("A", ""))
	return b.mustCalculate().Changed.Added[0].RequiredDocumentID
}

func TestEndedWorkflow_RejectsChanges(t *testing.T) {
	b := setup(t)
	published := b.publishOne()
	snapshot := b.load()
	require.NoError(t, b.completeWorkflow())
	for name, err := range map[string]error{
		"load":     only(b.Store.LoadFacts(t.Context(), b.Call, b.Workflow.WireID(), b.Now())),
		"save":     b.save(snapshot, store.Required{}),
		"score":    b.save(snapshot, store.Score{Score: rational.Int(1)}),
		"preview":  only(b.Store.Preview(t.Context(), b.Call.Scope, b.Workflow.WireID(), store.Tried{}, fact.Date{}, nil)),
		"start":    b.Try(b.Call, func(r *store.Records) error { return r.Workflows.Start(t.Context(), b.Workflow.WireID()) }),
		"complete": b.completeWorkflow(),
		"document": b.Try(b.Call, func(r *store.Records) error {
			return only(r.Documents.Update(t.Context(), id.Must[id.RequiredDocumentID](published), document.Review{Status: "NEEDS_REVIEW"}, id.DecisionID{}))
		}),
	} {
		require.Equal(t, refusal.WorkflowEnded, pgtest.Refused(t, err).SubCode, name)
	}
}

func TestDates_UseTheTimeZoneOfTheAccount(t *testing.T) {
	b := setup(t)
	// 10:30 UTC: already tomorrow in Kiritimati (+14), still yesterday in Pago Pago (-11).
	noonish := time.Date(2026, 3, 10, 10, 30, 0, 0, time.UTC)
	b.Clock.Store(int64(noonish.Sub(b.Began)))
	for zone, last := range map[string]string{"Pacific/Kiritimati": "2026-03-11", "UTC": "2026-03-10", "Pacific/Pago_Pago": "2026-03-09"} {
		account, call := b.NewAccount(zone, zone)
		b.Write(call, func(r *store.Records) error {
			return only(r.Applicants.CreateBusiness(t.Context(), account.WireID(), domain.Business{LegalName: "x", EstablishedDate: &last}))
		})
		day, err := time.Parse(time.DateOnly, last)
		require.NoError(t, err)
		next := day.AddDate(0, 0, 1).Format(time.DateOnly)
		err = b.Try(call, func(r *store.Records) error {
			return only(r.Applicants.CreateBusiness(t.Context(), account.WireID(), domain.Business{LegalName: "x", EstablishedDate: &next}))
		})
		require.Equal(t, refusal.BadRequest, pgtest.Refused(t, err).Code, zone)

		var w domain.Workflow
		b.Write(call, func(r *store.Records) error {
			made, err := r.Applicants.CreateBusiness(t.Context(), account.WireID(), domain.Business{LegalName: "x"})
			if err != nil {
				return err
			}
			w, err = r.Workflows.Create(t.Context(), account.WireID(), made.WireID(), domain.NewWorkflow{State: domain.Created})
			return err
		})
		snapshot, err := b.Store.LoadFacts(t.Context(), call, w.WireID(), noonish)
		require.NoError(t, err)
		require.Equal(t, last, snapshot.Facts.AsOf.String(), "the calculation's date")
	}
}

func TestSalesInfo(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	amounts := []domain.SalesAmount{{Type: "HIGHEST_TICKET_SALE", Hundredths: 999999999999999, Currency: "USD"}}
	err := b.Try(b.Call, func(r *store.Records) error {
		return only(r.Businesses.CreateSalesInfo(ctx, b.Business.WireID(), id.SalesInfoID{}, []domain.SalesAmount{{Type: "HIGHEST_TICKET_SALE", Currency: "EUR"}}))
	})
	require.Equal(t, refusal.BadRequest, pgtest.Refused(t, err).Code)
	var made domain.SalesInfo
	b.Write(b.Call, func(r *store.Records) (err error) {
		made, err = r.Businesses.CreateSalesInfo(ctx, b.Business.WireID(), id.SalesInfoID{}, amounts)
		return err
	})
	err = b.Try(b.Call, func(r *store.Records) error {
		return only(r.Businesses.CreateSalesInfo(ctx, b.Business.WireID(), id.SalesInfoID{}, nil))
	})
	require.Equal(t, refusal.SalesInfoExists, pgtest.Refused(t, err).SubCode)
	found, err := b.Store.Records(b.Call.Scope).Businesses.SalesInfo(ctx, b.Business)
	require.NoError(t, err)
	require.NotNil(t, found)
	require.Equal(t, amounts, found.Amounts)
	b.Write(b.Call, func(r *store.Records) error { return r.Businesses.DeleteSalesInfo(ctx, made.WireID()) })
	err = b.Try(b.Call, func(r *store.Records) error { return r.Businesses.DeleteSalesInfo(ctx, made.WireID()) })
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code)
}

func TestScore_IsKeptExactly(t *testing.T) {
	b := setup(t)
	for _, text := range []string{"0.1", "-999999999999.999999", "480", "0.000001"} {
		score, err := rational.Parse(text)
		require.NoError(t, err)
		b.saveScore(score)
		require.Equal(t, text, b.load().Facts.EvaluationScore.String())
	}
}

func TestScore_WarnsWhenOutdated(t *testing.T) {
	b := setup(t)
	b.publish(rule("LOW", "evaluation_score < 600"))
	_, err := b.calculate(b.Run())
	require.Equal(t, refusal.MissingRequirements, pgtest.Refused(t, err).Code)
	b.saveScore(rational.Int(500))
	require.Empty(t, b.mustCalculate().Warnings)
	b.setOwnership(100)
	require.EqualValues(t, "SCORE_OUTDATED", b.mustCalculate().Warnings[0].Code)
	b.setOwnership(5000)
	require.Empty(t, b.mustCalculate().Warnings, "a change that was undone is no change")
	b.setOwnership(1)
	b.saveScore(rational.Int(500))
	require.Empty(t, b.mustCalculate().Warnings)
}

// TestSave_TakesFewRoundTrips: its own time is mostly these. It begins with the row of its outcome,
// locks the facts, reads what is on file and the documents, and sends all that it writes with the
// commit.
func TestSave_TakesFewRoundTrips(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "key"} {
		b := prepare(t)
		b.publish(rule("DOC", ""))
		run := b.Run()
		run.Call = b.keyed(key)
		snapshot := b.load()
		required, err := b.evaluate(t.Context(), snapshot)
		require.NoError(t, err)
		spy := &pgtest.Spy{}
		of := server.Open(t, pgtest.As(b.URL, pgtest.API), nil, store.Options{Tracer: spy})
		spy.Trips = 0
		result, err := of.Save(t.Context(), run, snapshot, store.Required(required))
		require.NoError(t, err)
		require.Len(t, result.Changed.Added, 1)
		require.LessOrEqual(t, spy.Trips, 4, "with the key %q", key)
	}
}

// TestSave_ReadsNoVersionsOfSameTexts: which approvals a version keeps matters only where a text has changed.
func TestSave_ReadsNoVersionsOfSameTexts(t *testing.T) {
	b := setup(t)
	b.publish(rule("DOC", ""))
	b.mustCalculate()
	b.review(b.document(b.Workflow.WireID(), "DOC"), document.Review{Status: document.Completed})
	trips := func() int {
		t.Helper()
		snapshot := b.load()
		required, err := b.evaluate(t.Context(), snapshot)
		require.NoError(t, err)
		spy := &pgtest.Spy{}
		of := server.Open(t, pgtest.As(b.URL, pgtest.API), nil, store.Options{Tracer: spy})
		spy.Trips = 0
		require.NoError(t, only(of.Save(t.Context(), b.Run(), snapshot, store.Required(required))))
		return spy.Trips
	}
	before := trips()
	b.publish(rule("DOC", ""), rule("OTHER", ""))
	require.LessOrEqual(t, trips(), before)
	changed := rule("DOC", "")
	changed.RequirementText += " more"
	b.publish(changed)
	require.Equal(t, before+1, trips())
}
