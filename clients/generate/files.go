// Package generate makes the types and operations of the clients from the
// OpenAPI description of the API, one set of files for each language.
package generate

import "requisite/internal/clientmodel"

//go:generate go test -count=1 requisite/api/command -run ^TestClients_MatchTheDescription$ -update

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
