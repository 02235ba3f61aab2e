package store

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRooms_CallOnlyThoseBefore: a room calls rooms that stand before it in Records, and the unit calls none. So each
// can be read without those that come later.
func TestRooms_CallOnlyThoseBefore(t *testing.T) {
	place := map[string]int{} // of a room, by the name of its type
	room := map[string]string{}
	for f := range reflect.TypeFor[Records]().Fields() {
		if f.Name != "unit" {
			place[f.Name] = len(place) + 1
			room[strings.ToLower(f.Name)] = f.Name
		}
	}
	require.Greater(t, len(place), 10)
	calls := 0
	eachFunction(t, func(name string, fn *ast.FuncDecl) {
		from := receiver(fn)
		here, isRoom := place[from]
		if !isRoom && from != "unit" || from == "unit" && room[fn.Name.Name] != "" {
			return
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) > 0 {
				return true
			}
			if s, ok := call.Fun.(*ast.SelectorExpr); ok && room[s.Sel.Name] != "" {
				calls++
				require.Less(t, place[room[s.Sel.Name]], here, "%s: %s.%s calls %s, which stands behind it in Records", name, from, fn.Name.Name, s.Sel.Name)
			}
			return true
		})
	})
	require.Greater(t, calls, 30)
}

// TestRooms_TakeNoTimeOfTheirOwn: an event would be earlier than its change.
func TestRooms_TakeNoTimeOfTheirOwn(t *testing.T) {
	set := 0
	eachFunction(t, func(name string, fn *ast.FuncDecl) {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			assigned, ok := n.(*ast.AssignStmt)
			if !ok {
				return true
			}
			for _, to := range assigned.Lhs {
				if s, ok := to.(*ast.SelectorExpr); ok && s.Sel.Name == "at" {
					set++
					require.Equal(t, "unit.stamp", receiver(fn)+"."+fn.Name.Name, name)
				}
			}
			return true
		})
	})
	require.NotZero(t, set)
}

// eachFunction visits the functions of the package.
func eachFunction(t *testing.T, see func(file string, fn *ast.FuncDecl)) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				see(name, fn)
			}
		}
	}
}

// receiver is the type of a method's receiver; empty for a function.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	of := fn.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}
