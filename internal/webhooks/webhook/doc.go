// Package webhook is how an event becomes a request to an endpoint: the
// encrypted envelope, the schedule and what counts as success, the addresses
// that may be connected to, and the request itself. It stores nothing.
package webhook
