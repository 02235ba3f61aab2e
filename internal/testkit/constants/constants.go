// Package constants reads the text constants of a package from its source, for tests that compare a
// list with them.
package constants

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Of returns the constants of a folder's package for which of returns true. of gets the name of the
// constant and of its type, which is empty without a type. Of fails the test if there are none.
func Of(t *testing.T, folder string, of func(name, typeName string) bool) (values []string) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	var taken []ast.Expr
	byName := map[string]ast.Expr{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		require.NoError(t, err)
		for _, declared := range file.Decls {
			group, ok := declared.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				constant := spec.(*ast.ValueSpec)
				if len(constant.Values) == 0 {
					continue // of iota
				}
				byName[constant.Names[0].Name] = constant.Values[0]
				typeName := ""
				if ident, ok := constant.Type.(*ast.Ident); ok {
					typeName = ident.Name
				}
				if of(constant.Names[0].Name, typeName) {
					taken = append(taken, constant.Values[0])
				}
			}
		}
	}
	for _, value := range taken {
		if other, is := value.(*ast.Ident); is {
			value = byName[other.Name]
		}
		text, err := strconv.Unquote(value.(*ast.BasicLit).Value)
		require.NoError(t, err)
		values = append(values, text)
	}
	require.NotEmpty(t, values)
	return values
}
