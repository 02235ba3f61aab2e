package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"requisite/internal/await"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/internal/postgres/pgtest"
	"requisite/internal/refusal"
)

var inOrder = domain.EventQuery{OldestFirst: true}

// list is one page of the account's events.
func (b *bundle) list(q domain.EventQuery, limit int, after string) ([]domain.OutboxEvent, string, error) {
	return b.store.Records(b.call.Scope).Events(b.Context(), b.account.WireID(), q, domain.Page{Limit: limit, After: after})
}

func (b *bundle) mustList(q domain.EventQuery, limit int, after string) ([]domain.OutboxEvent, string) {
	b.Helper()
	found, next, err := b.list(q, limit, after)
	require.NoError(b, err)
	return found, next
}

// mustSee goes on from a cursor until so many events have come. The tests of this
// package have one server: transactions of others hold the horizon back, too.
func (b *bundle) mustSee(q domain.EventQuery, n int, after string) (found []domain.OutboxEvent, next string) {
	b.Helper()
	next = after
	await.True(b.TB, fmt.Sprint(n, " events"), func(context.Context) error {
		if len(found) == n {
			return nil
		}
		var page []domain.OutboxEvent
		page, next = b.mustList(q, n-len(found), next)
		if found = append(found, page...); len(found) < n {
			return fmt.Errorf("%d have come", len(found))
		}
		return nil
	})
	return found, next
}

// mustSettle returns when nothing holds back what is on record.
func (b *bundle) mustSettle() (next string) {
	b.Helper()
	_, next = b.mustSee(inOrder, b.count(`SELECT count(*) FROM webhook_event WHERE account_id = $1`, b.account.ID), "")
	return next
}

// createWorkflow opens one more workflow.
func (b *bundle) createWorkflow() (w domain.Workflow) {
	b.Helper()
	b.write(b.call, func(r *postgres.Records) (err error) {
		w, err = r.CreateWorkflow(b.Context(), b.account.WireID(), b.business.WireID(), domain.Created)
		return err
	})
	return w
}

// TestAPollerSeesEveryEventOnce: 32 writers whose transactions take their time,
// and a poller that is killed between any two pages, with what it had not stored
// yet, and goes on from its cursor.
func TestAPollerSeesEveryEventOnce(t *testing.T) {
	b := setup(t)
	b.limited(postgres.Connections{Max: 40})
	const writers, each = 32, 12
	workflows := make([]domain.Workflow, 8)
	for i := range workflows {
		workflows[i] = b.createWorkflow()
	}
	var written atomic.Int64 // once all is
	written.Store(math.MaxInt64)
	var all errgroup.Group
	for n := range writers {
		all.Go(func() error {
			random := rand.New(rand.NewPCG(uint64(n), 3))
			for i := range each {
				call := b.call
				if random.IntN(2) == 0 { // the transaction has its id before it has the workflow
					call.IdempotencyKey, call.BodySHA256 = uuid.NewString(), make([]byte, 32)
				}
				wire := workflows[random.IntN(len(workflows))].WireID()
				_, err := b.store.Write(t.Context(), call, func(r *postgres.Records) (any, error) {
					if i%3 == 0 {
						made, err := r.CreateWorkflow(t.Context(), b.account.WireID(), b.business.WireID(), domain.Started)
						wire = made.WireID()
						return nil, sendThen(t.Context(), r, wire, err, random)
					}
					return nil, sendThen(t.Context(), r, wire, postgres.EmitState(t.Context(), r, wire), random)
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	// What the poller has stored: its cursor, and what it has seen, in one step.
	var cursor string
	var seen []domain.OutboxEvent
	random := rand.New(rand.NewPCG(1, 4))
	restarts, within := 0, await.Context(t)
	var poll errgroup.Group
	b.Cleanup(func() { _ = poll.Wait() })
	poll.Go(func() error {
		for after := cursor; ; {
			page, next, err := b.list(inOrder, 1+random.IntN(20), after)
			switch {
			case err != nil:
				return err
			case random.IntN(4) == 0: // it is killed with the page in its hands
				restarts++
				after = cursor
				continue
			}
			seen, cursor, after = append(seen, page...), next, next
			if int64(len(seen)) >= written.Load() || within.Err() != nil {
				return nil
			}
		}
	})
	require.NoError(t, all.Wait())
	written.Store(int64(b.count(`SELECT count(*) FROM webhook_event`)))
	require.NoError(t, poll.Wait())
	require.Positive(t, restarts)

	once, sequence := map[uuid.UUID]bool{}, map[uuid.UUID]int64{}
	for _, e := range seen {
		require.False(t, once[e.ID], "seen twice")
		once[e.ID] = true
		require.Equal(t, sequence[e.WorkflowID.UUID]+1, e.Sequence, "the order of the workflow's changes")
		sequence[e.WorkflowID.UUID]++
	}
	require.Equal(t, b.count(`SELECT count(*) FROM webhook_event`), len(once))
	require.Greater(t, len(once), writers*each)
}

// sendThen sends what is queued, and lets the transaction take its time.
func sendThen(ctx context.Context, r *postgres.Records, workflow id.WorkflowID, err error, random *rand.Rand) error {
	if err != nil {
		return err
	}
	if _, err := r.Workflow(ctx, workflow); err != nil {
		return err
	}
	time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond)
	return nil
}

// TestALateCommitIsNotMissed: a list that has gone past an open transaction would
// never come back to it.
func TestALateCommitIsNotMissed(t *testing.T) {
	b := setup(t)
	late, early := b.createWorkflow(), b.createWorkflow()
	from := b.mustSettle()
	held, released := make(chan struct{}), make(chan struct{})
	release := sync.OnceFunc(func() { close(released) })
	defer release() // also when the test fails: the store waits for its connections
	var writing errgroup.Group
	writing.Go(func() error {
		return b.try(b.call, func(r *postgres.Records) error {
			if err := r.StartWorkflow(t.Context(), late.WireID()); err != nil {
				return err
			}
			_, err := r.Workflow(t.Context(), late.WireID()) // sends the event
			close(held)
			<-released
			return err
		})
	})
	<-held
	b.write(b.call, func(r *postgres.Records) error { return r.StartWorkflow(t.Context(), early.WireID()) })
	page, next := b.mustList(inOrder, 50, from)
	require.Empty(t, page, "what began later waits for what began earlier")
	again, _ := b.mustList(inOrder, 50, next)
	require.Empty(t, again)
	standing, err := b.operator.Standing(t.Context(), true)
	require.NoError(t, err)
	require.Zero(t, standing.EventLag, "of the first look, nothing is known")
	b.pass(time.Minute)
	standing, err = b.operator.Standing(t.Context(), true)
	require.NoError(t, err)
	require.GreaterOrEqual(t, standing.EventLag, time.Minute)
	newest, _ := b.mustList(domain.EventQuery{}, 1, "")
	require.Equal(t, early.ID, newest[0].WorkflowID.UUID, "the newest first do not wait")
	release()
	require.NoError(t, writing.Wait())
	page, _ = b.mustSee(inOrder, 2, next)
	require.Equal(t, []uuid.UUID{late.ID, early.ID}, []uuid.UUID{page[0].WorkflowID.UUID, page[1].WorkflowID.UUID})
}

// TestACursorSurvivesARestore puts the database on another server as far as it can
// see: its transactions are numbered from below those of the events that it holds.
func TestACursorSurvivesARestore(t *testing.T) {
	b := setup(t)
	cursor := b.mustSettle()
	left := b.createWorkflow() // written before the backup, and not read yet
	_, err := b.pool().Exec(t.Context(), `UPDATE event_epoch SET cluster = 'another', tag = event_tag('another')`)
	require.NoError(t, err)
	_, _, err = b.list(inOrder, 50, cursor)
	require.Equal(t, refusal.BadRequest, refused(t, err).Code, "this test has changed the past of the cursor")

	_, err = b.pool().Exec(t.Context(), `UPDATE webhook_event SET xid = (xid::text::bigint + 1000000000)::text::xid8`)
	require.NoError(t, err)
	seen := map[uuid.UUID]bool{}
	look := func(n int) (events []domain.OutboxEvent) {
		events, cursor = b.mustSee(inOrder, n, cursor)
		more, next := b.mustList(inOrder, 50, cursor)
		require.Empty(t, more)
		cursor = next
		for _, e := range events {
			require.False(t, seen[e.ID])
			seen[e.ID] = true
		}
		return events
	}
	cursor = ""
	before := look(3)
	require.Equal(t, left.ID, before[len(before)-1].WorkflowID.UUID, "what is of an earlier epoch has ended")
	b.write(b.call, func(r *postgres.Records) error { return r.StartWorkflow(t.Context(), left.WireID()) })
	after := look(1) // the first event of the new epoch
	require.EqualValues(t, 2, after[0].Sequence)
	require.Equal(t, 2, b.count(`SELECT max(number) FROM event_epoch`))
	_, err = b.operator.BeginEpoch(t.Context())
	require.NoError(t, err)
	look(0)
	b.write(b.call, func(r *postgres.Records) error { return r.CompleteWorkflow(t.Context(), left.WireID()) })
	look(1)
	require.Equal(t, 3, b.count(`SELECT max(number) FROM event_epoch`))
}

// TestACursorOfALostStateIsRefused: what was read from it and what is on record
// may differ, so nothing says where to go on.
func TestACursorOfALostStateIsRefused(t *testing.T) {
	b := setup(t)
	_, err := b.operator.BeginEpoch(t.Context())
	require.NoError(t, err)
	b.createWorkflow()
	cursor := b.mustSettle()
	// An earlier backup is restored, and has its own second epoch.
	_, err = b.pool().Exec(t.Context(), `DELETE FROM event_epoch WHERE number = 2`)
	require.NoError(t, err)
	_, _, err = b.list(inOrder, 50, cursor)
	require.Contains(t, string(refused(t, err).Details), `"page.after"`)
	_, err = b.operator.BeginEpoch(t.Context())
	require.NoError(t, err)
	_, _, err = b.list(inOrder, 50, cursor)
	require.Contains(t, string(refused(t, err).Details), "filters.since")
	for _, wrong := range []string{"x", id.Format(id.WebhookEvent, id.New()), cursor + "A", strings.ToLower(cursor)} {
		_, _, err = b.list(inOrder, 50, wrong)
		require.Contains(t, string(refused(t, err).Details), `"page.after"`, wrong)
	}
	_, _, err = b.list(domain.EventQuery{}, 50, cursor)
	require.Contains(t, string(refused(t, err).Details), `"page.after"`)
}

// TestEventsAreFiltered, in either order, and what is left out is not missed on
// the next page.
func TestEventsAreFiltered(t *testing.T) {
	b := setup(t)
	one, two := b.createWorkflow(), b.createWorkflow()
	b.write(b.call, func(r *postgres.Records) error { return r.StartWorkflow(t.Context(), one.WireID()) })
	b.mustSettle()
	for _, oldest := range []bool{false, true} {
		q := domain.EventQuery{OldestFirst: oldest, EventFilter: domain.EventFilter{WorkflowID: one.WireID()}}
		found, next := b.mustList(q, 1, "")
		more, last := b.mustList(q, 1, next)
		require.Len(t, more, 1)
		found = append(found, more...)
		if oldest {
			require.NotEmpty(t, last)
			rest, _ := b.mustList(q, 1, last)
			require.Empty(t, rest)
		} else {
			require.Empty(t, last)
			found[0], found[1] = found[1], found[0]
		}
		require.EqualValues(t, []int64{1, 2}, []int64{found[0].Sequence, found[1].Sequence})
		require.Equal(t, domain.WorkflowStarted, found[1].EventType)

		q = domain.EventQuery{OldestFirst: oldest, EventFilter: domain.EventFilter{Type: domain.WorkflowCreated}}
		found, _ = b.mustList(q, 50, "")
		require.Len(t, found, 3)
		q = domain.EventQuery{OldestFirst: oldest, EventFilter: domain.EventFilter{Since: time.Now().Add(time.Hour)}}
		found, _ = b.mustList(q, 50, "")
		require.Empty(t, found)
	}
	_, _, err := b.list(domain.EventQuery{EventFilter: domain.EventFilter{WorkflowID: id.WorkflowID{UUID: id.New()}}}, 50, "")
	require.Equal(t, refusal.EntityNotFound, refused(t, err).Code)
	other, call := b.newAccount("other", "UTC")
	_, _, err = b.store.Records(call.Scope).Events(t.Context(), other.WireID(), domain.EventQuery{EventFilter: domain.EventFilter{WorkflowID: two.WireID()}}, domain.Page{Limit: 1})
	require.Equal(t, refusal.EntityNotFound, refused(t, err).Code, "another account's")
	_, _, err = b.store.Records(call.Scope).Events(t.Context(), b.account.WireID(), inOrder, domain.Page{Limit: 1})
	require.Equal(t, refusal.EntityNotFound, refused(t, err).Code)
}

// TestAnEventIsReadWithItsContent: the same that receivers decrypt.
func TestAnEventIsReadWithItsContent(t *testing.T) {
	b := setup(t)
	found, _ := b.mustList(domain.EventQuery{Payload: true}, 50, "")
	require.Len(t, found, 2)
	require.JSONEq(t, `{"version":"1.0","workflow_id":"`+b.workflow.WireID().String()+`","sequence":2,"user_context":{"user_id":"tester","user_type":"API_KEY"},"state":"STARTED"}`, string(found[0].Payload))
	wire := id.WebhookEventID{UUID: found[0].ID}
	read, err := b.store.Records(b.call.Scope).Event(t.Context(), wire)
	require.NoError(t, err)
	require.Equal(t, found[0], read)
	_, call := b.newAccount("other", "UTC")
	_, err = b.store.Records(call.Scope).Event(t.Context(), wire)
	require.Equal(t, refusal.EntityNotFound, refused(t, err).Code, "another organization's")
	found, _ = b.mustList(domain.EventQuery{}, 50, "")
	require.Nil(t, found[0].Payload)
}

// TestAPageOfContentsIsBounded by their size: it ends early, and is never empty.
func TestAPageOfContentsIsBounded(t *testing.T) {
	b := setup(t)
	large, err := json.Marshal(map[string]string{"x": strings.Repeat("x", postgres.MaxPayloads/3)})
	require.NoError(t, err)
	_, err = b.pool().Exec(t.Context(), `
		INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
		SELECT gen_random_uuid(), $1, 'X', now(), 'u', 'SYSTEM', $2 FROM generate_series(1, 7)`, b.account.ID, large)
	require.NoError(t, err)
	huge, err := json.Marshal(map[string]string{"x": strings.Repeat("x", 2*postgres.MaxPayloads)})
	require.NoError(t, err)
	_, err = b.pool().Exec(t.Context(), `
		INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
		SELECT gen_random_uuid(), $1, 'X', now(), 'u', 'SYSTEM', $2`, b.account.ID, huge)
	require.NoError(t, err)
	b.mustSettle()
	for _, oldest := range []bool{false, true} {
		var sizes []int
		all, cursor := 0, ""
		for {
			page, next := b.mustList(domain.EventQuery{OldestFirst: oldest, Payload: true}, 200, cursor)
			if len(page) > 0 {
				sizes = append(sizes, len(page))
			}
			all, cursor = all+len(page), next
			if next == "" || len(page) == 0 {
				break
			}
		}
		require.Equal(t, 10, all)
		require.GreaterOrEqual(t, len(sizes), 4, "%v", sizes)
		page, _ := b.mustList(domain.EventQuery{OldestFirst: oldest}, 200, "")
		require.Len(t, page, 10, "without contents, a page is as long as was asked for")
	}
}

// TestEventsInOrderAreReadByIndex, also by a role whose rows are chosen by
// policies.
func TestEventsInOrderAreReadByIndex(t *testing.T) {
	b := setup(t)
	conn := b.as(pgtest.API)
	tx, err := conn.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = tx.Exec(t.Context(), `SELECT set_config('requisite.organization', $1, true), set_config('requisite.environment', $2, true), set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`,
		b.call.Scope.OrganizationID.String(), string(b.call.Scope.Environment))
	require.NoError(t, err)
	rows, err := tx.Query(t.Context(), `EXPLAIN SELECT v.id FROM webhook_event v WHERE v.account_id = $1 AND (v.epoch, v.xid, v.sequence, v.id) > ($2, $3, $4, $5) AND (v.epoch, v.xid) < ($6, $7)
		ORDER BY v.epoch, v.xid, v.sequence, v.id LIMIT 51`, b.account.ID, int32(1), uint64(5), int64(0), uuid.Nil, int32(1), uint64(900))
	require.NoError(t, err)
	var plan []string
	for rows.Next() {
		var line string
		require.NoError(t, rows.Scan(&line))
		plan = append(plan, line)
	}
	require.NoError(t, rows.Err())
	text := strings.Join(plan, "\n")
	require.Contains(t, text, "webhook_event_in_order", text)
	require.Regexp(t, `Index Cond: .*ROW\(epoch, xid, sequence, id.*ROW\(epoch, xid\) <`, text)
	require.NotContains(t, text, "Sort", text)
}
