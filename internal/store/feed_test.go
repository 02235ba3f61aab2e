package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/await"
)

var inOrder = domain.EventQuery{OldestFirst: true}

// list is one page of the account's events.
func (b *bundle) list(q domain.EventQuery, limit int, after string) (domain.EventPage, error) {
	return b.Store.Records(b.Call.Scope).Webhooks.Events(b.Context(), b.Account.WireID(), q, domain.Page{Limit: limit, After: after})
}

func (b *bundle) mustList(q domain.EventQuery, limit int, after string) domain.EventPage {
	b.Helper()
	page, err := b.list(q, limit, after)
	require.NoError(b, err)
	return page
}

// readFeed reads the account's feed from a cursor to its end.
func (b *bundle) readFeed(after string) (events []domain.OutboxEvent, next string) {
	b.Helper()
	for next = after; ; {
		page := b.mustList(inOrder, 50, next)
		events, next = append(events, page.Events...), page.Next
		if page.CaughtUp {
			return events, next
		}
	}
}

// createWorkflow opens one more workflow.
func (b *bundle) createWorkflow() (w domain.Workflow) {
	b.Helper()
	b.Write(b.Call, func(r *store.Records) (err error) {
		w, err = r.Workflows.Create(b.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Created})
		return err
	})
	return w
}

// uninterrupted is a server that nobody kills.
func uninterrupted() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// TestFeed_ShowsEachEventOnceInOrder: 32 writers whose transactions overlap, and 4
// readers that are killed between any two pages, with what they had not stored yet.
func TestFeed_ShowsEachEventOnceInOrder(t *testing.T) {
	b := setup(t)
	b.limited(db.Connections{Max: 45})
	b.writeAndRead(12, uninterrupted, func(*atomic.Int64, <-chan struct{}) {})
}

// writeAndRead lets 32 writers write events, each so many, and 4 readers read the feed.
// A call that fails is made again when up is closed. disturb runs meanwhile. It
// receives how many events a reader has seen, and ends when a writer or a reader has failed.
func (b *bundle) writeAndRead(each int, up func() <-chan struct{}, disturb func(seen *atomic.Int64, failed <-chan struct{})) {
	b.Helper()
	const writers, readers = 32, 4
	workflows := make([]domain.Workflow, 8)
	for i := range workflows {
		workflows[i] = b.createWorkflow()
	}
	ctx, fail := context.WithCancelCause(await.Context(b.TB))
	var writing, reading sync.WaitGroup
	b.Cleanup(func() { fail(nil); writing.Wait(); reading.Wait() })
	start := func(group *sync.WaitGroup, work func() error) {
		group.Go(func() {
			if err := work(); err != nil {
				if ctx.Err() == nil { // others only follow
					b.Error(err)
				}
				fail(err)
			}
		})
	}
	for n := range writers {
		start(&writing, func() error {
			random := rand.New(rand.NewPCG(uint64(n), 3))
			for i := 0; i < each; {
				call := b.Call
				if random.IntN(2) == 0 { // the transaction has its id before it has the workflow
					call.IdempotencyKey, call.BodySHA256 = id.New().String(), make([]byte, 32)
				}
				wire := workflows[random.IntN(len(workflows))].WireID()
				_, err := b.Store.Write(ctx, call, func(r *store.Records) (any, error) {
					if i%3 == 0 {
						made, err := r.Workflows.Create(ctx, b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started})
						return nil, sendThen(ctx, r, made.WireID(), err, random)
					}
					return nil, sendThen(ctx, r, wire, store.EmitState(ctx, r, wire), random)
				})
				if err == nil {
					i++
					continue
				}
				if err := again(ctx, err, up()); err != nil {
					return err
				}
			}
			return nil
		})
	}
	var written, seen atomic.Int64
	written.Store(math.MaxInt64) // until all is
	type reader struct {         // what it has stored, in one step
		cursor string
		events []domain.OutboxEvent
	}
	stored := make([]reader, readers)
	for n := range stored {
		me := &stored[n]
		start(&reading, func() error {
			random := rand.New(rand.NewPCG(uint64(n), 4))
			for after := me.cursor; ; {
				all := written.Load()
				page, err := b.Store.Records(b.Call.Scope).Webhooks.Events(ctx, b.Account.WireID(), inOrder, domain.Page{Limit: 1 + random.IntN(20), After: after})
				switch {
				case err != nil:
					if err := again(ctx, err, up()); err != nil {
						return err
					}
					after = me.cursor
					continue
				case random.IntN(4) == 0: // it is killed with the page in its hands
					after = me.cursor
					continue
				}
				me.events, me.cursor, after = append(me.events, page.Events...), page.Next, page.Next
				if n == 0 {
					seen.Store(int64(len(me.events)))
				}
				switch {
				case int64(len(me.events)) >= all:
					return nil
				case page.CaughtUp && all < math.MaxInt64:
					return fmt.Errorf("a reader has caught up and seen %d of %d events", len(me.events), all)
				}
			}
		})
	}
	disturb(&seen, ctx.Done())
	writing.Wait()
	written.Store(int64(b.Count(`SELECT count(*) FROM webhook_event`)))
	reading.Wait()
	require.NoError(b, context.Cause(ctx))
	for _, r := range stored {
		once, sequence := map[id.UUID]bool{}, map[id.UUID]int64{}
		for _, e := range r.events {
			require.False(b, once[e.ID], "seen twice")
			once[e.ID] = true
			require.Equal(b, sequence[e.WorkflowID.UUID]+1, e.Sequence, "the order of the workflow's changes")
			sequence[e.WorkflowID.UUID]++
		}
		require.Equal(b, int(written.Load()), len(once))
		require.Equal(b, stored[0].events, r.events, "the order is the same for all")
	}
	require.Greater(b, written.Load(), int64(writers*each))
}

// again is nil when a call that failed may be made again: the server was away, and
// is back.
func again(ctx context.Context, failed error, up <-chan struct{}) error {
	if _, ok := refusal.FromError(failed); ok || !db.Unreachable(failed) {
		return failed
	}
	select {
	case <-up:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w, and the server stays away", failed)
	}
}

// sendThen sends what is queued, and keeps the transaction open for a while.
func sendThen(ctx context.Context, r *store.Records, workflow id.WorkflowID, err error, random *rand.Rand) error {
	if err != nil {
		return err
	}
	for range 1 + random.IntN(20) {
		if _, err := r.Workflows.Get(ctx, workflow); err != nil {
			return err
		}
	}
	return nil
}

// TestFeed_OpenTransactionDelaysNoOther: what commits late comes late, and is not
// missed.
func TestFeed_OpenTransactionDelaysNoOther(t *testing.T) {
	b := setup(t)
	late, early := b.createWorkflow(), b.createWorkflow()
	_, from := b.readFeed("")
	held, released := make(chan struct{}), make(chan struct{})
	release := sync.OnceFunc(func() { close(released) })
	defer release() // also when the test fails: the store waits for its connections
	var writing errgroup.Group
	writing.Go(func() error {
		return b.Try(b.Call, func(r *store.Records) error {
			if err := r.Workflows.Start(t.Context(), late.WireID()); err != nil {
				return err
			}
			_, err := r.Workflows.Get(t.Context(), late.WireID()) // sends the event
			close(held)
			<-released
			return err
		})
	})
	<-held
	b.Write(b.Call, func(r *store.Records) error { return r.Workflows.Start(t.Context(), early.WireID()) })
	events, next := b.readFeed(from)
	require.Len(t, events, 1)
	require.Equal(t, early.ID, events[0].WorkflowID.UUID)
	release()
	require.NoError(t, writing.Wait())
	events, _ = b.readFeed(next)
	require.Len(t, events, 1)
	require.Equal(t, late.ID, events[0].WorkflowID.UUID)
	events, _ = b.readFeed(from)
	require.Equal(t, []id.UUID{early.ID, late.ID}, []id.UUID{events[0].WorkflowID.UUID, events[1].WorkflowID.UUID}, "positions do not change")
}

// TestFeed_ReaderSeesWhatCommittedWhileItWaited: its snapshot is younger than its
// lock, or it would give positions that were given already.
func TestFeed_ReaderSeesWhatCommittedWhileItWaited(t *testing.T) {
	b := setup(t)
	_, from := b.readFeed("")
	first := b.createWorkflow()
	conn := b.as(pgtest.API)
	tx, err := conn.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT set_config('requisite.organization', $1, true), set_config('requisite.environment', $2, true)`,
		b.Call.Scope.OrganizationID.String(), string(b.Call.Scope.Environment))))
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT give_event_positions($1)`, b.Account.ID)))
	var page domain.EventPage
	var reading errgroup.Group
	reading.Go(func() (err error) {
		page, err = b.list(inOrder, 50, from)
		return err
	})
	b.AwaitLock("the reader")
	second := b.createWorkflow()
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, reading.Wait())
	require.Len(t, page.Events, 2)
	require.Equal(t, []id.UUID{first.ID, second.ID}, []id.UUID{page.Events[0].WorkflowID.UUID, page.Events[1].WorkflowID.UUID})
	require.True(t, page.CaughtUp)
	require.Equal(t, 2, b.Count(`SELECT count(DISTINCT batch) - 1 FROM webhook_event_position`), "each batch draws its own number")
	require.Equal(t, b.Count(`SELECT max(position) FROM webhook_event_position`), b.Count(`SELECT last_position FROM webhook_feed`))
}

// TestFeed_PositionsNeedReadCommitted: another snapshot would be older than the lock.
func TestFeed_PositionsNeedReadCommitted(t *testing.T) {
	b := setup(t)
	conn := b.as(pgtest.API)
	give := func(mode string) (err error) {
		tx, err := conn.Begin(t.Context())
		require.NoError(t, err)
		defer func() { _ = tx.Rollback(t.Context()) }()
		require.NoError(t, only(tx.Exec(t.Context(), `SET TRANSACTION `+mode)))
		require.NoError(t, only(tx.Exec(t.Context(), `SELECT set_config('requisite.organization', $1, true), set_config('requisite.environment', $2, true)`,
			b.Call.Scope.OrganizationID.String(), string(b.Call.Scope.Environment))))
		return only(tx.Exec(t.Context(), `SELECT give_event_positions($1)`, b.Account.ID))
	}
	require.ErrorContains(t, give(`ISOLATION LEVEL REPEATABLE READ`), "READ COMMITTED")
	require.NoError(t, give(`ISOLATION LEVEL READ COMMITTED`))
}

// TestFeed_OfAnAccountWithoutEvents is empty, and can be gone on from.
func TestFeed_OfAnAccountWithoutEvents(t *testing.T) {
	b := setup(t)
	b.Account, b.Call = b.NewAccount("quiet", "UTC")
	page := b.mustList(inOrder, 50, "")
	require.Empty(t, page.Events)
	require.NotEmpty(t, page.Next)
	require.True(t, page.CaughtUp)
	again := b.mustList(inOrder, 50, page.Next)
	require.Equal(t, page, again)
	b.Write(b.Call, func(r *store.Records) (err error) {
		b.Business, err = r.Applicants.CreateBusiness(t.Context(), b.Account.WireID(), domain.Business{LegalName: "Ltd"})
		return err
	})
	w := b.createWorkflow()
	events, _ := b.readFeed(page.Next)
	require.Len(t, events, 1)
	require.Equal(t, w.ID, events[0].WorkflowID.UUID)
}

// feedTables hold an account's feed, and what numbers its events.
var feedTables = []string{"webhook_event_position", "webhook_feed", "webhook_event"}

// TestFeed_CursorOfALostState is refused from the restore on, also when its position
// was given again. One from before the backup goes on.
func TestFeed_CursorOfALostState(t *testing.T) {
	b := setup(t)
	_, kept := b.readFeed("")
	written := b.createWorkflow() // and it has no position when the backup is made
	for _, table := range feedTables {
		require.NoError(t, b.Exec(`CREATE TABLE backup_`+table+` AS TABLE `+table))
	}
	_, lost := b.readFeed(kept)
	for _, table := range feedTables {
		require.NoError(t, b.Exec(`DELETE FROM `+table))
	}
	for _, table := range slices.Backward(feedTables) {
		require.NoError(t, b.Exec(`INSERT INTO `+table+` OVERRIDING SYSTEM VALUE TABLE backup_`+table))
	}
	refuses := func(why string) {
		t.Helper()
		_, err := b.list(inOrder, 50, lost)
		found := pgtest.Refused(t, err)
		require.Equal(t, []any{refusal.SystemRuleViolation, refusal.CursorUnknown, refusal.EntityWebhookEvent}, []any{found.Code, found.SubCode, found.EntityType}, why)
		require.Contains(t, found.Message, "filters.since")
	}
	refuses("the position was not given")
	events, _ := b.readFeed(kept)
	require.Len(t, events, 1)
	require.Equal(t, written.ID, events[0].WorkflowID.UUID)
	refuses("the position was given in another batch, although to the same event")
	b.createWorkflow()
	events, _ = b.readFeed(kept)
	require.Len(t, events, 2)
	refuses("the feed went on")
}

// TestFeed_CursorOfAPrunedEvent goes on. The cursor of a missing event that cannot have been pruned
// belongs to a lost state.
func TestFeed_CursorOfAPrunedEvent(t *testing.T) {
	b := setup(t)
	_, old := b.readFeed("")
	b.Pass(store.DefaultEventLife - time.Hour)
	b.createWorkflow()
	_, young := b.readFeed(old)
	b.Pass(2 * time.Hour)
	require.EqualValues(t, 2, b.prune(store.Retention{}).Events)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_event_position`), "positions are pruned with their events")
	events, _ := b.readFeed(old)
	require.Len(t, events, 1)
	events, _ = b.readFeed("")
	require.Len(t, events, 1)

	require.NoError(t, b.Exec(`DELETE FROM webhook_event_position WHERE position = 3`)) // as in a feed that was restored
	_, err := b.list(inOrder, 50, young)
	require.Equal(t, refusal.CursorUnknown, pgtest.Refused(t, err).SubCode, "the event is younger than what is pruned")
	b.Pass(store.DefaultEventLife)
	b.prune(store.Retention{})
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_event`))
	require.Equal(t, 3, b.Count(`SELECT last_position FROM webhook_feed`), "the last position is never pruned")
	page := b.mustList(inOrder, 50, young)
	require.Equal(t, domain.EventPage{Events: []domain.OutboxEvent{}, Next: young, CaughtUp: true}, page)
	w := b.createWorkflow()
	events, _ = b.readFeed(young)
	require.Len(t, events, 1)
	require.Equal(t, w.ID, events[0].WorkflowID.UUID)
	require.Equal(t, 4, b.Count(`SELECT position FROM webhook_event_position`))

	require.NoError(t, b.Exec(`UPDATE webhook_feed SET last_position = 2`))
	require.NoError(t, b.Exec(`DELETE FROM webhook_event_position`))
	_, err = b.list(inOrder, 50, young)
	require.Equal(t, refusal.CursorUnknown, pgtest.Refused(t, err).SubCode, "the position was never given")
}

// addEvents writes events without a workflow and without a position.
func (b *bundle) addEvents(eventType domain.EventType, n int) {
	b.Helper()
	require.NoError(b, b.Exec(`
		WITH made AS (
			INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
			SELECT overlay(gen_random_uuid()::text placing '01' from 1)::uuid, $1, $2, now(), 'u', 'SYSTEM', '{}' FROM generate_series(1, $3) RETURNING id, account_id)
		INSERT INTO webhook_event_position (event_id, account_id) SELECT id, account_id FROM made`, b.Account.ID, eventType, n))
}

// TestFeed_CallLooksAtABoundedNumberOfEvents: a page that a filter leaves empty is not the end, and
// events without a position yet follow.
func TestFeed_CallLooksAtABoundedNumberOfEvents(t *testing.T) {
	b := setup(t)
	b.addEvents(domain.WebhookTest, 12_000)
	b.addEvents(domain.WebhookKeyActivated, 1)
	q := domain.EventQuery{OldestFirst: true, EventFilter: domain.EventFilter{Type: domain.WebhookKeyActivated}}
	page := b.mustList(q, 50, "")
	require.Empty(t, page.Events)
	require.False(t, page.CaughtUp)
	require.Equal(t, 10_000, b.Count(`SELECT count(position) FROM webhook_event_position`), "so many get a position in one call")
	empty := 1
	for ; len(page.Events) == 0; empty++ {
		require.False(t, page.CaughtUp)
		page = b.mustList(q, 50, page.Next)
	}
	require.Equal(t, 3, empty, "5,000 events a call")
	require.Len(t, page.Events, 1)
	require.True(t, page.CaughtUp)
	rest := b.mustList(inOrder, 50, page.Next)
	require.Equal(t, domain.EventPage{Events: []domain.OutboxEvent{}, Next: page.Next, CaughtUp: true}, rest, "a filter does not change positions")
	all, _ := b.readFeed("")
	require.Len(t, all, 2+12_000+1)
}

// TestFeed_MalformedCursor is a bad request, in either order.
func TestFeed_MalformedCursor(t *testing.T) {
	b := setup(t)
	_, cursor := b.readFeed("")
	for _, wrong := range []string{"x", id.Format(id.WebhookEvent, id.New()), cursor + "A", cursor[:40], cursor[:20] + "\n" + cursor[20:], cursor[:53] + "B"} {
		_, err := b.list(inOrder, 50, wrong)
		require.Contains(t, string(pgtest.Refused(t, err).Details), `"page.after"`, wrong)
	}
	_, err := b.list(domain.EventQuery{}, 50, cursor)
	require.Contains(t, string(pgtest.Refused(t, err).Details), `"page.after"`)
}

// TestFeed_FiltersEvents, in either order. The next page skips no event that fits the filter.
func TestFeed_FiltersEvents(t *testing.T) {
	b := setup(t)
	one, two := b.createWorkflow(), b.createWorkflow()
	b.Write(b.Call, func(r *store.Records) error { return r.Workflows.Start(t.Context(), one.WireID()) })
	for _, oldest := range []bool{false, true} {
		q := domain.EventQuery{OldestFirst: oldest, EventFilter: domain.EventFilter{WorkflowID: one.WireID()}}
		first := b.mustList(q, 1, "")
		second := b.mustList(q, 1, first.Next)
		require.Len(t, second.Events, 1)
		found := append(first.Events, second.Events...)
		if oldest {
			require.NotEmpty(t, second.Next)
			require.Empty(t, b.mustList(q, 1, second.Next).Events)
		} else {
			require.Empty(t, second.Next)
			found[0], found[1] = found[1], found[0]
		}
		require.EqualValues(t, []int64{1, 2}, []int64{found[0].Sequence, found[1].Sequence})
		require.Equal(t, domain.WorkflowStarted, found[1].EventType)

		q = domain.EventQuery{OldestFirst: oldest, EventFilter: domain.EventFilter{Type: domain.WorkflowCreated}}
		require.Len(t, b.mustList(q, 50, "").Events, 3)
		q = domain.EventQuery{OldestFirst: oldest, EventFilter: domain.EventFilter{Since: time.Now().Add(time.Hour)}}
		require.Empty(t, b.mustList(q, 50, "").Events)
	}
	_, err := b.list(domain.EventQuery{EventFilter: domain.EventFilter{WorkflowID: id.WorkflowID{UUID: id.New()}}}, 50, "")
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code)
	other, call := b.NewAccount("other", "UTC")
	_, err = b.Store.Records(call.Scope).Webhooks.Events(t.Context(), other.WireID(), domain.EventQuery{EventFilter: domain.EventFilter{WorkflowID: two.WireID()}}, domain.Page{Limit: 1})
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code, "another account's")
	_, err = b.Store.Records(call.Scope).Webhooks.Events(t.Context(), b.Account.WireID(), inOrder, domain.Page{Limit: 1})
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code)
}

// TestEvent_IsReadWithItsPayload, the one that receivers decrypt.
func TestEvent_IsReadWithItsPayload(t *testing.T) {
	b := setup(t)
	found := b.mustList(domain.EventQuery{Payload: true}, 50, "").Events
	require.Len(t, found, 2)
	require.JSONEq(t, `{"version":"1.0","workflow_id":"`+b.Workflow.WireID().String()+`","sequence":2,"user_context":{"user_id":"tester","user_type":"API_KEY"},"state":"STARTED"}`, string(found[0].Payload))
	wire := id.WebhookEventID{UUID: found[0].ID}
	read, err := b.Store.Records(b.Call.Scope).Webhooks.Event(t.Context(), wire)
	require.NoError(t, err)
	require.Equal(t, found[0], read)
	_, call := b.NewAccount("other", "UTC")
	_, err = b.Store.Records(call.Scope).Webhooks.Event(t.Context(), wire)
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code, "another organization's")
	found = b.mustList(domain.EventQuery{}, 50, "").Events
	require.Nil(t, found[0].Payload)
}

// TestFeed_LimitsTheSizeOfAPage: a page of large payloads ends early, and is never empty.
func TestFeed_LimitsTheSizeOfAPage(t *testing.T) {
	b := setup(t)
	large, err := json.Marshal(map[string]string{"x": strings.Repeat("x", store.MaxPayloads/3)})
	require.NoError(t, err)
	_, err = b.Pool().Exec(t.Context(), `
		INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
		SELECT gen_random_uuid(), $1, 'X', now(), 'u', 'SYSTEM', $2 FROM generate_series(1, 7)`, b.Account.ID, large)
	require.NoError(t, err)
	huge, err := json.Marshal(map[string]string{"x": strings.Repeat("x", 2*store.MaxPayloads)})
	require.NoError(t, err)
	_, err = b.Pool().Exec(t.Context(), `
		INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
		SELECT gen_random_uuid(), $1, 'X', now(), 'u', 'SYSTEM', $2`, b.Account.ID, huge)
	require.NoError(t, err)
	require.NoError(t, b.Exec(`INSERT INTO webhook_event_position (event_id, account_id) SELECT id, account_id FROM webhook_event ON CONFLICT DO NOTHING`))
	for _, oldest := range []bool{false, true} {
		var sizes []int
		all, page := 0, domain.EventPage{}
		for {
			page = b.mustList(domain.EventQuery{OldestFirst: oldest, Payload: true}, 200, page.Next)
			sizes = append(sizes, len(page.Events))
			all += len(page.Events)
			if page.Next == "" || page.CaughtUp {
				break
			}
		}
		require.Equal(t, 10, all)
		require.GreaterOrEqual(t, len(sizes), 4, "%v", sizes)
		page = b.mustList(domain.EventQuery{OldestFirst: oldest}, 200, "")
		require.Len(t, page.Events, 10, "without contents, a page is as long as was asked for")
	}
}
