package command

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/config/settingstest"
	"requisite/internal/secrets/vault"
)

func TestSettings_AreDescribed(t *testing.T) {
	settingstest.Described(t, command())
	settingstest.HasVariables(t, command(), "child")
	settingstest.InGuide(t, "../../docs/operating/settings.md", command())
	require.Contains(t, command().Long, "TEMPORAL_TLS_CLIENT_CERT_PATH")
}

func TestSettings_ABadValueIsRefusedByName(t *testing.T) {
	keys := filepath.Join(t.TempDir(), "keys.json")
	require.NoError(t, vault.Keyset{File: keys}.Generate(t.Context()))
	settingstest.RefusesBadValues(t, command,
		map[string]string{"DATABASE_URL": "postgres://app@127.0.0.1:1/requisite", "REQUISITE_KEK_FILE": keys, "REQUISITE_PAYLOAD_KEY_FILE": keys},
		map[string]string{
			"database-password": "", "database-url": "mysql://db", "health-listen": "8081", "kek-file": "/none/kek.json", "kms-key-uri": "vault://key", "listen": "8080",
			"log-level": "loud", "metrics-listen": "9090", "otlp-endpoint": "collector", "otlp-protocol": "thrift", "payload-key-file": "/none/payload.json",
			"temporal-address": "temporal", "temporal-namespace": "", "tls-cert-file": "/none/cert.pem", "tls-key-file": "/none/key.pem",
			"webhook-allow": "loopback", "webhook-ports": "https",
		})
}

// checked starts with valid settings and the given arguments, and returns the error.
func checked(t *testing.T, args ...string) error {
	keys := filepath.Join(t.TempDir(), "keys.json")
	require.NoError(t, vault.Keyset{File: keys}.Generate(t.Context()))
	c := command()
	require.NoError(t, c.ParseFlags(append([]string{
		"--database-url", "postgres://app@127.0.0.1:1/requisite", "--kek-file", keys, "--payload-key-file", keys,
	}, args...)))
	return c.PreRunE(c, nil)
}

func TestSettings_ContradictionsAreRefused(t *testing.T) {
	require.NoError(t, checked(t))
	for _, c := range []struct {
		want string
		args []string
	}{
		{"--patience must be positive", []string{"--patience", "-1s"}},
		{"--max-waiting must be positive, not 0", []string{"--max-waiting", "0"}},
		{"--drain must be 0s or more, not -1s", []string{"--drain", "-1s"}},
		{"--rate-limit must be a number", []string{"--rate-limit", "-1"}},
		{"--rate-limit must be a number", []string{"--rate-limit", "NaN"}},
		{"--rate-limit must be a number", []string{"--rate-limit", "Inf"}},
		{"--tls-cert-file and --tls-key-file belong together", []string{"--tls-cert-file", "x.pem"}},
		{"--listen (or REQUISITE_LISTEN) is not set", []string{"--listen", ""}},
		{`--listen must be an address to listen on, such as 127.0.0.1:8080, not "8080"`, []string{"--listen", "8080"}},
		{"--listen 127.0.0.1:9090 and --metrics-listen 0.0.0.0:9090 use the same port", []string{"--listen", "127.0.0.1:9090", "--metrics-listen", "0.0.0.0:9090"}},
		{`--webhook-ports must list ports, such as 443,8443; "https" is not one`, []string{"--webhook-ports", "https"}},
		{`--webhook-allow must list networks, such as 127.0.0.0/8; "loopback" is not one`, []string{"--webhook-allow", "loopback"}},
	} {
		require.ErrorContains(t, checked(t, c.args...), c.want)
	}
	err := checked(t, "--patience", "0s", "--drain", "-1s", "--tls-key-file", "x", "--listen", "8080", "--temporal-address", "x", "--webhook-ports", "0")
	require.ErrorContains(t, err, "6 problems with the settings:\n  ")
}

func TestSettings_BoundsAreInclusive(t *testing.T) {
	require.NoError(t, checked(t, "--drain", "0s"))
	require.NoError(t, checked(t, "--organization-share", "100"))
}
