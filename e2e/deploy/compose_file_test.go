package deploy_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"requisite/e2e/harness"
	"requisite/internal/config"
)

type service struct {
	Image       string
	Build       *struct{ Args map[string]string }
	PullPolicy  string `yaml:"pull_policy"`
	Restart     string
	Profiles    []string
	Command     []string
	Entrypoint  []string
	Environment map[string]string
	Secrets     []string
	Volumes     []string
	Ports       []string
	Networks    []string
	NetworkMode string                                `yaml:"network_mode"`
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	User        string
	Privileged  bool
	ReadOnly    bool     `yaml:"read_only"`
	CapDrop     []string `yaml:"cap_drop"`
	CapAdd      []string `yaml:"cap_add"`
	SecurityOpt []string `yaml:"security_opt"`
	Tmpfs       []string
	MemLimit    string        `yaml:"mem_limit"`
	PidsLimit   int           `yaml:"pids_limit"`
	StopGrace   time.Duration `yaml:"stop_grace_period"`
	Healthcheck struct{ Test []string }
	Logging     struct {
		Driver  string
		Options map[string]string
	}
}

type composition struct {
	Services map[string]service
	Networks map[string]struct{ Internal bool }
	Secrets  map[string]struct{ File string }
}

func read(t *testing.T) composition {
	data, err := os.ReadFile("../../docker-compose.yml")
	require.NoError(t, err)
	var c composition
	require.NoError(t, yaml.Unmarshal(data, &c))
	return c
}

// programs are the services that run the image for a long time.
var programs = []string{"api", "worker", "codec"}

// operating returns the named pages of the guide for operators, or all of them.
func operating(t *testing.T, pages ...string) (text string) {
	t.Helper()
	files, err := filepath.Glob("../../docs/operating/*.md")
	require.NoError(t, err)
	if len(pages) > 0 {
		files = nil
	}
	for _, page := range pages {
		files = append(files, "../../docs/operating/"+page)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		text += string(data)
	}
	require.NotEmpty(t, text)
	return text
}

// TestTemporalUISettings_SurviveYAML, because the image of the UI copies them unescaped into
// a YAML file.
func TestTemporalUISettings_SurviveYAML(t *testing.T) {
	for name, value := range read(t).Services["temporal-ui"].Environment {
		var got map[string]string
		require.NoError(t, yaml.Unmarshal([]byte("setting: "+value), &got), name)
		require.Equal(t, value, got["setting"], name)
	}
}

// TestComposeFile_IsConsistent checks what an engine would report only at run time.
func TestComposeFile_IsConsistent(t *testing.T) {
	c := read(t)
	for name, s := range c.Services {
		require.NotContains(t, s.Image, ":latest", name)
		require.Contains(t, s.Image, ":", "%s has a pinned tag", name)
		for dependency := range s.DependsOn {
			require.Contains(t, c.Services, dependency, name)
		}
		for _, secret := range s.Secrets {
			require.Contains(t, c.Secrets, secret, name)
		}
		for key, value := range s.Environment {
			if file, ok := strings.CutPrefix(value, "/run/secrets/"); ok {
				require.Contains(t, s.Secrets, file, "%s: %s", name, key)
			}
			requireNoSecret(t, name, key, value)
			if strings.HasPrefix(key, "REQUISITE_") {
				known := slices.Contains(config.Variables(), key) || slices.Contains(config.Variables(), strings.TrimSuffix(key, "_FILE"))
				require.True(t, known, "%s: no program reads %s", name, key)
			}
		}
	}
	for _, name := range []string{"migrate", "temporal-schema"} {
		require.Equal(t, "service_completed_successfully", c.Services[name].DependsOn["databases"].Condition, name)
	}
	require.NotContains(t, fmt.Sprint(c.Services["postgres"].Volumes), "initdb.d", "the image runs such a script only for a new volume, and never again if it was interrupted")
	require.Empty(t, c.Services["operator"].DependsOn, "a command would rerun the services that have ended")
	for _, image := range regexp.MustCompile(`postgres:\d[-.a-z0-9]*`).FindAllString(operating(t), -1) {
		require.Equal(t, c.Services["postgres"].Image, image, "the guide's")
	}
	require.Equal(t, "service_completed_successfully", c.Services["api"].DependsOn["migrate"].Condition)
	require.Equal(t, "service_healthy", c.Services["migrate"].DependsOn["temporal"].Condition)
	require.NotEmpty(t, c.Services["temporal"].Environment["NUM_HISTORY_SHARDS"])
	require.Equal(t, []string{"codec", "status"}, c.Services["codec"].Networks, "no other service shares the codec's networks, but the operator")
	for name, s := range c.Services {
		if name != "codec" {
			require.NotContains(t, s.Networks, "codec", name)
		}
		if name != "codec" && name != "operator" {
			require.NotContains(t, s.Networks, "status", name)
		}
	}
	fairness, err := os.ReadFile("../../deploy/temporal/dynamicconfig.yaml")
	require.NoError(t, err)
	require.Contains(t, string(fairness), "matching.enableFairness")
}

// TestComposeFile_ServicesGetOnlyTheSecretsTheyNeed: the codec endpoint opens payloads, and
// migrate opens nothing.
func TestComposeFile_ServicesGetOnlyTheSecretsTheyNeed(t *testing.T) {
	keysets := map[string][]string{
		"keys":     {"kek:/keys/kek", "payload:/keys/payload"},
		"operator": {"kek:/keys/kek", "payload:/keys/payload"},
		"api":      {"kek:/keys/kek:ro", "payload:/keys/payload:ro"},
		"worker":   {"kek:/keys/kek:ro", "payload:/keys/payload:ro"},
		"codec":    {"payload:/keys/payload:ro"},
	}
	for name, s := range read(t).Services {
		var mounted []string
		uses := slices.Collect(maps.Values(s.Environment)) // and what its script reads
		for _, volume := range s.Volumes {
			host, at, _ := strings.Cut(volume, ":")
			if strings.HasPrefix(at, "/keys") || host == "kek" || host == "payload" {
				mounted = append(mounted, volume)
			} else if strings.HasSuffix(host, ".sh") {
				script, err := os.ReadFile(filepath.Join("../..", host))
				require.NoError(t, err)
				uses = append(uses, string(script))
			}
		}
		require.Equal(t, keysets[name], mounted, name)
		for _, secret := range s.Secrets {
			require.Contains(t, strings.Join(uses, "\n")+"\n", "/run/secrets/"+secret, "%s gets it", name)
		}
	}
}

// requireNoSecret requires that a setting with a password, token or secret names a file.
func requireNoSecret(t *testing.T, name, key, value string) {
	t.Helper()
	if secretive.MatchString(key) {
		require.True(t, strings.HasSuffix(key, "_FILE"), "%s: %s contains a secret and not the name of a file", name, key)
		require.Regexp(t, "^(/run/secrets|/keys)/", value, "%s: %s", name, key)
	}
	for _, m := range userInURL.FindAllStringSubmatch(value, -1) {
		require.NotContains(t, m[1], ":", "%s: %s has a password", name, key)
	}
}

var (
	secretive = regexp.MustCompile(`PASSWORD|PWD|TOKEN|SECRET|KEY|KEK|AUTH|HEADERS`)
	userInURL = regexp.MustCompile(`://([^@/ ]*)@`)
)

func TestComposeFile_CommandsContainNoSecret(t *testing.T) {
	require.Regexp(t, secretive, "POSTGRES_PASSWORD")
	require.Equal(t, "u:p", userInURL.FindStringSubmatch("postgres://u:p@postgres:5432/requisite")[1])
	for name, s := range read(t).Services {
		require.NotRegexp(t, `(?i)--[a-z-]*(password|token|secret)`, strings.Join(append(s.Command, s.Entrypoint...), " "), name)
	}
}

// TestComposeFile_ConfinesEveryService to what it needs. This includes services from other images
// and services that run once.
func TestComposeFile_ConfinesEveryService(t *testing.T) {
	writable := map[string][]string{ // directories that a service writes, besides its volumes
		"postgres": {"/tmp", "/var/run/postgresql"}, "databases": {"/tmp"}, "temporal": {"/tmp"}, "temporal-ui": {"/tmp"}, "grafana": {"/tmp"},
	}
	c := read(t)
	require.GreaterOrEqual(t, len(c.Services), 10)
	for name, s := range c.Services {
		require.True(t, s.ReadOnly, "%s: read_only", name)
		require.Equal(t, []string{"ALL"}, s.CapDrop, "%s: cap_drop", name)
		require.Empty(t, s.CapAdd, name)
		require.Equal(t, []string{"no-new-privileges:true"}, s.SecurityOpt, name)
		require.False(t, s.Privileged, name)
		require.Regexp(t, `^[1-9][0-9]*[mg]$`, s.MemLimit, "%s: mem_limit", name)
		require.Positive(t, s.PidsLimit, "%s: pids_limit", name)
		require.Equal(t, writable[name], s.Tmpfs, name)
		for _, volume := range s.Volumes {
			host, _, _ := strings.Cut(volume, ":")
			require.True(t, !strings.HasPrefix(host, ".") || strings.HasSuffix(volume, ":ro"), "%s writes to this host: %s", name, volume)
		}
	}
	require.Equal(t, "postgres", c.Services["databases"].User)
	require.Equal(t, "postgres", c.Services["postgres"].User, "root without capabilities cannot become another user")
	connections := regexp.MustCompile(`max_connections=(\d+)`).FindStringSubmatch(strings.Join(c.Services["postgres"].Command, " "))
	require.Len(t, connections, 2)
	atMost, err := strconv.Atoi(connections[1])
	require.NoError(t, err)
	require.Greater(t, c.Services["postgres"].PidsLimit, atMost+50, "Postgres needs a process for each connection")
}

// TestImage_HasTheHealthCheckOfTheServices, for operators who run it without Compose.
func TestImage_HasTheHealthCheckOfTheServices(t *testing.T) {
	data, err := os.ReadFile("../../Dockerfile")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^HEALTHCHECK .* CMD (\[.*\])$`).FindSubmatch(data)
	require.Len(t, found, 2)
	var command []string
	require.NoError(t, json.Unmarshal(found[1], &command))
	for _, name := range programs {
		require.Equal(t, read(t).Services[name].Healthcheck.Test, append([]string{"CMD"}, command...), name)
	}
	require.Equal(t, "http://127.0.0.1:8081", command[len(command)-1])
	require.Contains(t, string(data), "\nENV REQUISITE_HEALTH_LISTEN=0.0.0.0:8081\n", "the programs serve the address of the health check")
	require.Contains(t, string(data), "\nENV REQUISITE_LISTEN=0.0.0.0:8080\n", "the api must listen for callers outside of the container")
}

// TestComposeFile_HasHealthChecksAndBoundedLogs for services that run for a long time. Their
// published ports are on loopback, from a network that reaches the host.
func TestComposeFile_HasHealthChecksAndBoundedLogs(t *testing.T) {
	c := read(t)
	running := 0
	for name, s := range c.Services {
		if s.Restart == "unless-stopped" {
			running++
			require.NotEmpty(t, s.Healthcheck.Test, name)
		}
		require.Equal(t, "json-file", s.Logging.Driver, name)
		require.NotEmpty(t, s.Logging.Options["max-size"], name)
		require.NotEmpty(t, s.Logging.Options["max-file"], name)
		for _, port := range s.Ports {
			require.True(t, strings.HasPrefix(port, "127.0.0.1:"), "%s: %s", name, port)
			require.True(t, slices.ContainsFunc(s.Networks, func(network string) bool { return !c.Networks[network].Internal }), name)
		}
	}
	require.Equal(t, 11, running)
	require.Equal(t, []string{"CMD", "pg_isready", "-h", "127.0.0.1", "-U", "postgres"}, c.Services["postgres"].Healthcheck.Test,
		"the socket answers while the image still initializes its data directory")
	// On two networks the image's script finds two addresses, and cannot parse them.
	require.Len(t, c.Services["temporal"].Networks, 2)
	require.NotEmpty(t, c.Services["temporal"].Environment["TEMPORAL_BROADCAST_ADDRESS"])
}

var (
	anyStarter = regexp.MustCompile("(?m)(?:^\\$ (?:.* )?|`)starter\\s+([a-z]+(?:\\s+[a-z]+\\b)?)")
	setting    = regexp.MustCompile(`\[((?:DATABASE|REQUISITE|TEMPORAL)_[A-Z_]+)\]`)
)

// TestOperatorService_CanRunEveryCommandOfTheGuide: the service has the settings, keysets
// and networks for every command of starter in the guide.
func TestOperatorService_CanRunEveryCommandOfTheGuide(t *testing.T) {
	c := read(t)
	operator, migrate := c.Services["operator"], c.Services["migrate"]
	require.Equal(t, []string{"operator"}, operator.Profiles, "docker compose up must not start it")
	require.Equal(t, "no", operator.Restart)
	require.Equal(t, "starter", operator.Command[0])
	require.Equal(t, "Docker Compose", migrate.Environment["REQUISITE_OPERATOR"])
	require.Equal(t, "${REQUISITE_OPERATOR:-}", operator.Environment["REQUISITE_OPERATOR"], "each operator has a name")
	require.Regexp(t, "(?m)^export REQUISITE_OPERATOR=.*\nalias starter='docker compose run --rm operator starter'$", operating(t, "README.md"))
	shared := maps.Clone(migrate.Environment)
	delete(shared, "REQUISITE_OPERATOR")
	require.Subset(t, operator.Environment, shared)
	require.Subset(t, operator.Volumes, []string{"kek:/keys/kek", "payload:/keys/payload"}, "the operator writes keysets")
	require.Empty(t, operator.NetworkMode)
	ofServices := []string{"codec", "up"} // codec is a service of the file, up starts its own stack
	seen := map[string]bool{}
	s := harness.NewPrograms(t)
	for _, m := range anyStarter.FindAllStringSubmatch(operating(t), -1) {
		words := strings.Fields(m[1])
		name := strings.Join(words, " ")
		if seen[name] || slices.Contains(ofServices, words[0]) {
			continue
		}
		seen[name] = true
		out, err := s.Command(nil, "starter", append(words, "--help")...).CombinedOutput()
		require.NoError(t, err, "%s: %s", m[0], out)
		for _, variable := range setting.FindAllStringSubmatch(string(out), -1) {
			switch variable[1] {
			case "DATABASE_URL":
				require.Subset(t, operator.Networks, c.Services["postgres"].Networks, m[0])
			case "DATABASE_PASSWORD":
				require.Contains(t, operator.Secrets, filepath.Base(operator.Environment["DATABASE_PASSWORD_FILE"]), m[0])
			case "REQUISITE_KEK_FILE", "REQUISITE_PAYLOAD_KEY_FILE":
				directory := filepath.Dir(operator.Environment[variable[1]])
				require.Contains(t, operator.Volumes, filepath.Base(directory)+":"+directory, m[0])
			case "TEMPORAL_ADDRESS":
				host, _, _ := strings.Cut(operator.Environment[variable[1]], ":")
				require.Contains(t, c.Services[host].Networks, operator.Networks[0], m[0])
			case "REQUISITE_PROGRAMS":
				for program := range strings.SplitSeq(operator.Environment[variable[1]], ",") {
					u, err := url.Parse(program)
					require.NoError(t, err)
					of := c.Services[u.Hostname()]
					shared := func(network string) bool { return slices.Contains(operator.Networks, network) }
					require.True(t, slices.ContainsFunc(of.Networks, shared), program)
					require.Equal(t, "0.0.0.0:"+u.Port(), of.Environment["REQUISITE_METRICS_LISTEN"], program)
				}
			case "TEMPORAL_NAMESPACE", "REQUISITE_API_ROLE", "REQUISITE_WORKER_ROLE", "REQUISITE_READ_ROLE":
				require.NotEmpty(t, operator.Environment[variable[1]], m[0])
			}
		}
	}
	for _, command := range []string{"keyset add", "keyset promote", "keyset rewrap", "keyset drop", "delivery list", "delivery retry", "rules publish", "migrate", "erase", "status"} {
		require.True(t, seen[command], "the guide does not name %s", command)
	}
}

// TestSecretFiles_AreReadableInContainersOnly runs the command of the guide that creates
// them, with a umask that hides new files from other users.
func TestSecretFiles_AreReadableInContainersOnly(t *testing.T) {
	const line = "go run ./starter secret create .secrets"
	readme, err := os.ReadFile("../../docs/operating/start.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), "\n$ "+line+"\n")
	file, err := os.ReadFile("../../docker-compose.yml")
	require.NoError(t, err)
	require.Contains(t, string(file), "\n#   "+line+"\n", "the head of docker-compose.yml has the same command")

	dir := t.TempDir()
	starter := harness.NewPrograms(t).Command(nil, "starter", "secret", "create", ".secrets")
	run := exec.Command("sh", append([]string{"-c", `umask 077; exec "$0" "$@"`}, starter.Args...)...)
	run.Dir = dir
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	info, err := os.Stat(filepath.Join(dir, ".secrets"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	made, err := os.ReadDir(filepath.Join(dir, ".secrets"))
	require.NoError(t, err)
	require.Len(t, made, len(read(t).Secrets), "the command creates exactly the secrets of docker-compose.yml")
	for name, secret := range read(t).Secrets {
		info, err := os.Stat(filepath.Join(dir, secret.File))
		require.NoError(t, err, name)
		require.Equal(t, os.FileMode(0o644), info.Mode().Perm(), name)
	}
}

// TestDatabases_SaysThatTheCheckoutCannotBeRead, before anything else starts.
func TestDatabases_SaysThatTheCheckoutCannotBeRead(t *testing.T) {
	const advice = "chmod -R a+rX deploy"
	require.Contains(t, operating(t, "start.md"), "\n$ "+advice+"\n")
	words := read(t).Services["databases"].Entrypoint
	out, err := exec.Command(words[0], words[1:]...).CombinedOutput() // here is no /scripts
	require.Error(t, err)
	require.Equal(t, "containers cannot read this checkout; run: "+advice+"\n", string(out))
}

// TestMonitoringProfile_ConnectsItsServices: the configurations of Prometheus and Grafana
// match the services and mounts of the file.
func TestMonitoringProfile_ConnectsItsServices(t *testing.T) {
	c := read(t)
	prometheus, grafana := c.Services["prometheus"], c.Services["grafana"]
	for _, name := range []string{"prometheus", "alertmanager", "postgres-exporter", "node-exporter", "grafana"} {
		require.Equal(t, []string{"monitoring"}, c.Services[name].Profiles, name)
		require.Empty(t, c.Services[name].DependsOn, "%s: its dependencies would start with it", name)
	}
	yamlOf := func(path string, into any) {
		data, err := os.ReadFile("../../" + path)
		require.NoError(t, err)
		require.NoError(t, yaml.Unmarshal(data, into), path)
	}
	type static []struct{ Targets []string }
	var scraping struct {
		Global struct {
			ExternalLabels map[string]string `yaml:"external_labels"`
		}
		RuleFiles []string `yaml:"rule_files"`
		Alerting  struct {
			Managers []struct {
				Static static `yaml:"static_configs"`
			} `yaml:"alertmanagers"`
		}
		Jobs []struct {
			DNS []struct {
				Names []string
				Port  int
			} `yaml:"dns_sd_configs"`
			Static static `yaml:"static_configs"`
		} `yaml:"scrape_configs"`
	}
	yamlOf("deploy/prometheus.yml", &scraping)
	require.Contains(t, prometheus.Command, "--config.file=/etc/prometheus/prometheus.yml")
	require.Contains(t, prometheus.Volumes, "./deploy/prometheus.yml:/etc/prometheus/prometheus.yml:ro")
	for _, file := range scraping.RuleFiles {
		require.Contains(t, prometheus.Volumes, "./deploy/"+file+":/etc/prometheus/"+file+":ro")
	}
	require.Equal(t, map[string]string{"runbooks": "${RUNBOOKS_URL}"}, scraping.Global.ExternalLabels)
	require.Contains(t, prometheus.Environment, "RUNBOOKS_URL")
	targets := []string{scraping.Alerting.Managers[0].Static[0].Targets[0]}
	for _, job := range scraping.Jobs {
		if len(job.DNS) == 0 {
			targets = append(targets, job.Static[0].Targets...)
			continue
		}
		host := job.DNS[0].Names[0]
		require.Equal(t, fmt.Sprintf("0.0.0.0:%d", job.DNS[0].Port), c.Services[host].Environment["REQUISITE_METRICS_LISTEN"])
		require.True(t, shareNetwork(prometheus, c.Services[host]), host)
	}
	require.Equal(t, []string{"alertmanager:9093", "temporal:9090", "postgres-exporter:9187", "node-exporter:9100"}, targets, "the ports on which the images listen")
	require.Equal(t, "0.0.0.0:9090", c.Services["temporal"].Environment["PROMETHEUS_ENDPOINT"])
	for _, target := range targets {
		host, _, _ := strings.Cut(target, ":")
		require.True(t, shareNetwork(prometheus, c.Services[host]), host)
	}
	exporter := c.Services["postgres-exporter"]
	require.True(t, strings.HasPrefix(exporter.Environment["DATA_SOURCE_URI"], "postgres:5432/"))
	require.True(t, shareNetwork(exporter, c.Services["postgres"]))
	require.Contains(t, c.Services["databases"].Secrets, filepath.Base(exporter.Environment["DATA_SOURCE_PASS_FILE"]), "the password of its role")

	// The collectors whose metrics alerts and dashboards read.
	require.Subset(t, c.Services["node-exporter"].Command, []string{"--collector.filesystem", "--collector.diskstats", "--collector.cpu", "--collector.meminfo"})

	alertmanager := c.Services["alertmanager"]
	require.Contains(t, alertmanager.Command, "--config.file=/etc/alertmanager/alertmanager.yml")
	require.Contains(t, alertmanager.Volumes, "./deploy/alertmanager.yml:/etc/alertmanager/alertmanager.yml:ro")
	type route struct {
		Receiver string
		Matchers []string
	}
	var calling struct {
		Route struct {
			route  `yaml:",inline"`
			Routes []route
		}
		Receivers []struct{ Name string }
	}
	yamlOf("deploy/alertmanager.yml", &calling)
	require.Equal(t, []route{{"page", []string{`severity="page"`}}, {"watchdog", []string{`severity="none"`}}}, calling.Route.Routes)
	require.Equal(t, "ticket", calling.Route.Receiver, "all others")
	require.Len(t, calling.Receivers, 3)

	var sources struct {
		Datasources []struct{ Type, URL string }
	}
	yamlOf("deploy/grafana/provisioning/datasources/prometheus.yaml", &sources)
	require.Len(t, sources.Datasources, 1)
	require.Equal(t, "prometheus", sources.Datasources[0].Type)
	require.Equal(t, "http://prometheus:9090", sources.Datasources[0].URL, "the service")
	require.True(t, shareNetwork(grafana, prometheus))
	var providers struct {
		Providers []struct {
			Type    string
			Options struct{ Path string }
		}
	}
	yamlOf("deploy/grafana/provisioning/dashboards/requisite.yaml", &providers)
	require.Len(t, providers.Providers, 1)
	require.Equal(t, "file", providers.Providers[0].Type)
	require.Contains(t, grafana.Volumes, "./deploy/grafana/provisioning:/etc/grafana/provisioning:ro")
	require.Contains(t, grafana.Volumes, "./deploy/grafana/dashboards:"+providers.Providers[0].Options.Path+":ro")
}

func shareNetwork(a, b service) bool {
	return slices.ContainsFunc(a.Networks, func(network string) bool { return slices.Contains(b.Networks, network) })
}
