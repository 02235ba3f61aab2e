// Package neighbors lets one tenant do its worst, all at once, and checks that another
// tenant is answered. Its tests have the build tag deep.
//
//	go test -tags deep -v -run Neighbor ./e2e/neighbors
package neighbors
