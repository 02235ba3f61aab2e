package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
)

// healthCollector checks the health at every scrape.
type healthCollector func(context.Context) error

var healthyDesc = prometheus.NewDesc("requisite_healthy", "1 while the program works and reaches Postgres and Temporal, 0 otherwise, also while it starts and stops; /healthz says why.", nil, nil)

// NewHealthCollector measures what health finds: nothing wrong, or an error.
func NewHealthCollector(health func(context.Context) error) prometheus.Collector {
	return healthCollector(health)
}

func (healthCollector) Describe(out chan<- *prometheus.Desc) { out <- healthyDesc }

func (health healthCollector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), healthPatience)
	defer cancel()
	healthy := 1.0
	if health(ctx) != nil {
		healthy = 0
	}
	out <- prometheus.MustNewConstMetric(healthyDesc, prometheus.GaugeValue, healthy)
}
