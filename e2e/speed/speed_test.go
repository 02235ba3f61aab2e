// Package speed_test compares a calculation over HTTP with a baseline: a
// workflow that does nothing, started eagerly on the same Temporal server. A second
// baseline is the least that a calculation does whatever its code: the workflow also
// commits one row and shows operators how it ended, and a caller sends one signed
// request, here a read. All run in turn, so that a noisy machine affects all. A calculation is answered before its run
// has ended, so the next measurement begins when it has. Run it with
//
//	go test -run NONE -bench . -benchtime 100x ./e2e/speed
package speed_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"requisite/e2e/parts"
)

// calling returns what sends one operation on a workflow of its own.
func calling(b *testing.B, s *parts.Stack, operation string) func() {
	w := s.Application(b)
	return func() {
		if _, err := s.Client.Call(context.Background(), operation, w, nil); err != nil {
			b.Error(err)
		}
	}
}

func calculation(b *testing.B, s *parts.Stack) func() {
	return calling(b, s, "workflow.requiredDocument.calculate")
}

// ended waits until no run of the api is open.
func ended(b *testing.B, s *parts.Stack) {
	s.AwaitMetrics(b, "api", `requisite_places{kind="runs",use="in_use"} 0`)
}

// BenchmarkCalculation reports medians in milliseconds and their ratios, for one
// caller; and for 32 callers at once, each with a workflow of its own, how many are
// answered, and their runs ended, in a second. "ratio" is to the workflow that does
// nothing, "least_ratio" that of the least that a calculation does. The processor time
// of "least_api" is that of both its parts: of the api for the request, and of this
// process, in which the worker for the workflow is.
func BenchmarkCalculation(b *testing.B) {
	s := parts.New(b)
	nothing, write, read := s.Floor(b), s.FloorWithAWrite(b), calling(b, s, "workflow.get")
	b.Run("one caller", func(b *testing.B) {
		calculate := calculation(b, s)
		var bare, least, ours []time.Duration
		for b.Loop() {
			bare = append(bare, timed(nothing))
			least = append(least, timed(write)+timed(read))
			ours = append(ours, timed(calculate))
			ended(b, s)
		}
		report(b, "floor", "calculation", median(bare), median(ours), "ms")
		b.ReportMetric(median(least), "least_ms")
		b.ReportMetric(median(least)/median(bare), "least_ratio")
	})
	b.Run("32 callers", func(b *testing.B) {
		const (
			callers = 32
			each    = 10 // calculations of each, one after the other
		)
		calculations := make([]func(), callers)
		for i := range calculations {
			calculations[i] = calculation(b, s)
			calculations[i]()
		}
		var bare, least, request, ours burst
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
		for b.Loop() {
			run(&bare, func(int) { nothing() })
			run(&least, func(int) { write() })
			run(&request, func(int) { read() })
			run(&ours, func(i int) { calculations[i]() })
		}
		n := float64(callers * each * b.N)
		milliseconds := func(d time.Duration) float64 { return d.Seconds() * 1000 / n }
		b.ReportMetric(milliseconds(bare.used.Temporal), "floor_temporal_cpu_ms")
		b.ReportMetric(milliseconds(bare.here), "floor_api_cpu_ms")
		b.ReportMetric(milliseconds(least.used.Temporal), "least_temporal_cpu_ms")
		b.ReportMetric(milliseconds(least.here+request.used.API), "least_api_cpu_ms")
		b.ReportMetric(milliseconds(ours.used.Temporal), "temporal_cpu_ms")
		b.ReportMetric(milliseconds(ours.used.API), "api_cpu_ms")
		b.ReportMetric(milliseconds(ours.used.Postgres), "postgres_cpu_ms")
		rate := func(took time.Duration) float64 { return n / took.Seconds() }
		report(b, "floor", "calculation", rate(bare.took), rate(ours.took), "per_s")
		b.ReportMetric(rate(least.took+request.took), "least_per_s")
		b.ReportMetric(rate(least.took+request.took)/rate(bare.took), "least_ratio")
	})
}

// burst is what many callers at once took: the time that passed, and the processor
// time of the parts and of this process.
type burst struct {
	took, here time.Duration
	used       parts.Processor
}

func (m *burst) add(b *testing.B, s *parts.Stack, do func()) {
	used, here := s.Processor(b), parts.ProcessorHere(b)
	m.took += timed(do)
	m.used = m.used.Plus(s.Processor(b).Since(used))
	m.here += parts.ProcessorHere(b) - here
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

// median is in milliseconds.
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
