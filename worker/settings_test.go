package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/config/settingstest"
)

func TestEverySettingIsDescribed(t *testing.T) {
	settingstest.Described(t, command())
	settingstest.HasVariables(t, command(), "child")
	settingstest.InGuide(t, "../docs/operating/settings.md", command())
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
