package db_test

import (
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"requisite/internal/config"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
)

// TestConnections_SettingsReachPostgres asks the server itself, over a connection of
// each pool.
func TestConnections_SettingsReachPostgres(t *testing.T) {
	url := pgtest.As(server.Database(t), pgtest.Serving)
	t.Parallel()
	require.Equal(t, 5*time.Second, db.Connections{}.OrDefault().Connect)
	for name, c := range map[string]struct {
		args       []string
		shown      map[string]string
		most       int32
		life, idle time.Duration
	}{
		"defaults": {nil, map[string]string{"statement_timeout": "15s", "lock_timeout": "5s", "idle_in_transaction_session_timeout": "15s", "TimeZone": "UTC"},
			20, 30 * time.Minute, 5 * time.Minute},
		"set": {
			[]string{"--database-connections=7", "--database-timeout=21s"},
			map[string]string{"statement_timeout": "21s", "lock_timeout": "7s", "idle_in_transaction_session_timeout": "21s", "TimeZone": "UTC"},
			7, 30 * time.Minute, 5 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			var connections db.Connections
			flags := pflag.NewFlagSet("program", pflag.ContinueOnError)
			config.BindConnections(flags, &connections)
			require.NoError(t, flags.Parse(c.args))
			require.NoError(t, config.CheckConnections(connections))
			conn, err := db.Open(t.Context(), url, db.Options{Connections: connections})
			require.NoError(t, err)
			defer conn.Close()
			for setting, want := range c.shown {
				require.Equal(t, []string{want, want}, conn.Show(t, setting), setting)
			}
			require.Equal(t, c.most, conn.Stat().MaxConns())
			pool := conn.Config()
			require.Equal(t, c.life, pool.MaxConnLifetime)
			require.Equal(t, c.idle, pool.MaxConnIdleTime)
			require.LessOrEqual(t, pool.HealthCheckPeriod, c.idle, "an idle connection is found in time")
			require.Equal(t, time.Hour, pool.ConnConfig.ConnectTimeout, "the connect_timeout of the URL")
		})
	}
}
