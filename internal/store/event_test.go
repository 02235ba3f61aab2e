package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// numbered is an event of a workflow as a receiver that verifies and decrypts it
// knows it.
type numbered struct {
	Sequence int64
	Fields   struct {
		statement
		State                          domain.State `json:"state"`
		Score                          *float64     `json:"evaluation_score"`
		Added, Kept, Restored, Removed []statement
	}
}

// statement is what an event says of one document.
type statement struct {
	ID     string          `json:"required_document_id"`
	Status document.Status `json:"status"`
}

// eventsOf are a workflow's events, by sequence.
func (b *bundle) eventsOf(w domain.Workflow) []numbered {
	b.Helper()
	rows, err := b.Pool().Query(b.Context(), `SELECT sequence, fields FROM webhook_event WHERE workflow_id = $1 ORDER BY sequence`, w.ID)
	require.NoError(b, err)
	defer rows.Close()
	var found []numbered
	for rows.Next() {
		var e numbered
		var fields []byte
		require.NoError(b, rows.Scan(&e.Sequence, &fields))
		require.NoError(b, json.Unmarshal(fields, &e.Fields))
		found = append(found, e)
	}
	require.NoError(b, rows.Err())
	return found
}

// documents are the documents of the workflow, on record.
func (b *bundle) documents() []calculation.RequiredDocument {
	b.Helper()
	found, _, err := b.Store.Records(b.Call.Scope).Documents.List(b.Context(), b.Workflow.WireID(), calculation.DocumentFilter{}, nil)
	require.NoError(b, err)
	return found
}

// copyOf is what a receiver knows after some events: for each record, the event
// with the highest sequence wins.
type copyOf struct {
	records map[string]string
	from    map[string]int64
}

func (c *copyOf) take(e numbered) {
	say := func(record, value string) {
		if e.Sequence > c.from[record] {
			c.records[record], c.from[record] = value, e.Sequence
		}
	}
	if e.Fields.State != "" {
		say("state", string(e.Fields.State))
	}
	if e.Fields.Score != nil {
		say("score", fmt.Sprint(*e.Fields.Score))
	}
	for _, list := range [][]statement{e.Fields.Added, e.Fields.Kept, e.Fields.Restored, e.Fields.Removed, {e.Fields.statement}} {
		for _, d := range list {
			if d.ID != "" {
				say(d.ID, string(d.Status))
			}
		}
	}
}

// TestEventSequence_HasNoGapsUnderConcurrentChanges of one workflow: its events are numbered 1, 2, 3
// and so on. A receiver that gets them in any order, and some of them twice, ends with the states
// on record.
func TestEventSequence_HasNoGapsUnderConcurrentChanges(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""), rule("OWNED", `persons.exists(p, p.ownership_percentage > 20)`), rule("SMALL", `persons.exists(p, p.ownership_percentage <= 20)`))
	b.mustCalculate()
	var documents []string
	for _, d := range b.documents() {
		documents = append(documents, d.ID)
	}
	var all errgroup.Group
	for i := range 6 {
		all.Go(func() error {
			random := rand.New(rand.NewPCG(uint64(i), 1))
			for range 12 {
				switch random.IntN(3) {
				case 0: // refused where the status does not allow it, which writes no event
					to := []document.Status{document.Pending, document.NeedsReview, document.Completed}[random.IntN(3)]
					_ = b.Try(b.Call, func(r *store.Records) error {
						return only(r.Documents.Update(t.Context(), id.Must[id.RequiredDocumentID](documents[random.IntN(len(documents))]), document.Review{Status: to}, id.DecisionID{}))
					})
				case 1:
					share := rational.Decimal(random.IntN(5000))
					if err := b.Try(b.Call, func(r *store.Records) error {
						return r.Persons.Update(t.Context(), b.Person.WireID(), domain.CustomChange{}, func(p *domain.Person) { p.OwnershipHundredths = &share })
					}); err != nil {
						return err
					}
				case 2:
					if _, err := b.calculate(b.Run()); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	require.NoError(t, all.Wait())
	require.NoError(t, b.completeWorkflow())

	events := b.eventsOf(b.Workflow)
	require.Greater(t, len(events), 10)
	for i, e := range events {
		require.EqualValues(t, i+1, e.Sequence)
	}
	want := map[string]string{"state": string(domain.Ended)}
	for _, d := range b.documents() {
		want[d.ID] = string(d.Status)
	}
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 2))
		arrived := append(append([]numbered{}, events...), events[:random.IntN(len(events))]...)
		random.Shuffle(len(arrived), func(i, j int) { arrived[i], arrived[j] = arrived[j], arrived[i] })
		got := copyOf{map[string]string{}, map[string]int64{}}
		for _, e := range arrived {
			got.take(e)
		}
		require.Equal(t, want, got.records)
	}
}

// TestEventSequence_IsUnique: the table refuses a second event with the number of
// another, and an event of a workflow without one.
func TestEventSequence_IsUnique(t *testing.T) {
	b := setup(t)
	const again = `INSERT INTO webhook_event (id, account_id, event_type, occurred_at, workflow_id, sequence, user_id, user_type, fields)
		SELECT gen_random_uuid(), account_id, 'X', now(), workflow_id, %s, 'x', 'SYSTEM', '{}' FROM webhook_event WHERE sequence = 1`
	require.ErrorContains(t, b.Exec(fmt.Sprintf(again, `sequence`)), "webhook_event_workflow_id_sequence_key")
	require.ErrorContains(t, b.Exec(fmt.Sprintf(again, `0`)), "check")
}

// TestEventSequence_HasNoGapAfterARollback: what is rolled back leaves no gap.
func TestEventSequence_HasNoGapAfterARollback(t *testing.T) {
	b := setup(t)
	require.Error(t, b.Try(b.Call, func(r *store.Records) error {
		require.NoError(t, only(r.Workflows.Complete(t.Context(), b.Workflow.WireID(), false)))
		_, err := r.Workflows.Get(t.Context(), b.Workflow.WireID()) // sends the event
		require.NoError(t, err)
		return context.Canceled
	}))
	require.NoError(t, b.completeWorkflow())
	events := b.eventsOf(b.Workflow)
	require.Len(t, events, 3)
	require.EqualValues(t, 3, events[2].Sequence)
}

// TestEmit_WritersOfSeveralEventsAreInNoDeadlock: one transaction writes two events,
// one for each of two endpoints. The other writes one event for both endpoints. Both endpoints are idle,
// so both transactions make them ready.
func TestEmit_WritersOfSeveralEventsAreInNoDeadlock(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	older, newer := b.Endpoint("WORKFLOW_STARTED", "WORKFLOW_COMPLETED"), b.Endpoint("WORKFLOW_CREATED", "WORKFLOW_COMPLETED")
	open := b.Workflow
	const pairs = 100
	for range pairs {
		var made domain.Workflow
		require.NoError(t, b.Exec(`DELETE FROM webhook_ready`))
		pgtest.AtOnce(2, func(i int) {
			err := b.Try(b.Call, func(r *store.Records) (err error) {
				if i == 0 {
					return only(r.Workflows.Complete(t.Context(), open.WireID(), false))
				}
				made, err = r.Workflows.Create(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started})
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
		if t.Failed() {
			return
		}
		open = made
	}
	for _, e := range []domain.Endpoint{older, newer} {
		require.Equal(t, 2*pairs, b.Count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1`, e.ID))
	}
}
