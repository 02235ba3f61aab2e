// Package delivery decides what becomes of webhooks: how many attempts an endpoint
// may get now, what the outcome of an attempt means for the delivery and for its
// endpoint, and what a request changes about deliveries. It does no I/O, reads no clock and draws no random numbers: callers pass them
// in, load the records under their locks, and save the result.
//
// # Who sends
//
// A delivery is waiting, or an attempt of it is in flight; there is no third
// state. Who may begin an attempt follows from the records alone. The statements of
// package deliveries that claim say so, and docs/delivery.md has the table:
//
//   - Sessions send what was never attempted (PENDING), at endpoints that do not
//     fail.
//   - The endpoint's own run sends everything else: retries (RETRYING),
//     requested attempts, and the probes of an endpoint that fails.
//
// Both count the attempts in flight under the lock of the endpoint's health, so
// that there are never more than MaxInFlight.
//
// # Two clocks
//
// A delivery keeps its own schedule (Delivery.DueAt); an endpoint that fails is
// probed at a pace of its own (Health.ProbeAt). Neither ever sets the other.
package delivery
