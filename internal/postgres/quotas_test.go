package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/postgres"
	"requisite/internal/refusal"
	"requisite/internal/requirement"
)

// bounded is the bundle's store with quotas, and with so many connections.
func (b *bundle) bounded(q postgres.Quotas, connections int32) {
	clock := b.clock
	b.store = server.Open(b.TB, b.url, nil, postgres.Options{Quotas: q, Connections: postgres.Connections{Max: connections}, Now: func() time.Time { return time.Now().Add(time.Duration(clock.Load())) }})
}

func (b *bundle) tryPublish(documents ...requirement.DocumentRule) error {
	return b.try(b.call, func(r *postgres.Records) error {
		_, _, err := r.PublishRuleSet(b.Context(), b.account.WireID(), draft(documents...))
		return err
	})
}

func requireLimit(t *testing.T, err error, entity string, sub refusal.SubCode) {
	t.Helper()
	found := refused(t, err)
	require.Equal(t, refusal.SystemRuleViolation, found.Code)
	require.Equal(t, entity, found.EntityType)
	require.Equal(t, sub, found.SubCode)
}

func TestAnAccountPublishesSoManyVersionsADay(t *testing.T) {
	b := setup(t)
	b.bounded(postgres.Quotas{RuleVersionsADay: 3}, 5)
	for i := range 3 {
		require.NoError(t, b.tryPublish(rule(fmt.Sprint("DOC_", i), "")))
	}
	requireLimit(t, b.tryPublish(rule("DOC_3", "")), refusal.EntityDocumentRules, refusal.VersionLimitExceeded)
	require.NoError(t, b.tryPublish(rule("DOC_2", "")), "what is in force makes no version")
	b.pass(24 * time.Hour)
	require.NoError(t, b.tryPublish(rule("DOC_3", "")), "the next day")
}

func TestTheVersionsOfAnAccountTakeSoManyBytes(t *testing.T) {
	b := setup(t)
	one := int64(len(draft(rule("DOC_0", "")).Content))
	b.bounded(postgres.Quotas{RuleBytes: 2*one + one/2}, 5)
	require.NoError(t, b.tryPublish(rule("DOC_0", "")))
	require.NoError(t, b.tryPublish(rule("DOC_1", "")))
	requireLimit(t, b.tryPublish(rule("DOC_2", "")), refusal.EntityDocumentRules, refusal.SizeLimitExceeded)
	b.pass(31 * day)
	b.prune(postgres.Retention{})
	require.NoError(t, b.tryPublish(rule("DOC_2", "")), "what is not needed any more went")
}

// What waits at endpoints that nobody mends stops nobody from working, but
// nobody may add to it for the asking.
func TestWhatWaitsStopsRequestsForMoreAndNoEvent(t *testing.T) {
	b := setup(t)
	endpoint := b.endpoint()
	b.owe(endpoint, 3)
	test := func() error {
		return b.try(b.call, func(r *postgres.Records) error {
			_, err := r.TestEndpoint(t.Context(), endpoint.WireID(), domain.WebhookTest)
			return err
		})
	}
	b.bounded(postgres.Quotas{Waiting: 5}, 5)
	require.NoError(t, test())
	require.NoError(t, test())
	requireLimit(t, test(), refusal.EntityWebhookDelivery, refusal.WaitingLimitExceeded)
	err := b.store.Records(b.call.Scope).MayAskForMore(t.Context(), b.account.ID)
	requireLimit(t, err, refusal.EntityWebhookDelivery, refusal.WaitingLimitExceeded)

	before := b.count(`SELECT count(*) FROM webhook_delivery`)
	b.publish(rule("DOC", ""))
	b.mustCalculate()
	require.Greater(t, b.count(`SELECT count(*) FROM webhook_delivery`), before, "what happens is told")
	other, _ := b.newAccount("other", "UTC")
	require.NoError(t, b.store.Records(b.call.Scope).MayAskForMore(t.Context(), other.ID))
}

func TestRecordsOfAnAccountAreBounded(t *testing.T) {
	b := setup(t) // with one business and one workflow
	b.bounded(postgres.Quotas{Businesses: 2, Workflows: 2}, 5)
	create := func() error {
		return b.try(b.call, func(r *postgres.Records) error {
			_, err := r.CreateBusiness(t.Context(), b.account.WireID(), domain.Business{LegalName: "Ltd"})
			return err
		})
	}
	require.NoError(t, create())
	requireLimit(t, create(), refusal.EntityAccount, refusal.BusinessLimitExceeded)
	open := func() error {
		return b.try(b.call, func(r *postgres.Records) error {
			_, err := r.CreateWorkflow(t.Context(), b.account.WireID(), b.business.WireID(), domain.Created)
			return err
		})
	}
	require.NoError(t, open())
	requireLimit(t, open(), refusal.EntityBusiness, refusal.WorkflowLimitExceeded)
}

// What was refused, or rolled back, is on record nowhere.
func TestTriesThatFailCountForNothing(t *testing.T) {
	b := setup(t)
	b.bounded(postgres.Quotas{Businesses: 3, Workflows: 3, Outcomes: 2, Waiting: 3}, 5)
	endpoint := b.endpoint()
	lost := errors.New("the connection broke")
	call := b.call
	for i := range 6 { // the first try counts exactly
		call.IdempotencyKey, call.BodySHA256 = fmt.Sprint("key-", i), make([]byte, 32)
		require.ErrorIs(t, b.try(call, func(r *postgres.Records) error {
			if _, err := r.CreateBusiness(t.Context(), b.account.WireID(), domain.Business{LegalName: "Ltd"}); err != nil {
				return err
			}
			if _, err := r.CreateWorkflow(t.Context(), b.account.WireID(), b.business.WireID(), domain.Created); err != nil {
				return err
			}
			if _, err := r.TestEndpoint(t.Context(), endpoint.WireID(), domain.WebhookTest); err != nil {
				return err
			}
			return lost
		}), lost)
	}
	for range 2 {
		b.write(b.call, func(r *postgres.Records) error {
			_, err := r.CreateBusiness(t.Context(), b.account.WireID(), domain.Business{LegalName: "Ltd"})
			return err
		})
	}
	requireLimit(t, b.try(b.call, func(r *postgres.Records) error {
		_, err := r.CreateBusiness(t.Context(), b.account.WireID(), domain.Business{LegalName: "Ltd"})
		return err
	}), refusal.EntityAccount, refusal.BusinessLimitExceeded)
}

func TestKeptOutcomesAreBounded(t *testing.T) {
	b := setup(t)
	b.bounded(postgres.Quotas{Outcomes: 2}, 5)
	ask := func(key string) error {
		call := b.call
		call.IdempotencyKey, call.BodySHA256 = key, make([]byte, 32)
		return b.try(call, func(*postgres.Records) error { return nil })
	}
	for i := range 2 {
		require.NoError(t, ask(fmt.Sprint("key-", i)), "as many as may be")
	}
	found := refused(t, ask("key-2"))
	require.Equal(t, refusal.TooManyRequests, found.Code, "waiting helps")
	require.NotZero(t, found.RetryAfter)
	require.NoError(t, ask("key-0"), "a repeat is answered")
	require.NoError(t, ask(""), "and a request without a key")
	b.pass(3 * day)
	b.prune(postgres.Retention{})
	require.NoError(t, ask("key-9"))
}

// An evaluation takes its time. With a connection in its hand, a few of them would
// leave none to anybody.
func TestAPreviewHoldsNoConnectionWhileItEvaluates(t *testing.T) {
	b := setup(t)
	b.publish(rule("DOC", ""))
	b.bounded(postgres.Quotas{}, 1)
	evaluations := 0
	decide := func(ctx context.Context, s domain.Snapshot) (requirement.Result, error) {
		evaluations++
		soon, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		return requirement.Result{}, b.store.Ping(soon)
	}
	_, err := b.store.Preview(t.Context(), b.call.Scope, b.workflow.WireID(), nil, decide)
	require.NoError(t, err)
	b.previewAll(10, decide)
	require.Equal(t, 2, evaluations)
}
