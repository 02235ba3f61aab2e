// Package speed_test compares a calculation over HTTP with a baseline: a
// workflow that does nothing, started eagerly on the same Temporal server. A second
// baseline is the least that a calculation does whatever its code: the workflow also
// commits one row, and a caller sends one signed request, here a read. All run in
// turn, so that a noisy machine affects all. Run it with
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

// BenchmarkCalculation reports medians in milliseconds and their ratios, for one
// caller; and for 32 callers at once, each with a workflow of its own, how many
// are answered in a second. "ratio" is to the workflow that does nothing,
// "least_ratio" is that of the least that a calculation does.
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
		}
		report(b, "floor", "calculation", median(bare), median(ours), "ms")
		b.ReportMetric(median(least), "least_ms")
		b.ReportMetric(median(least)/median(bare), "least_ratio")
	})
	b.Run("32 callers", func(b *testing.B) {
		const callers = 32
		calculations := make([]func(), callers)
		for i := range calculations {
			calculations[i] = calculation(b, s)
		}
		var bare, least, ours time.Duration
		var bareUsed, leastUsed, oursUsed parts.Processor
		run := func(took *time.Duration, used *parts.Processor, one func(int)) {
			before := s.Processor(b)
			*took += timed(func() { together(callers, one) })
			*used = used.Plus(s.Processor(b).Since(before))
		}
		for b.Loop() {
			run(&bare, &bareUsed, func(int) { nothing() })
			run(&least, &leastUsed, func(int) { write(); read() })
			run(&ours, &oursUsed, func(i int) { calculations[i]() })
		}
		each := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(callers*b.N) }
		b.ReportMetric(each(bareUsed.Temporal), "floor_temporal_cpu_ms")
		b.ReportMetric(each(leastUsed.Temporal), "least_temporal_cpu_ms")
		b.ReportMetric(each(leastUsed.API), "least_api_cpu_ms")
		b.ReportMetric(each(oursUsed.Temporal), "temporal_cpu_ms")
		b.ReportMetric(each(oursUsed.API), "api_cpu_ms")
		b.ReportMetric(each(oursUsed.Postgres), "postgres_cpu_ms")
		rate := func(d time.Duration) float64 { return float64(callers*b.N) / d.Seconds() }
		report(b, "floor", "calculation", rate(bare), rate(ours), "per_s")
		b.ReportMetric(rate(least), "least_per_s")
		b.ReportMetric(rate(least)/rate(bare), "least_ratio")
	})
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
