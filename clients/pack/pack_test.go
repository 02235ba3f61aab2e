//go:build deep

package main

import (
	"archive/zip"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"io/fs"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/testkit/needs"
)

// A project runs its program with the address of a service and a credential in its environment.
const (
	apiKey    = "sb_3eY9UJuj09636NVPlgmhfa"
	secretKey = "xBeain5pFnPyQkl98qzA+BG+Cjzskpqq9fGKDbDoXNP5"
)

// TestPackages_InstallIntoAnEmptyProject, each from its package alone, and call a service.
func TestPackages_InstallIntoAnEmptyProject(t *testing.T) {
	needs.Program(t, "npm", "install Node.js")
	needs.File(t, "../typescript/node_modules", "npm ci --ignore-scripts --prefix clients/typescript")
	if exec.Command("/usr/bin/python3", "-c", "import setuptools, wheel, pip, ensurepip, cryptography, httpx").Run() != nil {
		needs.Lacking(t, "apt-get install python3-cryptography python3-httpx python3-pip python3-setuptools python3-wheel python3-venv")
	}
	packages := t.TempDir()
	version, err := releaseOf("../..")
	require.NoError(t, err)
	if err := pack("../..", packages); err != nil { // the setuptools of this machine are too old to publish, but not to install
		require.ErrorContains(t, err, "PyPI refuses the name")
		files, err := tracked("../python")
		require.NoError(t, err)
		require.NoError(t, buildPython(pythonOf(), files, filepath.Join(packages, "python"), version))
	}

	calls := make(chan string, 10)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls <- r.URL.Path
		_, _ = io.WriteString(w, `{"meta":{"status":"SUCCESS","trace_id":"trc_1","version":"2025-03-24"},"data":{"current_version":"2025-03-24","latest_version":"2025-03-24"}}`)
	}))
	defer service.Close()
	environment := append(os.Environ(), "BASE_URL="+service.URL, "API_KEY="+apiKey, "SECRET_KEY="+secretKey, "AUTH_TOKEN=token")
	in := func(t *testing.T, dir string, more []string, command ...string) {
		t.Helper()
		c := exec.CommandContext(t.Context(), command[0], command[1:]...)
		c.Dir, c.Env = dir, append(environment[:len(environment):len(environment)], more...)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%v: %s", command, out)
	}
	called := func(t *testing.T) {
		t.Helper()
		select {
		case operation := <-calls:
			require.Equal(t, "/meta.checkVersion", operation)
		default:
			require.Fail(t, "the program has called nothing")
		}
	}
	license, err := os.ReadFile("../../LICENSE")
	require.NoError(t, err)

	t.Run("npm", func(t *testing.T) {
		tarball := filepath.Join(packages, "npm", "requisite-client-"+version+".tgz")
		dir := project(t, map[string]string{
			"package.json":  `{"name":"try","private":true,"type":"module"}`,
			"tsconfig.json": `{"compilerOptions":{"strict":true,"exactOptionalPropertyTypes":true,"skipLibCheck":false,"target":"es2022","module":"nodenext","lib":["es2023","dom","dom.iterable"],"types":[]},"files":["try.ts"]}`,
			"try.ts": `import { Client } from "requisite-client";
declare const process: { env: Record<string, string | undefined> };
const { BASE_URL = "", API_KEY = "", SECRET_KEY = "", AUTH_TOKEN = "" } = process.env;
const client = new Client({ baseUrl: BASE_URL, apiKey: API_KEY, secretKey: SECRET_KEY, authToken: AUTH_TOKEN });
const { data } = await client.call("meta.checkVersion", {});
const latest: string = data.latest_version;
if (latest !== "2025-03-24") throw new Error(latest);
`,
		})
		in(t, dir, nil, "npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", tarball)
		compiler, err := filepath.Abs("../typescript/node_modules/typescript/bin/tsc")
		require.NoError(t, err)
		in(t, dir, nil, "node", compiler)
		in(t, dir, nil, "node", "try.js")
		called(t)
		in(t, dir, nil, "node", "--input-type=commonjs", "--eval", `const { Client } = require("requisite-client");
const { BASE_URL, API_KEY, SECRET_KEY, AUTH_TOKEN } = process.env;
void new Client({ baseUrl: BASE_URL, apiKey: API_KEY, secretKey: SECRET_KEY, authToken: AUTH_TOKEN }).call("meta.checkVersion", {});`)
		called(t)
		installed, err := os.ReadFile(filepath.Join(dir, "node_modules/requisite-client/LICENSE"))
		require.NoError(t, err)
		require.True(t, bytes.Equal(license, installed))
	})

	wheel := filepath.Join(packages, "python", "requisite_client-"+version+"-py3-none-any.whl")
	sdists, err := filepath.Glob(filepath.Join(packages, "python", "*.tar.gz"))
	require.NoError(t, err)
	require.Len(t, sdists, 1)
	for name, file := range map[string]string{"wheel": wheel, "sdist": sdists[0]} {
		t.Run(name, func(t *testing.T) {
			dir := project(t, map[string]string{"try.py": `import os
import requisite
assert requisite.__file__.startswith(os.getcwd()), requisite.__file__
client = requisite.Client(os.environ["BASE_URL"], os.environ["API_KEY"], os.environ["SECRET_KEY"], os.environ["AUTH_TOKEN"])
assert client.meta_check_version().data["latest_version"] == "2025-03-24"
`})
			in(t, dir, nil, "/usr/bin/python3", "-m", "venv", "--system-site-packages", "venv")
			// Nothing is loaded: the build has setuptools of the machine.
			in(t, dir, nil, "venv/bin/pip", "install", "--no-index", "--no-build-isolation", file)
			in(t, dir, nil, "venv/bin/python", "try.py")
			called(t)
		})
	}
	z, err := zip.OpenReader(wheel)
	require.NoError(t, err)
	defer z.Close()
	inside := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		inside[filepath.Base(f.Name)] = string(text)
	}
	require.Equal(t, string(license), inside["LICENSE"])
	require.Contains(t, inside, "py.typed")
	require.Regexp(t, `(?m)^Requires-Dist: cryptography ?\(?>=38\)?$`, inside["METADATA"])
	require.Regexp(t, `(?m)^Requires-Dist: httpx ?\(?>=0\.23\)?$`, inside["METADATA"])

	t.Run("go", func(t *testing.T) {
		dir := project(t, map[string]string{"main.go": `package main

import (
	"context"
	"os"

	requisite "` + goModule + `"
)

func main() {
	client, err := requisite.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"), os.Getenv("SECRET_KEY"), os.Getenv("AUTH_TOKEN"))
	if err != nil {
		panic(err)
	}
	answer, err := client.MetaCheckVersion(context.Background(), requisite.Empty{})
	if err != nil || answer.Data.LatestVersion != "2025-03-24" {
		panic(err)
	}
}
`})
		proxy, authority := serveAs(t, host, os.DirFS(filepath.Join(packages, "go")))
		certificates := filepath.Join(t.TempDir(), "authority.pem")
		require.NoError(t, os.WriteFile(certificates, authority, 0o600))
		// As from the host itself: no module proxy, and no checksums, which only a public host has.
		from := []string{
			"GOPROXY=direct", "GONOSUMDB=" + host, "GONOPROXY=", "GOPRIVATE=", "HTTPS_PROXY=" + proxy, "NO_PROXY=", "SSL_CERT_FILE=" + certificates,
			"GOMODCACHE=" + t.TempDir(), "GOFLAGS=-modcacherw", "GOWORK=off",
		}
		in(t, dir, from, "go", "mod", "init", "try")
		in(t, dir, from, "go", "get", goModule+"@latest")
		in(t, dir, from, "go", "vet", ".")
		in(t, dir, append(from, "NO_PROXY=127.0.0.1"), "go", "run", ".")
		called(t)
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		require.NoError(t, err)
		require.Contains(t, string(mod), goModule+" v"+version)
	})
}

// project makes an empty project with a program.
func project(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

// serveAs serves files as a host with HTTPS. It returns the address of a proxy that leads there, and the
// certificate to trust.
func serveAs(t *testing.T, host string, files fs.FS) (proxy string, certificate []byte) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{host}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(http.FileServerFS(files))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{signed}, PrivateKey: key}}}
	server.StartTLS()
	t.Cleanup(server.Close)
	tunnel := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || r.Host != host+":443" {
			http.Error(w, "only "+host, http.StatusForbidden)
			return
		}
		to, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer to.Close()
		from, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer from.Close()
		_, _ = io.WriteString(from, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(to, from); to.Close() }()
		_, _ = io.Copy(from, to)
	}))
	t.Cleanup(tunnel.Close)
	return tunnel.URL, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})
}
