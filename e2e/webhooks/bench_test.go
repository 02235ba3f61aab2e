package webhooks_test

import (
	"net/http"
	"slices"
	"testing"
	"time"
)

// BenchmarkIsolation measures the time from an event's commit to its arrival at a
// healthy endpoint: alone, and while 640 webhooks wait for an endpoint that takes
// four seconds an answer and one that never answers. Both sides run in one go;
// their ratio is what counts. One caller sends an event after the other; sixteen
// send 200 in a burst, which the machine may take longer to deliver than they
// take to send.
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
	sent := 0
	measure := func() []time.Duration {
		before := len(healthy.seen())
		healthy.testBy(200, callers)
		sent += 200
		return latencies(b, healthy.await("the healthy endpoint's webhooks", distinct(sent))[before:])
	}
	measure() // connections and plans are warm
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
		slow.test(320)
		never.test(320)
		beside = append(beside, measure()...)
		close(hang)
		for _, k := range []*sink{slow, never} {
			s.must("webhook.config.delete", object{"config_id": k.ConfigID}, nil)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(percentile(alone, 50), "ms-alone-p50")
	b.ReportMetric(percentile(alone, 95), "ms-alone-p95")
	b.ReportMetric(percentile(beside, 50), "ms-beside-p50")
	b.ReportMetric(percentile(beside, 95), "ms-beside-p95")
	b.ReportMetric(percentile(beside, 95)/percentile(alone, 95), "ratio-p95")
}

// BenchmarkThroughput measures how fast a backlog goes out to one endpoint and
// to ten, beside a plain loop of POSTs of the same size to the same server.
//
//	go test -run NONE -bench Throughput -benchtime 1x ./e2e/webhooks
func BenchmarkThroughput(b *testing.B) {
	s := newStack(b)
	const backlog = 500
	var one, ten, floor float64
	for range b.N {
		one += s.drain(b, 1, backlog)
		ten += s.drain(b, 10, backlog)
		floor += s.posts(b, backlog)
	}
	n := float64(b.N)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(one/n, "one-endpoint/s")
	b.ReportMetric(ten/n, "ten-endpoints/s")
	b.ReportMetric(floor/n, "plain-posts/s")
	b.ReportMetric(floor/ten, "ratio-plain-to-ten")
}

// drain writes a backlog for disabled endpoints, enables them, and returns
// deliveries a second.
func (s *stack) drain(b *testing.B, endpoints, backlog int) float64 {
	var sinks []*sink
	for range endpoints {
		k := s.sink(nil, "WEBHOOK_TEST")
		s.must("webhook.config.update", object{"config_id": k.ConfigID, "config": object{"status": "DISABLED"}}, nil)
		k.test(backlog / endpoints)
		sinks = append(sinks, k)
	}
	started := time.Now()
	for _, k := range sinks {
		s.must("webhook.config.update", object{"config_id": k.ConfigID, "config": object{"status": "ACTIVE"}}, nil)
	}
	for _, k := range sinks {
		k.await("the backlog", distinct(backlog/endpoints))
	}
	rate := float64(backlog) / time.Since(started).Seconds()
	for _, k := range sinks {
		s.must("webhook.config.delete", object{"config_id": k.ConfigID}, nil)
	}
	return rate
}

// posts sends as many bodies of the size of a webhook, ten at a time.
func (s *stack) posts(b *testing.B, n int) float64 {
	plain := newPlainServer(b)
	started := time.Now()
	plain.send(b, n, 10)
	return float64(n) / time.Since(started).Seconds()
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
