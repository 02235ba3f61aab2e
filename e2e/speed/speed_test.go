// Package speed_test compares a calculation over HTTP with a baseline: a
// workflow that does nothing, started eagerly on the same Temporal server. Both
// sides run in turn, so that a noisy machine affects both. Run it with
//
//	go test -run NONE -bench . -benchtime 300x ./e2e/speed
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

func calculation(b *testing.B, s *parts.Stack) func() {
	w := s.Application(b)
	return func() {
		if _, err := s.Client.Call(context.Background(), "workflow.requiredDocument.calculate", w, nil); err != nil {
			b.Error(err)
		}
	}
}

// BenchmarkCalculation reports medians in milliseconds and their ratio, for one
// caller; and for 32 callers at once, each with a workflow of its own, how many
// are answered in a second.
func BenchmarkCalculation(b *testing.B) {
	s := parts.New(b)
	b.Run("one caller", func(b *testing.B) {
		nothing, calculate := s.Floor(b), calculation(b, s)
		var bare, ours []time.Duration
		for b.Loop() {
			bare = append(bare, timed(nothing))
			ours = append(ours, timed(calculate))
		}
		report(b, "floor", "calculation", median(bare), median(ours), "ms")
	})
	b.Run("32 callers", func(b *testing.B) {
		const callers = 32
		calculations := make([]func(), callers)
		for i := range calculations {
			calculations[i] = calculation(b, s)
		}
		nothing := s.Floor(b)
		var bare, ours time.Duration
		var bareUsed, oursUsed parts.Processor
		for b.Loop() {
			at := s.Processor(b)
			bare += timed(func() { together(callers, func(int) { nothing() }) })
			between := s.Processor(b)
			ours += timed(func() { together(callers, func(i int) { calculations[i]() }) })
			bareUsed, oursUsed = bareUsed.Plus(between.Since(at)), oursUsed.Plus(s.Processor(b).Since(between))
		}
		each := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(callers*b.N) }
		b.ReportMetric(each(bareUsed.Temporal), "floor_temporal_cpu_ms")
		b.ReportMetric(each(oursUsed.Temporal), "temporal_cpu_ms")
		b.ReportMetric(each(oursUsed.API), "api_cpu_ms")
		b.ReportMetric(each(oursUsed.Postgres), "postgres_cpu_ms")
		rate := func(d time.Duration) float64 { return float64(callers*b.N) / d.Seconds() }
		report(b, "floor", "calculation", rate(bare), rate(ours), "per_s")
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
