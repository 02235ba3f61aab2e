// Package delivery has the rules for deliveries: how many attempts an endpoint may get
// now, what the outcome of an attempt means for the delivery and for its endpoint, and
// how a request changes deliveries. It does no I/O. Callers pass in the time and random
// numbers, load the records under their locks, and save the result.
//
// # Who sends
//
// A delivery is waiting, or an attempt of it is in flight; there is no third
// state. The records alone decide who may begin an attempt. The claiming statements in
// package deliveries implement the rules below. docs/delivery.md has the full table:
//
//   - Sessions send deliveries without an attempt (PENDING), at endpoints that are
//     not failing.
//   - The endpoint's own run sends everything else: retries (RETRYING),
//     requested attempts, and the probes of an endpoint that fails.
//
// Both count the attempts in flight under the lock of the endpoint's health, so
// that there are never more than MaxInFlight.
//
// # Two clocks
//
// A delivery has its own schedule (Delivery.DueAt). A failing endpoint is probed on
// another schedule (Health.ProbeAt). Neither changes the other.
package delivery
