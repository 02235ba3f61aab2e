// Package tls runs the whole service with every connection encrypted and every client
// known by its certificate. Its tests have the build tag deep.
package tls
