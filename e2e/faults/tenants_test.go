//go:build deep

package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
	"requisite/internal/id"
	"requisite/internal/testkit/await"
)

// tenants are organizations beside the ones of the load. The endpoints of some fail, all at
// the same time. One is their neighbor, whose receiver answers at once. The history does
// not contain them: check compares what the neighbor gets.
type tenants struct {
	s        *stack
	troubled []*organization
	neighbor *organization
	backlog  int
	server   *http.Server
	address  string // of the receivers, for the worker

	mu       sync.Mutex
	status   map[string]int // of responses by path; 204 otherwise
	arrivals map[string]int // by path and webhook-id
}

// organization is one of the tenants, with its account.
type organization struct {
	*tenants
	account, uuid string
	client        *requisite.Client
}

const (
	troubledTenants = 6
	troubledPath    = "/troubled"
	// answersEvery is the time between two responses of the receivers of tenants in trouble.
	// They all respond at once, so that their attempts end at the same time.
	answersEvery = 250 * time.Millisecond
)

// newTenants creates the organizations, each with an active key. A tenant in trouble has three
// endpoints. Each has backlog waiting deliveries, and as many failed ones.
func newTenants(t testing.TB, s *stack, backlog int) *tenants {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	all := &tenants{s: s, backlog: backlog, address: listener.Addr().String(), status: map[string]int{}, arrivals: map[string]int{}}
	all.server = &http.Server{Handler: all, ReadHeaderTimeout: time.Minute}
	go func() { _ = all.server.Serve(listener) }() // until Close
	t.Cleanup(func() { _ = all.server.Close() })
	for i := range troubledTenants {
		all.troubled = append(all.troubled, all.newTenant(t, fmt.Sprint("troubled-", i)))
	}
	all.neighbor = all.newTenant(t, "neighbor")
	all.neighbor.endpoint(t.Context(), "/neighbor")
	return all
}

func (all *tenants) newTenant(t testing.TB, name string) *organization {
	credential, account := all.s.Credential(t, name)
	client, err := credential.Client("http://" + all.s.links["client-api"].Addr())
	require.NoError(t, err)
	parsed, err := id.Parse(id.AccountSandbox, account)
	require.NoError(t, err)
	u := &organization{tenants: all, account: account, uuid: parsed.String(), client: client}
	key, _, err := harness.CreateKey(t.Context(), client, account)
	require.NoError(t, err)
	_, err = harness.Call(t.Context(), client, "webhook.key.activate", harness.Object{"account_id": account, "key_id": key}, nil)
	require.NoError(t, err)
	return u
}

func (all *tenants) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	all.mu.Lock()
	status := all.status[r.URL.Path]
	all.arrivals[r.URL.Path+" "+r.Header.Get("webhook-id")]++
	all.mu.Unlock()
	if strings.HasPrefix(r.URL.Path, troubledPath) {
		time.Sleep(time.Until(time.Now().Truncate(answersEvery).Add(answersEvery)))
	}
	if status == 0 {
		status = http.StatusNoContent
	}
	w.WriteHeader(status)
}

func (all *tenants) answer(path string, status int) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.status[path] = status
}

// call calls an operation, and ignores refusals and failures.
func (u *organization) call(ctx context.Context, operation string, request harness.Object) {
	_, _ = u.client.Call(ctx, operation, request, nil)
}

// endpoint creates an endpoint at a path, and returns its id, or an empty text if that
// failed.
func (u *organization) endpoint(ctx context.Context, path string, types ...string) string {
	config := harness.Object{"url": "http://" + u.address + path}
	if len(types) > 0 {
		config["event_types"] = types
	}
	var made struct {
		ID string `json:"config_id"`
	}
	_, _ = u.client.Call(ctx, "webhook.config.create", harness.Object{"account_id": u.account, "config": config}, &made)
	return made.ID
}

var notices = []string{"WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"}

// trouble makes the endpoints of several organizations fail in every way. undo ends that,
// and checks what the neighbor got meanwhile.
func (all *tenants) trouble(seed uint64) undo {
	all.s.healthy()
	ctx, stop := context.WithCancel(all.s.t.Context())
	before := all.neighbor.publish(ctx, 20) // measures the usual delay
	usual, _ := all.neighbor.delays(before)
	var stormy, loops sync.WaitGroup
	for _, u := range all.troubled {
		u.prepare(ctx)
	}
	stormy.Go(func() {
		// Each kind once, and then at random until undo.
		random := rand.New(rand.NewPCG(seed, 17))
		for all.deal(append([]int{int(comeBack)}, random.Perm(int(disturbances))...)); ctx.Err() == nil; {
			all.deal(random.Perm(int(disturbances))[:1])
		}
	})
	var published []string
	done := make(chan struct{})
	go func() { stormy.Wait(); close(done) }()
	loops.Go(func() {
		for ongoing(done) {
			published = append(published, all.neighbor.publish(all.s.t.Context(), 1)...)
			pause(all.s.t.Context(), 50*time.Millisecond)
		}
	})
	return func() {
		stop()
		loops.Wait()
		all.check(published, usual)
		for _, u := range all.troubled {
			u.leave()
		}
	}
}

func ongoing(done <-chan struct{}) bool {
	select {
	case <-done:
		return false
	default:
		return true
	}
}

// deal makes all tenants in trouble do the same things at the same time, one after another.
func (all *tenants) deal(what []int) {
	for _, w := range what {
		for _, do := range []func(u *organization){
			func(u *organization) { u.change(all.s.t.Context(), disturbance(w)) },
			func(u *organization) { u.publishEach(all.s.t.Context()) },
		} {
			var round sync.WaitGroup
			for _, u := range all.troubled {
				round.Go(func() { do(u) })
			}
			round.Wait()
		}
	}
}

// backlogSQL creates deliveries of old events in state $3 at endpoint $1.
const backlogSQL = `
	WITH made AS (
		INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields, test)
		SELECT overlay(gen_random_uuid()::text placing '01' from 1)::uuid, $2, 'WEBHOOK_TEST', now() - interval '1 hour', 'u', 'SYSTEM', '{}', true FROM generate_series(1, $4) RETURNING id)
	INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, state, attempt_count, next_attempt_at, last_error, created_at, updated_at)
	SELECT overlay(gen_random_uuid()::text placing '01' from 1)::uuid, $2, made.id, $1, $3, 1, CASE WHEN $3 = 'RETRYING' THEN now() + interval '1 hour' END, 'HTTP 500', now() - interval '1 hour', now() - interval '1 hour' FROM made`

// prepare creates the endpoints of a tenant: one that gets the notices about the others,
// one without a backlog, to which sessions send, and three with backlogs, to which their own
// runs send.
func (u *organization) prepare(ctx context.Context) {
	u.endpoint(ctx, troubledPath+"/"+u.account+"/watching", notices...)
	u.endpoint(ctx, troubledPath+"/"+u.account+"/idle")
	for _, name := range []string{"a", "b", "c"} {
		made, err := id.Parse(id.WebhookConfig, u.endpoint(ctx, troubledPath+"/"+u.account+"/"+name))
		if err != nil {
			continue // use the others
		}
		for _, state := range []string{"RETRYING", "FAILED"} {
			_, err := u.s.Exec(ctx, backlogSQL, made, u.uuid, state, u.backlog)
			require.NoError(u.s.t, err)
		}
	}
}

// endpoints returns the tenant's endpoints, without the one that gets notices.
func (u *organization) endpoints(ctx context.Context) (found []struct {
	ID  string `json:"config_id"`
	URL string `json:"url"`
}) {
	var list struct {
		Configs []struct {
			ID  string `json:"config_id"`
			URL string `json:"url"`
		} `json:"configs"`
	}
	_, _ = u.client.Call(ctx, "webhook.config.list", harness.Object{"account_id": u.account}, &list)
	for _, c := range list.Configs {
		if !strings.HasSuffix(c.URL, "/watching") {
			found = append(found, c)
		}
	}
	return found
}

// disturbance is what all tenants in trouble do to their endpoints in one round.
type disturbance int

const (
	comeBack disturbance = iota // disable and enable: the next success sends a notice
	goAway                      // every receiver answers 410
	fail
	recoverNone // recover deliveries, when none matches
	flush
	replace // delete an endpoint, and create another one
	disturbances
)

// change does the same to each endpoint of a tenant.
func (u *organization) change(ctx context.Context, what disturbance) {
	for n, e := range u.endpoints(ctx) {
		_, path, _ := strings.Cut(strings.TrimPrefix(e.URL, "http://"), "/")
		u.answer("/"+path, map[disturbance]int{goAway: http.StatusGone, fail: http.StatusInternalServerError}[what])
		status := func(status string) {
			u.call(ctx, "webhook.config.update", harness.Object{"config_id": e.ID, "config": harness.Object{"status": status}})
		}
		status("ACTIVE")
		switch what {
		case comeBack:
			status("DISABLED")
			status("ACTIVE")
		case recoverNone:
			u.call(ctx, "webhook.delivery.recover", harness.Object{"config_id": e.ID, "since": time.Now().UTC().Add(-time.Minute).Format("2006-01-02T15:04:05.000Z")})
		case flush:
			u.call(ctx, "webhook.config.flush", harness.Object{"config_id": e.ID})
		case replace:
			if n == 0 {
				u.call(ctx, "webhook.config.delete", harness.Object{"config_id": e.ID})
				u.endpoint(ctx, fmt.Sprintf("%s/%s/%d", troubledPath, u.account, time.Now().UnixNano()))
			}
		}
	}
}

// publishEach creates events for all endpoints of a tenant at once.
func (u *organization) publishEach(ctx context.Context) {
	var all sync.WaitGroup
	for _, e := range u.endpoints(ctx) {
		all.Go(func() {
			for range 3 {
				u.call(ctx, "webhook.config.test", harness.Object{"config_id": e.ID})
			}
		})
	}
	all.Wait()
}

// leave deletes the tenant's endpoints with their deliveries.
func (u *organization) leave() {
	ctx := await.Context(u.s.t)
	var list struct {
		Configs []struct {
			ID string `json:"config_id"`
		} `json:"configs"`
	}
	_, err := harness.Call(ctx, u.client, "webhook.config.list", harness.Object{"account_id": u.account}, &list)
	require.NoError(u.s.t, err)
	for _, c := range list.Configs {
		_, err := harness.Call(ctx, u.client, "webhook.config.delete", harness.Object{"config_id": c.ID}, nil)
		require.NoError(u.s.t, err)
	}
	await.True(u.s.t, "the deliveries of a tenant that left", func(ctx context.Context) error {
		var open int
		err := u.s.Query(ctx, `SELECT count(*) FROM webhook_delivery_shown WHERE account_id = '`+u.uuid+`' AND state IN ('PENDING', 'RETRYING', 'HELD')`, &open)
		if err == nil && open > 0 {
			err = fmt.Errorf("%d are open", open)
		}
		return err
	})
}

// publish creates events for the neighbor, and returns their ids.
func (u *organization) publish(ctx context.Context, n int) (events []string) {
	for _, e := range u.endpoints(ctx) {
		for range n {
			var made struct {
				ID string `json:"event_id"`
			}
			if _, err := harness.Call(ctx, u.client, "webhook.config.test", harness.Object{"config_id": e.ID}, &made); err == nil {
				events = append(events, made.ID)
			}
		}
	}
	return events
}

// delays waits until events are delivered. It returns the longest time from the event to
// its arrival, and from the arrival to the recorded outcome. All times are by the clock of
// the database; updated_at is the time of the outcome.
func (u *organization) delays(events []string) (arrival, outcome time.Duration) {
	wanted := map[string]bool{}
	for _, e := range events {
		wanted[e] = true
	}
	await.True(u.s.t, "the neighbor's deliveries", func(ctx context.Context) error {
		conn, err := pgx.Connect(ctx, u.s.DatabaseURL)
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		rows, err := conn.Query(ctx, `
			SELECT d.event_id, d.state, a.started_at - d.created_at, d.updated_at - a.started_at - make_interval(secs => coalesce(a.duration_ms, 0) / 1000.0)
			FROM webhook_delivery d JOIN LATERAL (SELECT * FROM webhook_attempt a WHERE a.delivery_id = d.id ORDER BY a.number DESC LIMIT 1) a ON true
			WHERE d.account_id = $1`, u.uuid)
		if err != nil {
			return err
		}
		done := 0
		arrival, outcome = 0, 0
		var event [16]byte
		var state string
		var began, written time.Duration
		_, err = pgx.ForEachRow(rows, []any{&event, &state, &began, &written}, func() error {
			if wanted[id.Format(id.WebhookEvent, event)] && state == "DELIVERED" {
				done++
				arrival, outcome = max(arrival, began), max(outcome, written)
			}
			return nil
		})
		if err == nil && done < len(events) {
			err = fmt.Errorf("%d of %d have arrived", done, len(events))
		}
		return err
	})
	return arrival, outcome
}

// check compares the neighbor's events during the trouble with what it got.
func (all *tenants) check(events []string, usual time.Duration) {
	t := all.s.t
	arrival, outcome := all.neighbor.delays(events)
	t.Logf("the neighbor: %d events, sent after %s at most, outcomes on record after %s at most; before the trouble, sent after %s", len(events), arrival, outcome, usual)
	require.NotEmpty(t, events)
	// A stalled writer or lost outcomes would take tens of seconds. On a slow machine the
	// usual delay is longer too.
	most := max(10*time.Second, 50*usual)
	var wrong []string
	if arrival > most || outcome > most {
		wrong = append(wrong, fmt.Sprintf("its deliveries took up to %s to be sent and %s to be on record", arrival, outcome))
	}
	var again int
	require.NoError(t, all.s.Query(t.Context(), `SELECT count(*) FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id
		WHERE d.account_id = '`+all.neighbor.uuid+`' AND (a.number > 1 OR a.outcome <> 'SUCCEEDED')`, &again))
	if again > 0 {
		wrong = append(wrong, fmt.Sprintf("%d of its attempts were repeated or have no outcome", again))
	}
	all.mu.Lock()
	for key, times := range all.arrivals {
		if strings.HasPrefix(key, "/neighbor ") && times > 1 {
			wrong = append(wrong, fmt.Sprintf("%s arrived %d times", key, times))
		}
	}
	all.mu.Unlock()
	for _, list := range rows(all.s, t.Context(), `
		SELECT v.account_id::text, v.fields::text FROM webhook_event v WHERE v.event_type = ANY (ARRAY['`+strings.Join(notices, `','`)+`'])`, func(r struct{ Account, Fields string }) string {
		var fields struct {
			ConfigID string `json:"config_id"`
		}
		if err := json.Unmarshal([]byte(r.Fields), &fields); err != nil {
			return err.Error()
		}
		return r.Account + " " + fields.ConfigID
	}) {
		account, config, _ := strings.Cut(list, " ")
		endpoint, err := id.Parse(id.WebhookConfig, config)
		require.NoError(t, err)
		var owner string
		require.NoError(t, all.s.Query(t.Context(), `SELECT account_id::text FROM webhook_endpoint WHERE id = '`+endpoint.String()+`'`, &owner))
		if owner != account {
			wrong = append(wrong, fmt.Sprintf("account %s was told of %s, which is another one's", account, config))
		}
	}
	slices.Sort(wrong)
	for _, w := range slices.Compact(wrong) {
		t.Errorf("%s: %s", Neighbors, w)
	}
}

// leaveOut removes these organizations from a history.
func (all *tenants) leaveOut(h *History) {
	ours := map[string]bool{all.neighbor.account: true}
	for _, u := range all.troubled {
		ours[u.account] = true
	}
	events, deliveries := map[string]bool{}, map[string]bool{}
	h.Keys = slices.DeleteFunc(h.Keys, func(k Key) bool { return ours[k.Account] })
	h.Events = slices.DeleteFunc(h.Events, func(e Event) bool {
		if ours[e.Account] {
			events[e.ID] = true
		}
		return ours[e.Account]
	})
	h.Deliveries = slices.DeleteFunc(h.Deliveries, func(d Delivery) bool {
		if events[d.EventID] {
			deliveries[d.ID] = true
		}
		return events[d.EventID]
	})
	h.Attempts = slices.DeleteFunc(h.Attempts, func(a Attempt) bool { return deliveries[a.DeliveryID] })
}
