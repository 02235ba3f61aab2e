package config

import (
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"requisite/internal/postgres"
)

func TestConnectionsOutOfRangeAreRefused(t *testing.T) {
	check := func(args ...string) error {
		var c postgres.Connections
		flags := pflag.NewFlagSet("program", pflag.ContinueOnError)
		BindConnections(flags, &c)
		require.NoError(t, flags.Parse(args))
		return CheckConnections(c)
	}
	require.NoError(t, check())
	for arg, want := range map[string]string{
		"--database-connections=4":                "--database-connections must be from 5 to 1000, not 4",
		"--database-connections=1001":             "--database-connections must be from 5 to 1000, not 1001",
		"--database-connections-apart=1":          "--database-connections-apart must be from 2 to 1000, not 1",
		"--database-statement-timeout=0s":         "--database-statement-timeout must be from 1s to 25s, not 0s",
		"--database-statement-timeout=26s":        "--database-statement-timeout must be from 1s to 25s, not 26s",
		"--database-statement-timeout=4s":         "--database-lock-timeout 5s is longer than --database-statement-timeout 4s",
		"--database-lock-timeout=0s":              "--database-lock-timeout must be from 100ms to 25s, not 0s",
		"--database-idle-transaction-timeout=61s": "--database-idle-transaction-timeout must be from 1s to 1m0s, not 1m1s",
		"--database-connect-timeout=-1s":          "--database-connect-timeout must be from 100ms to 1m0s, not -1s",
		"--database-connection-life=1s":           "--database-connection-life must be from 10s to 24h0m0s, not 1s",
		"--database-connection-idle=0s":           "--database-connection-idle must be from 1s to 24h0m0s, not 0s",
	} {
		require.ErrorContains(t, check(arg), want)
	}
}

func TestEach_IsAShareOfTheLimit(t *testing.T) {
	require.Equal(t, 10, Each(40, 25))
	require.Equal(t, 1, Each(3, 25), "everybody has one")
	require.Equal(t, 40, Each(40, 100))
	require.NoError(t, CheckShare(25))
	for _, percent := range []int{0, 101, -1} {
		require.ErrorContains(t, CheckShare(percent), "--organization-share must be a percentage from 1 to 100")
	}
}
