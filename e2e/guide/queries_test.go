//go:build deep

package guide_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"requisite/e2e/harness"
	"requisite/internal/temporalclient"
	"requisite/internal/testkit/await"
	"requisite/internal/testkit/needs"
	"requisite/workflows"
)

// mostSeries is the number of series that a reader can distinguish in one panel.
const mostSeries = 20

var comparison = regexp.MustCompile(` (==|!=|>=|<=|>|<) `)

// queries returns the queries of all panels, variables and alerts, by their origin. It adds
// bool to the comparisons of alerts, so that they return data even while no alert fires.
func queries(t *testing.T) map[string]string {
	all := map[string]string{}
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
	for _, r := range rules(t) {
		all[r.Alert] = comparison.ReplaceAllString(strings.TrimSpace(r.Expr), " $1 bool ")
	}
	require.Greater(t, len(all), 80)
	return all
}

func TestQueries_ReturnDataInPrometheus(t *testing.T) {
	needs.Program(t, "prometheus", "apt-get install --no-install-recommends prometheus")
	s := harness.Shared(t)
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }))
	t.Cleanup(broken.Close)
	well := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	t.Cleanup(well.Close)
	call := func(operation string, in, out any) {
		t.Helper()
		_, err := harness.Call(t.Context(), s.Client, operation, in, out)
		require.NoError(t, err)
	}
	type object = map[string]any
	for _, url := range []string{well.URL, broken.URL} {
		call("webhook.config.create", object{"account_id": s.AccountID, "config": object{"url": url}}, nil)
	}
	var key object
	call("webhook.key.create", object{"account_id": s.AccountID}, &key)
	call("webhook.key.activate", object{"account_id": s.AccountID, "key_id": key["key_id"]}, nil)
	_, err := s.Temporal(t).ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "started-by-hand", TaskQueue: temporalclient.Sync},
		workflows.CalculateRequiredDocumentsName, "not sealed")
	require.NoError(t, err, "a run that fails")
	p := start(t, s)

	// A rate needs an increase between two scrapes, so the test makes requests until each
	// query has returned data.
	left := queries(t)
	s.Poll(t, "some queries return no data", func(context.Context) (bool, error) {
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
		delete(known, "") // no metric has this name
		for _, name := range metric.FindAllString(query, -1) {
			require.True(t, known[name], "nothing exports %s: %s", name, query)
		}
	}
	all := queries(t)
	for query := range silent {
		require.Contains(t, slices.Collect(values(all)), query, "silent lists a query that does not exist")
	}
	p.requireLegends(t)
	p.requireBounds(t)
	p.requireRules(t)
	p.requireSeries(t)
	for _, r := range rules(t) {
		if r.Alert == "RequisiteRunsFailed" {
			p.await(t, r.Expr, "the alert does not fire for the first run that fails")
		}
	}
}

// requireSeries requires that the programs export a series for every selector of an alert,
// with its labels.
func (p prometheus) requireSeries(t *testing.T) {
	for _, r := range rules(t) {
		for _, series := range selector.FindAllString(r.Expr, -1) {
			if !slices.Contains(elsewhere, r.Alert) {
				p.await(t, "count("+series+")", r.Alert+": nothing exports "+series)
				continue
			}
			found, err := p.query(t.Context(), "count("+series+")")
			require.NoError(t, err, series)
			require.False(t, found, "%s: %s", r.Alert, series)
		}
	}
}

// elsewhere are the alerts about what the stack of this test lacks: certificates.
var elsewhere = []string{"RequisiteCertificateEnds"}

var selector = regexp.MustCompile(`\b(?:(?:requisite|temporal|pg|node)_[a-zA-Z_]+|up)\b(?:\{[^}]*\})?`)

func values(all map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, v := range all {
			if !yield(v) {
				return
			}
		}
	}
}

// prometheus is a Prometheus server that scrapes the stack.
type prometheus struct{ address string }

// start starts Prometheus with the configuration for deployments, but with more frequent
// scrapes and the addresses of the stack.
func start(t *testing.T, s *harness.Stack) prometheus {
	t.Helper()
	data, err := os.ReadFile(deploy + "prometheus.yml")
	require.NoError(t, err)
	text := string(data)
	replacements := map[string]string{"scrape_interval: 15s": "scrape_interval: 1s", "evaluation_interval: 15s": "evaluation_interval: 1s"}
	for program, address := range s.Metrics {
		replacements["dns_sd_configs: [{names: ["+program+"], type: A, port: 9090}]"] = `static_configs: [{targets: ["` + address + `"]}]`
	}
	for old, changed := range replacements {
		require.Equal(t, 1, strings.Count(text, old), old)
		text = strings.Replace(text, old, changed, 1)
	}
	exporter := regexp.MustCompile(`job_name: (\S+)\n    static_configs: \[\{targets: \["[a-z-]+:[0-9]+"\]\}\]`)
	require.Len(t, exporter.FindAllString(text, -1), 3)
	text = exporter.ReplaceAllStringFunc(text, func(config string) string {
		job := exporter.FindStringSubmatch(config)[1]
		return "job_name: " + job + "\n    static_configs: [{targets: [\"" + replay(t, job) + "\"]}]"
	})
	// The stack has no Alertmanager.
	text = strings.Replace(text, `static_configs: [{targets: ["alertmanager:9093"]}]`, "static_configs: []", 1)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "prometheus.yml"), []byte(text), 0o600))
	alerts, err := os.ReadFile(deploy + "alerts.yml")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "alerts.yml"), alerts, 0o600))
	command := exec.Command("prometheus", "--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address=127.0.0.1:0")
	log, err := command.StderrPipe()
	require.NoError(t, err)
	s.Start(t, command)
	// Prometheus logs its port.
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

// replay serves what was recorded of a job, and returns the address. Each scrape has higher values, because a rate of nothing
// has no percentile.
func replay(t *testing.T, job string) (address string) {
	lines, scrapes := strings.Split(strings.TrimSpace(recording(t, job)), "\n"), atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		n := float64(scrapes.Add(1))
		for _, line := range lines[1:] { // without the comment
			at := strings.LastIndex(line, " ")
			value, err := strconv.ParseFloat(line[at+1:], 64)
			if err != nil {
				panic(err) // the file is ours
			}
			fmt.Fprintf(w, "%s %v\n", line[:at], value*n)
		}
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
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

// requireLegends requires that each series of a panel has its own name, and that a panel
// has at most mostSeries.
func (p prometheus) requireLegends(t *testing.T) {
	for _, d := range dashboards(t) {
		for _, panel := range d.Panels {
			names := map[string]bool{}
			for _, target := range panel.Targets {
				var data struct {
					Result []struct{ Metric map[string]string }
				}
				require.NoError(t, p.get(t.Context(), "/api/v1/query?query="+url.QueryEscape(variables.Replace(target.Expr)), &data))
				for _, series := range data.Result {
					name := legend.ReplaceAllStringFunc(target.LegendFormat, func(label string) string { return series.Metric[strings.Trim(label, "{}")] })
					require.NotEmpty(t, strings.TrimSpace(name), "%s: %s: a series has no name: %v", d.UID, panel.Title, series.Metric)
					require.False(t, names[name], "%s: %s: two series are called %q", d.UID, panel.Title, name)
					names[name] = true
				}
			}
			require.LessOrEqual(t, len(names), mostSeries, "%s: %s: too many series: %q", d.UID, panel.Title, names)
		}
	}
}

// requireBounds requires that percentiles change their color only at bounds of buckets.
// Within a bucket, a percentile is only an estimate.
func (p prometheus) requireBounds(t *testing.T) {
	bounds := 0
	for _, d := range dashboards(t) {
		for _, panel := range d.Panels {
			for _, target := range panel.Targets {
				if !strings.HasPrefix(target.Expr, "histogram_quantile(") {
					continue
				}
				for _, step := range panel.FieldConfig.Defaults.Thresholds.Steps {
					if step.Value == nil {
						continue
					}
					bounds++
					p.await(t, fmt.Sprintf(`count(%s{le="%v"})`, metric.FindString(target.Expr), *step.Value),
						fmt.Sprintf("%s: %s: no bucket ends at %v", d.UID, panel.Title, *step.Value))
				}
			}
		}
	}
	require.NotZero(t, bounds)
}

// query reports whether an expression has data now.
func (p prometheus) query(ctx context.Context, expression string) (bool, error) {
	var data struct {
		Result []struct{ Value [2]any }
	}
	err := p.get(ctx, "/api/v1/query?query="+url.QueryEscape(expression), &data)
	return slices.ContainsFunc(data.Result, func(r struct{ Value [2]any }) bool { return r.Value[1] != "NaN" }), err
}

// await waits until an expression has data. A scrape that takes longer than a second leaves a gap until the next one.
// complaint says what is wrong if it never has.
func (p prometheus) await(t *testing.T, expression, complaint string) {
	t.Helper()
	await.True(t, "data of "+expression, func(ctx context.Context) error {
		found, err := p.query(ctx, expression)
		if err == nil && !found {
			err = errors.New(complaint)
		}
		return err
	})
}

// known returns the names of scraped metrics, and of those that the SDK may export later.
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
		// The exporter moves _total to the end.
		all[strings.ReplaceAll(prefix+found[2], "_total", "")+"_total"] = true
	}
	return all
}

// requireRules requires that Prometheus has evaluated every alert without an error.
func (p prometheus) requireRules(t *testing.T) {
	var data struct {
		Groups []struct {
			Rules []struct{ Name, Health, LastError string }
		}
	}
	await.True(t, "Prometheus to evaluate every alert", func(ctx context.Context) error {
		require.NoError(t, p.get(ctx, "/api/v1/rules", &data))
		require.Len(t, data.Groups, 1)
		for _, r := range data.Groups[0].Rules {
			if r.Health == "unknown" {
				return fmt.Errorf("%s has not been evaluated", r.Name)
			}
		}
		return nil
	})
	for _, r := range data.Groups[0].Rules {
		require.Equal(t, "ok", r.Health, "%s: %s", r.Name, r.LastError)
	}
}
