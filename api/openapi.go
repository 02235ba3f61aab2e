package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/refusal"
	"requisite/internal/wire"
)

// everywhere are the refusals that any operation can return, in order of
// precedence.
var everywhere = []refusal.Code{
	refusal.UnknownOperation, refusal.MethodNotAllowed, refusal.UnsupportedMediaType, refusal.RequestTooLarge,
	refusal.AuthMissingHeader, refusal.AuthInvalidHeader, refusal.AuthInvalidAPIKey, refusal.AuthInvalidAuthToken,
	refusal.AuthSignatureMismatch, refusal.AuthElementRequired, refusal.AuthTimestampExpired, refusal.AuthNonceReused, refusal.Forbidden,
	refusal.UnknownVersion, refusal.BadRequest, refusal.IdempotencyKeyReused, refusal.RequestInProgress, refusal.EntityNotFound,
	refusal.TooManyRequests, refusal.Unavailable, refusal.StillRunning, refusal.InternalError,
}

const introduction = `Requisite decides which documents a business application must bring, by the platform's own rules over the facts on file,
and says why. Every operation is POST {base_url}/<name> with a signed JSON body, and answers in one envelope: meta, and data or errors.
How to sign a request, and everything else that a caller needs, is on the page /docs of the running service.`

// describe makes the OpenAPI description from the table of operations and the
// schemas that check requests.
func (s *server) describe() *huma.OpenAPI {
	api := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "Requisite", Version: wire.Version, Description: introduction,
			License: &huma.License{Name: "Apache License 2.0", Identifier: "Apache-2.0"},
		},
		Servers: []*huma.Server{{URL: "/"}},
		Paths:   map[string]*huma.PathItem{},
		Components: &huma.Components{
			Schemas:   s.schemas.Registry,
			Responses: map[string]*huma.Response{},
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"Sig1":  {Type: "apiKey", In: "header", Name: "Authorization", Description: "Sig1-HMAC-SHA256 and the request's signature in Base64; X-API-Key and X-API-Auth-Token name and prove the caller."},
				"Key":   {Type: "apiKey", In: "header", Name: "X-API-Key", Description: "The API key."},
				"Token": {Type: "apiKey", In: "header", Name: "X-API-Auth-Token", Description: "The auth token of the API key."},
			},
		},
		Security: []map[string][]string{{"Sig1": {}, "Key": {}, "Token": {}}},
	}
	failure := s.failureSchema()
	for status, codes := range byStatus(everywhere) {
		api.Components.Responses[strconv.Itoa(status)] = failureResponse(failure, codes)
	}
	for _, o := range slices.SortedFunc(maps.Values(s.operations), func(a, b operation) int { return strings.Compare(a.name, b.name) }) {
		api.Tags = addTag(api.Tags, o.tag())
		api.Paths["/"+o.name] = &huma.PathItem{Post: s.describeOperation(o, failure)}
	}
	return api
}

func (o operation) tag() string {
	name, _, _ := strings.Cut(o.name, ".")
	return name
}

func addTag(tags []*huma.Tag, name string) []*huma.Tag {
	if len(tags) > 0 && tags[len(tags)-1].Name == name {
		return tags
	}
	return append(tags, &huma.Tag{Name: name})
}

func (s *server) describeOperation(o operation, failure *huma.Schema) *huma.Operation {
	shown := operationExamples[o.name]
	described := &huma.Operation{
		OperationID: o.name,
		Summary:     o.summary,
		Description: fmt.Sprintf("Needs the permission `%s`.", o.permission),
		Extensions:  map[string]any{"x-permission": o.permission},
		Tags:        []string{o.tag()},
		Parameters:  parameters(o.writes),
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/json": {Schema: s.schemas.Describe(o.request), Example: parsed(shown.request)},
		}},
		Responses: map[string]*huma.Response{"200": {
			Description: "It is done.",
			Headers:     map[string]*huma.Param{"traceparent": {Schema: text(), Description: "The trace of the request, W3C form."}},
			Content: map[string]*huma.MediaType{"application/json": {
				Schema: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Required: []string{"meta", "data"}, Properties: map[string]*huma.Schema{
					"meta": s.schemas.Describe(reflect.TypeFor[wire.Meta]()), "data": s.schemas.Describe(o.data),
				}},
				Example: map[string]any{"meta": exampleMeta("SUCCESS"), "data": parsed(shown.data)},
			}},
		}},
	}
	for status := range byStatus(everywhere) {
		code := strconv.Itoa(status)
		described.Responses[code] = &huma.Response{Ref: "#/components/responses/" + code}
	}
	own := []refusal.Code{refusal.UnknownVersion, refusal.BadRequest, refusal.EntityNotFound}
	for _, name := range shown.refusals {
		own = append(own, refusal.Code(name))
	}
	described.Responses["400"] = failureResponse(failure, own)
	return described
}

// byStatus groups codes by the HTTP status that answers them.
func byStatus(codes []refusal.Code) map[int][]refusal.Code {
	groups := map[int][]refusal.Code{}
	for _, code := range codes {
		groups[code.Status()] = append(groups[code.Status()], code)
	}
	return groups
}

// failureResponse shows one example for each name of refusalExamples.
func failureResponse(schema *huma.Schema, names []refusal.Code) *huma.Response {
	examples := map[string]*huma.Example{}
	var words []string
	for _, name := range names {
		examples[string(name)] = &huma.Example{Value: map[string]any{"meta": exampleMeta("ERROR"), "errors": []any{parsed(refusalExamples[string(name)])}}}
		words = append(words, string(name))
	}
	response := &huma.Response{
		Description: strings.ReplaceAll(strings.Join(words, ", "), "rules", "BAD_REQUEST of a rule set"),
		Headers:     map[string]*huma.Param{"traceparent": {Schema: text(), Description: "The trace of the request, W3C form."}},
		Content:     map[string]*huma.MediaType{"application/json": {Schema: schema, Examples: examples}},
	}
	switch {
	case slices.Contains(names, refusal.Unavailable), slices.Contains(names, refusal.TooManyRequests):
		response.Headers["Retry-After"] = &huma.Param{Schema: &huma.Schema{Type: huma.TypeInteger}, Description: "Seconds to wait before trying again."}
	case slices.Contains(names, refusal.MethodNotAllowed):
		response.Headers["Allow"] = &huma.Param{Schema: text(), Description: "POST"}
	}
	return response
}

func (s *server) failureSchema() *huma.Schema {
	entry := s.schemas.Describe(reflect.TypeFor[refusal.Refusal]())
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Required: []string{"meta", "errors"}, Properties: map[string]*huma.Schema{
		"meta": s.schemas.Describe(reflect.TypeFor[wire.Meta]()), "errors": {Type: huma.TypeArray, Items: entry},
	}}
}

func parameters(writes bool) []*huma.Param {
	list := []*huma.Param{
		{Name: "X-API-Signed-Elements", In: "header", Schema: text(), Description: "What is signed, separated by semicolons, API-Key first.", Example: "API-Key;HTTP-Verb;URL-Path;Timestamp;Nonce;Content-SHA256"},
		{Name: "X-API-Timestamp", In: "header", Schema: text(), Description: "Unix seconds, at most five minutes from the server's clock.", Example: "1795167000"},
		{Name: "X-API-Nonce", In: "header", Schema: text(), Description: "16 to 64 characters of A-Z, a-z, 0-9, _ and -, new with each request.", Example: "5d1f0c7be0a94c1f9a53f0b4c2d7e819"},
		{Name: "X-API-Content-SHA256", In: "header", Schema: text(), Description: "Base64 of the SHA-256 of the body.", Example: "RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o="},
		{Name: "X-API-Version", In: "header", Schema: text(), Description: "The version wanted; the newest when left out.", Example: wire.Version},
		{Name: "traceparent", In: "header", Schema: text(), Description: "A W3C trace to go on with."},
	}
	if writes {
		list = append(list, &huma.Param{Name: "Idempotency-Key", In: "header", Schema: text(), Description: "1 to 255 printable ASCII characters: a repeat with the same body gets the first outcome, for 24 hours at least."})
	}
	return list
}

func text() *huma.Schema { return &huma.Schema{Type: huma.TypeString} }

func exampleMeta(status string) map[string]any {
	return map[string]any{"status": status, "trace_id": "trc_6EYQlVXUP50PZrpouErhta", "version": wire.Version}
}

// parsed reads an example; those are constants, and a test reads every one.
func parsed(example string) any {
	var value any
	if err := json.Unmarshal([]byte(example), &value); err != nil {
		panic(fmt.Sprintf("example %q: %v", example, err))
	}
	return value
}
