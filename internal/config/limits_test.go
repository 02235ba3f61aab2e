package config

import (
	"runtime/debug"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"requisite/internal/store"
	"requisite/internal/store/db"
)

func TestCheckConnections_RefusesValuesOutOfRange(t *testing.T) {
	check := func(args ...string) error {
		var c db.Connections
		flags := pflag.NewFlagSet("program", pflag.ContinueOnError)
		BindConnections(flags, &c)
		require.NoError(t, flags.Parse(args))
		return CheckConnections(c)
	}
	require.NoError(t, check())
	for arg, want := range map[string]string{
		"--database-connections=4":    "--database-connections must be from 5 to 1000, not 4",
		"--database-connections=1001": "--database-connections must be from 5 to 1000, not 1001",
		"--database-timeout=2s":       "--database-timeout must be from 3s to 25s, not 2s",
		"--database-timeout=26s":      "--database-timeout must be from 3s to 25s, not 26s",
	} {
		require.ErrorContains(t, check(arg), want)
	}
}

func TestQuotas_SettingOneKeepsTheOthers(t *testing.T) {
	var q store.Quotas
	flags := pflag.NewFlagSet("program", pflag.ContinueOnError)
	BindQuotas(flags, &q)
	require.Equal(t, "businesses=1000000,outcomes=5000000,rule-bytes=67108864,rule-versions-a-day=100,waiting-deliveries=10000,workflows=1000", flags.Lookup("quota").DefValue)
	require.NoError(t, flags.Parse([]string{"--quota", "workflows=3, rule-versions-a-day=0", "--quota=businesses=7"}))
	require.Equal(t, store.Quotas{Businesses: 7, Outcomes: 5_000_000, RuleBytes: 64 << 20, Waiting: 10_000, Workflows: 3}, q)
	for _, wrong := range []string{"persons=1", "workflows", "workflows=-1", "workflows=many", ""} {
		require.ErrorContains(t, flags.Parse([]string{"--quota", wrong}), "a NAME of businesses, outcomes, rule-bytes", wrong)
	}
}

func TestPartOfMemory_FollowsTheLimitWithinItsBounds(t *testing.T) {
	before := debug.SetMemoryLimit(400)
	defer debug.SetMemoryLimit(before)
	require.EqualValues(t, 100, PartOfMemory(4, 10, 1000))
	require.EqualValues(t, 150, PartOfMemory(4, 150, 1000))
	require.EqualValues(t, 90, PartOfMemory(4, 10, 90))
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
