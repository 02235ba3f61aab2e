package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/config/settingstest"
)

func TestEverySettingIsDescribed(t *testing.T) {
	settingstest.Described(t, command())
	require.Contains(t, command().Long, "TEMPORAL_TLS_CLIENT_CERT_PATH")
	// What deployments run. The others are typed by people.
	for name, but := range map[string][]string{
		"codec":   {"published-on-loopback"}, // said where the command is written, not in passing
		"migrate": {"database-only", "stop-on-stdin-eof"},
	} {
		c, _, err := command().Find([]string{name})
		require.NoError(t, err)
		settingstest.HasVariables(t, c, but...)
	}
}
