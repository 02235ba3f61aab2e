package main

import (
	"reflect"
	"slices"
	"strings"

	"requisite/internal/domain"
	"requisite/internal/requests/wire"
)

// Operation is what is published of one entry of the API: POST /<name>.
type Operation struct {
	name        string
	summary     string
	permissions domain.Permissions // that a caller needs, all of them
	bodyLimit   int64              // of a request, in bytes
	writes      bool               // takes an Idempotency-Key
	waits       bool               // for a run
	rules       bool               // the request contains rules
	request     reflect.Type
	data        reflect.Type
}

// API is the whole API as it is published: its description and its pages.
type API struct {
	schemas   *wire.Schemas
	published []Operation // by name
	tryIt     bool        // /docs has a form that signs and sends requests
	pages     pages
}

// newAPI describes operations.
func newAPI(published []Operation) *API {
	byName := slices.SortedFunc(slices.Values(published), func(a, b Operation) int { return strings.Compare(a.name, b.name) })
	a := &API{schemas: wire.NewSchemas(), published: byName}
	describeTypes(a.schemas.Registry)
	for _, o := range published {
		a.schemas.Describe(o.request)
		a.schemas.Describe(o.data)
	}
	return a
}
