package config

import (
	"testing"
	"time"

	"requisite/internal/store"

	"github.com/stretchr/testify/require"
)

func TestCheckRetention_RefusesContradictions(t *testing.T) {
	good := store.Retention{Events: store.DefaultEventLife, Outcomes: store.DefaultOutcomeLife, RuleVersions: store.DefaultRuleLife, Decisions: store.DefaultDecisionLife}
	require.NoError(t, CheckRetention(good))
	for want, change := range map[string]func(*store.Retention){
		"--keep-events is 167h0m0s and must be at least 168h0m0s": func(k *store.Retention) { k.Events = 167 * time.Hour },
		"--keep-events is 0s": func(k *store.Retention) { k.Events = 0 },
		"--keep-attempts is 84h0m0s and must be at least 96h0m0s":                                                         func(k *store.Retention) { k.Attempts = 84 * time.Hour },
		"--keep-attempts is 744h0m0s, but attempts are deleted with their events, which --keep-events keeps for 720h0m0s": func(k *store.Retention) { k.Attempts = 31 * 24 * time.Hour },
		"--keep-outcomes is 23h0m0s and must be at least 24h0m0s":                                                         func(k *store.Retention) { k.Outcomes = 23 * time.Hour },
		"--keep-decisions is 719h0m0s and must be at least 720h0m0s":                                                      func(k *store.Retention) { k.Decisions = 719 * time.Hour },
		"--keep-rule-versions is 23h0m0s and must be at least 24h0m0s":                                                    func(k *store.Retention) { k.RuleVersions = 23 * time.Hour },
		"--keep-outcomes is -1h0m0s":                                                                                      func(k *store.Retention) { k.Outcomes = -time.Hour },
	} {
		bad := good
		change(&bad)
		require.ErrorContains(t, CheckRetention(bad), want)
	}
	for _, attempts := range []time.Duration{4 * 24 * time.Hour, 30 * 24 * time.Hour} {
		good.Attempts = attempts
		require.NoError(t, CheckRetention(good))
	}
}
