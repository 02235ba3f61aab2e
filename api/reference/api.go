// Package reference is what the API says of itself: /openapi.json, the page /docs with its
// examples and snippets, and the order in which a request is refused. It knows no handlers.
package reference

import (
	"reflect"
	"slices"
	"strings"

	"requisite/internal/domain"
	"requisite/internal/requests/wire"
)

// Operation is what is published of one entry of the API: POST /<name>.
type Operation struct {
	Name        string
	Summary     string
	Permissions domain.Permissions // that a caller needs, all of them
	BodyLimit   int64              // of a request, in bytes
	Writes      bool               // takes an Idempotency-Key
	Waits       bool               // for a run
	Rules       bool               // the request contains rules
	Request     reflect.Type
	Data        reflect.Type
}

// API is the whole API as it is published: its description and its pages.
type API struct {
	Schemas   *wire.Schemas
	published []Operation // by name
	TryIt     bool        // /docs has a form that signs and sends requests
	Pages     pages
}

// NewAPI describes operations.
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
