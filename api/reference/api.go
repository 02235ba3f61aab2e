// Package reference publishes the documentation of the API: /openapi.json, the pages below
// /docs with their examples and snippets, all pages as one text, and the order of refusals.
// It does not depend on the handlers.
package reference

import (
	"slices"
	"strings"
	"sync"

	"requisite/api/spec"
	"requisite/internal/requests/wire"
)

// operation adds the published descriptions to an operation.
type operation struct{ spec.Operation }

// API is the published API: its description and its pages.
type API struct {
	Schemas   *wire.Schemas
	published []operation // sorted by name
	TryIt     bool        // whether there is a page with a form that signs and sends requests
	// Pages returns the documents by path. The first call makes them, in half a second.
	Pages func() (map[string]Document, error)
}

// NewAPI registers the schemas of operations.
func NewAPI(published []spec.Operation) *API {
	a := &API{Schemas: wire.NewSchemas()}
	spec.DescribeTypes(a.Schemas.Registry)
	for _, o := range published {
		a.published = append(a.published, operation{o})
		a.Schemas.Describe(o.Request)
		a.Schemas.Describe(o.Data)
	}
	a.Pages = sync.OnceValues(a.makePages)
	slices.SortFunc(a.published, func(a, b operation) int { return strings.Compare(a.Name, b.Name) })
	return a
}
