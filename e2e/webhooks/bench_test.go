package webhooks_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
)

// BenchmarkIsolation measures the time from an event's commit to its arrival at a healthy
// endpoint: alone, and while 640 webhooks wait for a slow endpoint, which answers after four
// seconds, and for one that never answers. The ratio of both times counts. One caller sends
// one event after the other; sixteen callers send a burst of 200.
//
//	go test -run NONE -bench Isolation -benchtime 1x ./e2e/webhooks
func BenchmarkIsolation(b *testing.B) {
	for name, callers := range map[string]int{"one_caller": 1, "burst_of_sixteen": 16} {
		b.Run(name, func(b *testing.B) { isolation(b, callers) })
	}
}

func isolation(b *testing.B, callers int) {
	s := newStack(b)
	healthy := s.sink(nil, "WEBHOOK_TEST")
	var alone, beside []time.Duration
	const events, hanging = 200, 320
	sent := 0
	measure := func() []time.Duration {
		before := len(healthy.seen())
		healthy.testBy(events, callers)
		sent += events
		return latencies(b, healthy.await("the healthy endpoint's webhooks", distinct(sent))[before:])
	}
	measure() // fills the caches of connections and plans
	b.ResetTimer()
	for range b.N {
		alone = append(alone, measure()...)
		hang := make(chan struct{})
		slow := s.sink(func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(4 * time.Second):
			case <-hang:
			case <-r.Context().Done():
			}
		}, "WEBHOOK_TEST")
		never := s.sink(func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-hang:
			case <-r.Context().Done():
			}
		}, "WEBHOOK_TEST")
		slow.test(hanging)
		never.test(hanging)
		beside = append(beside, measure()...)
		close(hang)
		for _, k := range []*sink{slow, never} {
			s.Must(s.t, "webhook.config.delete", harness.Object{"config_id": k.ConfigID}, nil)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(percentile(alone, 50), "ms-alone-p50")
	b.ReportMetric(percentile(alone, 95), "ms-alone-p95")
	b.ReportMetric(percentile(beside, 50), "ms-beside-p50")
	b.ReportMetric(percentile(beside, 95), "ms-beside-p95")
	b.ReportMetric(percentile(beside, 95)/percentile(alone, 95), "ratio-p95")
}

// The backlog and the traffic that BenchmarkThroughput measures.
const (
	backlog   = 10_000
	published = 4_000
	// floorRuns is the number of workflows that do nothing in each measurement.
	floorRuns = 640
)

const callers, floorCallers = 16, 32

// BenchmarkThroughput measures the deliveries per second of a backlog of 10,000, to ten
// endpoints and to one. It also measures events that sixteen callers publish over signed
// HTTP: 4,000 tests of one endpoint, and changes of documents of sixteen applications, which
// go to three endpoints. The receivers verify and decrypt everything. Each figure is divided
// by the rate of workflows that do nothing, right before and after, so that results of
// different machines can be compared.
//
//	go test -run NONE -bench Throughput -benchtime 1x ./e2e/webhooks
func BenchmarkThroughput(b *testing.B) {
	s := newStack(b)
	nothing := s.Floor(b)
	floor := func() float64 { return noOps(nothing) }
	floor()
	s.drain(b, 10, backlog/10) // fills the caches of connections and plans
	for _, measure := range []struct {
		name string
		rate func() float64
	}{
		{"drain_to_ten", func() float64 { return s.drain(b, 10, backlog) }},
		{"drain_to_one", func() float64 { return s.drain(b, 1, backlog) }},
		{"published", func() float64 { return s.publish(b, published) }},
		{"updated", func() float64 { return s.update(b, published/3) }},
	} {
		b.Run(measure.name, func(b *testing.B) {
			var ours, bare []float64
			sent, runs := s.sent(b), s.sessions(b)
			for range b.N {
				before := floor()
				ours = append(ours, measure.rate())
				bare = append(bare, (before+floor())/2)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(middle(ours), "webhooks/s")
			b.ReportMetric(middle(bare), "no-ops/s")
			b.ReportMetric(middle(ours)/middle(bare), "ratio")
			b.ReportMetric(float64(s.sessions(b)-runs)/float64(s.sent(b)-sent)*10_000, "runs-per-10000")
		})
	}
}

// noOps returns how many workflows that do nothing run per second.
func noOps(nothing func()) float64 {
	started := time.Now()
	var all sync.WaitGroup
	for range floorCallers {
		all.Go(func() {
			for range floorRuns / floorCallers {
				nothing()
			}
		})
	}
	all.Wait()
	return float64(floorRuns) / time.Since(started).Seconds()
}

func middle(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// sent counts the webhooks that were delivered, and sessions the runs that sent them.
func (s *stack) sent(b *testing.B) (n int) {
	require.NoError(b, s.Query(b.Context(), `SELECT count(*) FROM webhook_delivery WHERE state = 'DELIVERED' AND account_id = $1`, &n, s.AccountKey()))
	return n
}

func (s *stack) sessions(b *testing.B) (n int) {
	require.NoError(b, s.Query(b.Context(), `SELECT count(DISTINCT run_id) FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id WHERE d.account_id = $1`, &n, s.AccountKey()))
	return n
}

// drain creates a backlog for disabled endpoints, enables them, and returns the deliveries
// per second.
func (s *stack) drain(b *testing.B, endpoints, backlog int) float64 {
	b.Helper()
	sinks := s.tallies(b, endpoints, "WEBHOOK_TEST")
	for _, k := range sinks {
		s.Must(s.t, "webhook.config.update", harness.Object{"config_id": k.ConfigID, "config": harness.Object{"status": "DISABLED"}}, nil)
		k.test(backlog / endpoints)
	}
	started := time.Now()
	for _, k := range sinks {
		s.Must(s.t, "webhook.config.update", harness.Object{"config_id": k.ConfigID, "config": harness.Object{"status": "ACTIVE"}}, nil)
	}
	for _, k := range sinks {
		k.await(b, backlog/endpoints)
	}
	rate := float64(backlog) / time.Since(started).Seconds()
	s.forget(b, sinks)
	return rate
}

// publish sends events, and returns the arrivals per second, from the first call to the last
// arrival.
func (s *stack) publish(b *testing.B, events int) float64 {
	b.Helper()
	sinks := s.tallies(b, 1, "WEBHOOK_TEST")
	started := time.Now()
	sinks[0].testBy(events, callers)
	sinks[0].await(b, events)
	rate := float64(events) / time.Since(started).Seconds()
	s.forget(b, sinks)
	return rate
}

// update changes the documents of sixteen applications, and returns the webhooks per second
// that arrive at three endpoints.
func (s *stack) update(b *testing.B, events int) float64 {
	b.Helper()
	var documents []string
	for range callers {
		w := s.Application(b)
		s.Must(b, "workflow.requiredDocument.calculate", w, nil)
		var d struct {
			ID string `json:"required_document_id"`
		}
		require.NoError(b, json.Unmarshal(s.Documents(b, w)[0], &d))
		documents = append(documents, d.ID)
	}
	sinks := s.tallies(b, 3, "REQUIRED_DOCUMENT_UPDATED")
	started := time.Now()
	var all errgroup.Group
	for _, d := range documents {
		all.Go(func() error {
			for i := range events / callers {
				status := []string{"NEEDS_REVIEW", "COMPLETED", "PENDING"}[i%3]
				in := harness.Object{"required_document_id": d, "required_document": harness.Object{"status": status}}
				if _, err := s.Client.Call(b.Context(), "workflow.requiredDocument.update", in, nil); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(b, all.Wait())
	sent := events / callers * callers
	for _, k := range sinks {
		k.await(b, sent)
	}
	rate := float64(sent*len(sinks)) / time.Since(started).Seconds()
	s.forget(b, sinks)
	return rate
}

// tally is a sink that verifies, decrypts and counts webhooks. It stores nothing else, so
// that ten thousand arrivals cost little.
type tally struct {
	*sink
	all   map[string]bool // by event
	wrong error
	want  int
	have  chan struct{} // closed when all has want events, or one is wrong; nil if nobody waits
}

func (k *tally) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var a arrival
	if err == nil {
		a, err = k.s.open(body, r.Header)
	}
	w.WriteHeader(http.StatusNoContent)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.wrong = errors.Join(k.wrong, err)
	k.all[a.ID] = true
	k.tell()
}

// tell ends a wait whose end has come. The caller holds mu.
func (k *tally) tell() {
	if k.have != nil && (k.wrong != nil || len(k.all) >= k.want) {
		close(k.have)
		k.have = nil
	}
}

// await returns at once when n events have arrived, because it measures.
func (k *tally) await(b *testing.B, n int) {
	b.Helper()
	have := make(chan struct{})
	k.mu.Lock()
	k.want, k.have = n, have
	k.tell()
	k.mu.Unlock()
	await.Closed(b, "every event", have, k.s.Running()...)
	k.mu.Lock()
	defer k.mu.Unlock()
	require.NoError(b, k.wrong)
}

func (s *stack) tallies(b *testing.B, n int, types ...string) (list []*tally) {
	b.Helper()
	for range n {
		k := &tally{sink: s.sink(nil, types...), all: map[string]bool{}}
		k.Config.Handler = k
		list = append(list, k)
	}
	return list
}

func (s *stack) forget(b *testing.B, sinks []*tally) {
	b.Helper()
	for _, k := range sinks {
		s.Must(s.t, "webhook.config.delete", harness.Object{"config_id": k.ConfigID}, nil)
	}
}

func latencies(b *testing.B, arrivals []arrival) (list []time.Duration) {
	for _, a := range arrivals {
		at, err := time.Parse(time.RFC3339, a.Timestamp)
		if err != nil {
			b.Fatal(err)
		}
		list = append(list, a.At.Sub(at))
	}
	return list
}

func percentile(list []time.Duration, p int) float64 {
	slices.Sort(list)
	return float64(list[(len(list)-1)*p/100].Microseconds()) / 1000
}
