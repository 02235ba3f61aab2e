package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStubs_DeclareWhatTheModulesDeclare holds each stub to the module that it stands for, in the version that go.mod requires:
// whatever the stub exports, the module exports with the same signature, and a struct's fields have the same types. That the stub has all
// that the server uses is held by the compiler.
func TestStubs_DeclareWhatTheModulesDeclare(t *testing.T) {
	var mod struct {
		Require []struct{ Path, Version string }
		Replace []struct {
			Old, New struct{ Path string }
		}
	}
	require.NoError(t, json.Unmarshal(command(t, ".", "go", "mod", "edit", "-json"), &mod))
	version := map[string]string{}
	for _, r := range mod.Require {
		version[r.Path] = r.Version
	}
	stubs := 0
	for _, r := range mod.Replace {
		if !strings.HasPrefix(r.New.Path, "./stubs/") {
			continue
		}
		stubs++
		t.Run(r.Old.Path, func(t *testing.T) {
			t.Parallel()
			var real struct{ Dir string }
			// Outside of this module, whose replacements would count.
			found := command(t, t.TempDir(), "go", "mod", "download", "-json", r.Old.Path+"@"+version[r.Old.Path])
			require.NoError(t, json.Unmarshal(found, &real))
			for _, dir := range packages(t, r.New.Path) {
				declared := exported(t, filepath.Join(real.Dir, dir))
				for name, text := range exported(t, filepath.Join(r.New.Path, dir)) {
					assert.Equal(t, declared[name], text, "%s of %s", name, path.Join(r.Old.Path, dir))
				}
			}
		})
	}
	require.NotZero(t, stubs)
}

func command(t *testing.T, dir, name string, arguments ...string) []byte {
	t.Helper()
	run := exec.Command(name, arguments...)
	run.Dir, run.Env = dir, append(os.Environ(), "GOFLAGS=")
	out, err := run.Output()
	require.NoError(t, err, "%s", out)
	return out
}

// packages are the directories below root with Go files.
func packages(t *testing.T, root string) (dirs []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(name string, _ fs.DirEntry, err error) error {
		if matches, _ := filepath.Glob(filepath.Join(name, "*.go")); err == nil && matches != nil {
			dir, err := filepath.Rel(root, name)
			dirs = append(dirs, dir)
			return err
		}
		return err
	}))
	return dirs
}

// exported are the exported names of a package: functions and methods with the types that they take and return, types, their
// fields and methods, variables and constants.
func exported(t *testing.T, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	all := map[string]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		qualify(t, file)
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				receiver := ""
				if d.Recv != nil {
					receiver = strings.TrimPrefix(text(d.Recv.List[0].Type), "*") + "."
				}
				add(all, receiver+d.Name.Name, signature(d.Type))
			case *ast.GenDecl:
				for _, s := range d.Specs {
					addSpec(all, s)
				}
			}
		}
	}
	return all
}

func addSpec(all map[string]string, spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range s.Names {
			add(all, name.Name, "a value")
		}
	case *ast.TypeSpec:
		add(all, s.Name.Name, "a type")
		switch kind := s.Type.(type) {
		case *ast.StructType:
			addFields(all, s.Name.Name, kind.Fields)
		case *ast.InterfaceType:
			addFields(all, s.Name.Name, kind.Methods)
		default:
			add(all, s.Name.Name, text(kind))
		}
	}
}

func addFields(all map[string]string, of string, fields *ast.FieldList) {
	for _, f := range fields.List {
		for _, name := range f.Names {
			add(all, of+"."+name.Name, text(f.Type))
		}
	}
}

// add leaves out what no other package can name.
func add(all map[string]string, name, text string) {
	for part := range strings.SplitSeq(name, ".") {
		if !ast.IsExported(part) {
			return
		}
	}
	all[name] = text
}

// signature has the types alone, one for each parameter and result.
func signature(f *ast.FuncType) string {
	return "func(" + types(f.Params) + ") (" + types(f.Results) + ")"
}

func types(fields *ast.FieldList) string {
	var all []string
	if fields != nil {
		for _, f := range fields.List {
			for range max(1, len(f.Names)) {
				all = append(all, text(f.Type))
			}
		}
	}
	return strings.Join(all, ", ")
}

func text(node ast.Expr) string {
	if f, ok := node.(*ast.FuncType); ok {
		return signature(f)
	}
	var out bytes.Buffer
	if err := printer.Fprint(&out, token.NewFileSet(), node); err != nil {
		return fmt.Sprint(err)
	}
	return strings.ReplaceAll(out.String(), "interface{}", "any")
}

// qualify writes the path of a package in place of the name that a file gives it.
func qualify(t *testing.T, file *ast.File) {
	t.Helper()
	imported := map[string]string{}
	for _, i := range file.Imports {
		full, err := strconv.Unquote(i.Path.Value)
		require.NoError(t, err)
		name := ""
		if i.Name != nil {
			name = i.Name.Name
		}
		imported[cmp.Or(name, path.Base(full))] = full
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncType); ok {
			for _, p := range f.Params.List {
				if len(p.Names) == 1 { // what is printed has no names
					p.Names = nil
				}
			}
		}
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && imported[x.Name] != "" {
				x.Name = imported[x.Name]
			}
		}
		return true
	})
}
