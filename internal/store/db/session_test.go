package db_test

import (
	"context"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"

	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
)

// administer runs statements with every right, in a database of the test's own.
func administer(t *testing.T, database string, statements ...string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	for _, sql := range statements {
		require.NoError(t, only(conn.Exec(t.Context(), strings.ReplaceAll(sql, "THIS", conn.Config().Database))), sql)
	}
	return conn
}

func show(t *testing.T, conn *pgx.Conn, setting string) (value string) {
	t.Helper()
	require.NoError(t, conn.QueryRow(t.Context(), "SHOW "+setting).Scan(&value), setting)
	return value
}

// TestSession_IgnoresSettingsOfRoleAndDatabase, on each connection: of both pools, beside
// them, and for migrations.
func TestSession_IgnoresSettingsOfRoleAndDatabase(t *testing.T) {
	t.Parallel()
	database := server.Database(t)
	administer(t, database, pgtest.SetHostile("DATABASE THIS")...)
	for name, url := range map[string]string{"database": database, "role": pgtest.As(server.Database(t), pgtest.Serving), "both": pgtest.As(database, pgtest.Serving)} {
		t.Run(name, func(t *testing.T) {
			inherits, err := pgx.Connect(t.Context(), url)
			require.NoError(t, err)
			defer inherits.Close(t.Context())
			pool, err := db.Open(t.Context(), url, db.Options{Connections: db.Connections{Apart: 1}})
			require.NoError(t, err)
			defer pool.Close()
			beside := pgtest.ConnectOne(t, url)
			migrates, err := pgx.ConnectConfig(t.Context(), pool.WithoutStatementTimeout())
			require.NoError(t, err)
			defer migrates.Close(t.Context())
			for setting, want := range db.SessionSettings() {
				if setting == "transaction_timeout" && show(t, inherits, "server_version_num") < "170000" {
					continue
				}
				require.NotEmpty(t, pgtest.HostileSettings[setting], "give %s a hostile value", setting)
				require.Equal(t, pgtest.HostileSettings[setting], show(t, inherits, setting), setting)
				require.Equal(t, []string{want, want, want, want}, append(pool.Show(t, setting), show(t, beside, setting), show(t, migrates, setting)), setting)
			}
			require.Equal(t, "0", show(t, migrates, "statement_timeout"))
			require.Equal(t, "5s", show(t, migrates, "lock_timeout"))
		})
	}
}

// TestSession_KeepsAStrongerPromiseOfCommits: waiting for standbys to apply a commit.
func TestSession_KeepsAStrongerPromiseOfCommits(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]string{"off": "on", "local": "on", "remote_write": "on", "on": "on", "remote_apply": "remote_apply"} {
		database := server.Database(t)
		administer(t, database, `ALTER DATABASE THIS SET synchronous_commit = `+set)
		require.Equal(t, want, show(t, pgtest.ConnectOne(t, database), "synchronous_commit"), set)
	}
}

func TestOpen_RefusesWhatASessionCannotSet(t *testing.T) {
	t.Parallel()
	database := server.Database(t)
	open := func(database string) error {
		conn, err := db.Open(t.Context(), database, db.Options{})
		if err == nil {
			conn.Close()
		}
		return err
	}
	for _, encoding := range []string{"LATIN1", "SQL_ASCII"} {
		administer(t, database, `CREATE DATABASE THIS_`+encoding+` ENCODING '`+encoding+`' LOCALE 'C' TEMPLATE template0`)
		u, err := url.Parse(database)
		require.NoError(t, err)
		u.Path = strings.ToLower(u.Path + "_" + encoding)
		require.ErrorContains(t, open(u.String()), "the database's encoding is "+encoding+", and Requisite needs UTF8; make a database with CREATE DATABASE")
	}
	administer(t, database, `ALTER DATABASE THIS SET session_replication_role = replica`)
	require.ErrorContains(t, open(database), "session_replication_role is replica, which turns off triggers and foreign keys; reset it with")
}

// TestOpen_GivesUpOnAServerThatFallsSilent after the start of a connection.
func TestOpen_GivesUpOnAServerThatFallsSilent(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() }) // also so that the garbage collector does not close it
			backend := pgproto3.NewBackend(conn, conn)
			_, _ = backend.ReceiveStartupMessage()
			backend.Send(&pgproto3.AuthenticationOk{})
			backend.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
			_ = backend.Flush()
		}
	}()
	_, err = db.Open(t.Context(), "postgres://app@"+listener.Addr().String()+"/requisite?sslmode=disable", db.Options{Connections: db.Connections{Connect: 100 * time.Millisecond}})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.True(t, db.Unreachable(err))
}
