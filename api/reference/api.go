// Package reference publishes the documentation of the API: /openapi.json, the pages below
// /docs with their examples and snippets, the same as text, and the order of refusals. It
// knows no handlers.
package reference

import (
	"reflect"
	"slices"
	"strings"

	"requisite/internal/domain"
	"requisite/internal/requests/wire"
)

// Operation is the published part of an operation, POST /<name>.
type Operation struct {
	Name        string
	Summary     string
	Permissions domain.Permissions // a caller needs all of them
	BodyLimit   int64              // of a request, in bytes
	Writes      bool               // takes an Idempotency-Key
	Waits       bool               // waits for a run
	Decides     bool               // records a decision
	Rules       bool               // takes rules
	Request     reflect.Type
	Data        reflect.Type
}

// API is the published API: its description and its pages.
type API struct {
	Schemas   *wire.Schemas
	published []Operation // sorted by name
	TryIt     bool        // whether the pages of operations have a form that signs and sends requests
	Pages     pages
}

// NewAPI registers the schemas of operations.
func NewAPI(published []Operation) *API {
	byName := slices.SortedFunc(slices.Values(published), func(a, b Operation) int { return strings.Compare(a.Name, b.Name) })
	a := &API{Schemas: wire.NewSchemas(), published: byName}
	describeTypes(a.Schemas.Registry)
	for _, o := range published {
		a.Schemas.Describe(o.Request)
		a.Schemas.Describe(o.Data)
	}
	return a
}
