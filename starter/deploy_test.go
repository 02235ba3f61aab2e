package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/deployment"
)

func TestTheListOfVersions(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	var out bytes.Buffer
	require.NoError(t, showVersions(&out, deployment.State{Current: "v1.1.0", Ramping: "v1.2.0", Versions: []deployment.Version{
		{BuildID: "v1.2.0", Status: deployment.Ramping, Percent: 10, Runs: 2, CreatedAt: now},
		{BuildID: "v1.1.0", Status: deployment.Current, Runs: 7, PolledAt: now.Add(-12 * time.Second), CreatedAt: now},
		{BuildID: "v1.0.0", Status: deployment.Drained, CreatedAt: now},
	}}, now))
	require.Regexp(t, `(?m)^v1\.2\.0 +RAMPING 10% +2 +none !`, out.String())
	require.Regexp(t, `(?m)^v1\.1\.0 +CURRENT +7 +12s ago +2026-11-20T12:00:00Z$`, out.String())
	require.Regexp(t, `(?m)^v1\.0\.0 +DRAINED +0 +none +2`, out.String())
	require.Contains(t, out.String(), "Runs wait on v1.2.0, which no worker serves. Start a worker of it")
	require.NotContains(t, out.String(), "No version is current")

	out.Reset()
	require.NoError(t, showVersions(&out, deployment.State{}, now))
	require.Contains(t, out.String(), "start one")
}
