package app

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/config"
	"requisite/internal/metrics"
)

// issue writes a certificate that expires at end, and its key.
func issue(t *testing.T, end time.Time) (certFile, keyFile string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: end}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	certFile, keyFile = filepath.Join(t.TempDir(), "crt"), filepath.Join(t.TempDir(), "key")
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "PRIVATE KEY", Bytes: private}} {
		require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(block), 0o600))
	}
	return certFile, keyFile
}

func TestClientCertificates_AreMeasured(t *testing.T) {
	shown := func(p *Dependencies) string {
		w := httptest.NewRecorder()
		p.Metrics.Handler(p.ready(p.check), p.about, slog.New(slog.DiscardHandler)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		return w.Body.String()
	}
	measuring := func(databaseURL string) *Dependencies {
		p := &Dependencies{Metrics: metrics.New()}
		require.NoError(t, p.measureClientCertificates(&config.Service{DatabaseURL: databaseURL}))
		return p
	}
	measured := func(databaseURL string) string { return shown(measuring(databaseURL)) }
	const name, plain = "requisite_tls_certificate_expiry_timestamp_seconds", "postgres://app@db.example.com/requisite"
	require.NotContains(t, measured(plain+"?sslmode=disable"), name)
	require.NotContains(t, measured(plain+"?sslmode=require"), name, "there is no client certificate")

	cert, key := issue(t, time.Unix(2_000_000_000, 0))
	t.Setenv("TEMPORAL_TLS_CLIENT_CERT_PATH", cert)
	t.Setenv("TEMPORAL_TLS_CLIENT_KEY_PATH", key)
	cert, key = issue(t, time.Unix(1_900_000_000, 0))
	database := fmt.Sprintf("%s?sslmode=require&sslcert=%s&sslkey=%s", plain, cert, key)
	running := measuring(database)
	text := shown(running)
	require.Contains(t, text, name+`{certificate="temporal"} 2e+09`)
	require.Contains(t, text, name+`{certificate="postgres"} 1.9e+09`)

	renewed, of := issue(t, time.Unix(2_100_000_000, 0))
	require.NoError(t, os.Rename(renewed, cert))
	require.NoError(t, os.Rename(of, key))
	require.Contains(t, shown(running), name+`{certificate="postgres"} 2.1e+09`, "new connections read the renewed one")
}
