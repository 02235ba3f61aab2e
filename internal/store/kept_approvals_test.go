package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/testkit/history"
)

func deed(text string) requirement.DocumentRule {
	return requirement.DocumentRule{DocumentTypeCode: "DEED", Name: "Deed", Category: "c", RequirementText: text, EntityType: fact.EntityBusiness}
}

// publishDeed publishes a text of one document, from some days after today on.
func (b *bundle) publishDeed(text string, days int, to calculation.AppliesTo, keep ...string) store.Published {
	b.Helper()
	d := draft(deed(text))
	d.Validity = calculation.Validity{AppliesTo: to, KeepApprovals: keep}
	if days > 0 {
		day := fact.DateOf(b.Now().AddDate(0, 0, days)).String()
		d.EffectiveFrom = &day
	}
	var p store.Published
	b.Write(b.Call, func(r *store.Records) (err error) {
		p, err = r.Rules.Publish(b.Context(), b.Account.WireID(), d)
		return err
	})
	return p
}

func (b *bundle) deed() calculation.RequiredDocument { return b.document(b.Workflow.WireID(), "DEED") }

// calculateTwice calculates, and once more, which changes nothing.
func (b *bundle) calculateTwice() calculation.RunResult {
	b.Helper()
	result := b.mustCalculate()
	before, events := b.deed(), b.calculatedEvents()
	b.mustCalculate()
	require.Equal(b, before, b.deed(), "the same facts and rules a second time")
	require.Equal(b, events, b.calculatedEvents())
	return result
}

func (b *bundle) approveDeed() {
	b.Helper()
	b.review(b.deed(), document.Review{Status: document.Completed})
}

func (b *bundle) waiveDeed() {
	b.Helper()
	of := id.Must[id.RequiredDocumentID](b.deed().ID)
	b.Write(b.Call, func(r *store.Records) error {
		return only(r.Documents.Waive(b.Context(), of, "not needed", id.DecisionID{}))
	})
}

func TestKeptApproval_HoldsInEachCalculation(t *testing.T) {
	for name, keep := range map[string][]string{"by its code": {"DEED"}, "with all others": {"*"}} {
		for status, decide := range map[document.Status]func(*bundle){document.Completed: (*bundle).approveDeed, document.Waived: (*bundle).waiveDeed} {
			t.Run(fmt.Sprint(name, " ", status), func(t *testing.T) {
				b := setup(t)
				b.publishDeed("one", 0, calculation.AppliesToAll)
				b.mustCalculate()
				decide(b)
				b.publishDeed("two", 0, calculation.AppliesToAll, keep...)
				preview, err := b.Store.Preview(t.Context(), b.Call.Scope, b.Workflow.WireID(), store.Tried{}, fact.Date{}, b.evaluate)
				require.NoError(t, err)
				require.Empty(t, preview.Changes.Reopened)
				b.calculateTwice()
				require.Equal(t, status, b.deed().Status)
				b.publishDeed("two", 0, calculation.AppliesToAll) // another version with the same text
				b.calculateTwice()
				require.Equal(t, status, b.deed().Status)
				b.publishDeed("three", 0, calculation.AppliesToAll)
				b.publishDeed("four", 0, calculation.AppliesToAll, keep...)
				b.calculateTwice()
				require.NotEqual(t, status, b.deed().Status, "a later version restores nothing that an earlier one has ended")
			})
		}
	}
}

func TestKeptApproval_IsCarriedAsOftenAsItHolds(t *testing.T) {
	b := setup(t)
	b.publishDeed("one", 0, calculation.AppliesToAll)
	b.mustCalculate()
	b.approveDeed()
	b.publishDeed("two", 0, calculation.AppliesToAll, "DEED")
	for range 3 {
		require.NoError(t, b.completeWorkflow())
		b.Write(b.Call, func(r *store.Records) (err error) {
			of := domain.NewWorkflow{State: domain.Started, PreviousWorkflowID: b.Workflow.WireID()}
			b.Workflow, err = r.Workflows.Create(t.Context(), b.Account.WireID(), b.Business.WireID(), of)
			return err
		})
		require.Len(t, b.calculateTwice().Changed.Carried, 1)
		require.Equal(t, document.Completed, b.deed().Status)
	}
}

// TestKeptApproval_HoldsThroughWhatWasInForce: a version that was replaced before it came into force does not count.
func TestKeptApproval_HoldsThroughWhatWasInForce(t *testing.T) {
	for name, c := range map[string]struct {
		days int
		to   calculation.AppliesTo
		want document.Status
	}{
		"replaced while it was coming": {5, calculation.AppliesToAll, document.Completed},
		"in force for new workflows":   {0, calculation.AppliesToNew, document.NeedsReview},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			b.publishDeed("one", 0, calculation.AppliesToAll)
			b.mustCalculate()
			b.approveDeed()
			b.publishDeed("two", c.days, c.to)
			b.publishDeed("three", 0, calculation.AppliesToAll, "*")
			b.calculateTwice()
			require.Equal(t, c.want, b.deed().Status)
		})
	}
}

// TestKeptApproval_NeedsNoOtherVersion: versions in between may be pruned.
func TestKeptApproval_NeedsNoOtherVersion(t *testing.T) {
	b := setup(t)
	b.publishDeed("one", 0, calculation.AppliesToAll)
	b.mustCalculate()
	b.approveDeed()
	for _, text := range []string{"two", "three", "four"} {
		b.publishDeed(text, 0, calculation.AppliesToAll, "DEED")
		b.Pass(time.Hour)
	}
	b.calculateTwice()
	b.Pass(31 * day)
	require.NoError(t, b.Exec(`UPDATE decision SET rule_set_id = NULL, rule_set_sha256 = NULL`)) // as if they had been pruned
	b.prune(store.Retention{})
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM rule_set`))
	b.calculateTwice()
	require.Equal(t, document.Completed, b.deed().Status)
	b.publishDeed("five", 0, calculation.AppliesToAll, "DEED")
	b.calculateTwice()
	require.Equal(t, document.Completed, b.deed().Status)
}

// TestKeptApproval_LeavesOutWhatNeverCame, also where another version for new workflows was published in between.
func TestKeptApproval_LeavesOutWhatNeverCame(t *testing.T) {
	b := setup(t)
	b.publishDeed("one", 0, calculation.AppliesToAll)
	b.mustCalculate()
	b.approveDeed()
	b.publishDeed("two", 5, calculation.AppliesToAll)
	require.Empty(t, b.publishDeed("three", 0, calculation.AppliesToNew, "DEED").Replaced)
	tried := store.Tried{Draft: draft(deed("three")).Content}
	preview, err := b.Store.Preview(t.Context(), b.Call.Scope, b.Workflow.WireID(), tried, fact.Date{}, b.decide(deed("three")))
	require.NoError(t, err)
	require.Empty(t, preview.Changes.Reopened)
	require.Equal(t, []int{2}, b.publishDeed("three", 0, calculation.AppliesToAll).Replaced)
	b.calculateTwice()
	require.Equal(t, document.Completed, b.deed().Status)
}

// TestKeptApproval_PreviewKnowsWhatADraftReplaces: one for new applications leaves what is coming for all.
func TestKeptApproval_PreviewKnowsWhatADraftReplaces(t *testing.T) {
	b := setup(t)
	b.publishDeed("one", 0, calculation.AppliesToAll)
	b.mustCalculate()
	b.approveDeed()
	b.publishDeed("two", 5, calculation.AppliesToAll)
	reopened := func(to calculation.AppliesTo) int {
		tried := store.Tried{Draft: draft(deed("three")).Content, Validity: calculation.Validity{AppliesTo: to, KeepApprovals: []string{"DEED"}}}
		preview, err := b.Store.Preview(t.Context(), b.Call.Scope, b.Workflow.WireID(), tried, fact.Date{}, b.decide(deed("three")))
		require.NoError(t, err)
		return len(preview.Changes.Reopened)
	}
	require.Equal(t, []int{0, 1}, []int{reopened(calculation.AppliesToAll), reopened(calculation.AppliesToNew)})
}

// TestQuota_RuleBytesCountKeptTexts: who keeps more and more texts publishes less often.
func TestQuota_RuleBytesCountKeptTexts(t *testing.T) {
	b := setup(t)
	b.bounded(store.Quotas{RuleBytes: 64 << 10}, 5)
	for i := 0; ; i++ {
		d := draft(deed(fmt.Sprint("text ", i)))
		d.KeepApprovals = []string{"*"}
		err := b.Try(b.Call, func(r *store.Records) error { return only(r.Rules.Publish(t.Context(), b.Account.WireID(), d)) })
		if err != nil {
			requireLimit(t, err, refusal.EntityDocumentRules, refusal.SizeLimitExceeded)
			require.Less(t, i*len(d.Content), 32<<10)
			return
		}
	}
}

// The documents of the model: of the business, and of its person.
const (
	deedOfBusiness = "DEED " + fact.EntityBusiness
	deedOfPerson   = "DEED " + fact.EntityPerson
	leaseOfPerson  = "LEASE " + fact.EntityPerson
)

var modelDocuments = []string{deedOfBusiness, deedOfPerson, leaseOfPerson}

// modelRecord is a document on record as the specification wants it.
type modelRecord struct {
	effective document.Status // of one that is inactive, the one before
	inactive  bool
	approved  *modelApproval
	seen      modelSeen // by the last calculation that required it
}

// modelSeen is what an approval is bound to.
type modelSeen struct {
	text    string
	version int    // that has it
	name    string // of the person
}

type modelApproval struct {
	status document.Status
	modelSeen
}

// modelDesk plays an account beside its model.
type modelDesk struct {
	*bundle
	account  history.Account
	began    time.Time // the first day of the model
	workflow history.Workflow
	name     string // of the person
	// records are the documents of the workflow, and earlier those of the workflow before, until the first calculation.
	records, earlier map[string]*modelRecord
}

func (b *bundle) modelDesk() *modelDesk {
	account, call := b.NewAccount(fmt.Sprint("model ", b.Count(`SELECT count(*) FROM organization`)), "UTC")
	m := &modelDesk{bundle: &bundle{b.InAccount(account, call)}, began: b.Now(), name: "A", records: map[string]*modelRecord{}, account: history.Account{Day: 1}}
	m.Write(m.Call, func(r *store.Records) (err error) {
		if m.Business, err = r.Applicants.CreateBusiness(m.Context(), account.WireID(), domain.Business{LegalName: "Ltd"}); err != nil {
			return err
		}
		persons, err := r.Persons.Create(m.Context(), m.Business.WireID(), store.PersonPath, domain.Person{FirstName: new(m.name), LastName: new("B")})
		m.Person = persons[0]
		return err
	})
	m.publish(history.Version{Texts: map[string]string{deedOfBusiness: "a", deedOfPerson: "a", leaseOfPerson: "a"}})
	m.open(id.WorkflowID{})
	return m
}

func (m *modelDesk) open(previous id.WorkflowID) {
	m.Pass(time.Second)
	m.Write(m.Call, func(r *store.Records) (err error) {
		of := domain.NewWorkflow{State: domain.Started, PreviousWorkflowID: previous}
		m.Workflow, err = r.Workflows.Create(m.Context(), m.Account.WireID(), m.Business.WireID(), of)
		return err
	})
	m.workflow = m.account.Open()
	m.earlier, m.records = m.records, map[string]*modelRecord{}
}

// pass lets days pass.
func (m *modelDesk) pass(days int) {
	m.Pass(time.Duration(days) * day)
	m.account.Day += days
}

func modelRules(v history.Version) (rules []requirement.DocumentRule) {
	for _, document := range modelDocuments {
		if text := v.Texts[document]; text != "" {
			code, entityType, _ := strings.Cut(document, " ")
			rules = append(rules, requirement.DocumentRule{DocumentTypeCode: code, Name: "n", Category: "c", RequirementText: text, EntityType: entityType})
		}
	}
	return rules
}

func (m *modelDesk) publish(v history.Version) {
	m.Pass(time.Second)
	d := draft(modelRules(v)...)
	d.Validity = calculation.Validity{AppliesTo: calculation.AppliesToAll, KeepApprovals: v.Keeps}
	if v.ForNew {
		d.AppliesTo = calculation.AppliesToNew
	}
	if v.From > 0 {
		d.EffectiveFrom = new(fact.DateOf(m.began.AddDate(0, 0, v.From-1)).String())
	}
	var p store.Published
	m.Write(m.Call, func(r *store.Records) (err error) {
		p, err = r.Rules.Publish(m.Context(), m.Account.WireID(), d)
		return err
	})
	if p.Changed { // the same once more makes none
		require.Equal(m, m.account.Publish(v), p.Replaced)
		require.Equal(m, len(m.account.Versions), p.Version)
	}
}

// calculate calculates twice, after a preview, and compares with the model.
func (m *modelDesk) calculate() {
	m.expect()
	preview, err := m.Store.Preview(m.Context(), m.Call.Scope, m.Workflow.WireID(), store.Tried{}, fact.Date{}, m.evaluate)
	require.NoError(m, err)
	codes := func(refs []calculation.DocumentRef) (names []string) {
		for _, r := range refs {
			names = append(names, r.DocumentTypeCode+" "+r.EntityType)
		}
		return names
	}
	previewed := func(documents []document.Document) (names []string) {
		for _, d := range documents {
			names = append(names, d.DocumentTypeCode+" "+d.EntityType)
		}
		return names
	}
	ran := m.mustCalculate().Changed
	require.Equal(m, []any{previewed(preview.Changes.Reopened), previewed(preview.Changes.Reinstated), len(preview.Changes.Carried)},
		[]any{codes(ran.Reopened), codes(ran.Reinstated), len(ran.Carried)}, "as previewed")
	m.compare()
	before, events := m.documents(), m.calculatedEvents()
	again := m.mustCalculate().Changed
	require.Empty(m, append(append(again.Reopened, again.Reinstated...), again.Removed...), "twice")
	require.Equal(m, before, m.documents())
	require.Equal(m, events, m.calculatedEvents())
}

// expect lets the model calculate.
func (m *modelDesk) expect() {
	v := m.account.InForce(m.workflow)
	for _, code := range modelDocuments {
		record, earlier := m.records[code], m.earlier[code]
		text, required := v.Texts[code]
		holds := func(a *modelApproval) bool {
			return a != nil && (a.name == m.name || code == deedOfBusiness) && m.account.Holds(v.Number, a.version, code, a.text)
		}
		switch {
		case !required && record != nil:
			record.inactive = true
			continue
		case !required:
			continue
		case record == nil && earlier != nil && earlier.effective == document.Completed && holds(earlier.approved):
			record = &modelRecord{effective: document.Completed, approved: earlier.approved}
		case record == nil:
			record = &modelRecord{effective: document.Pending}
		case record.approved != nil:
			record.effective = record.approved.status
			if !holds(record.approved) {
				reopened := map[document.Status]document.Status{document.Completed: document.NeedsReview, document.Waived: document.Pending}
				record.effective = reopened[record.effective]
			}
		}
		record.inactive, record.seen = false, modelSeen{text, v.Number, m.name}
		m.records[code] = record
	}
	m.earlier = nil
}

func (m *modelDesk) compare() {
	found, want := map[string]document.Status{}, map[string]document.Status{}
	for _, d := range m.documents() {
		found[d.DocumentTypeCode+" "+d.EntityType] = d.Status
	}
	for code, record := range m.records {
		if want[code] = record.effective; record.inactive {
			want[code] = document.Inactive
		}
	}
	require.Equal(m, want, found, "on day %d of %+v", m.account.Day, m.account.Versions)
}

// decideByHand moves one of the documents that are required, by hand.
func (m *modelDesk) decideByHand(kind, how string) {
	record := m.records[kind]
	if record == nil || record.inactive {
		return
	}
	code, entityType, _ := strings.Cut(kind, " ")
	documents := m.documents()
	at := slices.IndexFunc(documents, func(d calculation.RequiredDocument) bool {
		return d.DocumentTypeCode == code && d.EntityType == entityType
	})
	open := record.effective == document.Pending || record.effective == document.NeedsReview
	approve := func(status document.Status) {
		record.effective, record.approved = status, &modelApproval{status, record.seen}
	}
	switch {
	case how == "approve" && open:
		m.review(documents[at], document.Review{Status: document.Completed})
		approve(document.Completed)
	case how == "waive" && open:
		m.Write(m.Call, func(r *store.Records) error {
			return only(r.Documents.Waive(m.Context(), id.Must[id.RequiredDocumentID](documents[at].ID), "not needed", id.DecisionID{}))
		})
		approve(document.Waived)
	case how == "refuse" && record.effective != document.Pending:
		m.review(documents[at], document.Review{Status: document.Pending})
		record.effective, record.approved = document.Pending, nil
	}
	m.compare()
}

// TestKeptApproval_HoldsAsTheModelSays plays publications, reviews, changed facts, days, pruning and repeated calculations at random, in
// one workflow after the other.
func TestKeptApproval_HoldsAsTheModelSays(t *testing.T) {
	b := setup(t)
	b.Pass(b.Now().Truncate(day).Add(day + 12*time.Hour).Sub(b.Now())) // noon: no day begins by itself
	steps := []string{
		"publish", "publish", "publish", "day", "prune", "rename", "approve", "approve", "waive", "refuse", "calculate", "calculate", "calculate", "next workflow",
	}
	rapid.Check(t, func(t *rapid.T) {
		m := b.modelDesk()
		m.calculate()
		for range rapid.IntRange(10, 25).Draw(t, "steps") {
			switch step := rapid.SampledFrom(steps).Draw(t, "step"); step {
			case "publish":
				v := history.Version{Texts: map[string]string{}, ForNew: rapid.IntRange(0, 2).Draw(t, "for new") == 0}
				for _, document := range modelDocuments {
					if text := rapid.SampledFrom([]string{"a", "a", "b", "c", ""}).Draw(t, document); text != "" {
						v.Texts[document] = text
					}
				}
				v.From = max(0, rapid.IntRange(-3, 4).Draw(t, "days ahead"))
				if v.From > 0 {
					v.From += m.account.Day
				}
				keeps := [][]string{nil, {"*"}}
				if v.Texts[deedOfBusiness]+v.Texts[deedOfPerson] != "" {
					keeps = append(keeps, []string{"DEED"}, []string{"DEED"})
				}
				v.Keeps = rapid.SampledFrom(keeps).Draw(t, "keeps")
				m.publish(v)
			case "day":
				m.pass(1)
			case "prune":
				m.pass(31)
				require.NoError(m, m.Exec(`UPDATE decision SET rule_set_id = NULL, rule_set_sha256 = NULL`)) // as if they had been pruned
				m.prune(store.Retention{})
			case "rename":
				m.name = rapid.SampledFrom([]string{"A", "C"}).Draw(t, "name")
				m.rename(m.name)
			case "calculate":
				m.calculate()
			case "next workflow":
				require.NoError(m, m.completeWorkflow())
				m.open(m.Workflow.WireID())
			default:
				m.decideByHand(rapid.SampledFrom(modelDocuments).Draw(t, "document"), step)
			}
		}
	})
}
