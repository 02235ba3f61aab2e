package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// The uses of a certificate.
const (
	CertificateAPI      = "api"      // the api's own, with which it serves HTTPS
	CertificatePostgres = "postgres" // the client certificate for Postgres
	CertificateTemporal = "temporal" // the client certificate for Temporal
)

// NewCertificateCollector measures when a certificate in use expires.
func NewCertificateCollector(certificate string, end func() time.Time) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name:        "requisite_tls_certificate_expiry_timestamp_seconds",
		Help:        "When a certificate in use expires: the api's own, or a client certificate for Postgres or Temporal.",
		ConstLabels: prometheus.Labels{"certificate": certificate},
	}, func() float64 { return float64(end().Unix()) })
}
