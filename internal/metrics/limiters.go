package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"requisite/internal/limiter"
)

var (
	slotsDesc = prometheus.NewDesc("requisite_limiter_slots",
		"Slots of what is limited, by limiter and use: in_use, waiting, and max (0: only each tenant is limited).", []string{"limiter", "use"}, nil)
	refusedDesc = prometheus.NewDesc("requisite_limiter_refusals_total",
		"How often a limiter had no slot, or fewer than were wanted, in time.", []string{"limiter"}, nil)
)

type limiterCollector []*limiter.Limiter

// NewLimiterCollector measures limiters.
func NewLimiterCollector(of ...*limiter.Limiter) prometheus.Collector { return limiterCollector(of) }

// Describe describes nothing: a process has several of these collectors, each
// with its own limiters.
func (limiterCollector) Describe(chan<- *prometheus.Desc) {}

func (c limiterCollector) Collect(out chan<- prometheus.Metric) {
	for _, l := range c {
		s := l.Stat()
		for use, n := range map[string]int{"in_use": s.InUse, "waiting": s.Waiting, "max": s.Total} {
			out <- prometheus.MustNewConstMetric(slotsDesc, prometheus.GaugeValue, float64(n), s.Name, use)
		}
		out <- prometheus.MustNewConstMetric(refusedDesc, prometheus.CounterValue, float64(s.Refused), s.Name)
	}
}

// NewRuleCacheCollector measures the cache of compiled rules.
func NewRuleCacheCollector(bytes func() int64) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "requisite_rule_cache_bytes", Help: "Memory that compiled rule sets and pricing models take, by estimate.",
	}, func() float64 { return float64(bytes()) })
}
