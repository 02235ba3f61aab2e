//go:build deep

package needs

// Depth multiplies the number of cases that random tests try. It is 1 without the build tag deep.
const Depth = 10
