// Package generate makes the types and operations of the clients from the
// OpenAPI description of the API, one set of files for each language.
package generate

import (
	"slices"

	"requisite/internal/clientmodel"
)

//go:generate go test -count=1 requisite/api/command -run ^TestClients_MatchTheDescription$ -update

// fieldsOfEvents leaves of Event the fields that are the same for all types, and names the rest EventFields.
func fieldsOfEvents(o *clientmodel.Object) (name string) {
	if o.Name != clientmodel.Event {
		return o.Name
	}
	o.Fields = slices.DeleteFunc(slices.Clone(o.Fields), func(f clientmodel.Field) bool { return f.Name == "event_type" || f.Name == "data" })
	return "EventFields"
}

// Files returns the generated files, by their path below clients/.
func Files(openAPI []byte) (map[string][]byte, error) {
	m, err := clientmodel.Read(openAPI)
	if err != nil {
		return nil, err
	}
	goFile, err := golang(m)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"go/generated.go":                  goFile,
		"typescript/src/generated.ts":      typescript(m),
		"python/requisite/_types.py":       pythonTypes(m),
		"python/requisite/_calls.py":       pythonCalls(m, false),
		"python/requisite/_async_calls.py": pythonCalls(m, true),
	}, nil
}
