package command

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/config/settingstest"
	"requisite/internal/secrets/vault"
)

func TestSettings_ABadValueIsRefusedByName(t *testing.T) {
	keys := filepath.Join(t.TempDir(), "keys.json")
	require.NoError(t, vault.Keyset{File: keys}.Generate(t.Context()))
	settingstest.RefusesBadValues(t, command,
		map[string]string{"DATABASE_URL": "postgres://app@127.0.0.1:1/requisite", "REQUISITE_KEK_FILE": keys, "REQUISITE_PAYLOAD_KEY_FILE": keys},
		map[string]string{
			"database-password": "", "database-url": "mysql://db", "health-listen": "8081", "kek-file": "/none/kek.json", "kms-key-uri": "vault://key",
			"log-level": "loud", "metrics-listen": "9090", "otlp-endpoint": "collector", "otlp-protocol": "thrift", "payload-key-file": "/none/payload.json",
			"temporal-address": "temporal", "temporal-namespace": "", "webhook-allow": "loopback", "webhook-ports": "https",
		})
}

func TestSettings_AreDescribed(t *testing.T) {
	settingstest.Described(t, command())
	settingstest.HasVariables(t, command(), "child")
	settingstest.InGuide(t, "../../docs/operating/settings.md", command())
	require.Contains(t, command().Long, "TEMPORAL_TLS_CLIENT_CERT_PATH")
}

func TestSettings_ContradictionsAreRefused(t *testing.T) {
	c := command()
	require.NoError(t, c.ParseFlags([]string{"--keep-events", "1h", "--webhook-ports", "none", "--database-url", ""}))
	err := c.PreRunE(c, nil)
	require.ErrorContains(t, err, "--keep-events is 1h0m0s and must be at least 168h0m0s")
	require.ErrorContains(t, err, "--webhook-ports must list ports")
	require.ErrorContains(t, err, "--database-url (or DATABASE_URL) is not set")
}
