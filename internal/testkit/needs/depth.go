//go:build !deep

package needs

// Depth multiplies the number of cases that random tests try. The build tag deep makes it larger.
const Depth = 1
