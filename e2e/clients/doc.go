// Package clients runs the clients of clients/ against a real stack: each one plays the
// scenario of scenario.json with its own code, from its own process, and receives the
// webhooks that follow. Its tests have the build tag deep.
package clients
