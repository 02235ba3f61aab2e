//go:build !deep

package requirement

// depth is how many times as many cases random tests try as at the first depth.
const depth = 1
