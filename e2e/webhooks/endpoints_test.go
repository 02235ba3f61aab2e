package webhooks_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"requisite/e2e/harness"
	schedule "requisite/internal/webhooks/delivery"
)

type health struct {
	Status        string    `json:"status"`
	FailingSince  time.Time `json:"failing_since"`
	LastError     string    `json:"last_error"`
	NextAttemptAt time.Time `json:"next_attempt_at"`
	Waiting       int       `json:"waiting"`
	Retrying      int       `json:"retrying"`
	Held          int       `json:"held"`
}

func (k *sink) health() health {
	k.s.t.Helper()
	var got struct {
		Health health `json:"health"`
	}
	k.s.Must(k.s.t, "webhook.config.get", harness.Object{"config_id": k.ConfigID}, &got)
	return got.Health
}

// run returns the endpoint's own run in Temporal; nil if there is none.
func (k *sink) run(ctx context.Context, c client.Client) (*workflowservice.DescribeWorkflowExecutionResponse, error) {
	return harness.Describe(ctx, c, k.ConfigID, "")
}

// awaitPending waits until the endpoint's run is pending with a failure that contains all
// parts, and its current details do too.
func (k *sink) awaitPending(c client.Client, parts ...string) (runID string) {
	k.s.t.Helper()
	k.s.Await(k.s.t, "the endpoint's run to say "+strings.Join(parts, ", "), func(ctx context.Context) error {
		described, err := k.run(ctx, c)
		if err != nil {
			return err
		}
		last := ""
		for _, a := range described.GetPendingActivities() {
			last = k.s.Message(k.s.t, a.GetLastFailure())
			runID = described.WorkflowExecutionInfo.Execution.RunId
		}
		told, err := k.s.Told(ctx, c, k.ConfigID)
		if err != nil {
			return err
		}
		for _, part := range parts {
			if !strings.Contains(last, part) || !strings.Contains(told, part) {
				return fmt.Errorf("it says %q, and its details %q", last, told)
			}
		}
		return nil
	})
	return runID
}

// awaitEnd waits until a query by outcome finds the endpoint's ended run.
func (k *sink) awaitEnd(c client.Client, status, outcome string) {
	k.s.t.Helper()
	query := fmt.Sprintf("WorkflowType = 'RetryEndpoint' AND WorkflowId = %q AND AccountIds = %q AND EndpointIds = %q AND ExecutionStatus = %q AND Outcome = %q",
		k.ConfigID, k.s.AccountID, k.ConfigID, status, outcome)
	k.s.awaitOneRun(c, query)
}

// awaitOneRun waits until Temporal lists exactly one run for a query, and returns it.
func (s *stack) awaitOneRun(c client.Client, query string) (run *workflowpb.WorkflowExecutionInfo) {
	s.t.Helper()
	s.Await(s.t, "one run of "+query, func(ctx context.Context) error {
		list, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: query})
		if err != nil {
			return err
		}
		if len(list.Executions) != 1 {
			return fmt.Errorf("%d runs", len(list.Executions))
		}
		run = list.Executions[0]
		return nil
	})
	return run
}

// awaitFailing waits until the endpoint is FAILING.
func (k *sink) awaitFailing() (h health) {
	k.s.t.Helper()
	k.s.Await(k.s.t, "the endpoint to fail", func(context.Context) error {
		if h = k.health(); h.Status != "FAILING" {
			return fmt.Errorf("it is %s", h.Status)
		}
		return nil
	})
	return h
}

// inAnHourOf requires that at is an hour after a time between begun and now.
func inAnHourOf(t testing.TB, begun, at time.Time) {
	t.Helper()
	const rounding = time.Second
	require.False(t, at.Before(begun.Add(time.Hour-rounding)), "%s is too early", at)
	require.False(t, at.After(time.Now().Add(time.Hour+rounding)), "%s is too late", at)
}

// TestFailingEndpoint_IsShownAndRecovers checks what its owner and an operator see.
func TestFailingEndpoint_IsShownAndRecovers(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	begun := time.Now()
	c := s.Temporal(t)
	k := s.sink(nil, "WEBHOOK_TEST")
	require.Equal(t, health{Status: "HEALTHY"}, k.health())
	k.answers(status(http.StatusInternalServerError))
	k.test(30)
	k.awaitFailing()
	// Attempts that were in flight at the first failure end first.
	k.awaitPending(c, "30 deliveries wait for ", strings.TrimPrefix(k.URL, "http://"), "HTTP 500", "; next attempt 20")
	failing := k.health()
	require.Equal(t, "HTTP 500", failing.LastError)
	require.Equal(t, 30, failing.Waiting+failing.Retrying)
	require.Positive(t, failing.Retrying)
	require.Positive(t, failing.Waiting, "most deliveries wait while an endpoint fails")
	require.False(t, failing.FailingSince.Before(begun.Truncate(time.Second)))
	require.False(t, failing.FailingSince.After(time.Now()))
	run := s.awaitOneRun(c, fmt.Sprintf("TaskQueue = 'endpoints' AND EventTypes = 'WEBHOOK_TEST' AND ExecutionStatus = 'Running' AND AccountIds = %q", s.AccountID))
	require.Equal(t, k.ConfigID, run.Execution.WorkflowId, "the id of an endpoint's run is that of the endpoint")
	for _, d := range k.deliveries("") {
		if d.NextAttemptAt != "" {
			next, err := time.Parse(time.RFC3339, d.NextAttemptAt)
			require.NoError(t, err)
			require.False(t, next.Before(failing.FailingSince), "a delivery that waits for its endpoint shows the endpoint's next attempt")
		}
	}

	k.answers(nil)
	k.awaitDeliveries(30, "DELIVERED")
	k.awaitEnd(c, "Completed", "RECOVERED")
	require.Equal(t, health{Status: "HEALTHY"}, k.health())
	for _, d := range k.deliveries("DELIVERED") {
		for _, a := range s.delivery(d.DeliveryID).Attempts {
			require.NotEmpty(t, a.RunID)
			if a.Number > 1 {
				require.Equal(t, k.ConfigID, a.WorkflowID, "the endpoint's run makes all attempts after a failure")
			}
		}
	}
}

// TestFlush_SendsAllWaitingDeliveries although the endpoint has sent a Retry-After of an
// hour.
func TestFlush_SendsAllWaitingDeliveries(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	begun := time.Now()
	c := s.Temporal(t)
	k := s.sink(harness.Together(schedule.FailingAfter, harness.InAnHour), "WEBHOOK_TEST")
	k.test(40)
	// The message of the run is as old as its last look at the deliveries.
	k.awaitPending(c, " deliveries wait for ", "HTTP 503; next attempt 20")
	before := k.awaitFailing()
	require.Equal(t, 40, before.Waiting+before.Retrying)
	inAnHourOf(t, begun, before.NextAttemptAt)
	require.Positive(t, before.Retrying)
	require.Positive(t, before.Waiting)
	held := k.deliveries("RETRYING")[0]
	next, err := time.Parse(time.RFC3339, held.NextAttemptAt)
	require.NoError(t, err)
	inAnHourOf(t, begun, next)

	k.answers(nil)
	var flushed struct {
		Count int `json:"count"`
	}
	s.Must(s.t, "webhook.config.flush", harness.Object{"config_id": k.ConfigID}, &flushed)
	require.Equal(t, 40, flushed.Count)
	k.awaitDeliveries(40, "DELIVERED")
	k.awaitEnd(c, "Completed", "RECOVERED")
	require.Equal(t, health{Status: "HEALTHY"}, k.health())
	s.Must(s.t, "webhook.config.flush", harness.Object{"config_id": k.ConfigID}, &flushed)
	require.Zero(t, flushed.Count, "there is no open delivery")
}

// TestCancel_EndsADelivery that waits for its next attempt, and one with an attempt in
// flight. That attempt may still succeed.
func TestCancel_EndsADelivery(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	c := s.Temporal(t)
	k := s.sink(harness.InAnHour, "WEBHOOK_TEST")
	k.test(1)
	d := k.awaitDeliveries(1, "RETRYING")[0]
	k.awaitPending(c, "1 delivery waits for ") // the run must exist before the next step
	s.Must(s.t, "webhook.delivery.cancel", harness.Object{"delivery_id": d.DeliveryID}, nil)
	require.Equal(t, "FAILED", s.delivery(d.DeliveryID).Status)
	require.Equal(t, "given up with webhook.delivery.cancel", s.delivery(d.DeliveryID).LastError)
	require.Empty(t, s.delivery(d.DeliveryID).NextAttemptAt)
	k.awaitEnd(c, "Completed", "GAVE_UP")
	again := s.Send(t, "webhook.delivery.cancel", harness.Object{"delivery_id": d.DeliveryID})
	require.Len(t, again.Errors, 1)
	require.Equal(t, []string{"SYSTEM_RULE_VIOLATION", "WebhookDelivery", "DELIVERY_ENDED"}, []string{again.Errors[0].Code, again.Errors[0].EntityType, again.Errors[0].SubCode})
	unknown := s.Send(t, "webhook.delivery.cancel", harness.Object{"delivery_id": "whd_" + strings.Repeat("7", 21)})
	require.Equal(t, "ENTITY_NOT_FOUND", unknown.Errors[0].Code)

	k.answers(nil)
	s.Must(s.t, "webhook.config.flush", harness.Object{"config_id": k.ConfigID}, nil)
	s.Must(s.t, "webhook.delivery.recover", harness.Object{"config_id": k.ConfigID, "since": time.Now().Add(-time.Hour).UTC().Format("2006-01-02T15:04:05.000Z")}, nil)
	k.awaitDeliveries(1, "DELIVERED")

	release := make(chan struct{})
	k.answers(held(release, status(http.StatusNoContent)))
	k.test(1)
	k.await("the attempt", count(3))
	late := k.awaitDeliveries(1, "PENDING")[0]
	s.Must(s.t, "webhook.delivery.cancel", harness.Object{"delivery_id": late.DeliveryID}, nil)
	require.Equal(t, "FAILED", s.delivery(late.DeliveryID).Status)
	close(release)
	k.awaitDeliveries(2, "DELIVERED")
}

func TestDeletingAKey_IsRefusedForTheActiveOne(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	active := ""
	for id := range s.secrets {
		active = id
	}
	unused := s.createKey()
	named := func(id string) harness.Object { return harness.Object{"key_id": id, "account_id": s.AccountID} }
	s.Must(s.t, "webhook.key.delete", named(unused), nil)
	require.Equal(t, "KEY_DELETED", s.Send(t, "webhook.key.activate", named(unused)).Errors[0].SubCode)
	refused := s.Send(t, "webhook.key.delete", named(active)).Errors
	require.Len(t, refused, 1)
	require.Equal(t, []string{"SYSTEM_RULE_VIOLATION", "Webhook Key", "KEY_ACTIVE"}, []string{refused[0].Code, refused[0].EntityType, refused[0].SubCode})
	require.Equal(t, "ENTITY_NOT_FOUND", s.Send(t, "webhook.key.delete", named("whk_20200101_01")).Errors[0].Code)
	k := s.sink(nil, "WEBHOOK_TEST")
	k.test(1)
	require.Equal(t, active, k.await("an event", count(1))[0].KeyID)
}

// TestRefusedEvent_DoesNotDelayOthers at an endpoint that always refuses one event.
func TestRefusedEvent_DoesNotDelayOthers(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	k := s.sink(status(http.StatusInternalServerError), "WEBHOOK_TEST")
	poison := k.test(1)[0]
	k.await("the poison", count(1))
	k.answers(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("webhook-id") == poison {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	bad := k.awaitDeliveries(1, "RETRYING")[0]
	sent := 0
	for attempts := range 2 {
		k.await("the next attempt of the poison", func(list []arrival) bool { return ids(list)[poison] > attempts })
		s.Await(t, "the attempt to end", func(context.Context) error {
			if n := s.delivery(bad.DeliveryID).AttemptCount; n <= attempts {
				return fmt.Errorf("%d attempts have ended", n)
			}
			return nil
		})
		k.test(30)
		sent += 30
		k.await("the others", distinct(1+sent))
		require.Equal(t, "RETRYING", s.delivery(bad.DeliveryID).Status)
		require.Equal(t, "HEALTHY", k.health().Status)
	}
	for _, a := range k.seen() {
		if a.ID != poison {
			require.Zero(t, a.RetryCount, "all other events arrive at the first attempt")
		}
	}
	require.Len(t, k.deliveries("FAILED"), 0)
}

// TestOperator_ControlsTheRunOfAnEndpoint: an operator finds the run, terminates it, which
// starts another one, signals it to try everything at once, and cancels it.
func TestOperator_ControlsTheRunOfAnEndpoint(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	c := s.Temporal(t)
	// Together: the message of an endpoint's run is as old as its last look, which the first failure triggers.
	k := s.sink(harness.Together(4, harness.InAnHour), "WEBHOOK_TEST")
	k.test(4)
	first := k.awaitPending(c, "4 deliveries wait for ", "HTTP 503", "; next attempt 20")
	s.awaitOneRun(c, fmt.Sprintf("WorkflowType = 'RetryEndpoint' AND AccountIds = %q AND EndpointIds = %q AND ExecutionStatus = 'Running'", s.AccountID, k.ConfigID))

	require.NoError(t, c.TerminateWorkflow(t.Context(), k.ConfigID, "", "a test"))
	s.Await(t, "another run instead of the terminated one", func(ctx context.Context) error {
		described, err := k.run(ctx, c)
		if err != nil {
			return err
		}
		info := described.WorkflowExecutionInfo
		if info.Status != enums.WORKFLOW_EXECUTION_STATUS_RUNNING || info.Execution.RunId == first {
			return fmt.Errorf("run %s is %s", info.Execution.RunId, info.Status)
		}
		return nil
	})
	k.awaitPending(c, "4 deliveries wait for ")
	require.Len(t, k.seen(), 4, "no delivery is due for an hour")

	k.answers(nil)
	require.NoError(t, c.SignalWorkflow(t.Context(), k.ConfigID, "", "retry-now", nil))
	k.await("the attempts that were asked for", count(8))
	k.awaitDeliveries(4, "DELIVERED")
	k.awaitEnd(c, "Completed", "RECOVERED")

	s.Must(s.t, "webhook.config.flush", harness.Object{"config_id": k.ConfigID}, nil) // the endpoint asked for an hour
	k.answers(harness.Together(3, harness.InAnHour))
	k.test(3)
	k.awaitPending(c, "3 deliveries wait for ")
	require.NoError(t, c.CancelWorkflow(t.Context(), k.ConfigID, ""))
	failed := k.awaitDeliveries(3, "FAILED")
	k.awaitEnd(c, "Canceled", "GAVE_UP")
	require.Equal(t, "given up by the operator", failed[0].LastError)
	k.answers(nil)
	s.Must(s.t, "webhook.delivery.retry", harness.Object{"delivery_id": failed[0].DeliveryID}, nil)
	k.awaitDeliveries(5, "DELIVERED")
	s.Must(s.t, "webhook.config.flush", harness.Object{"config_id": k.ConfigID}, nil)
	s.Must(s.t, "webhook.delivery.recover", harness.Object{"config_id": k.ConfigID, "since": time.Now().Add(-time.Hour).UTC().Format("2006-01-02T15:04:05.000Z")}, nil)
	k.awaitDeliveries(7, "DELIVERED")
}

// TestSlowEndpoint_GetsANewEventAtItsFirstAttempt, even if the event is created when all
// others are done.
func TestSlowEndpoint_GetsANewEventAtItsFirstAttempt(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	k := s.sink(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(schedule.SlowAfter) // such an endpoint counts as slow
		w.WriteHeader(http.StatusNoContent)
	}, "WEBHOOK_TEST")
	for n := range 3 {
		k.test(1)
		k.await("the event", count(n+1))
		k.awaitDeliveries(n+1, "DELIVERED")
	}
	for _, a := range k.seen() {
		require.Zero(t, a.RetryCount)
	}
}
