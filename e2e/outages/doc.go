// Package outages has tests that take the parts of the service away while requests are
// under way: Temporal, Postgres, the worker and the api, and the caller. Whatever is
// missing, a request is answered, and the data is as it was or as it should be. They
// have the build tag deep. Others upgrade and roll back the programs while they work.
package outages
