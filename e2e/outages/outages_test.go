//go:build deep

package outages_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
)

type stack struct{ *harness.Stack }

// newStack returns the stack of the package, with an organization for the test. The tests
// are not parallel, because they stop processes and lock tables.
func newStack(t *testing.T) stack { return stack{harness.Shared(t)} }

func TestTemporalDown_AnswersUnavailable(t *testing.T) {
	s := newStack(t)
	w := s.Application(t)

	thaw := s.Devstack.Freeze(t)
	answer := s.Send(t, "workflow.requiredDocument.calculate", w)
	require.Equal(t, http.StatusServiceUnavailable, answer.HTTPStatus, "%s", answer.Body)
	require.Equal(t, "UNAVAILABLE", answer.Errors[0].Code)
	require.NotEmpty(t, answer.Header.Get("Retry-After"))
	keyed := s.Send(t, "workflow.requiredDocument.calculate", w, requisite.IdempotencyKey("while-away"))
	require.Equal(t, "UNAVAILABLE", keyed.Errors[0].Code)
	require.Empty(t, s.Documents(t, w), "the api answers requests without a run, and the calculation wrote nothing")
	health, err := http.Get(s.Client.BaseURL + "/healthz")
	require.NoError(t, err)
	require.NoError(t, health.Body.Close())
	require.Equal(t, http.StatusServiceUnavailable, health.StatusCode)
	s.AwaitMetrics(t, "worker", "requisite_healthy 0", "requisite_database_readable 1")

	thaw()
	s.Eventually(t, "workflow.requiredDocument.calculate", w, requisite.IdempotencyKey("while-away"))
	require.Len(t, s.Documents(t, w), 1)
	require.Equal(t, 1, s.Events(t), "a start without a response may have arrived, but wrote nothing twice")
}

func TestPostgresDown_AnswersUnavailable(t *testing.T) {
	s := newStack(t)
	w := s.Application(t)
	s.StopPostgres(t)
	for _, operation := range []string{"workflow.get", "workflow.requiredDocument.calculate"} {
		answer := s.Send(t, operation, w)
		require.Equal(t, http.StatusServiceUnavailable, answer.HTTPStatus, "%s: %s", operation, answer.Body)
	}
	s.StartPostgres(t)
	s.Eventually(t, "workflow.requiredDocument.calculate", w)
	require.Len(t, s.Documents(t, w), 1)
	require.Equal(t, 1, s.Events(t))
}

func TestPostgresDownDuringACalculation_CalculatesOnce(t *testing.T) {
	s := newStack(t)
	w := s.Application(t)
	release := s.holdWorkflow(t)
	answered := s.InBackground("workflow.requiredDocument.calculate", w)
	s.awaitBlocked(t)
	s.StopPostgres(t) // releases the lock too
	release()
	s.StartPostgres(t)
	answer := await.Next(t, "an answer", answered, s.Running()...)
	require.NoError(t, answer.Err)
	if answer.HTTPStatus != http.StatusOK {
		requireNoOutcome(t, answer)
		s.AwaitDocuments(t, w)
	}
	require.Len(t, s.Documents(t, w), 1)
	require.Equal(t, 1, s.Events(t))
}

func TestProgramsKilledDuringACalculation_CalculateOnce(t *testing.T) {
	for name, hold := range map[string]func(stack, *testing.T) func(){
		"before the facts are locked":  stack.holdWorkflow,
		"before the result is written": stack.holdDocuments,
	} {
		t.Run(name, func(t *testing.T) {
			s := newStack(t)
			w := s.Application(t)
			release := hold(s, t)
			answered := s.InBackground("workflow.requiredDocument.calculate", w)
			s.awaitBlocked(t)
			s.API.Kill(t)
			s.Worker.Kill(t)
			require.Error(t, await.Next(t, "the end of the request", answered, s.Running()...).Err, "the connection ends with the api")
			release()
			s.StartPrograms(t)
			s.AwaitDocuments(t, w)
			require.Len(t, s.Documents(t, w), 1)
			require.Equal(t, 1, s.Events(t))
			s.Eventually(t, "workflow.requiredDocument.calculate", w)
			require.Equal(t, 1, s.Events(t), "a calculation with the same facts has no second event")
		})
	}
}

// TestAnswer_IsFinalBeforeTheRunHasEnded: the api answers from the committed step while
// Temporal is down. The run ends later, without the api and without a second effect. A
// repeat gets the same answer, although a fact has been removed meanwhile.
func TestAnswer_IsFinalBeforeTheRunHasEnded(t *testing.T) {
	s := newStack(t)
	var w harness.Request
	var thaw func()
	var key requisite.Option
	runs := 0
	for answered := false; !answered; { // at most until the test's deadline
		runs++
		w = s.Application(t)
		release := s.holdWorkflow(t)
		key = requisite.IdempotencyKey(fmt.Sprint("final-", runs))
		answering := s.InBackground("workflow.requiredDocument.calculate", w, key)
		s.awaitBlocked(t)
		thaw = s.Devstack.Freeze(t)
		release()
		answer := await.Next(t, "an answer", answering, s.Running()...)
		require.NoError(t, answer.Err)
		if answered = answer.HTTPStatus == http.StatusOK; !answered {
			// The lock was held longer than the timeout of the step's first attempt. The next
			// attempt needs Temporal.
			requireNoOutcome(t, answer)
			thaw()
			s.AwaitDocuments(t, w)
		}
	}
	before := s.Documents(t, w)
	require.Len(t, before, 1)
	s.API.Kill(t)
	changed, err := s.Exec(t.Context(), `UPDATE business SET established_date = NULL, version = version + 1`)
	require.NoError(t, err)
	require.Positive(t, changed)
	thaw()

	s.awaitRuns(t, s.Temporal(t), runs, `WorkflowType = 'CalculateRequiredDocuments' AND ExecutionStatus = 'Completed' AND Outcome = 'CALCULATED'`)
	s.StartPrograms(t)
	require.Equal(t, before, s.Documents(t, w))
	require.Equal(t, runs, s.Events(t))
	repeat := s.Send(t, "workflow.requiredDocument.calculate", w, key)
	require.Equal(t, http.StatusOK, repeat.HTTPStatus, "%s", repeat.Body)
	_, err = harness.Call(await.Context(t), s.Client, "workflow.requiredDocument.calculate", w, nil)
	var fresh requisite.Error
	require.ErrorAs(t, err, &fresh)
	require.Equal(t, "MISSING_REQUIREMENTS", fresh.Code)
}

func TestKilledAPI_LeavesTheCalculationToTheWorker(t *testing.T) {
	s := newStack(t)
	w := s.Application(t)
	release := s.holdWorkflow(t)
	answered := s.InBackground("workflow.requiredDocument.calculate", w)
	s.awaitBlocked(t)
	s.API.Kill(t)
	require.Error(t, await.Next(t, "the end of the request", answered, s.Running()...).Err)
	release()
	s.AwaitDocumentsInDatabase(t)
	s.StartPrograms(t)
	require.Equal(t, 1, s.Events(t))
}

func TestLockedTable_AnswersUnavailable(t *testing.T) {
	s := newStack(t)
	w := s.Application(t)
	release := s.Hold(t, `LOCK TABLE workflow IN ACCESS EXCLUSIVE MODE`)
	answer := s.Send(t, "workflow.get", w)
	require.Equal(t, "UNAVAILABLE", answer.Errors[0].Code, "%s", answer.Body)
	release()
	s.Eventually(t, "workflow.get", w)
}

// TestCallerThatGivesUp_IsNotCountedAsAnError, but as gone. The test has its own stack, without
// other requests in the metrics.
func TestCallerThatGivesUp_IsNotCountedAsAnError(t *testing.T) {
	s := stack{harness.New(t)}
	w := s.Application(t)
	release := s.holdWorkflow(t)
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, err := s.Client.Call(ctx, "workflow.requiredDocument.calculate", w, nil)
		gone <- err
	}()
	s.awaitBlocked(t)
	cancel()
	require.ErrorIs(t, await.Next(t, "the end of the request", gone, s.Running()...), context.Canceled)
	text := s.AwaitMetrics(t, "api", `requisite_http_requests_total{operation="workflow.requiredDocument.calculate",status="499"} 1`,
		`requisite_calculations_total{outcome="CALLER_GONE"} 1`)
	require.NotRegexp(t, `status="503"} [^0]`, text, "the metrics show no error of the service")
	release()
	s.AwaitDocuments(t, w)
	require.Equal(t, 1, s.Events(t))
}

func TestRunThatCannotEnd_IsAnsweredStillRunning(t *testing.T) {
	s := newStack(t)
	w := s.Application(t)
	release := s.holdWorkflow(t)
	key := requisite.IdempotencyKey("patience")

	first := s.answer(t, "workflow.requiredDocument.calculate", w, key)
	require.Equal(t, http.StatusGatewayTimeout, first.HTTPStatus, "%s", first.Body)
	require.Contains(t, string(first.Body), `"temporal_workflow_id"`)
	require.Contains(t, string(first.Body), `"temporal_run_id"`)

	repeat := s.answer(t, "workflow.requiredDocument.calculate", w, key)
	require.Equal(t, "REQUEST_IN_PROGRESS", repeat.Errors[0].Code, "a repeat waits for the open run")

	other := s.answer(t, "workflow.requiredDocument.calculate", harness.Request{WorkflowID: "w_" + strings.Repeat("7", 21)}, key)
	require.Equal(t, "IDEMPOTENCY_KEY_REUSED", other.Errors[0].Code, "another body is refused at once")

	release()
	s.Eventually(t, "workflow.requiredDocument.calculate", w, key)
	require.True(t, s.Send(t, "workflow.requiredDocument.calculate", w, key).Replayed)
	require.Len(t, s.Documents(t, w), 1)
	require.Equal(t, 1, s.Events(t))
}

// requireNoOutcome requires a refusal that leaves open what becomes of the run: UNAVAILABLE if Temporal's answer to its start came
// too late.
func requireNoOutcome(t *testing.T, answer harness.Answered) {
	t.Helper()
	require.Contains(t, []string{"STILL_RUNNING", "UNAVAILABLE"}, answer.Errors[0].Code, "%s", answer.Body)
}

// answer repeats a request while the service is too slow to start its run.
func (s stack) answer(t *testing.T, operation string, in any, key requisite.Option) (answer requisite.Answer) {
	t.Helper()
	s.Await(t, "an answer to "+operation, func(context.Context) error {
		if answer = s.Send(t, operation, in, key); answer.HTTPStatus == http.StatusServiceUnavailable {
			return errors.New(string(answer.Body))
		}
		return nil
	})
	return answer
}

// holdWorkflow blocks writes of a workflow's documents.
func (s stack) holdWorkflow(t *testing.T) func() {
	return s.Hold(t, `SELECT FROM workflow FOR UPDATE`)
}

// holdDocuments blocks reads and writes of a workflow's documents.
func (s stack) holdDocuments(t *testing.T) func() {
	return s.Hold(t, `LOCK TABLE required_document IN ACCESS EXCLUSIVE MODE`)
}

// awaitBlocked waits until a connection waits for a lock that the test holds.
func (s stack) awaitBlocked(t *testing.T) {
	t.Helper()
	s.Await(t, "a connection to wait for the lock", func(ctx context.Context) error {
		var waiting bool
		err := s.Query(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name LIKE 'requisite-%' AND wait_event_type = 'Lock')`, &waiting)
		if err == nil && !waiting {
			err = errors.New("no connection waits")
		}
		return err
	})
}

// runs returns the account's runs for a query. An empty query returns all.
func (s stack) runs(ctx context.Context, c client.Client, query string) ([]*commonpb.WorkflowExecution, error) {
	of := fmt.Sprintf("AccountId = %q", s.AccountID)
	if query != "" {
		of += " AND " + query
	}
	list, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{PageSize: 500, Query: of})
	var runs []*commonpb.WorkflowExecution
	for _, e := range list.GetExecutions() {
		runs = append(runs, e.Execution)
	}
	return runs, err
}

// awaitRuns waits until the account has n runs for a query.
func (s stack) awaitRuns(t *testing.T, c client.Client, n int, query string) (runs []*commonpb.WorkflowExecution) {
	t.Helper()
	s.Await(t, fmt.Sprintf("%d runs of %s", n, query), func(ctx context.Context) (err error) {
		if runs, err = s.runs(ctx, c, query); err == nil && len(runs) != n {
			err = fmt.Errorf("%d of them", len(runs))
		}
		return err
	})
	return runs
}
