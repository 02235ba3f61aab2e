// Command pack builds a package of each client for its registry: go run ./clients/pack DIRECTORY,
// in the root of the repository. It publishes nothing; CONTRIBUTING.md says how to publish.
package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// host serves the Go module. The publisher of the module replaces it; only this constant names it.
const host = "go.requisite.example"

// goModule is the path of the Go module, and inRepository its path here.
const (
	goModule     = host + "/client"
	inRepository = "requisite/clients/go"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		log.Fatal("Build each client into what its registry takes: go run ./clients/pack DIRECTORY")
	}
	if err := pack(".", os.Args[1]); err != nil {
		log.Fatal("pack: ", err)
	}
	fmt.Println("The packages are in " + os.Args[1] + ". The path of the Go module is " + goModule + ". CONTRIBUTING.md says how to publish them.")
}

// pack builds the clients of a repository into a directory: npm/, python/ and go/.
func pack(root, dir string) error {
	version, err := releaseOf(root)
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	for _, build := range []struct {
		language, to string
		pack         func(files map[string][]byte, to, version string) error
	}{{"typescript", "npm", packNPM}, {"go", "go", packGo}, {"python", "python", packPython}} {
		to := filepath.Join(dir, build.to)
		if err := os.MkdirAll(to, 0o755); err != nil {
			return err
		}
		files, err := tracked(filepath.Join(root, "clients", build.language))
		if err == nil {
			err = build.pack(files, to, version)
		}
		if err != nil {
			return fmt.Errorf("the %s client: %w", build.language, err)
		}
	}
	return nil
}

var (
	release       = regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+)`)
	pythonVersion = regexp.MustCompile(`(?m)^version = "(.*)"$`)
	userAgent     = regexp.MustCompile(`"requisite-client-(?:go|python|typescript)/([^"]*)"`)
)

// releaseOf returns the version of the service, which the clients have too: the newest release in
// CHANGELOG.md.
func releaseOf(root string) (string, error) {
	read := func(name string, version func(text []byte) string) (string, error) {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return "", err
		}
		return version(text), nil
	}
	first := func(pattern *regexp.Regexp) func([]byte) string {
		return func(text []byte) string {
			if found := pattern.FindSubmatch(text); found != nil {
				return string(found[1])
			}
			return ""
		}
	}
	inJSON := func(text []byte) string {
		var about struct{ Version string }
		if json.Unmarshal(text, &about) != nil {
			return ""
		}
		return about.Version
	}
	released, err := read("CHANGELOG.md", first(release))
	if err != nil {
		return "", err
	}
	for name, version := range map[string]func([]byte) string{
		"clients/typescript/package.json": inJSON, "clients/typescript/package-lock.json": inJSON, "clients/python/pyproject.toml": first(pythonVersion),
		"clients/typescript/src/client.ts": first(userAgent), "clients/python/requisite/_base.py": first(userAgent), "clients/go/client.go": first(userAgent),
	} {
		if found, err := read(name, version); err != nil {
			return "", err
		} else if found != released {
			return "", fmt.Errorf("%s has the version %q, and the newest release in CHANGELOG.md is %q", name, found, released)
		}
	}
	return released, nil
}

// tracked reads the files of a directory that belong to the repository.
func tracked(dir string) (map[string][]byte, error) {
	list := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", ".")
	list.Dir = dir
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", dir, err)
	}
	files := map[string][]byte{}
	for name := range strings.FieldsSeq(string(out)) {
		if files[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	files["README.md"] = guideLink.ReplaceAll(files["README.md"], []byte("$1 (`/docs/calling$2` of the service)"))
	return files, nil
}

// guideLink is a link to a file that no package has. The service serves it.
var guideLink = regexp.MustCompile(`\[([^\]]*)\]\(\.\./\.\./docs/calling\.md([^)]*)\)`)

// unpacked calls use with a temporary copy of files, for builds that write more files there.
func unpacked(files map[string][]byte, use func(dir string) error) error {
	dir, err := os.MkdirTemp("", "requisite-client-")
	if err != nil {
		return err
	}
	for name, text := range files {
		if err = save(filepath.Join(dir, name), text); err != nil {
			break
		}
	}
	if err == nil {
		err = use(dir)
	}
	return errors.Join(err, os.RemoveAll(dir))
}

func save(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

func run(dir string, command ...string) error {
	c := exec.Command(command[0], command[1:]...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, out)
	}
	return nil
}

// packNPM writes the tarball that npm takes.
func packNPM(files map[string][]byte, to, _ string) error {
	return unpacked(files, func(dir string) error {
		if err := run(dir, "npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"); err != nil {
			return err
		}
		return run(dir, "npm", "pack", "--pack-destination", to)
	})
}

// packPython writes an sdist, and the wheel that is built from it. The build loads nothing.
func packPython(files map[string][]byte, to, version string) error {
	python := pythonOf()
	found, err := exec.Command(python, "-c", "import setuptools, wheel; print(setuptools.__version__)").Output()
	if err != nil {
		return fmt.Errorf("%s has no setuptools and wheel: install them", python)
	}
	if err := checkSetuptools(string(files["pyproject.toml"]), strings.TrimSpace(string(found))); err != nil {
		return fmt.Errorf("%s: %w", python, err)
	}
	return buildPython(python, files, to, version)
}

// pythonOf names the Python that builds.
func pythonOf() string {
	if exec.Command("python3", "-c", "import setuptools, wheel").Run() != nil {
		return "/usr/bin/python3" // where Debian's packages are
	}
	return "python3"
}

var requiredSetuptools = regexp.MustCompile(`"setuptools>=(\d+)\.(\d+)"`)

// checkSetuptools refuses a version below that of [build-system]: the index refuses the name of its sdist.
func checkSetuptools(project, found string) error {
	required := requiredSetuptools.FindStringSubmatch(project)
	if required == nil {
		return errors.New("pyproject.toml requires no setuptools>=X.Y")
	}
	number := func(text string) int {
		n, _ := strconv.Atoi(text)
		return n
	}
	parts := strings.SplitN(found+".0", ".", 3)
	major, minor := number(required[1]), number(required[2])
	if number(parts[0]) > major || number(parts[0]) == major && number(parts[1]) >= minor {
		return nil
	}
	return fmt.Errorf("PyPI refuses the name of an sdist of setuptools %s: put a python3 first in PATH that has setuptools %d.%d or newer, and wheel, "+
		"such as that of a virtual environment after pip install 'setuptools>=%[2]d.%[3]d' wheel", found, major, minor)
}

func buildPython(python string, files map[string][]byte, to, version string) error {
	build := func(dir, what string) error {
		return run(dir, python, "-c", "import sys; from setuptools import build_meta; build_meta.build_"+what+"(sys.argv[1])", to)
	}
	return unpacked(files, func(dir string) error {
		if err := build(dir, "sdist"); err != nil {
			return err
		}
		sdist, err := filepath.Glob(filepath.Join(to, "requisite?client-"+version+".tar.gz"))
		if err != nil || len(sdist) != 1 {
			return fmt.Errorf("there is no sdist of %s in %s: %w", version, to, err)
		}
		if err := run(dir, "tar", "-xzf", sdist[0], "--one-top-level=sdist", "--strip-components=1"); err != nil {
			return err
		}
		return build(filepath.Join(dir, "sdist"), "wheel")
	})
}

// packGo writes the files that host serves: a page at the path of the module that says where its
// versions are, and the versions in the form of a module proxy.
func packGo(files map[string][]byte, to, version string) error {
	v := "v" + version
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	var mod []byte
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := bytes.ReplaceAll(files[name], []byte(inRepository), []byte(goModule))
		if name == "go.mod" {
			mod = text
		}
		w, err := z.Create(goModule + "@" + v + "/" + name)
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	const modules = "modules"
	page := fmt.Sprintf(`<!doctype html><meta name="go-import" content="%s mod https://%s/%s"><title>%[1]s</title><code>go get %[1]s</code>`,
		goModule, host, modules)
	at := path.Join(modules, goModule, "@v")
	for name, text := range map[string][]byte{
		path.Join(strings.TrimPrefix(goModule, host), "index.html"): []byte(page),
		path.Join(at, "list"):    []byte(v + "\n"),
		path.Join(at, v+".info"): []byte(fmt.Sprintf("{%q:%q}", "Version", v)),
		path.Join(at, v+".mod"):  mod,
		path.Join(at, v+".zip"):  packed.Bytes(),
	} {
		if err := save(filepath.Join(to, name), text); err != nil {
			return err
		}
	}
	return nil
}
