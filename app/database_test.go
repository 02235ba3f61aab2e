package app

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/config"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/store/schema"
)

var server *pgtest.Server

func TestMain(m *testing.M) { pgtest.Main(m, func(s *pgtest.Server) { server = s }) }

// A program starts with its own role, and with one that sees every tenant only if that is
// allowed.
func TestCheckDatabase_RefusesRolesThatDoNotFit(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	for role, database := range map[string]string{"a superuser": url, "the owner": pgtest.As(url, pgtest.Owner), "the worker's": pgtest.As(url, pgtest.Worker), "its own": pgtest.As(url, pgtest.API)} {
		store := server.Open(t, database, nil, store.Options{Connections: db.Connections{Apart: 4}})
		var said bytes.Buffer
		log := slog.New(slog.NewTextHandler(&said, nil))
		err := checkDatabase(t.Context(), store, &config.Service{}, schema.API, log)
		allowed := checkDatabase(t.Context(), store, &config.Service{AllowBypass: true}, schema.API, log)
		switch role {
		case "its own":
			require.NoError(t, errors.Join(err, allowed))
			require.Empty(t, said.String())
		case "the worker's":
			require.ErrorContains(t, err, "run `starter migrate` with this role as --api-role")
			require.ErrorContains(t, allowed, "lacks rights")
		default:
			require.ErrorContains(t, err, "row-level security does not bind the database role", role)
			require.ErrorContains(t, err, "--"+config.BypassFlag)
			require.NoError(t, allowed, role)
			require.Contains(t, said.String(), "sees the data of every tenant")
		}
	}
}

// TestCheckDatabase_WarnsOfAChangedCollationLibrary, also of another database of the server, such as Temporal's. No index of the
// service depends on it, so the program starts.
func TestCheckDatabase_WarnsOfAChangedCollationLibrary(t *testing.T) {
	t.Parallel()
	own := pgtest.Own(t) // the versions are the server's
	url := own.Database(t)
	admin := pgtest.ConnectOne(t, url)
	start := func() string {
		store := own.Open(t, pgtest.As(url, pgtest.API), nil, store.Options{})
		var said bytes.Buffer
		require.NoError(t, checkDatabase(t.Context(), store, &config.Service{}, schema.API, slog.New(slog.NewTextHandler(&said, nil))))
		return said.String()
	}
	require.Empty(t, start())
	_, err := admin.Exec(t.Context(), `UPDATE pg_database SET datcollversion = '1' WHERE datname IN ('postgres', 'template0')`)
	require.NoError(t, err)
	require.Regexp(t, `docs/operating/postgres.md.* outdated="\[DATABASE [^ ]*postgres[^ ]*]"`, start(), "template0 takes no connections")
}

// The reason that a probe shows names neither an address nor a role.
func TestLackOfStore_ShowsOnlyWhatAnybodyMayRead(t *testing.T) {
	t.Parallel()
	require.NoError(t, lackOfStore(nil))
	require.EqualError(t, lackOfStore(fmt.Errorf("%w: from 10.0.0.1", db.LackWrites)), string(db.LackWrites))
	require.EqualError(t, lackOfStore(errors.New("dial 10.0.0.1")), "no answer from Postgres")
}
