// Package guide tests the documentation on a real stack: the commands of the guide for
// operators, the queries of dashboards and alerts, and the quickstarts of the clients. Each
// client also plays a scenario. Most of its tests have the build tag deep.
package guide
