//go:build !race

package requirement

// raceFactor is how many times as much memory the race detector makes work take.
const raceFactor = 1
