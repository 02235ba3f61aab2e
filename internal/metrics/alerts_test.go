package metrics

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"requisite/internal/refusal"
)

var metricName = regexp.MustCompile(`requisite_[a-z_]+`)

// exported lists the names that a process can export.
func exported(t *testing.T) map[string]bool {
	pool, err := pgxpool.New(t.Context(), "postgres://nobody@127.0.0.1:1/none")
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	m := New()
	m.Register(NewStoreCollector(&fakeStore{pool: pool}))
	m.Request("workflow.requiredDocument.calculate", 400, 0, &refusal.Refusal{Code: refusal.MissingRequirements, Details: []byte(`[{}]`)})
	m.Request("webhook.key.create", 200, 0, nil)
	m.Attempt("SUCCEEDED", time.Second, 0)
	names := map[string]bool{}
	for _, name := range metricName.FindAllString(scrape(t, m), -1) {
		names[name] = true
	}
	return names
}

func TestAlertsLookAtWhatThereIs(t *testing.T) {
	data, err := os.ReadFile("../../deploy/alerts.yml")
	require.NoError(t, err)
	var file struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr string
				Labels      map[string]string
				Annotations map[string]string
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(data, &file))
	guide, err := os.ReadFile("../../docs/operating.md")
	require.NoError(t, err)
	anchors := map[string]bool{}
	for _, line := range strings.Split(string(guide), "\n") {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			anchors[strings.ReplaceAll(regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(heading), ""), " ", "-")] = true
		}
	}
	names, rules := exported(t), file.Groups[0].Rules
	require.Greater(t, len(rules), 5)
	for _, r := range rules {
		for _, name := range metricName.FindAllString(r.Expr, -1) {
			require.True(t, names[name], "%s looks at %s, which nothing exports", r.Alert, name)
		}
		require.NotEmpty(t, r.Labels["severity"], r.Alert)
		require.NotEmpty(t, r.Annotations["summary"], r.Alert)
		_, anchor, _ := strings.Cut(r.Annotations["runbook"], "#")
		require.True(t, anchors[anchor], "%s leads to %s, which the guide does not have", r.Alert, anchor)
	}
	// The guide lists every metric, and none that does not exist.
	listed := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^[|] `requisite_[a-z_]+`").FindAllString(string(guide), -1) {
		name := metricName.FindString(row)
		listed[name] = true
		require.True(t, names[name], "the guide lists %s", name)
	}
	for name := range names {
		base := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, "")
		require.True(t, listed[base], "the guide lacks %s", base)
	}
}
