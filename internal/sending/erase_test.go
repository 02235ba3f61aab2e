package sending_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/internal/testkit/await"
	"requisite/internal/webhooks/delivery"
)

// business makes a business with a workflow, which causes two events.
func (u *tenant) business() (b domain.Business, w domain.Workflow) {
	u.Helper()
	u.write(func(r *store.Records) (err error) {
		if b, err = r.Applicants.CreateBusiness(u.Context(), u.account.WireID(), domain.Business{LegalName: "Ltd"}); err == nil {
			w, err = r.Workflows.Create(u.Context(), u.account.WireID(), b.WireID(), domain.NewWorkflow{State: domain.Started})
		}
		return err
	})
	return b, w
}

// columnsWith lists the columns of all tables that hold a text, in clear or as bytes.
func (h *house) columnsWith(text string) (list []string) {
	h.Helper()
	rows, err := h.conn.Query(h.Context(), `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`)
	require.NoError(h, err)
	columns, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ Table, Column string }])
	require.NoError(h, err)
	require.Greater(h, len(columns), 100)
	for _, c := range columns {
		value := pgx.Identifier{c.Column}.Sanitize() + `::text`
		if h.count(`SELECT count(*) FROM `+pgx.Identifier{c.Table}.Sanitize()+` WHERE position($1 IN `+value+`) > 0 OR position(encode(convert_to($1, 'UTF8'), 'hex') IN `+value+`) > 0`, text) > 0 {
			list = append(list, c.Table+"."+c.Column)
		}
	}
	return list
}

// This holds for attempts in flight during the erasure, and for later attempts.
func TestErase_DropsAnswersThatArriveLater(t *testing.T) {
	h := newHouse(t)
	u := h.tenant("one")
	h.echo = "thanks for Quillfeather"
	well := u.endpoint("/well")
	u.endpoint("/broken")
	b, w := u.business()
	_, other := u.business()

	var arrived sync.WaitGroup
	arrived.Add(8) // two events of two businesses at two endpoints
	erased := make(chan struct{})
	status := func(path string) int {
		if path == "/broken" {
			return http.StatusInternalServerError
		}
		return http.StatusOK
	}
	h.answer = func(path string) int {
		arrived.Done()
		<-erased
		return status(path)
	}
	sent, all := make(chan struct{}), make(chan struct{})
	go func() { defer close(sent); h.send() }()
	go func() { defer close(all); arrived.Wait() }()
	await.Closed(t, "all requests to arrive", all)
	done, err := h.operator.Erase(t.Context(), u.call.Scope, b.WireID(), false)
	require.NoError(t, err)
	require.Zero(t, done.Answers, "none has come")
	h.answer = status
	close(erased)
	await.Closed(t, "the end of the session", sent)

	answers := func(w domain.Workflow) (attempts, bodies int) {
		require.NoError(t, h.conn.QueryRow(t.Context(), `
			SELECT count(*) FILTER (WHERE a.status_code IS NOT NULL), count(*) FILTER (WHERE a.response_body <> '')
			FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id JOIN webhook_event v ON v.id = d.event_id WHERE v.workflow_id = $1`, w.ID).Scan(&attempts, &bodies))
		return attempts, bodies
	}
	attempts, bodies := answers(w)
	require.Equal(t, []int{4, 0}, []int{attempts, bodies}, "an attempt keeps its outcome")
	attempts, bodies = answers(other)
	require.Equal(t, []int{4, 4}, []int{attempts, bodies})

	// Sent again on request, a later event, and a replay to an endpoint made later.
	u.write(func(r *store.Records) error {
		list, _, err := r.Webhooks.Deliveries(t.Context(), u.account.WireID(), delivery.Filter{ConfigID: well.WireID()}, domain.Page{Limit: 50})
		require.NoError(t, err)
		require.Len(t, list, 4)
		return r.Webhooks.RetryDelivery(t.Context(), list[3].WireID()) // the first one
	})
	_, err = h.deliverer.Retry(t.Context(), domain.CreatedBy{WorkflowID: "whc_1", RunID: "retry", ActivityID: "5"}, well.ID, false)
	require.NoError(t, err)
	u.write(func(r *store.Records) error {
		_, err := r.Workflows.Complete(t.Context(), w.WireID(), false)
		return err
	})
	late := u.endpoint("/late")
	var run id.RunID
	u.write(func(r *store.Records) (err error) {
		run, err = r.Webhooks.Replay(t.Context(), domain.ReplayRequest{ConfigID: late.WireID(), Since: time.Now().Add(-time.Hour),
			EventTypes: []string{"WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED"}})
		return err
	})
	_, err = h.deliverer.ReplaySome(t.Context(), run)
	require.NoError(t, err)
	h.send()
	attempts, bodies = answers(w)
	require.Equal(t, []int{4 + 1 + 2 + 3, 0}, []int{attempts, bodies})

	require.Equal(t, []string{"webhook_attempt.response_body"}, h.columnsWith("Quillfeather"), "of the other business")
	_, err = h.operator.Erase(t.Context(), u.call.Scope, id.BusinessID{UUID: other.BusinessID}, false)
	require.NoError(t, err)
	require.Empty(t, h.columnsWith("Quillfeather"))
}
