// Package webhook turns an event into a request to an endpoint: the encrypted envelope,
// the guard of addresses, and the request. It stores nothing.
package webhook
