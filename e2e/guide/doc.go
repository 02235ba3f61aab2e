// Package guide follows what the service tells its users, on a real stack: the commands
// of the operator's guide, the queries of dashboards and alerts, the quickstarts of the
// clients, and a scenario that each client plays with its own code. Most of its tests
// have the build tag deep.
package guide
