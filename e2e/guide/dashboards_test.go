package guide_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

const deploy = "../../deploy/"

// silent has the queries that return no data while the service is healthy, with the reason.
// Each must read a metric that exists.
var silent = map[string]string{
	`min(requisite_tls_certificate_expiry_timestamp_seconds) - time()`:                                                                                                             "the stack of this test does not serve HTTPS",
	`requisite_tls_certificate_expiry_timestamp_seconds - time() < bool 7 * 86400`:                                                                                                 "the stack of this test does not serve HTTPS",
	`max by (alertname) (2 * ALERTS{alertname=~"Requisite.+", severity!="none", alertstate="firing"} or ALERTS{alertname=~"Requisite.+", severity!="none", alertstate="pending"})`: "nothing is wrong",
	`sum by (operation, status) (rate(requisite_http_requests_total{instance=~".+", status=~"5.."}[5m])) > 0`:                                                                      "nothing is wrong",
	`absent(requisite_webhook_overdue)`:                                                                   "a worker is running",
	`sum by (workflow_type) (rate(temporal_workflow_canceled_total{instance=~".+"}[5m]))`:                 "the SDK counts from the first canceled run on",
	`sum by (workflow_type) (rate(temporal_workflow_task_execution_failed_total{instance=~".+"}[5m]))`:    "the SDK counts from the first failed task on",
	`sum by (operation, status_code) (rate(temporal_request_failure_total{instance=~".+"}[5m])) > 0`:      "the SDK counts from the first failed request on",
	`sum by (operation, status_code) (rate(temporal_long_request_failure_total{instance=~".+"}[5m])) > 0`: "the SDK counts from the first failed poll on",
	`sum by (job) (rate(temporal_sticky_cache_miss_total{instance=~".+"}[5m]))`:                           "the SDK counts from the first replay on",
	`sum by (activity_type) (rate(temporal_activity_execution_failed_total{instance=~".+"}[5m]))`:         "the SDK counts from the first failed activity on, and not the expected failures",
	`sum by (activity_type) (rate(temporal_local_activity_execution_failed_total{instance=~".+"}[5m]))`:   "the SDK counts from the first failed local activity on",
}

// panel is the tested part of a panel.
type panel struct {
	ID                       int
	Type, Title, Description string
	GridPos                  struct{ H, W, X, Y int } `json:"gridPos"`
	Targets                  []struct {
		RefID, Expr, LegendFormat string
		Instant                   bool
		Datasource                struct{ Type, UID string }
	}
	FieldConfig struct {
		Defaults struct {
			Unit, NoValue string
			Thresholds    struct {
				Steps []struct {
					Color string
					Value *float64
				}
			}
		}
	} `json:"fieldConfig"`
	Options struct{ ColorMode string }
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
	require.Len(t, files, 4)
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

var variables = strings.NewReplacer("$__rate_interval", "5m", "$instance", ".+")

func TestDashboards_PanelsAreDescribedAndDoNotOverlap(t *testing.T) {
	for _, d := range dashboards(t) {
		require.NotEmpty(t, d.Description, d.UID)
		ids, taken := map[int]bool{}, map[[2]int]string{}
		for _, p := range d.Panels {
			at := d.UID + ": " + p.Title
			require.False(t, ids[p.ID], "%s: another panel has the same id", at)
			ids[p.ID] = true
			for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
				require.Less(t, x, 24, at)
				for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
					require.Empty(t, taken[[2]int{x, y}], "%s overlaps another panel", at)
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
				require.Equal(t, p.Type == "stat" || p.Type == "bargauge", target.Instant, "%s: a stat or bar gauge needs an instant query, and other panels a range query", at)
				if silent[variables.Replace(target.Expr)] != "" || zero.MatchString(target.Expr) {
					require.NotEmpty(t, p.FieldConfig.Defaults.NoValue, "%s: it has no text for no data, which is usual here", at)
				}
			}
			if p.Type == "stat" {
				require.NotEmpty(t, p.FieldConfig.Defaults.NoValue, "%s: it has no text for no data or no requests", at)
				require.Equal(t, p.Options.ColorMode == "background", len(p.FieldConfig.Defaults.Thresholds.Steps) > 1 && p.FieldConfig.Defaults.Thresholds.Steps[1].Color != "text",
					"%s: the color of the background must show whether the value is good", at)
			}
		}
	}
}

var (
	zero    = regexp.MustCompile(` >=? 0$`) // hides series without events
	window  = regexp.MustCompile(`\b(rate|increase)\([^\[\]]+\[([^\]]+)\]`)
	grouped = regexp.MustCompile(`\bby \(([a-z_, ]+)\)`)
	legend  = regexp.MustCompile(`\{\{([a-z_]+)\}\}`)
	seconds = regexp.MustCompile(`_seconds|_duration\b|_latency_bucket`)
	sizes   = regexp.MustCompile(`_bytes|_lsn_diff`)
)

// TestDashboards_QueriesMatchUnitsAndLegends: the interval of rates, their units, the names
// of series, and the computation of percentiles.
func TestDashboards_QueriesMatchUnitsAndLegends(t *testing.T) {
	for _, d := range dashboards(t) {
		for _, p := range d.Panels {
			for _, target := range p.Targets {
				at, unit := d.UID+": "+p.Title+": "+target.Expr, p.FieldConfig.Defaults.Unit
				rates := false
				for _, w := range window.FindAllStringSubmatch(target.Expr, -1) {
					rates = rates || w[1] == "rate"
					require.Equal(t, map[string]string{"rate": "$__rate_interval", "increase": "1h"}[w[1]], w[2], at)
				}
				require.Equal(t, strings.Count(target.Expr, "["), len(window.FindAllString(target.Expr, -1)), at)
				require.Equal(t, strings.Count(target.Expr, "histogram_quantile("), strings.Count(target.Expr, ", sum by (le"), "%s: a percentile must sum the buckets of all processes", at)
				switch {
				case strings.Contains(target.Expr, " / "):
					require.Equal(t, "percentunit", unit, at)
				case strings.Contains(target.Expr, "process_cpu_seconds_total"):
					require.Equal(t, "short", unit, at)
				case rates && strings.Contains(target.Expr, "_time_seconds_total"):
					require.Equal(t, "percentunit", unit, at)
				case seconds.MatchString(target.Expr):
					require.Equal(t, "s", unit, at)
				case rates && strings.Contains(target.Expr, "_bytes_total"):
					require.Equal(t, "Bps", unit, at)
				case sizes.MatchString(target.Expr):
					require.Equal(t, "bytes", unit, at)
				case rates:
					require.Contains(t, []string{"ops", "reqps"}, unit, at)
				default:
					require.Contains(t, []string{"none", "short"}, unit, at)
				}
				labels := map[string]bool{}
				for _, g := range grouped.FindAllStringSubmatch(target.Expr, -1) {
					for _, label := range strings.Split(g[1], ", ") {
						labels[label] = true
					}
				}
				for _, l := range legend.FindAllStringSubmatch(target.LegendFormat, -1) {
					require.True(t, labels[l[1]], "%s has no %s for the legend", at, l[1])
				}
			}
		}
	}
}

// TestDashboards_TellProgramsFromTemporalsServer, which has an SDK of its own with metrics of the same names.
func TestDashboards_TellProgramsFromTemporalsServer(t *testing.T) {
	server, read := map[string]bool{}, 0
	for _, line := range strings.Split(recording(t, "requisite-temporal"), "\n") {
		name, _, _ := strings.Cut(line, "{")
		server[name] = true
	}
	for _, d := range dashboards(t) {
		for _, p := range d.Panels {
			for _, target := range p.Targets {
				for _, found := range selected.FindAllStringSubmatch(target.Expr, -1) {
					if server[found[1]] {
						read++
						require.Contains(t, found[2], "job=", "%s: %s: %s is of the programs and of Temporal's server", d.UID, p.Title, found[1])
					}
				}
			}
		}
	}
	require.Greater(t, read, 8)
}

var selected = regexp.MustCompile(`\b([a-z_]+)\{([^}]*)\}`)

// recording is what was recorded of an exporter or of Temporal's server, by its job.
func recording(t *testing.T, job string) string {
	text, err := os.ReadFile("../../internal/metrics/testdata/" + job + ".prom")
	require.NoError(t, err)
	return string(text)
}

// TestDashboards_ShowEveryDocumentedMetric of the guide.
func TestDashboards_ShowEveryDocumentedMetric(t *testing.T) {
	guide, err := os.ReadFile("../../docs/operating/metrics.md")
	require.NoError(t, err)
	listed := regexp.MustCompile("(?m)^[|] `(requisite_[a-z_]+)`").FindAllStringSubmatch(string(guide), -1)
	require.Greater(t, len(listed), 25)
	shown := map[string]bool{}
	for _, d := range dashboards(t) {
		for name := range d.metrics() {
			shown[name] = true
		}
	}
	for _, m := range listed {
		require.True(t, shown[m[1]], "no panel shows %s", m[1])
	}
}

// TestAlerts_LinkToADashboardWithTheirMetrics, so that an operator sees them.
func TestAlerts_LinkToADashboardWithTheirMetrics(t *testing.T) {
	all := map[string]map[string]bool{}
	for _, d := range dashboards(t) {
		all["/d/"+d.UID] = d.metrics()
	}
	for _, r := range rules(t) {
		shown := all[r.Annotations["dashboard"]]
		require.NotNil(t, shown, "%s links to %q, which is no dashboard", r.Alert, r.Annotations["dashboard"])
		for _, name := range metric.FindAllString(r.Expr, -1) {
			require.True(t, shown[strings.TrimSuffix(name, "_bucket")], "%s links to a dashboard that does not show %s", r.Alert, name)
		}
	}
}

// metrics returns the metrics that the panels read.
func (d dashboard) metrics() map[string]bool {
	all := map[string]bool{}
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			for _, name := range metric.FindAllString(target.Expr, -1) {
				all[strings.TrimSuffix(name, "_bucket")] = true
			}
		}
	}
	return all
}

// rule is an alert.
type rule struct {
	Alert, Expr string
	Annotations map[string]string
}

func rules(t *testing.T) []rule {
	var file struct{ Groups []struct{ Rules []rule } }
	data, err := os.ReadFile(deploy + "alerts.yml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(data, &file))
	require.Len(t, file.Groups, 1)
	return file.Groups[0].Rules
}

var metric = regexp.MustCompile(`\b(?:(?:temporal|requisite|process|go|pg|node)_[a-zA-Z_]+|up)\b`)
