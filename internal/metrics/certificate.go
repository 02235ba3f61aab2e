package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// NewCertificateCollector measures when the certificate in use expires.
func NewCertificateCollector(end func() time.Time) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "requisite_tls_certificate_expiry_timestamp_seconds", Help: "When the certificate with which the API serves HTTPS expires.",
	}, func() float64 { return float64(end().Unix()) })
}
