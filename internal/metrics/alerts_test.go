package metrics

import (
	"context"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
	"requisite/internal/secrets/vault"
)

var (
	metricName = regexp.MustCompile(`\b(requisite_[a-z_]+|up)\b`)
	selector   = regexp.MustCompile(`\b(requisite_[a-z_]+|temporal_[a-z_]+|pg_[a-z_]+|node_[a-zA-Z_]+|up)(?:\{([^}]*)\})?`)
	matcher    = regexp.MustCompile(`([a-z_]+)(=~|=|!=|!~)"([^"]*)"`)
)

// series is what the programs can export: for each metric, its series' labels.
type series map[string][]map[string]string

// programs are the metrics of an api and of a worker that have just started.
func programs(t *testing.T) (api, worker *Metrics) {
	pool, err := pgxpool.New(t.Context(), "postgres://nobody@127.0.0.1:1/none")
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	program := func(deliveries bool) *Metrics {
		m := New()
		store := &fakeStore{pool: pool}
		m.Register(NewStoreCollector(store, store, store, deliveries))
		m.Register(NewHealthCollector(func(context.Context) error { return errors.New("starting") }))
		m.Register(NewLimiterCollector(limiter.New("database_connections", 1, 1)))
		m.Register(NewRuleCacheCollector(func() int64 { return 0 }))
		m.Register(NewCertificateCollector(CertificatePostgres, time.Now))
		m.Register(NewCertificateCollector(CertificateTemporal, time.Now))
		return m
	}
	api, worker = program(false), program(true)
	api.Register(NewCertificateCollector(CertificateAPI, time.Now))
	api.Register(NewKeyCollector(vault.OfSecrets, 1))
	api.Undecodable("api")
	worker.Undecodable("worker")
	api.Operations(slices.Values([]string{"workflow.get", "workflow.pricing.calculate", "workflow.requiredDocument.calculate"}))
	return api, worker
}

// exported is what the api and the worker export, each under the name of its job.
func exported(t *testing.T) series {
	api, worker := programs(t)
	for _, m := range []*Metrics{api, worker} {
		// As Temporal's SDK reports a failed run.
		m.Temporal().WithTags(map[string]string{"namespace": "requisite", "task_queue": "endpoints", "workflow_type": "RetryEndpoint"}).Counter("temporal_workflow_failed").Inc(1)
		m.Temporal().WithTags(map[string]string{"namespace": "requisite", "task_queue": "sync", "workflow_type": "CalculatePricing"}).Counter("temporal_workflow_completed").Inc(1)
	}
	api.Request("workflow.requiredDocument.calculate", 400, 0, &refusal.Refusal{Code: refusal.MissingRequirements, Details: []byte(`[{}]`)})
	api.Request("workflow.requiredDocument.calculate", 400, 0, &refusal.Refusal{Code: refusal.SystemRuleViolation, SubCode: refusal.RuleNotEvaluable})
	api.Request("workflow.get", refusal.Unavailable.Status(), 0, nil)
	api.Request("workflow.get", 429, 0, refusal.TooMany(refusal.Limit{Limit: 10, Scope: refusal.ScopeOrganization, Of: "requests"}, time.Second, "m"))
	api.Request("workflow.get", 200, 0, nil)
	api.Request("workflow.get", 400, 0, nil)
	api.Request("workflow.get", 500, 0, nil)
	api.CallerGone("workflow.get")
	worker.Attempt("SUCCEEDED", time.Second, 0)
	worker.PruneFailed("decisions")
	return scraped(t, api, worker)
}

// recordings are what Temporal's server and the exporters export, by job: files of testdata, which the deep tests of the
// guide give to Prometheus too.
func recordings(t *testing.T) map[string]string {
	all := map[string]string{}
	for _, job := range []string{"requisite-temporal", "requisite-postgres", "requisite-host"} {
		text, err := os.ReadFile("testdata/" + job + ".prom")
		require.NoError(t, err)
		all[job] = string(text)
	}
	return all
}

// scraped is what an api and a worker export now, and what was recorded of the others.
func scraped(t *testing.T, api, worker *Metrics) series {
	all := series{}
	texts := recordings(t)
	texts["requisite-api"], texts["requisite-worker"] = scrape(t, api), scrape(t, worker)
	for job, text := range texts {
		for _, line := range strings.Split(text, "\n") {
			if found := selector.FindStringSubmatch(line); found != nil && !strings.HasPrefix(line, "#") {
				labels := map[string]string{"job": job}
				for _, pair := range matcher.FindAllStringSubmatch(found[2], -1) {
					labels[pair[1]] = pair[3]
				}
				all[found[1]] = append(all[found[1]], labels)
			}
		}
	}
	for _, job := range jobs(t) {
		all["up"] = append(all["up"], map[string]string{"job": job})
	}
	return all
}

// jobs are what Prometheus scrapes, by name.
func jobs(t *testing.T) (names []string) {
	var prometheus struct {
		ScrapeConfigs []struct {
			JobName string `yaml:"job_name"`
		} `yaml:"scrape_configs"`
	}
	read(t, "prometheus.yml", &prometheus)
	for _, job := range prometheus.ScrapeConfigs {
		names = append(names, job.JobName)
	}
	return names
}

func read(t *testing.T, file string, into any) {
	data, err := os.ReadFile("../../deploy/" + file)
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(data, into))
}

// watchdog is the alert that always fires.
const watchdog = "RequisiteWatchdog"

type rule struct {
	Alert, Expr string
	For         string
	Labels      map[string]string
	Annotations map[string]string
}

func rules(t *testing.T) []rule {
	var file struct{ Groups []struct{ Rules []rule } }
	read(t, "alerts.yml", &file)
	require.Len(t, file.Groups, 1)
	require.Greater(t, len(file.Groups[0].Rules), 5)
	return file.Groups[0].Rules
}

// guide is a page of the guide for operators.
func guide(t *testing.T, page string) string {
	text, err := os.ReadFile("../../docs/operating/" + page)
	require.NoError(t, err)
	return string(text)
}

// unmatched is the first selector of an expression that no series can match;
// empty when each has one.
func unmatched(expr string, all series) string {
	for _, found := range selector.FindAllStringSubmatch(expr, -1) {
		matchers := matcher.FindAllStringSubmatch(found[2], -1)
		if !slices.ContainsFunc(all[found[1]], func(labels map[string]string) bool { return matches(labels, matchers) }) {
			return found[0]
		}
	}
	return ""
}

func matches(labels map[string]string, matchers [][]string) bool {
	for _, m := range matchers {
		value, want := labels[m[1]], m[3]
		if strings.HasSuffix(m[2], "~") {
			want = "^(?:" + want + ")$"
		} else {
			want = "^" + regexp.QuoteMeta(want) + "$"
		}
		if regexp.MustCompile(want).MatchString(value) == strings.HasPrefix(m[2], "!") {
			return false
		}
	}
	return true
}

func TestAlerts_UseSeriesThatAProgramExports(t *testing.T) {
	all := exported(t)
	var prometheus struct {
		RuleFiles []string `yaml:"rule_files"`
	}
	read(t, "prometheus.yml", &prometheus)
	require.Equal(t, []string{"alerts.yml"}, prometheus.RuleFiles)
	require.Equal(t, []string{"requisite-api", "requisite-worker", "requisite-temporal", "requisite-postgres", "requisite-host"}, jobs(t))
	for _, r := range rules(t) {
		require.Empty(t, unmatched(r.Expr, all), "%s looks at what nothing exports", r.Alert)
	}
	for _, wrong := range []string{
		`requisite_nothing`, `up{job="api"}`, `max(requisite_webhook_oldest_seconds{state="GONE"})`, `requisite_http_requests_total{status=~"6.."}`, `requisite_refusals_total{reason="STILL_RUNNING"}`,
		`pg_replication_lag{job="requisite-postgres"}`, `pg_settings_max_connections{job="requisite-host"}`, `node_filesystem_avail_bytes{fstype="ntfs"}`,
		`requisite_webhook_overdue{job="requisite-api"}`, `requisite_tls_certificate_expiry_timestamp_seconds{job="requisite-worker", certificate="api"}`, `temporal_workflow_failed_total{workflow="Prune"}`,
	} {
		require.NotEmpty(t, unmatched(wrong, all), wrong)
	}
}

// The labels must match too. Otherwise an alert fires in promtool and never in
// production.
func TestAlertTests_UseSeriesThatAProgramExports(t *testing.T) {
	all := exported(t)
	var file struct {
		Tests []struct {
			Name   string
			Series []struct{ Series string } `yaml:"input_series"`
		}
	}
	read(t, "alerts_test.yml", &file)
	tried := 0
	for _, test := range file.Tests {
		for _, in := range test.Series {
			tried++
			// Which instance it is, Prometheus says. Of exporters, the values of other labels are of the machine that was recorded.
			series := regexp.MustCompile(`, instance="[^"]*"|\{instance="[^"]*"\}`).ReplaceAllString(in.Series, "")
			if found := selector.FindStringSubmatch(series); regexp.MustCompile(`^(?:pg|node)_`).MatchString(series) {
				given := map[string]string{}
				for _, m := range matcher.FindAllStringSubmatch(found[2], -1) {
					given[m[1]] = m[3]
				}
				require.True(t, slices.ContainsFunc(all[found[1]], func(labels map[string]string) bool {
					return labels["job"] == given["job"] && slices.Equal(named(given), named(labels))
				}), "%s: nothing exports %s with the labels %v", test.Name, found[1], named(given))
				continue
			}
			require.Empty(t, unmatched(series, all), "%s: nothing exports %s", test.Name, in.Series)
		}
	}
	require.Greater(t, tried, 50)
}

// An exporter of another version may call its metrics differently: then record them again. Start the image beside a Postgres
// with a standby, two slots and an archive_command that fails, and keep the lines that alerts and dashboards read.
func TestRecordings_AreOfTheVersionsThatComposeRuns(t *testing.T) {
	var compose struct {
		Services map[string]struct{ Image string }
	}
	read(t, "../docker-compose.yml", &compose)
	texts := recordings(t)
	for job, service := range map[string]string{"requisite-temporal": "temporal", "requisite-postgres": "postgres-exporter", "requisite-host": "node-exporter"} {
		head, _, _ := strings.Cut(texts[job], "\n")
		require.Equal(t, "# What "+compose.Services[service].Image+" exports, as far as alerts and dashboards read it.", head)
	}
}

// named are the names of labels with a value: an empty one is as none.
func named(labels map[string]string) []string {
	return slices.Sorted(func(yield func(string) bool) {
		for name, value := range labels {
			if value != "" && !yield(name) {
				return
			}
		}
	})
}

// promtool runs the tests in alerts_test.yml.
func TestAlerts_AllHaveAPromtoolTest(t *testing.T) {
	var file struct {
		Tests []struct {
			Rules []struct {
				Alertname string
				Alerts    []any `yaml:"exp_alerts"`
			} `yaml:"alert_rule_test"`
		}
	}
	read(t, "alerts_test.yml", &file)
	fires, quiet := map[string]bool{}, map[string]bool{}
	for _, test := range file.Tests {
		for _, r := range test.Rules {
			if len(r.Alerts) > 0 {
				fires[r.Alertname] = true
			} else {
				quiet[r.Alertname] = true
			}
		}
	}
	for _, r := range rules(t) {
		require.True(t, fires[r.Alert], "alerts_test.yml has no case in which %s fires", r.Alert)
		require.NotEqual(t, r.Alert == watchdog, quiet[r.Alert], "alerts_test.yml has no case in which %s stays quiet", r.Alert)
	}
}

// The guide has a section for each alert, and no other sections.
func TestAlerts_LinkToTheirSectionOfTheGuide(t *testing.T) {
	var alerts, sections []string
	for _, r := range rules(t) {
		if r.Alert == watchdog {
			require.Equal(t, "none", r.Labels["severity"], "it calls nobody")
		} else {
			require.Contains(t, []string{"page", "ticket"}, r.Labels["severity"], r.Alert)
		}
		require.NotEmpty(t, r.Annotations["summary"], r.Alert)
		require.Equal(t, `{{ or $externalLabels.runbooks "docs/operating/alerts.md" }}#`+strings.ToLower(r.Alert), r.Annotations["runbook_url"], r.Alert)
		alerts = append(alerts, r.Alert)
	}
	for _, heading := range regexp.MustCompile(`(?m)^## (.+)$`).FindAllStringSubmatch(guide(t, "alerts.md"), -1) {
		sections = append(sections, heading[1])
	}
	require.ElementsMatch(t, alerts, sections)
}

// Prometheus sees no increase in a series that begins at 1.
func TestAlerts_ReadCountersThatBeginAtZero(t *testing.T) {
	api, worker := programs(t)
	all, counters := scraped(t, api, worker), 0
	for _, r := range rules(t) {
		for _, found := range regexp.MustCompile(`(?:increase|rate)\((requisite_[^\[]+)\[`).FindAllStringSubmatch(r.Expr, -1) {
			counters++
			if !strings.Contains(found[1], "_bucket") { // all buckets of a histogram begin with its first value
				require.Empty(t, unmatched(found[1], all), "%s: a program that has just started does not export %s", r.Alert, found[1])
			}
		}
	}
	require.Greater(t, counters, 20)
}

// Between two bounds, a percentile is a guess.
func TestAlerts_ComparePercentilesWithBucketBounds(t *testing.T) {
	all, percentiles := exported(t), 0
	for _, r := range rules(t) {
		for _, found := range regexp.MustCompile(`histogram_quantile\(.*?(requisite_[a-z_]+_bucket).* > (\d+)`).FindAllStringSubmatch(r.Expr, -1) {
			percentiles++
			require.True(t, slices.ContainsFunc(all[found[1]], func(labels map[string]string) bool { return labels["le"] == found[2] }), "%s: no bucket of %s ends at %s", r.Alert, found[1], found[2])
		}
	}
	require.NotZero(t, percentiles)
}

// An event counts until it leaves the window. An alert that does not wait longer fires
// for a trouble that is over.
func TestAlerts_WaitLongerThanTheirWindow(t *testing.T) {
	for _, r := range rules(t) {
		shortest := time.Duration(0)
		for _, found := range regexp.MustCompile(`\[(\w+)\]`).FindAllStringSubmatch(r.Expr, -1) {
			window, err := time.ParseDuration(found[1])
			require.NoError(t, err, r.Alert)
			if shortest == 0 || window < shortest {
				shortest = window
			}
		}
		if r.For != "" && shortest > 0 {
			wait, err := time.ParseDuration(r.For)
			require.NoError(t, err, r.Alert)
			require.Greater(t, wait, shortest, "%s waits no longer than what has passed is counted", r.Alert)
		}
	}
}

// The guide lists no other metrics.
func TestMetrics_AreListedInTheGuide(t *testing.T) {
	all, listed := exported(t), map[string]bool{}
	base := func(name string) string { return regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, "") }
	for _, row := range regexp.MustCompile("(?m)^[|] `requisite_[a-z_]+`").FindAllString(guide(t, "metrics.md"), -1) {
		listed[metricName.FindString(row)] = true
	}
	there := map[string]bool{}
	for name := range all {
		if !strings.HasPrefix(name, "requisite_") {
			continue
		}
		there[base(name)] = true
		require.True(t, listed[base(name)], "the guide lacks %s", base(name))
	}
	for name := range listed {
		require.True(t, there[name], "the guide lists %s", name)
	}
}
