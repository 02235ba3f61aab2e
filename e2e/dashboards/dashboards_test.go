// Package dashboards_test runs the queries of the dashboards and of the alerts in
// a real Prometheus, which scrapes a live stack.
package dashboards_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"requisite/e2e/parts"
	"requisite/internal/needs"
)

const deploy = "../../deploy/"

// silent are queries that give nothing while all is well, and why. Each must
// read a metric that exists.
var silent = map[string]string{
	`min(requisite_tls_certificate_expiry_timestamp_seconds) - time()`:                                  "the stack of this test does not serve HTTPS",
	`requisite_tls_certificate_expiry_timestamp_seconds - time() < bool 7 * 86400`:                      "the stack of this test does not serve HTTPS",
	`sum by (workflow_type) (rate(temporal_workflow_failed_total{instance=~".+"}[5m]))`:                 "the SDK counts from the first failed run on",
	`sum by (workflow_type) (rate(temporal_workflow_canceled_total{instance=~".+"}[5m]))`:               "the SDK counts from the first canceled run on",
	`sum by (workflow_type) (rate(temporal_workflow_task_execution_failed_total{instance=~".+"}[5m]))`:  "the SDK counts from the first failed task on",
	`sum by (operation, status_code) (rate(temporal_request_failure_total{instance=~".+"}[5m]))`:        "the SDK counts from the first failed request on",
	`sum by (operation, status_code) (rate(temporal_long_request_failure_total{instance=~".+"}[5m]))`:   "the SDK counts from the first failed poll on",
	`sum(rate(temporal_sticky_cache_forced_eviction_total{instance=~".+"}[5m]))`:                        "the SDK counts from the first eviction on",
	`sum by (activity_type) (rate(temporal_activity_execution_failed_total{instance=~".+"}[5m]))`:       "the SDK counts from the first failed activity on, and no failure that is expected",
	`sum by (activity_type) (rate(temporal_local_activity_execution_failed_total{instance=~".+"}[5m]))`: "the SDK counts from the first failed local activity on",
}

// panel is what these tests look at in a dashboard.
type panel struct {
	ID                       int
	Type, Title, Description string
	GridPos                  struct{ H, W, X, Y int } `json:"gridPos"`
	Targets                  []struct {
		RefID, Expr, LegendFormat string
		Datasource                struct{ Type, UID string }
	}
	FieldConfig struct{ Defaults struct{ Unit string } } `json:"fieldConfig"`
}

type dashboard struct {
	UID, Title, Description string
	Panels                  []panel
	Templating              struct {
		List []struct{ Name, Type, Definition string }
	}
}

func dashboards(t *testing.T) []dashboard {
	files, err := filepath.Glob(deploy + "grafana/dashboards/*.json")
	require.NoError(t, err)
	require.Len(t, files, 3)
	var all []dashboard
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var d dashboard
		require.NoError(t, json.Unmarshal(data, &d), file)
		require.Equal(t, "requisite-"+strings.TrimSuffix(filepath.Base(file), ".json"), d.UID)
		all = append(all, d)
	}
	return all
}

func TestEveryPanelIsDescribedAndHasItsPlace(t *testing.T) {
	for _, d := range dashboards(t) {
		require.NotEmpty(t, d.Description, d.UID)
		ids, taken := map[int]bool{}, map[[2]int]string{}
		for _, p := range d.Panels {
			at := d.UID + ": " + p.Title
			require.False(t, ids[p.ID], "%s: the id is taken", at)
			ids[p.ID] = true
			for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
				require.Less(t, x, 24, at)
				for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
					require.Empty(t, taken[[2]int{x, y}], "%s is where another panel is", at)
					taken[[2]int{x, y}] = p.Title
				}
			}
			if p.Type == "row" {
				continue
			}
			require.NotEmpty(t, p.Description, at)
			require.NotEmpty(t, p.FieldConfig.Defaults.Unit, at)
			require.NotEmpty(t, p.Targets, at)
			for _, target := range p.Targets {
				require.NotEmpty(t, target.LegendFormat, at)
				require.Equal(t, "${datasource}", target.Datasource.UID, at)
			}
		}
	}
}

// queries are those of all panels, variables and alerts, by where they are. In
// comparisons they say what they compare, so that they give data while no alert
// fires.
func queries(t *testing.T) map[string]string {
	all := map[string]string{}
	variables := strings.NewReplacer("$__rate_interval", "5m", "$instance", ".+")
	for _, d := range dashboards(t) {
		for _, p := range d.Panels {
			for _, target := range p.Targets {
				all[fmt.Sprintf("%s: %s (%s)", d.UID, p.Title, target.RefID)] = variables.Replace(target.Expr)
			}
		}
		for _, v := range d.Templating.List {
			if v.Type == "query" {
				found := regexp.MustCompile(`^label_values\((\w+), (\w+)\)$`).FindStringSubmatch(v.Definition)
				require.NotNil(t, found, v.Definition)
				all[d.UID+": "+v.Name] = fmt.Sprintf(`count by (%s) (%s{%[1]s!=""})`, found[2], found[1])
			}
		}
	}
	var file struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	data, err := os.ReadFile(deploy + "alerts.yml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(data, &file))
	for _, r := range file.Groups[0].Rules {
		all[r.Alert] = comparison.ReplaceAllString(strings.TrimSpace(r.Expr), " $1 bool ")
	}
	require.Greater(t, len(all), 80)
	return all
}

var (
	comparison = regexp.MustCompile(` (==|!=|>=|<=|>|<) `)
	metric     = regexp.MustCompile(`\b(?:temporal|requisite|process|go)_[a-z_]+`)
)

func TestEveryQueryGivesData(t *testing.T) {
	needs.Program(t, "prometheus", "apt-get install --no-install-recommends prometheus")
	s := parts.New(t, "REQUISITE_MAX_RULE_VERSIONS_A_DAY=0")
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }))
	t.Cleanup(broken.Close)
	well := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	t.Cleanup(well.Close)
	call := func(operation string, in, out any) {
		t.Helper()
		_, err := s.Client.Call(t.Context(), operation, in, out)
		require.NoError(t, err)
	}
	type object = map[string]any
	for _, url := range []string{well.URL, broken.URL} {
		call("webhook.config.create", object{"account_id": s.AccountID, "config": object{"url": url}}, nil)
	}
	var key object
	call("webhook.key.create", object{"account_id": s.AccountID}, &key)
	call("webhook.key.activate", object{"account_id": s.AccountID, "key_id": key["key_id"]}, nil)
	p := start(t, s)

	// A rate needs an increase between two scrapes: there is traffic until each
	// query has given data.
	left := queries(t)
	s.Poll(t, "queries give nothing", func(context.Context) (bool, error) {
		w := s.Application(t)
		call("workflow.requiredDocument.calculate", w, nil)
		call("workflow.pricing.calculate", w, nil)
		s.Publish(t, "average_monthly_credit_sales > 10")
		refused, err := s.Client.Send(t.Context(), "workflow.requiredDocument.calculate", fmt.Appendf(nil, `{"workflow_id":%q}`, w.WorkflowID))
		require.NoError(t, err)
		require.NotEmpty(t, refused.Errors, "there is a gap")
		for at, query := range left {
			result, err := p.query(t.Context(), query)
			require.NoError(t, err, "%s: %s", at, query)
			if result || silent[query] != "" {
				delete(left, at)
			}
		}
		if len(left) == 0 {
			return true, nil
		}
		return false, fmt.Errorf("nothing yet for %q", left)
	})

	known := p.known(t)
	for _, query := range queries(t) {
		delete(known, "") // never there
		for _, name := range metric.FindAllString(query, -1) {
			require.True(t, known[name], "nothing exports %s: %s", name, query)
		}
	}
	all := queries(t)
	for query := range silent {
		require.Contains(t, slices.Collect(values(all)), query, "no such query any more")
	}
	p.requireRules(t)
}

func values(all map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, v := range all {
			if !yield(v) {
				return
			}
		}
	}
}

// prometheus is a server that scrapes the stack.
type prometheus struct{ address string }

// start starts Prometheus with the configuration that deployments begin with, more
// frequent scrapes, and the addresses of the stack's programs.
func start(t *testing.T, s *parts.Stack) prometheus {
	t.Helper()
	data, err := os.ReadFile(deploy + "prometheus.yml")
	require.NoError(t, err)
	text := string(data)
	for old, changed := range map[string]string{
		"scrape_interval: 15s": "scrape_interval: 1s", "evaluation_interval: 15s": "evaluation_interval: 1s",
		"api:9090": s.Metrics["api"], "worker:9090": s.Metrics["worker"],
	} {
		require.Equal(t, 1, strings.Count(text, old), old)
		text = strings.Replace(text, old, changed, 1)
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "prometheus.yml"), []byte(text), 0o600))
	alerts, err := os.ReadFile(deploy + "alerts.yml")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "alerts.yml"), alerts, 0o600))
	command := exec.Command("prometheus", "--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address=127.0.0.1:0")
	log, err := command.StderrPipe()
	require.NoError(t, err)
	s.Start(t, command)
	// It says on which port it listens.
	listening := regexp.MustCompile(`msg="Listening on" address=(\S+)`)
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			go func() {
				for lines.Scan() {
				}
			}()
			return prometheus{found[1]}
		}
	}
	t.Fatal("Prometheus ended: " + lines.Text())
	return prometheus{}
}

func (p prometheus) get(ctx context.Context, path string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+path, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var answer struct {
		Status, Error string
		Data          json.RawMessage
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return err
	}
	if answer.Status != "success" {
		return fmt.Errorf("%s: %s", path, answer.Error)
	}
	return json.Unmarshal(answer.Data, into)
}

// query says whether an expression gives at least one number now.
func (p prometheus) query(ctx context.Context, expression string) (bool, error) {
	var data struct {
		Result []struct{ Value [2]any }
	}
	err := p.get(ctx, "/api/v1/query?query="+url.QueryEscape(expression), &data)
	return slices.ContainsFunc(data.Result, func(r struct{ Value [2]any }) bool { return r.Value[1] != "NaN" }), err
}

// known are the names of the metrics that were scraped, and of those that the SDK
// may count later.
func (p prometheus) known(t *testing.T) map[string]bool {
	var names []string
	require.NoError(t, p.get(t.Context(), "/api/v1/label/__name__/values", &names))
	all := map[string]bool{"requisite_tls_certificate_expiry_timestamp_seconds": true}
	for _, name := range names {
		all[name] = true
	}
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "go.temporal.io/sdk").Output()
	require.NoError(t, err)
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "internal/common/metrics/constants.go"))
	require.NoError(t, err)
	for _, found := range regexp.MustCompile(`(?m)= Temporal(MetricsPrefix|Request|LongRequest) \+ "([a-z_]+)"`).FindAllStringSubmatch(string(source), -1) {
		prefix := map[string]string{"MetricsPrefix": "temporal_", "Request": "temporal_request", "LongRequest": "temporal_long_request"}[found[1]]
		// The exporter puts the total at the end.
		all[strings.ReplaceAll(prefix+found[2], "_total", "")+"_total"] = true
	}
	return all
}

// requireRules fails when Prometheus could not evaluate an alert.
func (p prometheus) requireRules(t *testing.T) {
	var data struct {
		Groups []struct {
			Rules []struct{ Name, Health, LastError string }
		}
	}
	require.Eventually(t, func() bool {
		require.NoError(t, p.get(t.Context(), "/api/v1/rules", &data))
		require.Len(t, data.Groups, 1)
		return !slices.ContainsFunc(data.Groups[0].Rules, func(r struct{ Name, Health, LastError string }) bool { return r.Health == "unknown" })
	}, time.Minute, 100*time.Millisecond)
	for _, r := range data.Groups[0].Rules {
		require.Equal(t, "ok", r.Health, "%s: %s", r.Name, r.LastError)
	}
}
