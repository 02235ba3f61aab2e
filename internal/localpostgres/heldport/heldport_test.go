package heldport_test

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/localpostgres/heldport"
)

func held(t *testing.T, port int) *heldport.Port {
	p, err := heldport.Hold(port)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Release()) })
	return p
}

func TestHold_HolderMayListenRepeatedly(t *testing.T) {
	t.Parallel()
	p := held(t, 0)
	for range 3 {
		listener, err := net.Listen("tcp", p.Address())
		require.NoError(t, err)
		require.Equal(t, p.Number(), listener.Addr().(*net.TCPAddr).Port)
		go func() {
			if conn, err := listener.Accept(); err == nil {
				conn.Close()
			}
		}()
		conn, err := net.Dial("tcp", p.Address())
		require.NoError(t, err, "it is reached while it listens")
		require.NoError(t, conn.Close())
		require.NoError(t, listener.Close())
	}
	_, err := net.Dial("tcp", p.Address())
	require.Error(t, err, "nobody listens")
}

func TestHold_RefusesAPortInUse(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	_, err = heldport.Hold(listener.Addr().(*net.TCPAddr).Port)
	require.ErrorContains(t, err, "address already in use")
}

func TestRelease_KeepsTheListener(t *testing.T) {
	t.Parallel()
	p, err := heldport.Hold(0)
	require.NoError(t, err)
	listener, err := net.Listen("tcp", p.Address())
	require.NoError(t, err)
	defer listener.Close()
	require.NoError(t, p.Release())
	_, err = heldport.Hold(p.Number())
	require.Error(t, err)
}
