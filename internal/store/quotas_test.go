package store_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/await"
)

// bounded is the bundle's store with quotas, and with so many connections.
func (b *bundle) bounded(q store.Quotas, connections int32) {
	b.Store = server.Open(b.TB, b.URL, nil, store.Options{Quotas: q, Connections: db.Connections{Max: connections}, Now: b.Now})
}

func (b *bundle) tryPublish(documents ...requirement.DocumentRule) error {
	return b.Try(b.Call, func(r *store.Records) error {
		return only(r.Rules.Publish(b.Context(), b.Account.WireID(), draft(documents...)))
	})
}

func requireLimit(t *testing.T, err error, entity string, sub refusal.SubCode) {
	t.Helper()
	found := pgtest.Refused(t, err)
	require.Equal(t, refusal.SystemRuleViolation, found.Code)
	require.Equal(t, entity, found.EntityType)
	require.Equal(t, sub, found.SubCode)
}

func TestQuota_RuleVersionsADay(t *testing.T) {
	b := setup(t)
	b.bounded(store.Quotas{RuleVersionsADay: 3}, 5)
	for i := range 3 {
		require.NoError(t, b.tryPublish(rule(fmt.Sprint("DOC_", i), "")))
	}
	requireLimit(t, b.tryPublish(rule("DOC_3", "")), refusal.EntityDocumentRules, refusal.VersionLimitExceeded)
	require.NoError(t, b.tryPublish(rule("DOC_2", "")), "what is in force makes no version")
	b.Pass(24 * time.Hour)
	require.NoError(t, b.tryPublish(rule("DOC_3", "")), "the next day")
}

func TestQuota_RuleBytes(t *testing.T) {
	b := setup(t)
	one := int64(len(draft(rule("DOC_0", "")).Content))
	b.bounded(store.Quotas{RuleBytes: 2*one + one/2}, 5)
	require.NoError(t, b.tryPublish(rule("DOC_0", "")))
	require.NoError(t, b.tryPublish(rule("DOC_1", "")))
	requireLimit(t, b.tryPublish(rule("DOC_2", "")), refusal.EntityDocumentRules, refusal.SizeLimitExceeded)
	b.Pass(31 * day)
	b.prune(store.Retention{})
	require.NoError(t, b.tryPublish(rule("DOC_2", "")), "what is not needed any more went")
}

// TestQuota_RuleBytesIgnoreWhatDecisionsKeep: an account that has decided under every version
// may publish again after the window.
func TestQuota_RuleBytesIgnoreWhatDecisionsKeep(t *testing.T) {
	b := setup(t)
	one := int64(len(draft(rule("DOC_0", "")).Content))
	b.bounded(store.Quotas{RuleBytes: 2*one + one/2}, 5)
	for i := range 6 {
		if i > 0 && i%2 == 0 {
			requireLimit(t, b.tryPublish(rule(fmt.Sprint("DOC_", i), "")), refusal.EntityDocumentRules, refusal.SizeLimitExceeded)
			b.Pass(store.RuleBytesWindow)
		}
		require.NoError(t, b.tryPublish(rule(fmt.Sprint("DOC_", i), "")))
		b.mustCalculate()
	}
	require.Zero(t, b.prune(store.Retention{}).RuleVersions)
	require.Equal(t, 6, b.Count(`SELECT count(*) FROM rule_set`))
}

// decided counts the bytes of decisions as the quota does.
func (b *bundle) decided() int {
	return b.Count(`SELECT coalesce(sum(octet_length(changes) + coalesce(octet_length(results), 0) + coalesce(octet_length(personal), 0) + 1024), 0) FROM decision`)
}

// TestQuota_DecisionBytesADay: all decisions of callers count, and nothing of another
// organization does. What was used comes back in the course of a day.
func TestQuota_DecisionBytesADay(t *testing.T) {
	b := setup(t)
	b.publish(rule("A", ""))
	required := id.Must[id.RequiredDocumentID](b.mustCalculate().Changed.Added[0].RequiredDocumentID)
	one := int64(b.decided())
	quota := 2*one + 100
	b.bounded(store.Quotas{DecisionBytesADay: quota}, 5)
	tries := map[string]func() error{
		"calculation": func() error { return only(b.calculate(b.Run())) },
		"refusal":     func() error { return b.refuse(b.Run(), decision.Calculation, missing) },
		"pricing":     func() error { return b.save(b.load(), store.Score{Score: rational.Int(600)}) },
		"document": func() error {
			return b.Try(b.Call, func(r *store.Records) error {
				return only(r.Documents.Update(t.Context(), required, document.Review{Status: "NEEDS_REVIEW"}, id.DecisionID{}))
			})
		},
	}
	for range 2 {
		b.mustCalculate()
	}
	before := b.decided()
	for name, try := range tries {
		found := pgtest.Refused(t, try())
		require.Equal(t, refusal.TooManyRequests, found.Code, name)
		require.JSONEq(t, fmt.Sprintf(`[{"limit":%d,"scope":"ORGANIZATION","of":"decision_bytes_a_day"}]`, quota), string(found.Details))
		require.Positive(t, found.RetryAfter)
		require.Less(t, found.RetryAfter, day)
	}
	require.Equal(t, before, b.decided(), "nothing is recorded")
	b.Pass(pgtest.Refused(t, tries["calculation"]()).RetryAfter + time.Hour) // what the next one takes may differ by bytes
	b.mustCalculate()

	account, call := b.NewAccount("other", "UTC")
	other := &bundle{b.InAccount(account, call)}
	require.NoError(t, other.tryBusiness())
	other.Write(call, func(r *store.Records) error {
		businesses, _, err := r.Businesses.List(t.Context(), account.WireID(), "", domain.Page{Limit: 1})
		if err == nil {
			other.Workflow, err = r.Workflows.Create(t.Context(), account.WireID(), businesses[0].WireID(), domain.NewWorkflow{State: domain.Started})
		}
		return err
	})
	other.mustCalculate()
	for _, after := range []struct {
		pause time.Duration
		may   int
	}{{day / 2, 1}, {day, 2}, {3 * day, 2}} {
		b.Pass(after.pause)
		for range after.may {
			b.mustCalculate()
		}
		require.Equal(t, refusal.TooManyRequests, pgtest.Refused(t, tries["calculation"]()).Code, after.pause)
	}
	require.NoError(t, only(b.Operator.Erase(t.Context(), b.Call.Scope, b.Business.WireID(), false)), "an erasure is never refused")
}

// What waits at endpoints that nobody mends stops nobody from working, but
// nobody may add to it for the asking.
func TestQuota_WaitingDeliveriesRefuseRequestsButNoEvents(t *testing.T) {
	b := setup(t)
	endpoint := b.Endpoint()
	b.SendTests(endpoint, 3)
	test := func() error {
		return b.Try(b.Call, func(r *store.Records) error {
			return only(r.Webhooks.TestEndpoint(t.Context(), endpoint.WireID(), domain.WebhookTest))
		})
	}
	b.bounded(store.Quotas{Waiting: 5}, 5)
	require.NoError(t, test())
	require.NoError(t, test())
	requireLimit(t, test(), refusal.EntityWebhookDelivery, refusal.WaitingLimitExceeded)
	err := b.Store.Records(b.Call.Scope).Webhooks.MayAskForMore(t.Context(), b.Account.ID)
	requireLimit(t, err, refusal.EntityWebhookDelivery, refusal.WaitingLimitExceeded)

	before := b.Count(`SELECT count(*) FROM webhook_delivery`)
	b.publish(rule("DOC", ""))
	b.mustCalculate()
	require.Greater(t, b.Count(`SELECT count(*) FROM webhook_delivery`), before, "what happens is told")
	other, _ := b.NewAccount("other", "UTC")
	require.NoError(t, b.Store.Records(b.Call.Scope).Webhooks.MayAskForMore(t.Context(), other.ID))
}

func TestQuota_BusinessesAndWorkflows(t *testing.T) {
	b := setup(t) // with one business and one workflow
	b.bounded(store.Quotas{Businesses: 2, Workflows: 2}, 5)
	require.NoError(t, b.tryBusiness())
	requireLimit(t, b.tryBusiness(), refusal.EntityAccount, refusal.BusinessLimitExceeded)
	require.NoError(t, b.tryWorkflow(domain.Created))
	requireLimit(t, b.tryWorkflow(domain.Created), refusal.EntityBusiness, refusal.WorkflowLimitExceeded)
}

// What was refused, or rolled back, is on record nowhere.
func TestQuota_IgnoresFailedTransactions(t *testing.T) {
	b := setup(t)
	b.bounded(store.Quotas{Businesses: 3, Workflows: 3, Outcomes: 2, Waiting: 3}, 5)
	endpoint := b.Endpoint()
	lost := errors.New("the connection broke")
	for i := range 6 { // the first try counts exactly
		require.ErrorIs(t, b.Try(b.keyed(fmt.Sprint("key-", i)), func(r *store.Records) error {
			return cmp.Or(
				only(r.Applicants.CreateBusiness(t.Context(), b.Account.WireID(), domain.Business{LegalName: "Ltd"})),
				only(r.Workflows.Create(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Created})),
				only(r.Webhooks.TestEndpoint(t.Context(), endpoint.WireID(), domain.WebhookTest)),
				lost)
		}), lost)
	}
	for range 2 {
		require.NoError(t, b.tryBusiness())
	}
	requireLimit(t, b.tryBusiness(), refusal.EntityAccount, refusal.BusinessLimitExceeded)
}

func TestQuota_Outcomes(t *testing.T) {
	b := setup(t)
	b.bounded(store.Quotas{Outcomes: 2}, 5)
	for range 3 {
		require.NoError(t, only(b.Store.LongRuns.KeepRecovered(t.Context(), b.Run(), id.WebhookConfigID{}, domain.Recovered{})), "a run without a key does not count")
	}
	ask := func(key string) error { return b.Try(b.keyed(key), func(*store.Records) error { return nil }) }
	for i := range 2 {
		require.NoError(t, ask(fmt.Sprint("key-", i)), "as many as may be")
	}
	found := pgtest.Refused(t, ask("key-2"))
	require.Equal(t, refusal.TooManyRequests, found.Code, "waiting helps")
	require.NotZero(t, found.RetryAfter)
	require.NoError(t, ask("key-0"), "a repeat is answered")
	require.NoError(t, ask(""), "and a request without a key")
	b.Pass(3 * day)
	b.prune(store.Retention{})
	require.NoError(t, ask("key-9"))
}

// An evaluation takes its time. With a connection in its hand, a few of them would
// leave none to anybody.
func TestPreview_HoldsNoConnectionDuringEvaluation(t *testing.T) {
	b := setup(t)
	b.publish(rule("DOC", ""))
	b.bounded(store.Quotas{}, 1)
	evaluations := 0
	decide := func(context.Context, calculation.Snapshot) (requirement.Result, error) {
		evaluations++
		return requirement.Result{}, b.Store.Database.Ping(await.Context(t))
	}
	require.NoError(t, only(b.Store.Preview(t.Context(), b.Call.Scope, b.Workflow.WireID(), store.Tried{}, fact.Date{}, decide)))
	b.previewAll(10, decide)
	require.Equal(t, 2, evaluations)
}
