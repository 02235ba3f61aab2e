package store

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// house is a type whose exported fields are rooms. Its rooms share one value of another type.
type house struct {
	folder, name, shared string
	calls                int // between its rooms: at least so many
}

var houses = []house{
	{".", "Records", "unit", 30},
	{".", "Store", "base", 2},
	{"deliveries", "Store", "base", 8},
}

// TestRooms_CallOnlyThoseBefore: a room calls rooms that stand before it in its house, and what the rooms share calls
// none. So each can be read without those that come later.
func TestRooms_CallOnlyThoseBefore(t *testing.T) {
	for _, h := range houses {
		place := h.places(t)
		calls := 0
		eachFunction(t, h.folder, func(name string, fn *ast.FuncDecl) {
			from := receiver(fn)
			here, isRoom := place[from]
			if !isRoom && from != h.shared || from == h.shared && place[roomOf(fn.Name.Name)] > 0 {
				return
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if room := entered(n); place[room] > 0 && room != from {
					calls++
					require.Less(t, place[room], here, "%s: %s.%s calls %s, which stands behind it in %s", name, from, fn.Name.Name, room, h.name)
				}
				return true
			})
		})
		require.GreaterOrEqual(t, calls, h.calls, h.folder)
	}
}

// TestTypes_HaveFewMethods: a type with many methods holds more than one kind of thing. Give one of them a room.
func TestTypes_HaveFewMethods(t *testing.T) {
	const tooMany = 40
	for _, folder := range []string{".", "deliveries"} {
		methods := map[string]int{} // by type
		eachFunction(t, folder, func(_ string, fn *ast.FuncDecl) { methods[receiver(fn)]++ })
		delete(methods, "") // functions
		require.Greater(t, len(methods), 10)
		for name, n := range methods {
			require.Less(t, n, tooMany, "%s: the methods of %s", folder, name)
		}
	}
}

// places returns where each room stands in a house, from 1 on. A room has the name of its type.
func (h house) places(t *testing.T) map[string]int {
	place := map[string]int{}
	eachDeclaration(t, h.folder, func(_ string, d ast.Decl) {
		types, ok := d.(*ast.GenDecl)
		if !ok || types.Tok != token.TYPE {
			return
		}
		for _, one := range types.Specs {
			named := one.(*ast.TypeSpec)
			if named.Name.Name != h.name {
				continue
			}
			for _, f := range named.Type.(*ast.StructType).Fields.List {
				if of, ok := f.Type.(*ast.Ident); ok {
					require.Equal(t, of.Name, f.Names[0].Name, "a room has the name of its type")
					place[of.Name] = len(place) + 1
				}
			}
		}
	})
	require.Greater(t, len(place), 5, h.folder)
	return place
}

// entered is the room that an expression reaches: with the method of its name, or by making one. It is empty if there
// is none.
func entered(n ast.Node) string {
	switch n := n.(type) {
	case *ast.CallExpr:
		if s, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) == 0 {
			return roomOf(s.Sel.Name)
		}
	case *ast.CompositeLit:
		if of, ok := n.Type.(*ast.Ident); ok {
			return of.Name
		}
	}
	return ""
}

// roomOf is the name of the room that a method with an unexported name would reach.
func roomOf(method string) string {
	if ast.IsExported(method) {
		return ""
	}
	return strings.ToUpper(method[:1]) + method[1:]
}

// TestRooms_TakeNoTimeOfTheirOwn: an event would be earlier than its change.
func TestRooms_TakeNoTimeOfTheirOwn(t *testing.T) {
	set := 0
	eachFunction(t, ".", func(name string, fn *ast.FuncDecl) {
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

// eachFunction visits the functions of a package.
func eachFunction(t *testing.T, folder string, see func(file string, fn *ast.FuncDecl)) {
	eachDeclaration(t, folder, func(file string, d ast.Decl) {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			see(file, fn)
		}
	})
}

// eachDeclaration visits the declarations of a package, without its tests.
func eachDeclaration(t *testing.T, folder string, see func(file string, d ast.Decl)) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			see(name, d)
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
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}
