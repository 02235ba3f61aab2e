package metrics

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.temporal.io/sdk/client"
)

// temporalMetrics are those that Temporal's SDK reports. It names them and their
// tags as it goes; each name keeps the tags that it came with first.
type temporalMetrics struct {
	mu       sync.Mutex
	counters map[string]*prometheus.CounterVec
	gauges   map[string]*prometheus.GaugeVec
	timers   map[string]*prometheus.HistogramVec
	labels   map[string][]string
}

func newTemporalMetrics() *temporalMetrics {
	return &temporalMetrics{
		counters: map[string]*prometheus.CounterVec{}, gauges: map[string]*prometheus.GaugeVec{}, timers: map[string]*prometheus.HistogramVec{},
		labels: map[string][]string{},
	}
}

// Describe makes it a collector whose metrics are not known beforehand.
func (*temporalMetrics) Describe(chan<- *prometheus.Desc) {}

// Collect gives all that were reported so far.
func (t *temporalMetrics) Collect(out chan<- prometheus.Metric) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.counters {
		c.Collect(out)
	}
	for _, g := range t.gauges {
		g.Collect(out)
	}
	for _, h := range t.timers {
		h.Collect(out)
	}
}

// handler reports with the tags that it was made with.
type handler struct {
	t    *temporalMetrics
	tags map[string]string
}

// Temporal is given to Temporal's client.
func (m *Metrics) Temporal() client.MetricsHandler {
	if m == nil {
		return client.MetricsNopHandler
	}
	return handler{t: m.temporal}
}

// WithTags adds tags.
func (h handler) WithTags(tags map[string]string) client.MetricsHandler {
	all := maps.Clone(h.tags)
	if all == nil {
		all = map[string]string{}
	}
	for name, value := range tags {
		all[clean(name)] = value
	}
	return handler{h.t, all}
}

func clean(name string) string {
	return strings.NewReplacer("-", "_", ".", "_", " ", "_").Replace(name)
}

// values gives the tags of a metric in the order of its labels; what came later
// with other tags fits into the first ones.
func (h handler) values(name string) (labels, values []string) {
	labels, known := h.t.labels[name]
	if !known {
		labels = slices.Sorted(maps.Keys(h.tags))
		h.t.labels[name] = labels
	}
	for _, l := range labels {
		values = append(values, h.tags[l])
	}
	return labels, values
}

// Counter counts; the SDK calls it often, so that finding it is cheap enough.
func (h handler) Counter(name string) client.MetricsCounter {
	name = clean(name) + "_total"
	return counterFunc(func(n int64) {
		h.t.mu.Lock()
		defer h.t.mu.Unlock()
		labels, values := h.values(name)
		vec, ok := h.t.counters[name]
		if !ok {
			vec = prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: "Reported by Temporal's SDK."}, labels)
			h.t.counters[name] = vec
		}
		vec.WithLabelValues(values...).Add(float64(n))
	})
}

// Gauge is a value.
func (h handler) Gauge(name string) client.MetricsGauge {
	name = clean(name)
	return gaugeFunc(func(v float64) {
		h.t.mu.Lock()
		defer h.t.mu.Unlock()
		labels, values := h.values(name)
		vec, ok := h.t.gauges[name]
		if !ok {
			vec = prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: "Reported by Temporal's SDK."}, labels)
			h.t.gauges[name] = vec
		}
		vec.WithLabelValues(values...).Set(v)
	})
}

// Timer is a duration in seconds.
func (h handler) Timer(name string) client.MetricsTimer {
	name = clean(name) + "_seconds"
	return timerFunc(func(d time.Duration) {
		h.t.mu.Lock()
		defer h.t.mu.Unlock()
		labels, values := h.values(name)
		vec, ok := h.t.timers[name]
		if !ok {
			vec = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: "Reported by Temporal's SDK.", Buckets: requestBuckets}, labels)
			h.t.timers[name] = vec
		}
		vec.WithLabelValues(values...).Observe(d.Seconds())
	})
}

type (
	counterFunc func(int64)
	gaugeFunc   func(float64)
	timerFunc   func(time.Duration)
)

func (f counterFunc) Inc(n int64)          { f(n) }
func (f gaugeFunc) Update(v float64)       { f(v) }
func (f timerFunc) Record(d time.Duration) { f(d) }
