// Package neighbors lets one tenant load the service as much as it can, and checks that
// another tenant still gets responses. Its tests have the build tag deep.
//
//	go test -tags deep -v -run Neighbor ./e2e/neighbors
package neighbors
