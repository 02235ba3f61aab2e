package refusal

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/testkit/constants"
)

func TestProblemCodes_ListsAll(t *testing.T) {
	var listed []string
	for _, code := range ProblemCodes() {
		require.NotEmpty(t, code.Words(), code)
		listed = append(listed, string(code))
	}
	require.ElementsMatch(t, constants.Of(t, ".", func(_, of string) bool { return of == "ProblemCode" }), listed)
}

// TestProblems_AreMadeByFunctions reads the whole module: a literal of another package could lack a code.
func TestProblems_AreMadeByFunctions(t *testing.T) {
	seen := 0
	require.NoError(t, filepath.WalkDir("../../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "clients") {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, is := n.(*ast.CompositeLit)
			if !is || len(literal.Elts) == 0 {
				return true
			}
			if list, is := literal.Type.(*ast.ArrayType); is && isProblem(list.Elt) {
				for _, element := range literal.Elts {
					inner, is := element.(*ast.CompositeLit)
					require.False(t, is && inner.Type == nil, "%s: make it with a function of refusal", files.Position(element.Pos()))
				}
				seen++
				return true
			}
			require.False(t, isProblem(literal.Type), "%s: make it with a function of refusal", files.Position(literal.Pos()))
			return true
		})
		return nil
	}))
	require.NotZero(t, seen, "lists of problems are found")
}

// isProblem reports whether a type is refusal.Problem or refusal.Field.
func isProblem(of ast.Expr) bool {
	selector, is := of.(*ast.SelectorExpr)
	if !is {
		return false
	}
	in, is := selector.X.(*ast.Ident)
	return is && in.Name == "refusal" && (selector.Sel.Name == "Problem" || selector.Sel.Name == "Field")
}

func TestFields_LeaveOutVeryManyAllowedValues(t *testing.T) {
	many := make([]string, 2000)
	for i := range many {
		many[i] = "0123456789"
	}
	var found []Field
	require.NoError(t, json.Unmarshal(Fields(NotOneOf(many, "x", "m").At("a"), NotOneOf([]string{"x", "y"}, "", "m").At("b")).Details, &found))
	require.Equal(t, []Field{
		{"a", Problem{Code: UnknownValue, Message: "m", Suggestion: "x"}},
		{"b", Problem{Code: UnknownValue, Message: "m", Allowed: []string{"x", "y"}}},
	}, found)
}
