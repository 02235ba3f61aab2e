// Package spec describes the operations of the API and the types in their requests and
// answers. The server and the documentation depend on it; it depends on neither.
package spec

import (
	"reflect"

	"requisite/internal/domain"
)

// Operation describes an operation, POST /<name>.
type Operation struct {
	Name        string
	Summary     string
	Permissions domain.Permissions // a caller needs all of them
	BodyLimit   int64              // of a request, in bytes
	Writes      bool               // takes an Idempotency-Key
	Waits       bool               // waits for a run
	Decides     bool               // records a decision
	Rules       bool               // takes rules
	Sandbox     bool               // for credentials of the sandbox only
	Request     reflect.Type
	Data        reflect.Type
}
