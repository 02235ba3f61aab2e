// Package outages_test takes the parts of the service away while requests are
// under way: Temporal, Postgres, the worker and the api, and the caller.
// Whatever is missing, a request is answered within its bound, and the data is
// as it was or as it should be.
package outages_test

import (
	"context"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/apiclient"
)

// bound is within which any request must be answered, whatever is away: the
// api's patience and the time it gives Temporal to take a start.
const bound = 20 * time.Second

func TestTemporalAway(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	w := s.application(t)

	s.devstack.signal(t, syscall.SIGSTOP)
	answer := s.within(t, bound, "workflow.requiredDocument.calculate", w)
	require.Equal(t, http.StatusServiceUnavailable, answer.HTTPStatus, "%s", answer.Body)
	require.Equal(t, "UNAVAILABLE", answer.Errors[0].Code)
	require.NotEmpty(t, answer.Header.Get("Retry-After"))
	keyed := s.within(t, bound, "workflow.requiredDocument.calculate", w, apiclient.IdempotencyKey("while-away"))
	require.Equal(t, "UNAVAILABLE", keyed.Errors[0].Code)
	require.Empty(t, s.documents(t, w), "what needs no run is still answered, and nothing was written")
	health, err := http.Get(s.client.BaseURL + "/healthz")
	require.NoError(t, err)
	require.NoError(t, health.Body.Close())
	require.Equal(t, http.StatusServiceUnavailable, health.StatusCode)

	s.devstack.signal(t, syscall.SIGCONT)
	s.eventually(t, "workflow.requiredDocument.calculate", w, apiclient.IdempotencyKey("while-away"))
	require.Len(t, s.documents(t, w), 1)
	require.Equal(t, 1, s.events(t), "the start that was not answered, if it arrived after all, wrote nothing twice")
}

func TestPostgresAway(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	w := s.application(t)
	s.stopPostgres(t)
	for _, operation := range []string{"workflow.get", "workflow.requiredDocument.calculate"} {
		answer := s.within(t, bound, operation, w)
		require.Equal(t, http.StatusServiceUnavailable, answer.HTTPStatus, "%s: %s", operation, answer.Body)
	}
	s.startPostgres(t)
	s.eventually(t, "workflow.requiredDocument.calculate", w)
	require.Len(t, s.documents(t, w), 1)
	require.Equal(t, 1, s.events(t))
}

func TestPostgresAwayInTheMiddle(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	w := s.application(t)
	release := s.holdWorkflow(t)
	answered := s.inBackground("workflow.requiredDocument.calculate", w)
	s.awaitBlocked(t)
	s.stopPostgres(t) // ends the held lock too
	release()
	s.startPostgres(t)
	answer := <-answered
	require.NoError(t, answer.err)
	if answer.HTTPStatus != http.StatusOK {
		require.Equal(t, "STILL_RUNNING", answer.Errors[0].Code, "%s", answer.Body)
		s.awaitDocuments(t, w)
	}
	require.Len(t, s.documents(t, w), 1)
	require.Equal(t, 1, s.events(t))
}

func TestEverythingKilledInTheMiddle(t *testing.T) {
	for name, hold := range map[string]func(*stack, *testing.T) func(){
		"before the facts are read": (*stack).holdBusinesses,
		"before the result is kept": (*stack).holdWorkflow,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStack(t)
			w := s.application(t)
			release := hold(s, t)
			answered := s.inBackground("workflow.requiredDocument.calculate", w)
			s.awaitBlocked(t)
			s.api.kill(t)
			s.worker.kill(t)
			require.Error(t, (<-answered).err, "the connection is gone with the api")
			release()
			s.startPrograms(t)
			s.awaitDocuments(t, w)
			require.Len(t, s.documents(t, w), 1)
			require.Equal(t, 1, s.events(t))
			s.eventually(t, "workflow.requiredDocument.calculate", w)
			require.Equal(t, 1, s.events(t), "the same facts a second time emit nothing")
		})
	}
}

func TestTheWorkerTakesOverFromTheAPI(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	w := s.application(t)
	release := s.holdWorkflow(t)
	answered := s.inBackground("workflow.requiredDocument.calculate", w)
	s.awaitBlocked(t)
	s.api.kill(t)
	require.Error(t, (<-answered).err)
	release()
	s.awaitDocumentsInDatabase(t)
	s.startPrograms(t)
	require.Equal(t, 1, s.events(t))
}

func TestACallerGivesUp(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	w := s.application(t)
	release := s.holdWorkflow(t)
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, err := s.client.Call(ctx, "workflow.requiredDocument.calculate", w, nil)
		gone <- err
	}()
	s.awaitBlocked(t)
	cancel()
	require.ErrorIs(t, <-gone, context.Canceled)
	release()
	s.awaitDocuments(t, w)
	require.Equal(t, 1, s.events(t))
}

func TestPatienceEnds(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	w := s.application(t)
	release := s.holdWorkflow(t)
	key := apiclient.IdempotencyKey("patience")

	first := s.within(t, bound, "workflow.requiredDocument.calculate", w, key)
	require.Equal(t, http.StatusGatewayTimeout, first.HTTPStatus, "%s", first.Body)
	require.Contains(t, string(first.Body), `"temporal_workflow_id"`)
	require.Contains(t, string(first.Body), `"temporal_run_id"`)

	repeat := s.within(t, bound, "workflow.requiredDocument.calculate", w, key)
	require.Equal(t, "REQUEST_IN_PROGRESS", repeat.Errors[0].Code, "a repeat waits on the run that is under way")

	other := s.within(t, time.Second, "workflow.requiredDocument.calculate", request{WorkflowID: w.WorkflowID[:len(w.WorkflowID)-1] + "0"}, key)
	require.Equal(t, "IDEMPOTENCY_KEY_REUSED", other.Errors[0].Code, "another body is refused at once, before it is looked up")

	release()
	s.eventually(t, "workflow.requiredDocument.calculate", w, key)
	require.Len(t, s.documents(t, w), 1)
	require.Equal(t, 1, s.events(t))
}

// holdWorkflow blocks whoever wants to write the workflow's documents.
func (s *stack) holdWorkflow(t *testing.T) func() {
	return s.hold(t, `SELECT FROM workflow FOR UPDATE`)
}

// holdBusinesses blocks whoever reads facts.
func (s *stack) holdBusinesses(t *testing.T) func() {
	return s.hold(t, `LOCK TABLE business IN ACCESS EXCLUSIVE MODE`)
}

// hold keeps a transaction open until it is released.
func (s *stack) hold(t *testing.T, sql string) (release func()) {
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, s.databaseURL)
	require.NoError(t, err)
	tx, err := conn.Begin(ctx)
	require.NoError(t, err)
	_, err = tx.Exec(ctx, sql)
	require.NoError(t, err)
	released := false
	release = func() {
		if !released {
			released = true
			_ = conn.Close(ctx) // the server ends the transaction with it
		}
	}
	t.Cleanup(release)
	return release
}

// awaitBlocked returns once somebody waits for a lock that a test holds.
func (s *stack) awaitBlocked(t *testing.T) {
	s.poll(t, "nobody waits for the lock", func(ctx context.Context) (bool, error) {
		var waiting bool
		err := s.query(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name LIKE 'requisite-%' AND wait_event_type = 'Lock')`, &waiting)
		return waiting, err
	})
}

// poll repeats a question until the answer is yes.
func (s *stack) poll(t *testing.T, complaint string, question func(context.Context) (bool, error)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ticker := time.NewTicker(25 * time.Millisecond)
	defer ticker.Stop()
	var last error
	for {
		yes, err := question(ctx)
		if yes {
			return
		}
		last = err
		select {
		case <-ctx.Done():
			t.Fatalf("%s: %v", complaint, last)
		case <-ticker.C:
		}
	}
}
