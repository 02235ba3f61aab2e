package metrics

import "github.com/prometheus/client_golang/prometheus"

// NewKeyCollector shows the id of the key with which the program encrypts, which is no secret. keyset is its use:
// vault.OfSecrets or vault.OfPayloads.
func NewKeyCollector(keyset string, id uint32) prometheus.Collector {
	shown := prometheus.NewGauge(prometheus.GaugeOpts{
		Name:        "requisite_primary_key_id",
		Help:        "The id of the key with which the program encrypts secrets or payloads. All programs must have the same.",
		ConstLabels: prometheus.Labels{"keyset": keyset},
	})
	shown.Set(float64(id))
	return shown
}
