package store_test

import (
	"encoding/json"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/await"
	"requisite/internal/webhooks/delivery"
	"requisite/internal/webhooks/event"
)

func (b *bundle) tryOut(e domain.Endpoint, kind domain.EventType) (made id.WebhookEventID) {
	b.Helper()
	b.Write(b.Call, func(r *store.Records) (err error) {
		made, err = r.Webhooks.TestEndpoint(b.Context(), e.WireID(), kind)
		return err
	})
	return made
}

// TestTestEvent_IsAnExample: a test event of any type goes to its endpoint alone, also if the
// endpoint does not subscribe to the type. Nothing takes it for an event that has happened.
func TestTestEvent_IsAnExample(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	all, tested, watching := b.Endpoint(), b.Endpoint("WORKFLOW_CREATED"), b.Endpoint(pgtest.NoticeTypes()...)
	sequence := func() int {
		return b.Count(`SELECT event_sequence FROM workflow WHERE id = $1`, b.Workflow.ID)
	}
	before := sequence()
	var named []string // workflows
	for _, kind := range domain.EventTypes() {
		made := b.tryOut(tested, kind)
		described, _ := event.Describe(kind)
		attempts := b.Claim()
		require.Len(t, attempts, 1, kind)
		a := attempts[0]
		require.Equal(t, []any{tested.ID, made.String(), string(kind), false}, []any{a.EndpointID, a.Event.ID, a.Event.Type, a.Event.Replay})
		b.End(a, 204)
		var content struct {
			Test        bool
			WorkflowID  string `json:"workflow_id"`
			Sequence    int64
			ConfigID    string                  `json:"config_id"`
			UserContext struct{ UserID string } `json:"user_context"`
		}
		require.NoError(t, json.Unmarshal(a.Event.Payload, &content))
		require.True(t, content.Test, kind)
		require.Equal(t, described.OfWorkflow(), content.WorkflowID != "", kind)
		require.Equal(t, []int64{described.Sequence, described.Sequence}, []int64{content.Sequence, a.Event.Sequence}, "%s: one in clear and in the content", kind)
		require.Equal(t, kind == domain.WebhookTest, content.ConfigID == tested.WireID().String(), "no endpoint gets a notice about itself")
		if described.OfWorkflow() {
			named = append(named, content.WorkflowID)
			require.Zero(t, b.Count(`SELECT count(*) FROM workflow WHERE id = $1`, id.Must[id.WorkflowID](content.WorkflowID).UUID))
		}
		event, err := b.Store.Records(b.Call.Scope).Webhooks.Event(t.Context(), made)
		require.NoError(t, err)
		require.Equal(t, []any{true, id.NullUUID{}, int64(0)}, []any{event.Test, event.WorkflowID, event.Sequence})
		require.JSONEq(t, string(a.Event.Payload), string(event.Payload))
	}
	require.Greater(t, len(named), 7)
	again := b.tryOut(tested, domain.WorkflowCompleted)
	event, err := b.Store.Records(b.Call.Scope).Webhooks.Event(t.Context(), again)
	require.NoError(t, err)
	for _, workflow := range named {
		require.NotContains(t, string(event.Payload), workflow, "a workflow has one event of a sequence")
	}

	require.Equal(t, before, sequence(), "no real workflow's sequence is taken")
	listed := b.mustList(domain.EventQuery{EventFilter: domain.EventFilter{WorkflowID: b.Workflow.WireID()}}, 200, "").Events
	require.Len(t, listed, before)
	for _, e := range listed {
		require.False(t, e.Test)
	}
	require.Equal(t, map[delivery.NoticeType]int64{delivery.EndpointFailing: 0, delivery.EndpointRecovered: 0, delivery.EndpointDisabled: 0, delivery.DeliveryFailed: 0}, b.Store.Deliveries.Outbox.Noticed())
	require.Empty(t, b.EventTypes(all))
	require.Empty(t, b.EventTypes(watching))

	// A replay sends what has happened, to the endpoint of the test, too.
	b.Write(b.Call, func(r *store.Records) error {
		return only(r.Workflows.Complete(t.Context(), b.Workflow.WireID(), false))
	})
	for _, e := range []domain.Endpoint{all, tested, watching} {
		b.Replayed(e)
	}
	require.Equal(t, []string{"WORKFLOW_CREATED", "WORKFLOW_STARTED", "WEBHOOK_KEY_ACTIVATED", "WORKFLOW_COMPLETED"}, b.inTheirOrder(all))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id WHERE d.endpoint_id = $1 AND NOT v.test AND d.replay`, tested.ID))
	require.Empty(t, b.EventTypes(watching))
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id WHERE v.test AND d.replay`))
}

// inTheirOrder are the types of the events that an endpoint is owed, in the order
// of the events.
func (b *bundle) inTheirOrder(e domain.Endpoint) (types []string) {
	b.Helper()
	require.NoError(b, b.Pool().QueryRow(b.Context(), `
		SELECT array_agg(v.event_type ORDER BY v.id) FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id WHERE d.endpoint_id = $1`, e.ID).Scan(&types))
	return types
}

// TestTestEvent_OfANoticeSendsNoNotice when its delivery is given up: no notice is about the
// delivery of a notice. A test of another type does send one.
func TestTestEvent_OfANoticeSendsNoNotice(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	watching, e := b.Endpoint(pgtest.NoticeTypes()...), b.Endpoint()
	giveUp := func(kind domain.EventType) []string {
		b.tryOut(e, kind)
		b.Pass(time.Second)
		b.Write(b.Call, func(r *store.Records) error {
			found, _, err := r.Webhooks.Deliveries(t.Context(), b.Account.WireID(), delivery.Filter{ConfigID: e.WireID(), State: delivery.Pending}, domain.Page{Limit: 2})
			require.Len(t, found, 1)
			if err == nil {
				err = r.Webhooks.CancelDelivery(t.Context(), found[0].WireID(), "no")
			}
			return err
		})
		told, _ := b.Notices(watching)
		return told
	}
	for _, kind := range domain.EventTypes() {
		if kind.Notice() {
			require.Empty(t, giveUp(kind), kind)
		}
	}
	require.Equal(t, []string{"WEBHOOK_DELIVERY_FAILED"}, giveUp(domain.WorkflowCompleted))
}

// besideADelete runs a change while another transaction, which deletes the endpoint, holds
// its lock: the change has seen the endpoint, and waits.
func (b *bundle) besideADelete(e domain.Endpoint, change func() error) (err error) {
	b.Helper()
	done := make(chan error, 1)
	b.Write(b.Call, func(r *store.Records) error {
		if err := r.Webhooks.DeleteEndpoint(b.Context(), e.WireID()); err != nil {
			return err
		}
		go func() { done <- change() }()
		b.AwaitLock("the change")
		return nil
	})
	return await.Next(b.TB, "the change", done)
}

// TestEndpointChange_DuringADeleteFindsNoEndpoint once it holds the lock of the endpoint.
func TestEndpointChange_DuringADeleteFindsNoEndpoint(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	since := b.Now().Add(-time.Hour)
	for name, change := range map[string]func(domain.Endpoint) error{
		"update": func(e domain.Endpoint) error {
			return b.Try(b.Call, func(r *store.Records) error {
				return r.Webhooks.UpdateEndpoint(t.Context(), e.WireID(), pgtest.WithStatus(domain.EndpointDisabled))
			})
		},
		"delete": func(e domain.Endpoint) error {
			return b.Try(b.Call, func(r *store.Records) error { return r.Webhooks.DeleteEndpoint(t.Context(), e.WireID()) })
		},
		"flush": func(e domain.Endpoint) error {
			return b.Try(b.Call, func(r *store.Records) error {
				_, _, err := r.Webhooks.FlushEndpoint(t.Context(), e.WireID())
				return err
			})
		},
		"recover": func(e domain.Endpoint) error {
			return only(b.Store.LongRuns.RecoverSome(t.Context(), b.Run(), e.WireID(), since))
		},
	} {
		e := b.Endpoint()
		b.SendTests(e, 2)
		require.NoError(t, b.Exec(`UPDATE webhook_delivery SET state = 'FAILED', next_attempt_at = NULL WHERE id = $1`, b.Oldest(e)))
		require.NoError(t, b.Exec(`UPDATE webhook_delivery SET state = 'RETRYING', attempt_count = 1, next_attempt_at = $2 WHERE id = $1`, b.LastOf(e), b.Now().Add(time.Hour)))
		err := b.besideADelete(e, func() error { return change(e) })
		require.Error(t, err, name)
		found := pgtest.Refused(t, err)
		require.Equal(t, []string{string(refusal.EntityNotFound), e.WireID().String()}, []string{string(found.Code), found.EntityID}, name)
	}
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_event v WHERE v.test AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.event_id = v.id)`))
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_delivery_shown WHERE state NOT IN ('CANCELED', 'FAILED')`))
}

// TestDeletingAnEndpoint_OneOfEightSucceeds, beside as many tests of it.
func TestDeletingAnEndpoint_OneOfEightSucceeds(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	var deleted, tested atomic.Int64
	pgtest.AtOnce(16, func(i int) {
		count, change := &deleted, func(r *store.Records) error { return r.Webhooks.DeleteEndpoint(t.Context(), e.WireID()) }
		if i%2 == 0 {
			count, change = &tested, func(r *store.Records) error {
				return only(r.Webhooks.TestEndpoint(t.Context(), e.WireID(), domain.WebhookTest))
			}
		}
		err := b.Try(b.Call, change)
		if err == nil {
			count.Add(1)
		} else if found, ok := refusal.FromError(err); !ok || found.Code != refusal.EntityNotFound {
			t.Error(err)
		}
	})
	require.EqualValues(t, 1, deleted.Load())
	require.EqualValues(t, tested.Load(), b.Count(`SELECT count(*) FROM webhook_event WHERE event_type = 'WEBHOOK_TEST'`))
	require.EqualValues(t, tested.Load(), b.CountIn(delivery.Canceled), "each has a delivery")
}
