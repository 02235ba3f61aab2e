//go:build deep

package needs

// Depth is how many times as many cases random tests try as at the first depth.
const Depth = 5
