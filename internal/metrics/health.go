package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"requisite/internal/health"
)

// healthCollector checks the health at every scrape.
type healthCollector health.Check

var healthyDesc = prometheus.NewDesc("requisite_healthy",
	"1 while the program works, reaches Temporal and can do its work on Postgres, 0 otherwise, also while it starts and stops; /readyz says why.", nil, nil)

// NewHealthCollector measures the result of a check, which must be limited in time.
func NewHealthCollector(ready health.Check) prometheus.Collector {
	return healthCollector(ready)
}

func (healthCollector) Describe(out chan<- *prometheus.Desc) { out <- healthyDesc }

func (ready healthCollector) Collect(out chan<- prometheus.Metric) {
	healthy := 1.0
	if ready(context.Background()) != nil {
		healthy = 0
	}
	out <- prometheus.MustNewConstMetric(healthyDesc, prometheus.GaugeValue, healthy)
}
