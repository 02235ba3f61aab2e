//go:build deep

package deploy_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"requisite/e2e/harness"
	"requisite/internal/secrets/vault"
	"requisite/internal/testkit/await"
	"requisite/internal/testkit/needs"
)

const renderer = "../../.stack/bin/chart"

type probe struct {
	HTTPGet struct{ Path, Port string } `yaml:"httpGet"`
}

type container struct {
	Name    string
	Command []string
	Args    []string
	Env     []struct{ Name, Value string }
	Ports   []struct {
		Name          string
		ContainerPort int `yaml:"containerPort"`
	}
	VolumeMounts []struct {
		Name      string
		MountPath string `yaml:"mountPath"`
	} `yaml:"volumeMounts"`
	Startup   probe `yaml:"startupProbe"`
	Liveness  probe `yaml:"livenessProbe"`
	Readiness probe `yaml:"readinessProbe"`
}

type pod struct {
	Containers []container
	Volumes    []struct {
		Name   string
		Secret struct {
			SecretName  string `yaml:"secretName"`
			DefaultMode int    `yaml:"defaultMode"`
			Items       []struct{ Key, Path string }
		}
	}
}

type template struct{ Spec pod }

// pods returns the pods of the chart by component.
func pods(t *testing.T, values string) map[string]pod {
	needs.File(t, renderer, "go build -C deploy/helm/check -o $PWD/.stack/bin/chart .")
	file := filepath.Join(t.TempDir(), "values.yaml")
	require.NoError(t, os.WriteFile(file, []byte(values), 0o600))
	var stderr bytes.Buffer
	command := exec.Command(renderer, "../../deploy/helm/requisite", file)
	command.Stderr = &stderr
	text, err := command.Output()
	require.NoError(t, err, stderr.String())
	all := map[string]pod{}
	documents := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var o struct {
			Kind     string
			Metadata struct{ Labels map[string]string }
			Spec     struct {
				pod         `yaml:",inline"`
				Template    template
				JobTemplate struct{ Spec struct{ Template template } } `yaml:"jobTemplate"`
			}
		}
		if err := documents.Decode(&o); err != nil {
			require.ErrorContains(t, err, "EOF")
			return all
		}
		for _, p := range []pod{o.Spec.pod, o.Spec.Template.Spec, o.Spec.JobTemplate.Spec.Template.Spec} {
			if len(p.Containers) > 0 {
				all[o.Metadata.Labels["app.kubernetes.io/component"]] = p
			}
		}
	}
}

// node is a node of a cluster, simulated by this machine.
type node struct {
	*harness.Stack
	secrets  string            // has a directory for each Secret
	replace  *strings.Replacer // replaces names of services
	listened map[string]string // addresses by component and port
}

// command returns the command of a pod's first container, with the files of its Secrets.
func (n node) command(t *testing.T, component string, p pod, more ...string) *exec.Cmd {
	c := p.Containers[0]
	mounts := map[string]string{}
	for _, m := range c.VolumeMounts {
		mounts[m.Name] = m.MountPath
	}
	var files []string
	directories := map[string]string{}
	for _, v := range p.Volumes {
		directory := filepath.Join(n.secrets, v.Secret.SecretName)
		directories[mounts[v.Name]] = directory
		if len(v.Secret.Items) == 0 {
			files = append(files, mounts[v.Name]+"/", directory+"/")
		}
		for _, i := range v.Secret.Items {
			file := filepath.Join(directory, i.Key)
			require.NoError(t, os.Chmod(file, os.FileMode(v.Secret.DefaultMode)))
			files = append(files, mounts[v.Name]+"/"+i.Path, file)
		}
	}
	here := strings.NewReplacer(files...)
	var env []string
	for _, e := range c.Env {
		value := n.replace.Replace(cmp.Or(directories[e.Value], here.Replace(e.Value)))
		for _, port := range c.Ports {
			if value == fmt.Sprintf(":%d", port.ContainerPort) {
				value = n.listened[component+" "+port.Name]
			}
		}
		if e.Name == "REQUISITE_CODEC_LISTEN" {
			require.Equal(t, "127.0.0.1:8234", value)
			value = n.listened["codec codec"]
		}
		env = append(env, e.Name+"="+value)
	}
	return n.Command(env, c.Command[0], append(c.Command[1:], more...)...)
}

// secret writes the key of a Secret, if it has content, and returns its file.
func (n node) secret(t *testing.T, name, key, content string) string {
	file := filepath.Join(n.secrets, name, key)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	if content != "" {
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
	}
	return file
}

func (n node) keysets(t *testing.T) {
	for _, name := range []string{"kek", "payload"} {
		require.NoError(t, vault.Keyset{File: n.secret(t, "requisite-"+name, name+".json", "")}.Generate(t.Context()))
	}
}

// start starts the program of a component, at addresses that nobody else has.
func (n node) start(t *testing.T, component string, p pod) await.Process {
	for _, port := range p.Containers[0].Ports {
		n.listened[component+" "+port.Name] = harness.HeldAddress(t)
	}
	command := n.command(t, component, p)
	log, err := os.Create(filepath.Join(n.Dir, component+".log"))
	require.NoError(t, err)
	command.Stderr = log
	started := await.Process{Name: component, Ended: n.Start(t, command).Ended(), Log: log.Name()}
	require.NoError(t, log.Close())
	return started
}

// awaitReady waits until a program answers the probes of its pod.
func (n node) awaitReady(t *testing.T, component string, c container, program await.Process) {
	for _, p := range []probe{c.Startup, c.Liveness, c.Readiness} {
		address := n.listened[component+" "+p.HTTPGet.Port]
		require.NotEmpty(t, address, "%s: a probe uses a port that the container does not have", component)
		await.True(t, component+" to answer "+p.HTTPGet.Path, func(ctx context.Context) error {
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+p.HTTPGet.Path, nil)
			require.NoError(t, err)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				return err
			}
			if response.StatusCode != http.StatusOK {
				err = errors.New(response.Status)
			}
			return errors.Join(err, response.Body.Close())
		}, program)
	}
}

func TestChart_StartsTheService(t *testing.T) {
	all := pods(t, "image: {repository: requisite}\ndatabase: {tls: {mode: disable}}\n")
	require.Len(t, all, 6)
	n := node{Stack: harness.NewBare(t), secrets: t.TempDir(), listened: map[string]string{"codec codec": harness.HeldAddress(t)}}
	super, err := url.Parse(n.SuperuserURL("postgres"))
	require.NoError(t, err)
	n.replace = strings.NewReplacer("postgresql:5432", super.Host, "temporal-frontend:7233", n.TemporalAddress)
	conn, err := pgx.Connect(t.Context(), super.String())
	require.NoError(t, err)
	defer conn.Close(t.Context())
	for _, sql := range []string{
		`ALTER ROLE requisite LOGIN PASSWORD 'of-owner'`, `CREATE ROLE requisite_api LOGIN PASSWORD 'of-api'`, `CREATE ROLE requisite_worker LOGIN PASSWORD 'of-worker'`,
		`CREATE DATABASE requisite OWNER requisite`,
	} {
		_, err := conn.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	for _, role := range []string{"owner", "api", "worker"} {
		n.secret(t, "requisite-database-"+role, "password", "of-"+role)
	}
	n.keysets(t)
	n.secret(t, "requisite-codec", "token", strings.Repeat("0123456789abcdef", 4))

	run := func(component string, more ...string) string {
		t.Helper()
		out, err := n.command(t, component, all[component], more...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	require.Contains(t, run("migrate"), "database: role requisite_worker may serve as the worker")
	run("migrate")
	require.Regexp(t, `^STARTED .*\n\S+ +Helm +requisite +migrate +DONE\s*$`, run("operator", "audit", "list"),
		"an upgrade that changes nothing is not in the log")
	run("operator", "organization", "create", "Example Ltd")
	require.Contains(t, run("operator", "keyset", "rewrap"), "0 left")

	started := map[string]await.Process{}
	for _, component := range []string{"api", "worker", "codec"} {
		started[component] = n.start(t, component, all[component])
	}
	for component, program := range started {
		n.awaitReady(t, component, all[component].Containers[0], program)
		text, err := os.ReadFile(program.Log)
		require.NoError(t, err)
		require.NotContains(t, string(text), `"level":"WARN"`, "%s logs a warning about its settings", component)
	}
	tested := strings.NewReplacer("requisite-api-metrics:9090", n.listened["api metrics"], "requisite-worker-metrics:9090", n.listened["worker metrics"])
	for _, c := range all["test"].Containers {
		out, err := n.Command(nil, c.Command[0], c.Command[1], tested.Replace(c.Command[2])).CombinedOutput()
		require.NoError(t, err, "helm test: %s: %s", c.Name, out)
	}
	require.Contains(t, status(t, "http://"+n.listened["api http"]+"/healthz"), "200")
	require.Contains(t, status(t, "http://"+n.listened["worker metrics"]+"/metrics"), "200")
}

// TestChart_TrustsTheCAsThatItNames: a CA that only the value ca names has signed the certificates of Postgres, of Temporal, of the
// collector and of a receiver of webhooks.
func TestChart_TrustsTheCAsThatItNames(t *testing.T) {
	all := pods(t, `
image: {repository: requisite}
ca: {secret: company}
database:
  owner: {user: requisite_owner, clientCertificate: of-owner}
  api: {clientCertificate: of-api}
  worker: {clientCertificate: of-worker}
temporal: {tls: {enabled: true, clientCertificate: of-api}}
traces: {endpoint: "https://collector:4318"}
api: {settings: {REQUISITE_WEBHOOK_ALLOW: 127.0.0.0/8}}
worker: {settings: {REQUISITE_WEBHOOK_ALLOW: 127.0.0.0/8}}
`)
	s := newTLSStack(t)
	n := node{Stack: s.Stack, secrets: t.TempDir(), listened: map[string]string{}}
	n.keysets(t)
	copied := func(from, name, key string) {
		content, err := os.ReadFile(from)
		require.NoError(t, err)
		n.secret(t, name, key, string(content))
	}
	copied(s.ca.file, "company", "ca.crt")
	for _, role := range []string{"owner", "api", "worker"} {
		n.secret(t, "requisite-database-"+role, "password", password)
		cert, key := s.ca.issue(t, "requisite_"+role)
		copied(cert, "of-"+role, "tls.crt")
		copied(key, "of-"+role, "tls.key")
	}
	var mu sync.Mutex
	heard := map[string]bool{}
	record := func(what string) {
		mu.Lock()
		defer mu.Unlock()
		heard[what] = true
	}
	collector := s.serve(t, func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		for _, program := range []string{"requisite-api", "requisite-worker"} {
			if err == nil && bytes.Contains(body, []byte(program)) {
				record("spans of " + program)
			}
		}
	})
	receiver := s.serve(t, func(http.ResponseWriter, *http.Request) { record("a webhook") })
	n.replace = strings.NewReplacer("postgresql:5432", s.postgres, "temporal-frontend:7233", s.TemporalAddress, "https://collector:4318", collector)

	untrusting := n.command(t, "migrate", all["migrate"])
	untrusting.Env = slices.DeleteFunc(untrusting.Env, func(e string) bool { return strings.HasPrefix(e, "SSL_CERT_DIR=") })
	out, err := untrusting.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "certificate signed by unknown authority")
	run(t, n.command(t, "migrate", all["migrate"]))
	operator := func(args ...string) string { return run(t, n.command(t, "operator", all["operator"], args...)) }
	organization := operator("organization", "create", "Example Ltd")
	account := operator("account", "create", organization, "Example")
	var credential struct {
		APIKey    string `json:"api_key"`
		SecretKey string `json:"secret_key"`
		AuthToken string `json:"auth_token"`
	}
	require.NoError(t, json.Unmarshal([]byte(operator("credential", "create", organization, "example")), &credential))

	var started []await.Process
	for _, component := range []string{"api", "worker"} {
		started = append(started, n.start(t, component, all[component]))
		n.awaitReady(t, component, all[component].Containers[0], started[len(started)-1])
	}
	caller := []string{
		"REQUISITE_BASE_URL=http://" + n.listened["api http"],
		"REQUISITE_API_KEY=" + credential.APIKey, "REQUISITE_SECRET_KEY=" + credential.SecretKey, "REQUISITE_AUTH_TOKEN=" + credential.AuthToken,
	}
	call := func(operation string, request harness.Object) string {
		body, err := json.Marshal(request)
		require.NoError(t, err)
		return run(t, n.Command(caller, "starter", "call", operation, string(body)))
	}
	key := regexp.MustCompile(`whk_\w+`).FindString(call("webhook.key.create", harness.Object{"account_id": account}))
	call("webhook.key.activate", harness.Object{"account_id": account, "key_id": key})
	made := call("webhook.config.create", harness.Object{"account_id": account, "config": harness.Object{"url": receiver}})
	call("webhook.config.test", harness.Object{"config_id": regexp.MustCompile(`whc_\w+`).FindString(made)})
	await.True(t, "a webhook and spans of both programs", func(context.Context) error {
		mu.Lock()
		defer mu.Unlock()
		if len(heard) < 3 {
			return fmt.Errorf("only %v", slices.Collect(maps.Keys(heard)))
		}
		return nil
	}, started...)
}

// serve serves HTTPS with a certificate of the stack's CA.
func (s *tlsStack) serve(t *testing.T, handler http.HandlerFunc) (url string) {
	cert, key := s.ca.issue(t, "localhost")
	pair, err := tls.LoadX509KeyPair(cert, key)
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL
}

func status(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.Status
}
