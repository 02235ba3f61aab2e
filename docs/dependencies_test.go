package docs

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

// licenses are recognized by their texts.
var licenses = map[string]string{
	"Apache-2.0":   `Apache License|apache\.org/licenses/LICENSE-2\.0`,
	"BSD-3-Clause": `(?s)Redistribution and use in source and binary forms.*Neither the name`,
	"MIT":          `Permission is hereby granted, free of charge`,
	"MPL-2.0":      `Mozilla Public License,? [Vv]ersion 2\.0`,
}

// TestDependencies_AreListed holds dependencies.md to all go.mod files and, of
// the modules that this machine has, to their licenses.
func TestDependencies_AreListed(t *testing.T) {
	text, err := os.ReadFile("dependencies.md")
	require.NoError(t, err)
	sections := strings.Split(string(text), "\n## ")[1:]
	modules := []string{"..", "../kms", "../devstack", "../clients/go", "../internal/localpostgres", "../deploy/helm/check", "../deploy/image/tool"}
	require.Len(t, sections, len(modules))
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\| ([^|]+) \\|$")
	read := 0
	for i, dir := range modules {
		listed, purpose := map[string]string{}, map[string]string{}
		var names []string
		for _, m := range row.FindAllStringSubmatch(sections[i], -1) {
			names = append(names, m[1])
			purpose[m[1]], listed[m[1]] = m[2], m[3]
		}
		needed := direct(t, dir)
		require.ElementsMatch(t, needed, names, "%s/go.mod and dependencies.md", dir)
		require.IsIncreasing(t, names)
		for _, module := range needed {
			for _, license := range strings.Split(listed[module], " and ") {
				require.Contains(t, licenses, license, module)
				if found := licenseText(t, dir, module); found != "" {
					require.Regexp(t, licenses[license], found, "the license of %s", module)
					read++
				}
			}
		}
		if strings.Contains(sections[i], "\nNo program contains") {
			continue // tests alone, all of them
		}
		imported := imports(t, dir)
		for _, module := range needed {
			require.Equal(t, strings.HasPrefix(purpose[module], "tests:"), !slices.ContainsFunc(imported, of(module)), "whether %s is for tests alone", module)
		}
	}
	require.NotZero(t, read, "testify, which this test is built with, is on the machine")
}

// TestUpdateBot_KnowsEveryManifest of modules, packages and images.
func TestUpdateBot_KnowsEveryManifest(t *testing.T) {
	text, err := os.ReadFile("../.github/dependabot.yml")
	require.NoError(t, err)
	var bot struct {
		Updates []struct {
			Ecosystem   string `yaml:"package-ecosystem"`
			Directories []string
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &bot))
	known := map[string][]string{}
	for _, u := range bot.Updates {
		known[u.Ecosystem] = u.Directories
	}
	manifests := map[string]string{"go.mod": "gomod", "package.json": "npm", "pyproject.toml": "pip", "requirements.txt": "pip", "pom.xml": "maven", "Dockerfile": "docker", "docker-compose.yml": "docker-compose"}
	found := map[string][]string{}
	left := regexp.MustCompile(`(^|/)(stubs|testdata)/`)
	list := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard") // nothing that was built
	list.Dir = ".."
	files, err := list.Output()
	require.NoError(t, err)
	for path := range strings.SplitSeq(string(files), "\x00") {
		if strings.HasPrefix(path, ".github/workflows/") {
			found["github-actions"] = []string{"."} // all of them
		}
		if ecosystem := manifests[filepath.Base(path)]; ecosystem != "" && !left.MatchString(path) {
			found[ecosystem] = append(found[ecosystem], filepath.Dir(path))
		}
	}
	for ecosystem, dirs := range found {
		for i, dir := range dirs {
			dirs[i] = filepath.Clean("/" + dir)
		}
		require.ElementsMatch(t, dirs, known[ecosystem], ecosystem)
	}
	require.Len(t, known, len(found))
}

// apart are modules that stay behind the service's: the Temporal server does not compile with newer ones, or stubs stand for them.
var apart = []string{
	"github.com/aws/", "github.com/grpc-ecosystem/grpc-gateway/", "github.com/prometheus/", "go.opentelemetry.io/", "go.temporal.io/", "google.golang.org/api",
}

// TestDevstack_SharesVersions of modules with the service, so that a first start compiles them once.
func TestDevstack_SharesVersions(t *testing.T) {
	versions := func(dir string) map[string]string {
		required := map[string]string{}
		for line := range strings.Lines(string(golang(t, dir, "mod", "edit", "-print"))) {
			line = strings.TrimPrefix(strings.TrimSpace(line), "require ")
			if fields := strings.Fields(line); len(fields) >= 2 && strings.HasPrefix(fields[1], "v") {
				required[fields[0]] = fields[1]
			}
		}
		return required
	}
	ours := versions("..")
	shared := 0
	for module, version := range versions("../devstack") {
		if ours[module] == "" || slices.ContainsFunc(apart, func(prefix string) bool { return strings.HasPrefix(module, prefix) }) {
			continue
		}
		shared++
		require.Equal(t, ours[module], version, module)
	}
	require.NotZero(t, shared)
}

// TestUUIDs_AreOfOnePackage, so that another library is a change of that one.
func TestUUIDs_AreOfOnePackage(t *testing.T) {
	const format = `{{$p := .ImportPath}}{{range .Imports}}{{if eq . "github.com/google/uuid"}}{{$p}} {{end}}{{end}}`
	require.Equal(t, []string{"requisite/internal/id"}, strings.Fields(string(golang(t, "..", "list", "-f", format, "./..."))))
}

// TestPrograms_DoNotIncludeEmbeddedPostgres, which is for development and tests.
func TestPrograms_DoNotIncludeEmbeddedPostgres(t *testing.T) {
	built := strings.Fields(string(golang(t, "..", "list", "-deps", "./api", "./worker", "./starter/starter")))
	require.Contains(t, built, "requisite/internal/store")
	for _, name := range built {
		require.NotContains(t, name, "localpostgres")
		require.NotContains(t, name, "embedded-postgres")
	}
	required, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	require.NotContains(t, string(required), "embedded-postgres")
}

func golang(t *testing.T, dir string, args ...string) []byte {
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	return out
}

// direct are the modules that the code of dir's module imports itself, except for modules of this
// repository.
func direct(t *testing.T, dir string) (paths []string) {
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
		Tool []struct{ Path string }
	}
	require.NoError(t, json.Unmarshal(golang(t, dir, "mod", "edit", "-json"), &mod))
	for _, r := range mod.Require {
		// Go calls the module of a tool indirect.
		tool := slices.ContainsFunc(mod.Tool, func(t struct{ Path string }) bool { return strings.HasPrefix(t.Path, r.Path+"/") })
		if (!r.Indirect || tool) && !strings.HasPrefix(r.Path+"/", "requisite/") {
			paths = append(paths, r.Path)
		}
	}
	return paths
}

// imports are the packages that the programs of dir's module import, and not what tests share.
func imports(t *testing.T, dir string) []string {
	const format = `{{with .Module}}{{if .Main}}{{join $.Imports "\n"}}{{end}}{{end}}`
	programs := []string{"./..."}
	if dir == ".." {
		programs = []string{"./api", "./worker", "./starter/starter"}
	}
	args := append([]string{"list", "-deps", "-f", format}, programs...)
	return strings.Fields(string(golang(t, dir, args...)))
}

// of reports whether a package is one of a module.
func of(module string) func(string) bool {
	return func(name string) bool { return name == module || strings.HasPrefix(name, module+"/") }
}

// licenseText is the text of a module's license, empty when the machine does not
// have the module.
func licenseText(t *testing.T, dir, module string) string {
	at := strings.TrimSpace(string(golang(t, dir, "list", "-m", "-f", "{{.Dir}}", module)))
	if at == "" {
		return ""
	}
	files, err := filepath.Glob(filepath.Join(at, "LICENSE*"))
	require.NoError(t, err)
	require.NotEmpty(t, files, module)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	return string(text)
}
