package store_test

import (
	"net"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"

	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// TestOpen_ErrorsSayWhatToDo: on one line, at the first connection.
func TestOpen_ErrorsSayWhatToDo(t *testing.T) {
	b := setup(t)
	open := func(change func(*url.URL)) error {
		u, err := url.Parse(b.URL)
		require.NoError(t, err)
		change(u)
		store, err := store.Open(t.Context(), u.String(), nil, store.Options{})
		if err == nil {
			defer store.Close()
			err = store.Secrets.CheckKeyset(t.Context())
		}
		require.Error(t, err)
		require.NotContains(t, err.Error(), "\n")
		require.NotContains(t, err.Error(), "planted")
		return err
	}
	require.ErrorContains(t, open(func(u *url.URL) { u.User = url.UserPassword("nobody_here", "planted") }), "the role does not exist")
	require.ErrorContains(t, open(func(u *url.URL) { u.Path = "/nothing_here" }), "create the database with CREATE DATABASE")

	// A role that exists, and that migrate was not told of.
	conn := b.Pool()
	require.NoError(t, only(conn.Exec(t.Context(), `CREATE ROLE without_rights LOGIN PASSWORD 'planted'`)))
	t.Cleanup(func() {
		_, err := conn.Exec(t.Context(), `DROP ROLE without_rights`)
		_ = err // the server of the tests ends soon
	})
	require.ErrorContains(t, open(func(u *url.URL) { u.User = url.UserPassword("without_rights", "planted") }), "run `starter migrate` with this role as --api-role or --worker-role")
	require.ErrorContains(t, open(func(u *url.URL) { u.Path = "/postgres" }), "the schema is missing or old: run `starter migrate`")

	owner := server.Open(t, pgtest.As(b.URL, pgtest.Owner), nil, store.Options{})
	err := owner.Database.Schema().GrantAPI(t.Context(), "no_such_role")
	require.ErrorContains(t, err, `grant rights to the database role "no_such_role"`)
	require.ErrorContains(t, err, "create the role first, with CREATE ROLE")
}

// TestOpen_RejectsOldPostgres answers as a server of a version does, up to where a
// connection is ready.
func TestOpen_RejectsOldPostgres(t *testing.T) {
	t.Parallel()
	open := func(version string) error {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer listener.Close()
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				backend := pgproto3.NewBackend(conn, conn)
				if _, err := backend.ReceiveStartupMessage(); err != nil {
					_ = conn.Close()
					continue
				}
				backend.Send(&pgproto3.AuthenticationOk{})
				backend.Send(&pgproto3.ParameterStatus{Name: "server_version", Value: version})
				backend.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
				_ = backend.Flush()
				_, _ = backend.Receive() // a client that goes on is left alone
				_ = conn.Close()
			}
		}()
		store, err := store.Open(t.Context(), "postgres://app@"+listener.Addr().String()+"/requisite?sslmode=disable", nil, store.Options{})
		if err == nil {
			store.Close()
		}
		return err
	}
	for _, old := range []string{"14.19 (Debian 14.19-1.pgdg120+1)", "9.6.24"} {
		err := open(old)
		require.ErrorContains(t, err, "the server is Postgres "+old+", and Requisite needs 15 or newer; upgrade it")
		require.NotContains(t, err.Error(), "\n")
	}
	for _, fine := range []string{"15.0", "18beta1", "", "cloud"} {
		require.NotContains(t, open(fine).Error(), "Requisite needs", fine) // that server answers nothing more
	}
}
