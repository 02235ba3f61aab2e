package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"requisite/internal/share"
)

var (
	placesDesc        = prometheus.NewDesc("requisite_places", "Places that tenants share, by kind, and by use: in_use, waiting, and max (0: as many as the shares of tenants).", []string{"kind", "use"}, nil)
	placesRefusedDesc = prometheus.NewDesc("requisite_places_refused_total", "How often no place became free in time, by kind.", []string{"kind"}, nil)
	ruleCacheDesc     = prometheus.NewDesc("requisite_rule_cache_bytes", "Memory that compiled rule sets and pricing models take, by estimate.", nil, nil)
)

type placesCollector struct {
	cache  func() int64
	places []places
}

// places are those of one kind.
type places interface{ Stat() share.Stat }

// NewPlacesCollector measures places, and a cache of rules unless it is nil.
func NewPlacesCollector[P places](cache func() int64, of ...P) prometheus.Collector {
	list := make([]places, len(of))
	for i, p := range of {
		list[i] = p
	}
	return placesCollector{cache, list}
}

// Describe describes nothing: a process has several of these collectors, each
// with its own kinds.
func (placesCollector) Describe(chan<- *prometheus.Desc) {}

func (c placesCollector) Collect(out chan<- prometheus.Metric) {
	for _, p := range c.places {
		s := p.Stat()
		for use, n := range map[string]int{"in_use": s.InUse, "waiting": s.Waiting, "max": s.Total} {
			out <- prometheus.MustNewConstMetric(placesDesc, prometheus.GaugeValue, float64(n), s.Name, use)
		}
		out <- prometheus.MustNewConstMetric(placesRefusedDesc, prometheus.CounterValue, float64(s.Refused), s.Name)
	}
	if c.cache != nil {
		out <- prometheus.MustNewConstMetric(ruleCacheDesc, prometheus.GaugeValue, float64(c.cache()))
	}
}
