package refusal

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

// constants reads the package's constants of one type, or of names that begin
// with a prefix.
func constants(t *testing.T, of func(name, typeName string) bool) (values []string) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
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
				typeName := ""
				if ident, ok := constant.Type.(*ast.Ident); ok {
					typeName = ident.Name
				}
				if of(constant.Names[0].Name, typeName) {
					value, err := strconv.Unquote(constant.Values[0].(*ast.BasicLit).Value)
					require.NoError(t, err)
					values = append(values, value)
				}
			}
		}
	}
	require.NotEmpty(t, values)
	return values
}

// Each code needs a status, a cause and a remedy.
func TestCatalogue_DescribesEveryCode(t *testing.T) {
	said := func(name string, w Words, ok bool) {
		require.True(t, ok, "%s has no words in the catalogue", name)
		for _, text := range []string{w.Cause, w.Cure} {
			require.Regexp(t, `^[A-Za-z0-9].*\.$`, text, name)
		}
	}
	for _, name := range constants(t, func(_, of string) bool { return of == "Code" }) {
		require.Contains(t, Codes(), Code(name), "has no status")
		w, ok := Code(name).Words()
		said(name, w, ok)
	}
	subCodes := constants(t, func(_, of string) bool { return of == "SubCode" })
	for _, name := range subCodes {
		w, ok := SubCode(name).Words()
		said(name, w, ok)
	}
	require.Len(t, SubCodes(), len(subCodes), "no words for a sub-code that does not exist")
	require.ElementsMatch(t, constants(t, func(name, _ string) bool { return strings.HasPrefix(name, "Entity") && name != "EntityNotFound" }), EntityTypes())
	for _, name := range WarningCodes() {
		w, ok := WarningWords(name)
		said(name, w, ok)
	}
}
