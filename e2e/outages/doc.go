// Package outages stops Temporal, Postgres, the worker, the api or the caller during
// requests. Every request must get a response, and must take effect completely or not at
// all. Other tests upgrade and roll back the programs under load. The tests have the build
// tag deep.
package outages
