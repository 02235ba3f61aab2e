package db_test

import (
	"context"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
)

// TestBrokenConnection_IsAnOutage breaks a connection while Postgres executes a statement. The
// caller is told to try again, and no alert fires.
func TestBrokenConnection_IsAnOutage(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	through, broken := breakable(t, url)
	conn, beside := pgtest.Connect(t, through), pgtest.Connect(t, url)
	hold, err := beside.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = hold.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = hold.Exec(t.Context(), `LOCK TABLE account IN ACCESS EXCLUSIVE MODE`)
	require.NoError(t, err)

	failed := make(chan error, 1)
	go func() {
		failed <- only(conn.Scoped(domain.Scope{}).Exec(t.Context(), `SELECT FROM account`))
	}()
	pgtest.AwaitLocks(t, beside.Pool, 1, "the read")
	broken()
	err = <-failed
	require.Error(t, err)
	require.True(t, db.Unreachable(err), "%v", err)
}

// breakable passes connections on to a database until all of them are broken.
func breakable(t *testing.T, database string) (through string, breakAll func()) {
	u, err := url.Parse(database)
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var mu sync.Mutex
	var conns []*net.TCPConn
	breakAll = func() {
		_ = listener.Close()
		mu.Lock()
		defer mu.Unlock()
		for _, c := range conns {
			_ = c.SetLinger(0)
			_ = c.Close()
		}
	}
	t.Cleanup(breakAll)
	target := u.Host
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", target)
			if err != nil {
				_ = from.Close()
				continue
			}
			mu.Lock()
			conns = append(conns, from.(*net.TCPConn), to.(*net.TCPConn))
			mu.Unlock()
			go func() { _, _ = io.Copy(to, from) }()
			go func() { _, _ = io.Copy(from, to) }()
		}
	}()
	u.Host = listener.Addr().String()
	return u.String(), breakAll
}
