package deliveries_test

import (
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"requisite/internal/store"
	"requisite/internal/store/db"
)

// TestListenForDue_IsReplacedWhileItConnects, to a server that does not answer: another
// connection takes over, and nothing failed.
func TestListenForDue_IsReplacedWhileItConnects(t *testing.T) {
	b := setup(t)
	silent := &atomic.Bool{}
	s := server.Open(t, through(t, b.URL, silent), nil, store.Options{Connections: db.Connections{Life: time.Second}})
	silent.Store(true)
	require.NoError(t, s.Deliveries.Outbox.ListenForDue(t.Context(), func() {}))
}

// through is the URL of a database behind a listener, which passes nothing on of the connections
// that are opened while it is silent.
func through(t *testing.T, link string, silent *atomic.Bool) string {
	t.Helper()
	config, err := pgx.ParseConfig(link)
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = from.Close() })
			if silent.Load() {
				continue
			}
			network, address := pgconn.NetworkAddress(config.Host, config.Port)
			to, err := net.Dial(network, address)
			if err != nil {
				_ = from.Close()
				continue
			}
			pass := func(to, from net.Conn) {
				_, _ = io.Copy(to, from)
				_ = to.Close()
			}
			go pass(to, from)
			go pass(from, to)
		}
	}()
	u, err := url.Parse(link)
	require.NoError(t, err)
	u.Host = listener.Addr().String()
	return u.String()
}
