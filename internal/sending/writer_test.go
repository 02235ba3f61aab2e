package sending_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/metrics"
	"requisite/internal/sending"
	"requisite/internal/store"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/await"
	"requisite/internal/webhooks/webhook"
)

// house is a deliverer over a database, and a receiver that answers by the path of an
// endpoint's URL.
type house struct {
	*testing.T
	store, operator *store.Store
	conn            *pgx.Conn // with every right
	deliverer       *sending.Deliverer
	log             *logged
	receiver        *httptest.Server
	answer          func(endpoint string) int
	echo            string   // the body of every answer
	received        sync.Map // how often each webhook-id arrived
	runs            atomic.Int64
}

// logged is a log that can be read while it is written.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// tenant is an organization with one account that has an active key.
type tenant struct {
	*house
	account domain.Account
	call    domain.Call
}

func newHouse(t *testing.T) *house {
	t.Parallel()
	h := &house{T: t, log: new(logged), answer: func(string) int { return http.StatusOK }}
	var url string
	h.store, h.operator, url = server.Stores(t, nil)
	var err error
	h.conn, err = pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { h.conn.Close(context.Background()) })
	h.receiver = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		times, _ := h.received.LoadOrStore(r.Header.Get("webhook-id")+r.URL.Path, new(atomic.Int64))
		times.(*atomic.Int64).Add(1)
		w.WriteHeader(h.answer(r.URL.Path))
		_, _ = io.WriteString(w, h.echo)
	}))
	t.Cleanup(h.receiver.Close)
	sender := webhook.NewSender(webhook.NewGuard(nil, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}), webhook.SenderOptions{})
	h.deliverer = sending.New(h.store, sender, sending.Bounds{All: 500}, metrics.New(), slog.New(slog.NewJSONHandler(h.log, nil)))
	return h
}

func (h *house) tenant(name string) *tenant {
	h.Helper()
	u := &tenant{house: h}
	u.account, u.call = pgtest.NewAccount(h, h.operator, name, "UTC")
	u.activate()
	return u
}

func (u *tenant) run() domain.Run {
	return domain.Run{ID: fmt.Sprint("run-", u.runs.Add(1)), Call: u.call, StartedAt: time.Now()}
}

// activate makes a new key the active one.
func (u *tenant) activate() {
	u.Helper()
	key, err := u.store.WebhookKeys.Create(u.Context(), u.run(), u.account.WireID())
	require.NoError(u, err)
	_, err = u.store.WebhookKeys.Activate(u.Context(), u.run(), u.account.WireID(), key.KeyID)
	require.NoError(u, err)
}

// claim begins attempts, as a session does.
func (h *house) claim(run string) []deliveries.Attempt {
	h.Helper()
	claimed, err := pgtest.ClaimAs(h.Context(), h.store, domain.CreatedBy{RunID: run})
	require.NoError(h, err)
	return claimed.Attempts
}

func (u *tenant) write(change func(*store.Records) error) {
	u.Helper()
	_, err := u.store.Write(u.Context(), u.call, func(r *store.Records) (any, error) { return struct{}{}, change(r) })
	require.NoError(u, err)
}

// endpoint makes an endpoint whose URL has the path; it takes events of the types.
func (u *tenant) endpoint(path string, types ...string) (e domain.Endpoint) {
	u.Helper()
	url := u.receiver.URL + path
	u.write(func(r *store.Records) (err error) {
		e, err = r.Webhooks.CreateEndpoint(u.Context(), u.account.WireID(), domain.Endpoint{URL: url, URLKey: url, EventTypes: types})
		return err
	})
	return e
}

// owe writes n events for an endpoint alone.
func (u *tenant) owe(e domain.Endpoint, n int) {
	u.Helper()
	for range n {
		u.write(func(r *store.Records) error {
			_, err := r.Webhooks.TestEndpoint(u.Context(), e.WireID(), domain.WebhookTest)
			return err
		})
	}
}

// exec runs a statement with every right.
func (h *house) exec(sql string, args ...any) {
	h.Helper()
	_, err := h.conn.Exec(h.Context(), sql, args...)
	require.NoError(h, err)
}

func (h *house) strings(sql string, args ...any) []string {
	h.Helper()
	rows, err := h.conn.Query(h.Context(), sql, args...)
	require.NoError(h, err)
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(h, err)
	return list
}

func (h *house) count(sql string, args ...any) (n int) {
	h.Helper()
	require.NoError(h, h.conn.QueryRow(h.Context(), sql, args...).Scan(&n))
	return n
}

// send runs one session until nothing more is due.
func (h *house) send() sending.Sent {
	h.Helper()
	sent, err := h.deliverer.Send(h.Context(), sending.Session{By: domain.CreatedBy{WorkflowID: "send/1", RunID: fmt.Sprint("session-", h.runs.Add(1))}, Window: time.Hour})
	require.NoError(h, err)
	return sent
}

// claimPause makes the receiver answer when n requests have arrived, so that their
// attempts end together.
func (h *house) claimPause(n int, answer func(path string) int) {
	var all sync.WaitGroup
	all.Add(n)
	var arrived atomic.Int64
	h.answer = func(path string) int {
		if arrived.Add(1) <= int64(n) {
			all.Done()
			all.Wait()
		}
		return answer(path)
	}
}

const noticesSQL = `SELECT v.event_type FROM webhook_event v WHERE v.account_id = $1 AND v.event_type LIKE 'WEBHOOK\_%' AND v.event_type NOT IN ('WEBHOOK_TEST', 'WEBHOOK_KEY_ACTIVATED') ORDER BY 1`

func TestWriter_NoticesOfSeveralOrganizationsAtOnce(t *testing.T) {
	h := newHouse(t)
	kinds := map[string]string{
		"/failing": "WEBHOOK_ENDPOINT_FAILING", "/gone": "WEBHOOK_ENDPOINT_DISABLED", "/back": "WEBHOOK_ENDPOINT_RECOVERED", "/last": "WEBHOOK_DELIVERY_FAILED",
	}
	of := map[string][]*tenant{}
	for path, kind := range kinds {
		for i := range 2 {
			u := h.tenant(fmt.Sprint(path, i))
			of[path] = append(of[path], u)
			u.endpoint("/watching", kind)
			e := u.endpoint(path, "WEBHOOK_TEST")
			u.owe(e, 1)
			switch path {
			case "/failing":
				h.exec(`UPDATE webhook_endpoint_health SET failures = 4, failing_since = now() WHERE endpoint_id = $1`, e.ID)
			case "/back":
				h.exec(`UPDATE webhook_endpoint_health SET notified = 'WEBHOOK_ENDPOINT_DISABLED', notified_since = now() WHERE endpoint_id = $1`, e.ID)
			case "/last":
				h.exec(`UPDATE webhook_delivery SET attempt_count = 0, round_attempts = 0 WHERE endpoint_id = $1`, e.ID)
			}
		}
	}
	neighbor := h.tenant("neighbor")
	neighbor.owe(neighbor.endpoint("/well"), 3)
	lastRound := func() { // a PENDING delivery has no attempts, so this is done while it is in flight
		conn, err := pgx.Connect(context.Background(), h.conn.Config().ConnString())
		require.NoError(t, err)
		defer conn.Close(context.Background())
		_, err = conn.Exec(context.Background(), `
			UPDATE webhook_delivery d SET state = 'RETRYING', attempt_count = 94, round_attempts = 94 FROM webhook_endpoint e WHERE e.id = d.endpoint_id AND e.url LIKE '%/last'`)
		require.NoError(t, err)
	}
	var once sync.Once
	h.claimPause(2*len(kinds)+3, func(path string) int {
		once.Do(lastRound)
		switch path {
		case "/failing", "/last":
			return http.StatusInternalServerError
		case "/gone":
			return http.StatusGone
		}
		return http.StatusOK
	})
	h.send()
	h.send() // the first stops claiming when its outcomes take long to write
	require.Equal(t, 0, h.count(`SELECT count(*) FROM webhook_attempt WHERE outcome IN ('SENDING', 'UNKNOWN')`))
	for path, kind := range kinds {
		for _, u := range of[path] {
			require.Equal(t, []string{kind}, h.strings(noticesSQL, u.account.ID), "each organization has its own notice, and no other one")
			require.Equal(t, 1, h.count(`SELECT count(*) FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id
				WHERE d.account_id = $1 AND v.event_type = $2 AND d.state = 'DELIVERED'`, u.account.ID, kind))
		}
	}
	require.Empty(t, h.strings(noticesSQL, neighbor.account.ID))
	require.Equal(t, 3, h.count(`SELECT count(*) FROM webhook_delivery WHERE account_id = $1 AND state = 'DELIVERED'`, neighbor.account.ID))
	h.received.Range(func(key, times any) bool {
		require.EqualValues(t, 1, times.(*atomic.Int64).Load(), "%s was sent once", key)
		return true
	})
	require.NotContains(t, h.log.String(), "could not be written")
}

// fault makes writing the outcomes of one delivery fail, always.
func (h *house) fault(d id.UUID) {
	h.exec(fmt.Sprintf(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF NEW.delivery_id = '%s' THEN RAISE 'out of order'; END IF; RETURN NEW; END $$`, d))
	h.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON webhook_attempt FOR EACH ROW EXECUTE FUNCTION refuse()`)
}

func (h *house) oldest(e domain.Endpoint) (d id.UUID) {
	require.NoError(h, h.conn.QueryRow(h.Context(), `SELECT id FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY id LIMIT 1`, e.ID).Scan(&d))
	return d
}

func TestWriter_OneFailingOutcomeDoesNotStopOthers(t *testing.T) {
	for name, status := range map[string]int{"success": http.StatusOK, "failure": http.StatusInternalServerError} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.deliverer.SetPatience(time.Hour)
			u, other := h.tenant("one"), h.tenant("other")
			e, beside, well := u.endpoint("/e"), u.endpoint("/beside"), other.endpoint("/well")
			u.owe(e, 3)
			u.owe(beside, 1)
			other.owe(well, 3)
			h.fault(h.oldest(e))
			h.claimPause(7, func(path string) int {
				if path == "/e" {
					return status
				}
				return http.StatusOK
			})
			done := make(chan sending.Sent, 1)
			go func() { done <- h.send() }()
			await.True(t, "the outcomes of all others", func(context.Context) error {
				if n := h.count(`SELECT count(*) FROM webhook_attempt WHERE outcome IN ('SUCCEEDED', 'FAILED')`); n != 6 {
					return fmt.Errorf("%d of 6", n)
				}
				return nil
			})
			await.True(t, "a log of the statement that failed", func(context.Context) error {
				if log := h.log.String(); !strings.Contains(log, "UPDATE webhook_attempt") {
					return errors.New(log)
				}
				return nil
			})
			require.Equal(t, 1, h.count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'SENDING' AND delivery_id = $1`, h.oldest(e)))
			require.Equal(t, 4, h.count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = ANY ($1) AND state = 'DELIVERED'`, []id.UUID{beside.ID, well.ID}))
			h.exec(`DROP TRIGGER refuse ON webhook_attempt`)
			sent := await.Next(t, "the session", done)
			require.Zero(t, sent.Unknown, "it was retried until it succeeded")
			require.Contains(t, h.log.String(), e.WireID().String(), "and which endpoint")
		})
	}
}

func TestWriter_OutcomeIsUnknownAfterTheWriteTimeout(t *testing.T) {
	h := newHouse(t)
	h.deliverer.SetPatience(100 * time.Millisecond)
	u := h.tenant("one")
	e := u.endpoint("/e")
	u.owe(e, 1)
	h.fault(h.oldest(e))
	require.Equal(t, 1, h.send().Unknown)
	require.Equal(t, 1, h.count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'SENDING'`), "whoever finds it declares it lost")
}

func TestReconcile_OneUnwritableAttemptDoesNotStopOthers(t *testing.T) {
	h := newHouse(t)
	var endpoints []domain.Endpoint
	for i := range 3 {
		u := h.tenant(fmt.Sprint("u", i))
		e := u.endpoint(fmt.Sprint("/", i))
		u.owe(e, 2)
		endpoints = append(endpoints, e)
	}
	require.Len(t, h.claim("dead"), 6)
	h.exec(`UPDATE webhook_attempt SET started_at = started_at - interval '1 hour'`)
	h.fault(h.oldest(endpoints[1]))
	h.exec(`DELETE FROM webhook_ready`) // another part repairs it
	found, err := h.store.Deliveries.Repairs.Reconcile(t.Context())
	require.ErrorContains(t, err, "out of order")
	require.ErrorContains(t, err, endpoints[1].WireID().String())
	require.Equal(t, []int64{5, 1}, []int64{found.Lost, found.Unready})
}

func TestWriter_LockOfOneAccountDoesNotDelayOthers(t *testing.T) {
	h := newHouse(t)
	u, other := h.tenant("one"), h.tenant("other")
	e, well := u.endpoint("/e"), other.endpoint("/well")
	u.owe(e, 3)
	other.owe(well, 3)
	h.sendWhileHeld(e, u.holdAccount, 6, `SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'DELIVERED'`, well, 3)
}

// This includes an endpoint whose outcome needs locks of its own.
func TestWriter_LockOfOneEndpointDoesNotDelayOthersOfItsAccount(t *testing.T) {
	h := newHouse(t)
	u := h.tenant("one")
	e, beside := u.endpoint("/e"), u.endpoint("/e/beside")
	u.owe(e, 3)
	u.owe(beside, 3)
	hold := func() func() {
		return h.hold(`SELECT FROM webhook_endpoint_health WHERE endpoint_id = $1 FOR UPDATE`, e.ID)
	}
	h.sendWhileHeld(e, hold, 6, `SELECT count(*) FROM webhook_attempt WHERE endpoint_id = $1 AND outcome = 'FAILED'`, beside, 3)
	require.Contains(t, h.log.String(), e.WireID().String(), "the log names what is in the way")
}

// sendWhileHeld sends n requests. Requests to /e fail. While something of e is
// held from before they end, another endpoint must reach a count.
func (h *house) sendWhileHeld(e domain.Endpoint, hold func() (release func()), n int, counting string, other domain.Endpoint, want int) {
	h.Helper()
	var release func()
	var once sync.Once
	h.claimPause(n, func(path string) int {
		once.Do(func() { release = hold() }) // the attempts have begun
		if strings.HasPrefix(path, "/e") {
			return http.StatusInternalServerError
		}
		return http.StatusOK
	})
	done := make(chan sending.Sent, 1)
	go func() { done <- h.send() }()
	await.True(h, "the outcomes of the other endpoint, while the lock is held", func(context.Context) error {
		if found := h.count(counting, other.ID); found != want {
			return fmt.Errorf("%d of %d", found, want)
		}
		return nil
	})
	require.Equal(h, 3, h.count(`SELECT count(*) FROM webhook_attempt WHERE endpoint_id = $1 AND outcome = 'SENDING'`, e.ID))
	release()
	require.Zero(h, await.Next(h, "the session", done).Unknown)
	require.Equal(h, 3, h.count(`SELECT count(*) FROM webhook_attempt WHERE endpoint_id = $1 AND outcome = 'FAILED'`, e.ID))
}

func TestWriter_DisablesGoneEndpointsWhateverTheirBacklogs(t *testing.T) {
	h := newHouse(t)
	u, other := h.tenant("one"), h.tenant("other")
	var gone []id.UUID
	const backlog = 1500
	for i := range 3 {
		e := u.endpoint(fmt.Sprint("/gone/", i))
		u.owe(e, 1)
		h.exec(`
			WITH made AS (INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
				SELECT overlay(gen_random_uuid()::text placing '01' from 1)::uuid, $2, 'WEBHOOK_TEST', now(), 'u', 'SYSTEM', '{}' FROM generate_series(1, $3) RETURNING id)
			INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, state, attempt_count, next_attempt_at, created_at, updated_at)
			SELECT overlay(gen_random_uuid()::text placing '01' from 1)::uuid, $2, made.id, $1, 'RETRYING', 1, now() + interval '1 hour', now(), now() FROM made`, e.ID, e.AccountID, backlog)
		gone = append(gone, e.ID)
	}
	well := other.endpoint("/well")
	other.owe(well, 2)
	h.claimPause(5, func(path string) int {
		if path == "/well" {
			return http.StatusOK
		}
		return http.StatusGone
	})
	h.send()
	require.Equal(t, len(gone), h.count(`SELECT count(*) FROM webhook_endpoint WHERE id = ANY ($1) AND status = 'DISABLED'`, gone))
	require.Equal(t, []string{"1501", "1501", "1501"}, h.strings(`
		SELECT count(*)::text FROM webhook_delivery_shown WHERE endpoint_id = ANY ($1) AND state = 'HELD' GROUP BY endpoint_id`, gone))
	require.Equal(t, len(gone), h.count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = ANY ($1) AND updated_at > created_at`, gone), "only what was attempted is written")
}
