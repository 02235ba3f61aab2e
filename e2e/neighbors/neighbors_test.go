//go:build deep

package neighbors_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
)

// mostMemory is the memory limit of each program in docker-compose.yml.
const mostMemory = 1 << 30

// tenant is an organization with one account.
type tenant struct {
	*requisite.Client
	accountID string
}

func (n tenant) call(ctx context.Context, operation string, in, out any) error {
	_, err := n.Call(ctx, operation, in, out)
	return err
}

// workflow creates a workflow for a business with a number of persons.
func (n tenant) workflow(t *testing.T, persons int) string {
	ctx := t.Context()
	var business struct {
		ID string `json:"business_id"`
	}
	require.NoError(t, n.call(ctx, "business.create", harness.Object{"account_id": n.accountID, "business": harness.Object{"legal_name": "Ltd", "established_date": "2001-01-01"}}, &business))
	for i := range persons {
		require.NoError(t, n.call(ctx, "person.create", harness.Object{"business_id": business.ID, "person": harness.Object{
			"first_name": "A", "last_name": fmt.Sprint("B", i), "citizenship": "US", "ownership_percentage": 0.5}}, nil))
	}
	var w struct {
		ID string `json:"workflow_id"`
	}
	require.NoError(t, n.call(ctx, "workflow.create", harness.Object{"account_id": n.accountID, "workflow": harness.Object{"business_id": business.ID}}, &w))
	return w.ID
}

func (n tenant) endpoint(t *testing.T, h http.HandlerFunc) (configID string) {
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		server.CloseClientConnections() // ends attempts that hang
		server.Close()
	})
	var config struct {
		ID string `json:"config_id"`
	}
	require.NoError(t, n.call(t.Context(), "webhook.config.create", harness.Object{"account_id": n.accountID, "config": harness.Object{"url": server.URL}}, &config))
	return config.ID
}

func (n tenant) activateKey(t *testing.T) {
	var key struct {
		ID     string `json:"key_id"`
		Secret string `json:"shared_secret"`
	}
	require.NoError(t, n.call(t.Context(), "webhook.key.create", harness.Object{"account_id": n.accountID}, &key))
	_, err := base64.StdEncoding.DecodeString(key.Secret)
	require.NoError(t, err)
	require.NoError(t, n.call(t.Context(), "webhook.key.activate", harness.Object{"account_id": n.accountID, "key_id": key.ID}, nil))
}

func rules(n int, entityType, when string, lists map[string][]string) harness.Object {
	var documents []harness.Object
	for i := range n {
		documents = append(documents, harness.Object{"document_type_code": fmt.Sprint("D", i), "name": "n", "category": "c", "requirement_text": "t",
			"entity_type": entityType, "when": strings.ReplaceAll(when, "%d", fmt.Sprint(i))})
	}
	set := harness.Object{"documents": documents}
	if lists != nil {
		set["lists"] = lists
	}
	return set
}

func lists() map[string][]string {
	made := map[string][]string{}
	for i := range 48 {
		for j := range 1000 {
			made[fmt.Sprint("l", i)] = append(made[fmt.Sprint("l", i)], fmt.Sprintf("t%d_%d", i, j))
		}
	}
	return made
}

const pairs = `persons.all(p, persons.all(q, p.ownership_percentage == q.ownership_percentage))`

// neighbor is the input of the neighbor's process.
type neighbor struct {
	harness.Credential
	BaseURL, AccountID, WorkflowID, ConfigID string
	Attacks                                  string
}

const neighborEnv = "TEST_NEIGHBOR"

// did is the output of the neighbor's process: the number of responses by operation and
// result, and the processor time of the process.
type did struct {
	Answers map[string]int64
	CPU     time.Duration
}

// start starts the neighbor in its own process. It returns when the neighbor has got its
// first responses.
func (n neighbor) start(t *testing.T) (stop func() did) {
	input, err := json.Marshal(n)
	require.NoError(t, err)
	self, err := os.Executable()
	require.NoError(t, err)
	c := exec.CommandContext(t.Context(), self)
	c.Env = append(os.Environ(), neighborEnv+"="+string(input))
	c.Stderr = os.Stderr
	stdin, err := c.StdinPipe()
	require.NoError(t, err)
	stdout, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	output := json.NewDecoder(stdout)
	require.NoError(t, output.Decode(&did{}))
	return func() (d did) {
		require.NoError(t, stdin.Close())
		require.NoError(t, output.Decode(&d))
		_, _ = io.Copy(io.Discard, stdout)
		require.NoError(t, c.Wait())
		d.CPU = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		return d
	}
}

// TestMain is also the entry of the process that start starts.
func TestMain(m *testing.M) {
	input, is := os.LookupEnv(neighborEnv)
	if !is {
		harness.Run(m, "GOMEMLIMIT=512MiB", "GOGC=400", "REQUISITE_RATE_LIMIT=100")
	}
	if err := beNeighbor(input); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func beNeighbor(input string) error {
	var n neighbor
	if err := json.Unmarshal([]byte(input), &n); err != nil {
		return err
	}
	client, err := n.Client(n.BaseURL)
	if err != nil {
		return err
	}
	// The neighbor has its own address, as tenants do.
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}).DialContext
	transport.MaxIdleConnsPerHost = 1000
	client.HTTP.Transport = transport
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	return json.NewEncoder(os.Stdout).Encode(did{Answers: n.worst(ctx, client)})
}

// spin is a control instead of an attack. It keeps one processor busy without requests, and
// so shows the effect of the machine.
const spin = "spin"

// compute keeps a processor busy.
func compute(ctx context.Context) {
	for ctx.Err() == nil {
	}
}

// fullAfter is the number of responses after which the neighbor's load counts as full.
const fullAfter = 20

// worst repeats every operation with which a tenant can load the service. The service may
// refuse it.
func (n neighbor) worst(ctx context.Context, client *requisite.Client) map[string]int64 {
	responses, inFull := 0, func() { _ = json.NewEncoder(os.Stdout).Encode(did{}) }
	var group sync.WaitGroup
	if n.Attacks == spin {
		inFull()
		compute(ctx)
		return nil
	}
	if n.stranger(ctx, client, inFull) {
		return nil
	}
	body := func(o harness.Object) json.RawMessage {
		made, err := json.Marshal(o)
		if err != nil {
			panic(err)
		}
		return made
	}
	checked := func(set harness.Object) func() json.RawMessage {
		same := body(harness.Object{"account_id": n.AccountID, "rules": set})
		return func() json.RawMessage { return same }
	}
	same := func(o harness.Object) func() json.RawMessage {
		same := body(o)
		return func() json.RawMessage { return same }
	}
	version := atomic.Int64{}
	var mu sync.Mutex
	answers := map[string]int64{}
	for _, attack := range []struct {
		operation string
		atOnce    int
		request   func() json.RawMessage
	}{
		{"account.documentRules.validate", 8, checked(rules(48, "Person", "person.citizenship in lists.l%d", lists()))},
		{"account.documentRules.validate", 4, checked(rules(15, "Business", pairs, nil))},
		{"account.documentRules.validate", 4, checked(rules(60, "Business", "evaluation_score > "+strings.Repeat("1+", 2000)+"1", nil))},
		{"account.documentRules.publish", 4, func() json.RawMessage {
			set := rules(5, "Business", pairs, nil)
			set["lists"] = map[string][]string{"made": {fmt.Sprint("version", version.Add(1))}}
			return body(harness.Object{"account_id": n.AccountID, "rules": set})
		}},
		{"account.documentRules.preview", 20, same(harness.Object{"workflow_id": n.WorkflowID})},
		{"workflow.requiredDocument.calculate", 120, same(harness.Object{"workflow_id": n.WorkflowID})},
		{"webhook.config.test", 20, same(harness.Object{"config_id": n.ConfigID})},
		{"business.create", 20, same(harness.Object{"account_id": n.AccountID, "business": harness.Object{"legal_name": strings.Repeat("L", 200)}})},
	} {
		if !strings.Contains(attack.operation, n.Attacks) {
			continue
		}
		for range attack.atOnce {
			group.Go(func() {
				for ctx.Err() == nil {
					_, err := client.Call(ctx, attack.operation, attack.request(), nil)
					var refused requisite.Error
					kind := "SUCCESS"
					if errors.As(err, &refused) {
						kind = refused.Code + " " + refused.SubCode
					} else if err != nil {
						kind = "no answer"
					}
					mu.Lock()
					answers[attack.operation+" "+kind]++
					if responses++; responses == fullAfter {
						inFull()
					}
					mu.Unlock()
					if kind == "no answer" || refused.Code == "TOO_MANY_REQUESTS" {
						select { // sooner requests would be refused too
						case <-ctx.Done():
						case <-time.After(50 * time.Millisecond):
						}
					}
				}
			})
		}
	}
	group.Wait()
	return answers
}

// figures are the measurements of the quiet tenant.
type figures struct{ calculations, webhooks, connections []time.Duration }

// percentile returns the value below which a percentage of list is.
func percentile(percent int, list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)*percent/100]
}

type watcher struct {
	tenant
	workflowID, configID string
	arrived              chan string
	pace                 *rate.Limiter // of rounds of two requests: its own rate is not what refuses it
}

// newWatcher prepares the tenant that has no part in any trouble.
func newWatcher(t *testing.T, s *harness.Stack) *watcher {
	w := &watcher{tenant: tenant{s.Client, s.AccountID}, arrived: make(chan string, 10_000), pace: rate.NewLimiter(40, 1)}
	w.activateKey(t)
	require.NoError(t, w.call(t.Context(), "account.documentRules.publish", harness.Object{"account_id": w.accountID, "rules": rules(5, "Business", "business_age_years >= 5", nil)}, nil))
	w.workflowID = w.workflow(t, 2)
	w.configID = w.endpoint(t, func(answer http.ResponseWriter, r *http.Request) {
		var envelope struct {
			ID string `json:"id"`
		}
		if json.NewDecoder(r.Body).Decode(&envelope) == nil {
			w.arrived <- envelope.ID
		}
		answer.WriteHeader(http.StatusNoContent)
	})
	return w
}

// answered repeats a request until the service has room for it, as clients do. So on a busy machine
// the tenant only waits longer.
func (w *watcher) answered(ctx context.Context, operation string, in, out any) error {
	for {
		err := w.call(ctx, operation, in, out)
		var refused requisite.Error
		if !errors.As(err, &refused) || refused.Code != "UNAVAILABLE" {
			return err
		}
	}
}

func (w *watcher) measure(t *testing.T) (f figures) {
	ctx := await.Context(t)
	timed := func(what string, do func(context.Context) error) time.Duration {
		begun := time.Now()
		require.NoError(t, do(ctx), what)
		return time.Since(begun)
	}
	for range *rounds {
		require.NoError(t, w.pace.Wait(ctx))
		f.calculations = append(f.calculations, timed("a calculation", func(ctx context.Context) error {
			return w.answered(ctx, "workflow.requiredDocument.calculate", harness.Object{"workflow_id": w.workflowID}, nil)
		}))
		f.webhooks = append(f.webhooks, timed("a webhook", func(ctx context.Context) error {
			var made struct {
				ID string `json:"event_id"`
			}
			if err := w.answered(ctx, "webhook.config.test", harness.Object{"config_id": w.configID}, &made); err != nil {
				return err
			}
			for {
				select {
				case <-ctx.Done():
					return fmt.Errorf("%s did not arrive: %w", made.ID, ctx.Err())
				case id := <-w.arrived:
					if id == made.ID {
						return nil
					}
				}
			}
		}))
		f.connections = append(f.connections, timed("/healthz on a new connection", func(ctx context.Context) error {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.BaseURL+"/healthz", nil)
			if err != nil {
				return err
			}
			r.Close = true
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				return err
			}
			if response.StatusCode != http.StatusOK {
				err = fmt.Errorf("it says %s", response.Status)
			}
			return errors.Join(err, response.Body.Close())
		}))
	}
	return f
}

// rounds is how often each figure is measured. With the default of 40, p95 is the third
// slowest value, which a busy disk may determine.
var rounds = flag.Int("rounds", 40, "how often each figure is measured")

// attacks selects the operations of the neighbor.
var attacks = flag.String("attacks", "", "only the neighbor's operations whose names contain this; several, separated by commas, run one after the other; 'unknown keys' and 'idle connections' need no credential; spin is a control, which only keeps a processor busy")

// TestNoisyNeighbor_OtherTenantIsAnswered runs the programs with the limits of
// docker-compose.yml. It prints how many times longer the other tenant waits beside the
// neighbor.
func TestNoisyNeighbor_OtherTenantIsAnswered(t *testing.T) {
	s := harness.Shared(t)
	w := newWatcher(t, s)
	hogCredential, hogAccount := s.Credential(t, "hog")
	hogClient, err := hogCredential.Client(s.Client.BaseURL)
	require.NoError(t, err)
	hog := tenant{hogClient, hogAccount}

	hog.activateKey(t)
	require.NoError(t, hog.call(t.Context(), "account.documentRules.publish", harness.Object{"account_id": hog.accountID, "rules": rules(5, "Business", pairs, nil)}, nil))
	large := hog.workflow(t, 200)
	hanging := hog.endpoint(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a server notices that its caller is gone only after it has read the body
		<-r.Context().Done()
	})

	w.measure(t) // fills the caches
	before := w.measure(t)
	hogged := neighbor{Credential: hogCredential, BaseURL: s.Client.BaseURL, AccountID: hog.accountID, WorkflowID: large, ConfigID: hanging}
	for attack := range strings.SplitSeq(*attacks, ",") {
		hogged.Attacks = attack
		hogged.attack(t, s, w, before)
	}
}

// attack compares the measurements of the quiet tenant alone and beside the neighbor.
func (n neighbor) attack(t *testing.T, s *harness.Stack, w *watcher, before figures) {
	stop := n.start(t)
	begun, programs := time.Now(), map[string]*harness.Program{"api": s.API, "worker": s.Worker, "temporal": s.Devstack}
	taken := map[string]time.Duration{}
	for name, p := range programs {
		taken[name] = p.CPU(t)
	}
	during := w.measure(t)
	lasted := time.Since(begun)
	t.Logf("attacks %q", n.Attacks)
	for name, p := range programs {
		t.Logf("%-9s %3.0f %% of a processor", name, 100*(p.CPU(t)-taken[name]).Seconds()/lasted.Seconds())
	}
	for name, p := range map[string]*harness.Program{"api": s.API, "worker": s.Worker} { // while the neighbor still runs
		own := p.PeakMemory(t)
		t.Logf("%s: at most %d MiB of memory", name, own>>20)
		require.Less(t, own, int64(mostMemory), name)
	}
	neighbor := stop()
	t.Logf("the neighbor's own process took %s in %s", neighbor.CPU, lasted)
	compare(t, before, during)
	for _, kind := range slices.Sorted(maps.Keys(neighbor.Answers)) {
		t.Logf("the neighbor: %6d %s", neighbor.Answers[kind], kind)
	}
}

// compare prints how many times longer the other tenant waits.
func compare(t *testing.T, before, during figures) {
	t.Helper()
	for _, of := range []struct {
		what         string
		alone, noisy []time.Duration
	}{{"calculations", before.calculations, during.calculations}, {"webhooks", before.webhooks, during.webhooks}, {"a new connection", before.connections, during.connections}} {
		for _, percent := range []int{50, 95} {
			alone, noisy := percentile(percent, of.alone), percentile(percent, of.noisy)
			t.Logf("%-16s p%d %8s alone, %8s beside the neighbor: %.1f times", of.what, percent, alone.Round(time.Millisecond/10), noisy.Round(time.Millisecond/10), float64(noisy)/float64(alone))
		}
	}
}
