package postgres_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"requisite/internal/operations/config"
	"requisite/internal/postgres"
	"requisite/internal/postgres/pgtest"
)

// TestConnections_SettingsReachPostgres asks the server itself, over a connection of
// each pool.
func TestConnections_SettingsReachPostgres(t *testing.T) {
	b := setup(t)
	for name, c := range map[string]struct {
		args                   []string
		shown                  map[string]string
		most                   int32
		life, idle, connecting time.Duration
	}{
		"defaults": {nil, map[string]string{"statement_timeout": "15s", "lock_timeout": "5s", "idle_in_transaction_session_timeout": "15s", "TimeZone": "UTC"},
			20, 30 * time.Minute, 5 * time.Minute, 5 * time.Second},
		"set": {
			[]string{"--database-connections=7", "--database-timeout=21s"},
			map[string]string{"statement_timeout": "21s", "lock_timeout": "7s", "idle_in_transaction_session_timeout": "21s", "TimeZone": "UTC"},
			7, 30 * time.Minute, 5 * time.Minute, 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			var connections postgres.Connections
			flags := pflag.NewFlagSet("program", pflag.ContinueOnError)
			config.BindConnections(flags, &connections)
			require.NoError(t, flags.Parse(c.args))
			require.NoError(t, config.CheckConnections(connections))
			store := server.Open(t, pgtest.As(b.url, pgtest.Serving), nil, postgres.Options{Connections: connections})
			for setting, want := range c.shown {
				require.Equal(t, []string{want, want}, store.Show(t, setting), setting)
			}
			require.Equal(t, c.most, store.PoolStat().MaxConns())
			pool := store.PoolConfig()
			require.Equal(t, c.life, pool.MaxConnLifetime)
			require.Equal(t, c.idle, pool.MaxConnIdleTime)
			require.LessOrEqual(t, pool.HealthCheckPeriod, c.idle, "an idle connection is found in time")
			require.Equal(t, c.connecting, pool.ConnConfig.ConnectTimeout)
		})
	}
}

// TestMigrate_HasNoStatementTimeout, though a provider limits every statement on its server.
func TestMigrate_HasNoStatementTimeout(t *testing.T) {
	b := setup(t)
	limited, err := pgx.Connect(t.Context(), b.url)
	require.NoError(t, err)
	defer limited.Close(t.Context())
	require.NoError(t, only(limited.Exec(t.Context(), "ALTER ROLE CURRENT_USER IN DATABASE "+limited.Config().Database+" SET statement_timeout = '3s'")))
	conn, err := pgx.ConnectConfig(t.Context(), server.Open(t, b.url, nil, postgres.Options{}).Migrating())
	require.NoError(t, err)
	defer conn.Close(t.Context())
	var timeout string
	require.NoError(t, conn.QueryRow(t.Context(), "SHOW statement_timeout").Scan(&timeout))
	require.Equal(t, "0", timeout)
}
