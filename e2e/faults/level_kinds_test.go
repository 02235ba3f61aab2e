package faults

import (
	"fmt"
	"time"
)

// Level is the use of resources by a process at one time. RulesMB is the memory of its
// cache of compiled rules, which is bounded.
type Level struct {
	At                                      time.Duration
	MemoryMB, RulesMB, Goroutines, Database float64
}

func (l Level) String() string {
	return fmt.Sprintf("%.0f MB, of which rules %.0f, %.0f goroutines, %.0f connections to Postgres", l.MemoryMB, l.RulesMB, l.Goroutines, l.Database)
}

// The allowed growth of an idle program after the load, and the most connections of its
// pool and its listener. Cached rules count twice, because Go's heap grows to twice the
// live data before a collection.
const (
	moreMemoryMB   = 64
	moreGoroutines = 200
	connections    = 21
)

// Grown returns a violation for each resource that has not returned to its earlier level.
func Grown(program string, before, after Level) []Violation {
	var found []Violation
	add := func(what string, was, is float64) {
		found = append(found, Violation{Promise: Steady, What: fmt.Sprintf("%s has %.0f %s at rest, and had %.0f", program, is, what, was)})
	}
	if after.MemoryMB > before.MemoryMB+moreMemoryMB+2*max(after.RulesMB-before.RulesMB, 0) {
		add("MB", before.MemoryMB, after.MemoryMB)
	}
	if after.Goroutines > before.Goroutines+moreGoroutines {
		add("goroutines", before.Goroutines, after.Goroutines)
	}
	if after.Database > connections {
		add("connections", before.Database, after.Database)
	}
	return found
}

// Steady is the promise that a program's use of resources does not grow.
const Steady = "memory, goroutines and connections stay level"
