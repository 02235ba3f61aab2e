package faults

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGrown_FindsEachResourceThatGrew(t *testing.T) {
	before := Level{MemoryMB: 50, Goroutines: 60, Database: 3}
	require.Empty(t, Grown("api", before, Level{MemoryMB: 90, Goroutines: 80, Database: 20}))
	require.Empty(t, Grown("api", before, Level{MemoryMB: 300, RulesMB: 100}), "the cache of rules, and the same amount of garbage")
	for what, after := range map[string]Level{
		"MB":          {MemoryMB: 120, RulesMB: 2, Goroutines: 60},
		"goroutines":  {MemoryMB: 50, Goroutines: 300},
		"connections": {MemoryMB: 50, Goroutines: 60, Database: 22},
	} {
		found := Grown("api", before, after)
		require.Len(t, found, 1)
		require.Equal(t, Steady, found[0].Promise)
		require.Contains(t, found[0].What, what)
	}
}
