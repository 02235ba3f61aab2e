package metrics

import "github.com/prometheus/client_golang/prometheus"

var (
	versionDesc  = prometheus.NewDesc("requisite_worker_version", "Always 1; the labels say which version this worker is, and its status: CURRENT, RAMPING, DRAINING, DRAINED or INACTIVE.", []string{"build_id", "status"}, nil)
	strandedDesc = prometheus.NewDesc("requisite_runs_without_worker", "Open runs that stay on a version of the worker that no worker serves.", nil, nil)
)

// WorkerVersion is the version of a worker, as it was seen last.
type WorkerVersion struct {
	BuildID, Status string
	Stranded        int64 // runs on versions without workers
}

type versionCollector func() WorkerVersion

// NewVersionCollector measures the version of this worker.
func NewVersionCollector(seen func() WorkerVersion) prometheus.Collector {
	return versionCollector(seen)
}

func (versionCollector) Describe(out chan<- *prometheus.Desc) {
	out <- versionDesc
	out <- strandedDesc
}

func (seen versionCollector) Collect(out chan<- prometheus.Metric) {
	v := seen()
	out <- prometheus.MustNewConstMetric(versionDesc, prometheus.GaugeValue, 1, v.BuildID, v.Status)
	out <- prometheus.MustNewConstMetric(strandedDesc, prometheus.GaugeValue, float64(v.Stranded))
}
