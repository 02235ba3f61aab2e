package heldport_test

import (
	"errors"
	"net"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/localpostgres/heldport"
)

// only lets the kernel choose one port alone for a socket.
func only(t *testing.T, port int) func(network, address string, c syscall.RawConn) error {
	const ipLocalPortRange = 51
	return func(_, _ string, c syscall.RawConn) error {
		var failed error
		err := c.Control(func(fd uintptr) {
			failed = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_IP, ipLocalPortRange, port<<16|port)
		})
		if errors.Is(failed, syscall.ENOPROTOOPT) {
			t.Skip("before Linux 6.3 a socket has no range of its own")
		}
		return errors.Join(err, failed)
	}
}

func TestAHeldPortIsGivenToNobody(t *testing.T) {
	t.Parallel()
	there, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer there.Close()
	p, err := heldport.Hold(0)
	require.NoError(t, err)
	listening := net.ListenConfig{Control: only(t, p.Number())}
	calling := net.Dialer{Control: only(t, p.Number())}

	_, err = listening.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.ErrorIs(t, err, syscall.EADDRINUSE)
	_, err = calling.DialContext(t.Context(), "tcp", there.Addr().String())
	require.ErrorIs(t, err, syscall.EADDRNOTAVAIL)

	require.NoError(t, p.Release())
	listener, err := listening.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err, "there was nothing else in the way")
	require.NoError(t, listener.Close())
	conn, err := calling.DialContext(t.Context(), "tcp", there.Addr().String())
	require.NoError(t, err)
	require.NoError(t, conn.Close())
}
