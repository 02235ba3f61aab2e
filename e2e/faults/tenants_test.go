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
	"requisite/e2e/parts"
	"requisite/internal/id"
	"requisite/internal/testkit/await"
)

// tenants are organizations beside those of the load. Some are in trouble, all of
// them at once; one is their neighbor, whose receiver answers at once. Nothing of it
// is in the history: what the neighbor gets is checked here.
type tenants struct {
	s        *stack
	troubled []*organization
	neighbor *organization
	backlog  int
	server   *http.Server
	address  string // under which the worker knows the receivers

	mu       sync.Mutex
	status   map[string]int // that a path is answered with; 204 otherwise
	arrivals map[string]int // by path and webhook-id
}

// organization is one of them, with its account.
type organization struct {
	*tenants
	account, uuid string
	client        *requisite.Client
}

const (
	troubledTenants = 6
	troubledPath    = "/troubled"
	// answersEvery is how often the receivers of tenants in trouble answer, all at once:
	// their attempts end at the same time.
	answersEvery = 250 * time.Millisecond
)

// newTenants makes the organizations, each with an active key. The backlog is how many
// deliveries wait, and how many have failed, at each of three endpoints of those in
// trouble.
func newTenants(t testing.TB, s *stack, backlog int) *tenants {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	all := &tenants{s: s, backlog: backlog, address: listener.Addr().String(), status: map[string]int{}, arrivals: map[string]int{}}
	all.server = &http.Server{Handler: all, ReadHeaderTimeout: time.Minute}
	go func() { _ = all.server.Serve(listener) }() // ends with Close
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
	var key struct {
		ID string `json:"key_id"`
	}
	_, err = client.Call(t.Context(), "webhook.key.create", parts.Object{"account_id": account}, &key)
	require.NoError(t, err)
	_, err = client.Call(t.Context(), "webhook.key.activate", parts.Object{"account_id": account, "key_id": key.ID}, nil)
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

// call does what may be refused, or fail for the moment.
func (u *organization) call(ctx context.Context, operation string, request parts.Object) {
	_, _ = u.client.Call(ctx, operation, request, nil)
}

// endpoint makes an endpoint at a path; its id is empty when that failed.
func (u *organization) endpoint(ctx context.Context, path string, types ...string) string {
	config := parts.Object{"url": "http://" + u.address + path}
	if len(types) > 0 {
		config["event_types"] = types
	}
	var made struct {
		ID string `json:"config_id"`
	}
	_, _ = u.client.Call(ctx, "webhook.config.create", parts.Object{"account_id": u.account, "config": config}, &made)
	return made.ID
}

var notices = []string{"WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"}

// trouble makes trouble of every kind at the endpoints of several organizations,
// until it is undone; then it checks what the neighbor got meanwhile.
func (all *tenants) trouble(seed uint64) undo {
	all.s.healthy()
	ctx, stop := context.WithCancel(all.s.t.Context())
	before := all.neighbor.publish(ctx, 20) // the usual delay, before the trouble
	usual, _ := all.neighbor.delays(before)
	var stormy, loops sync.WaitGroup
	for _, u := range all.troubled {
		u.prepare(ctx)
	}
	stormy.Go(func() {
		// Everything once, and then again until the trouble is undone.
		random := rand.New(rand.NewPCG(seed, 17))
		for all.deal(append([]int{int(comeBack)}, random.Perm(int(asks))...)); ctx.Err() == nil; {
			all.deal(random.Perm(int(asks))[:1])
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

// deal has all tenants in trouble do the same at the same time, one thing after another.
func (all *tenants) deal(what []int) {
	for _, w := range what {
		for _, do := range []func(u *organization){
			func(u *organization) { u.change(all.s.t.Context(), ask(w)) },
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

// backlogSQL gives an endpoint, $1, deliveries in a state, $3, of one old event each.
const backlogSQL = `
	WITH made AS (
		INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields, test)
		SELECT gen_random_uuid(), $2, 'WEBHOOK_TEST', now() - interval '1 hour', 'u', 'SYSTEM', '{}', true FROM generate_series(1, $4) RETURNING id)
	INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, state, attempt_count, next_attempt_at, last_error, created_at, updated_at)
	SELECT gen_random_uuid(), $2, made.id, $1, $3, 1, CASE WHEN $3 = 'RETRYING' THEN now() + interval '1 hour' END, 'HTTP 500', now() - interval '1 hour', now() - interval '1 hour' FROM made`

// prepare gives a tenant an endpoint that is told of the others, one that waits for
// nothing, so that sessions send to it, and three with backlogs, which their own runs
// send.
func (u *organization) prepare(ctx context.Context) {
	u.endpoint(ctx, troubledPath+"/"+u.account+"/watching", notices...)
	u.endpoint(ctx, troubledPath+"/"+u.account+"/idle")
	for _, name := range []string{"a", "b", "c"} {
		made, err := id.Parse(id.WebhookConfig, u.endpoint(ctx, troubledPath+"/"+u.account+"/"+name))
		if err != nil {
			continue // there are others
		}
		for _, state := range []string{"RETRYING", "FAILED"} {
			_, err := u.s.Exec(ctx, backlogSQL, made, u.uuid, state, u.backlog)
			require.NoError(u.s.t, err)
		}
	}
}

// endpoints are the tenant's, without the one that watches.
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
	_, _ = u.client.Call(ctx, "webhook.config.list", parts.Object{"account_id": u.account}, &list)
	for _, c := range list.Configs {
		if !strings.HasSuffix(c.URL, "/watching") {
			found = append(found, c)
		}
	}
	return found
}

// ask is what every tenant in trouble does to its endpoints in one round, at the same
// time as the others.
type ask int

const (
	comeBack ask = iota // disable and enable: the next success is a notice
	goAway              // every receiver answers 410
	fail
	recoverNone // of very many, none fits
	flush
	replace // delete an endpoint, and make another one
	asks
)

// change does what is asked of a tenant to each of its endpoints.
func (u *organization) change(ctx context.Context, what ask) {
	for n, e := range u.endpoints(ctx) {
		_, path, _ := strings.Cut(strings.TrimPrefix(e.URL, "http://"), "/")
		u.answer("/"+path, map[ask]int{goAway: http.StatusGone, fail: http.StatusInternalServerError}[what])
		status := func(status string) {
			u.call(ctx, "webhook.config.update", parts.Object{"config_id": e.ID, "config": parts.Object{"status": status}})
		}
		status("ACTIVE")
		switch what {
		case comeBack:
			status("DISABLED")
			status("ACTIVE")
		case recoverNone:
			u.call(ctx, "webhook.delivery.recover", parts.Object{"config_id": e.ID, "since": time.Now().UTC().Add(-time.Minute).Format("2006-01-02T15:04:05.000Z")})
		case flush:
			u.call(ctx, "webhook.config.flush", parts.Object{"config_id": e.ID})
		case replace:
			if n == 0 {
				u.call(ctx, "webhook.config.delete", parts.Object{"config_id": e.ID})
				u.endpoint(ctx, fmt.Sprintf("%s/%s/%d", troubledPath, u.account, time.Now().UnixNano()))
			}
		}
	}
}

// publishEach writes events for all of a tenant's endpoints at once.
func (u *organization) publishEach(ctx context.Context) {
	var all sync.WaitGroup
	for _, e := range u.endpoints(ctx) {
		all.Go(func() {
			for range 3 {
				u.call(ctx, "webhook.config.test", parts.Object{"config_id": e.ID})
			}
		})
	}
	all.Wait()
}

// leave deletes the tenant's endpoints, with what they are owed.
func (u *organization) leave() {
	ctx := await.Context(u.s.t)
	var list struct {
		Configs []struct {
			ID string `json:"config_id"`
		} `json:"configs"`
	}
	_, err := u.client.Call(ctx, "webhook.config.list", parts.Object{"account_id": u.account}, &list)
	require.NoError(u.s.t, err)
	for _, c := range list.Configs {
		_, err := u.client.Call(ctx, "webhook.config.delete", parts.Object{"config_id": c.ID}, nil)
		require.NoError(u.s.t, err)
	}
	await.True(u.s.t, "the deliveries of a tenant that left", func(ctx context.Context) error {
		var open int
		err := u.s.Query(ctx, `SELECT count(*) FROM webhook_delivery WHERE account_id = '`+u.uuid+`' AND state IN ('PENDING', 'RETRYING', 'HELD')`, &open)
		if err == nil && open > 0 {
			err = fmt.Errorf("%d are open", open)
		}
		return err
	})
}

// publish writes events for the neighbor, and returns their ids.
func (u *organization) publish(ctx context.Context, n int) (events []string) {
	for _, e := range u.endpoints(ctx) {
		for range n {
			var made struct {
				ID string `json:"event_id"`
			}
			if _, err := u.client.Call(ctx, "webhook.config.test", parts.Object{"config_id": e.ID}, &made); err == nil {
				events = append(events, made.ID)
			}
		}
	}
	return events
}

// delays waits until events have been delivered, and returns the longest times from
// writing an event to its arrival, and from there until its outcome was on record.
// The database's clock stamps all of them: updated_at is the moment of the outcome.
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

// check compares what the neighbor was owed during the trouble with what it got.
func (all *tenants) check(events []string, usual time.Duration) {
	t := all.s.t
	arrival, outcome := all.neighbor.delays(events)
	t.Logf("the neighbor: %d events, sent after %s at most, outcomes on record after %s at most; before the trouble, sent after %s", len(events), arrival, outcome, usual)
	require.NotEmpty(t, events)
	// A stall of the writer, or attempts whose outcome is lost, take tens of seconds. On
	// a machine that is slow for everybody, the usual delay is longer, too.
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

// leaveOut removes what concerns these organizations from a history.
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
