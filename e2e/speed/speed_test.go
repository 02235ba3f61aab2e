// Package speed_test compares a calculation over HTTP with a baseline: a workflow that does
// nothing, started eagerly on the same Temporal server. Both run in turn, so that a noisy
// machine affects both. Because a calculation is answered before its run ends, the next
// measurement waits for that end. Run it with
//
//	go test -run NONE -bench . -benchtime 20x ./e2e/speed
package speed_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
)

func TestMain(m *testing.M) { harness.Run(m) }

// calling returns a function that calls an operation for a new workflow.
func calling(b *testing.B, s *harness.Stack, operation string) func() {
	w := s.Application(b)
	return func() { call(b, s, operation, w) }
}

// call calls an operation, and repeats the request while the service has no slot for it: on a slow machine, many callers may
// wait too long for one.
func call(b *testing.B, s *harness.Stack, operation string, in any) {
	for {
		_, err := s.Client.Call(context.Background(), operation, in, nil)
		if refused := (requisite.Error{}); errors.As(err, &refused) && refused.Code == requisite.CodeTooManyRequests {
			continue
		}
		if err != nil {
			b.Error(err)
		}
		return
	}
}

func calculation(b *testing.B, s *harness.Stack) func() {
	return calling(b, s, "workflow.requiredDocument.calculate")
}

// ended waits until the api has no open run.
func ended(b *testing.B, s *harness.Stack) {
	s.AwaitMetrics(b, "api", `requisite_limiter_slots{limiter="runs",use="in_use"} 0`)
}

// BenchmarkCalculation measures calculations that change no document.
//
// For one caller it reports medians in milliseconds: the time until a calculation is
// answered, and the time until the workflow that does nothing has ended.
//
// For 32 concurrent callers, each with its own application, it reports the runs per second
// and the processor time of one run. It has a second baseline here, the minimum work of a
// calculation: the caller sends a signed request, here a read, and the workflow commits one
// row and sets search attributes. The processor time "least_api" is the time of the api for
// the request and of this process for the workflow. It makes at most five bursts of 320 runs
// of each kind, regardless of -benchtime.
func BenchmarkCalculation(b *testing.B) {
	s := harness.Shared(b)
	nothing := s.Floor(b)
	oneCaller := func(change func(*testing.B)) func(*testing.B) {
		return func(b *testing.B) {
			calculate := calculation(b, s)
			var bare, ours []time.Duration
			for b.Loop() {
				change(b)
				bare = append(bare, timed(nothing))
				ours = append(ours, timed(calculate))
				ended(b, s)
			}
			report(b, "floor", "calculation", median(bare), median(ours), "ms")
		}
	}
	b.Run("one caller", oneCaller(func(*testing.B) {}))
	b.Run("one caller after a changed fact", oneCaller(func(b *testing.B) {
		if _, err := s.Exec(b.Context(), `UPDATE business SET website = gen_random_uuid()::text, version = version + 1`); err != nil {
			b.Fatal(err)
		}
	}))
	b.Run("32 callers", func(b *testing.B) {
		const (
			callers = 32
			each    = 10 // consecutive calculations of each caller
			bursts  = 5
		)
		write, read := s.FloorWithAWrite(b), calling(b, s, "workflow.get")
		calculations := make([]func(), callers)
		for i := range calculations {
			calculations[i] = calculation(b, s)
			calculations[i]()
		}
		var bare, writes, least, ours burst
		run := func(to *burst, one func(int)) {
			to.add(b, s, func() {
				together(callers, func(i int) {
					for range each {
						one(i)
					}
				})
				ended(b, s)
			})
		}
		made := 0
		for b.Loop() {
			if made == bursts {
				continue
			}
			made++
			run(&bare, func(int) { nothing() })
			run(&writes, func(int) { write() })
			run(&least, func(int) { write(); read() })
			run(&ours, func(i int) { calculations[i]() })
		}
		n := float64(callers * each * made)
		milliseconds := func(d time.Duration) float64 { return d.Seconds() * 1000 / n }
		b.ReportMetric(milliseconds(bare.used.Temporal), "floor_temporal_cpu_ms")
		b.ReportMetric(milliseconds(bare.here), "floor_api_cpu_ms")
		b.ReportMetric(milliseconds(least.used.Temporal), "least_temporal_cpu_ms")
		b.ReportMetric(milliseconds(writes.here+least.used.API), "least_api_cpu_ms")
		b.ReportMetric(milliseconds(ours.used.Temporal), "temporal_cpu_ms")
		b.ReportMetric(milliseconds(ours.used.API), "api_cpu_ms")
		b.ReportMetric(milliseconds(ours.used.Postgres), "postgres_cpu_ms")
		rate := func(took time.Duration) float64 { return n / took.Seconds() }
		report(b, "floor", "calculation", rate(bare.took), rate(ours.took), "per_s")
		b.ReportMetric(rate(least.took), "least_per_s")
		b.ReportMetric(rate(least.took)/rate(bare.took), "least_ratio")
	})
}

// burst is the elapsed time of concurrent calls, and the processor time of the stack and of
// this process.
type burst struct {
	took, here time.Duration
	used       harness.Processor
}

func (m *burst) add(b *testing.B, s *harness.Stack, do func()) {
	used, here := s.Processor(b), harness.ProcessorHere(b)
	m.took += timed(do)
	m.used = m.used.Plus(s.Processor(b).Since(used))
	m.here += harness.ProcessorHere(b) - here
}

func report(b *testing.B, first, second string, x, y float64, unit string) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(x, fmt.Sprintf("%s_%s", first, unit))
	b.ReportMetric(y, fmt.Sprintf("%s_%s", second, unit))
	b.ReportMetric(y/x, "ratio")
}

func timed(f func()) time.Duration {
	started := time.Now()
	f()
	return time.Since(started)
}

// median returns the median in milliseconds.
func median(all []time.Duration) float64 {
	slices.Sort(all)
	return all[len(all)/2].Seconds() * 1000
}

func together(n int, f func(int)) {
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { f(i) })
	}
	wait.Wait()
}
