package heldport_test

import (
	"errors"
	"fmt"
	"net"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/localpostgres/heldport"
)

// setting sets an option of each socket.
func setting(level, option, value int) func(network, address string, c syscall.RawConn) error {
	return func(_, _ string, c syscall.RawConn) error {
		var failed error
		err := c.Control(func(fd uintptr) { failed = syscall.SetsockoptInt(int(fd), level, option, value) })
		return errors.Join(err, failed)
	}
}

// ipLocalPortRange limits the ports that the kernel chooses from for a socket; since
// Linux 6.3.
const ipLocalPortRange = 51

func hasPortRange(t *testing.T) bool {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	err = syscall.SetsockoptInt(fd, syscall.IPPROTO_IP, ipLocalPortRange, 0)
	require.NoError(t, syscall.Close(fd))
	return err == nil
}

func TestHold_PortIsAssignedToNobodyElse(t *testing.T) {
	t.Parallel()
	there, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer there.Close()
	p, err := heldport.Hold(0)
	require.NoError(t, err)
	type way struct {
		name, address string // to listen at
		listening     net.ListenConfig
		calling       net.Dialer
		refused       error // for calling
	}
	alone := setting(syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 0)
	ways := []way{{
		"by its number", fmt.Sprintf("127.0.0.1:%d", p.Number()), net.ListenConfig{Control: alone},
		net.Dialer{Control: alone, LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: p.Number()}}, syscall.EADDRINUSE,
	}}
	if hasPortRange(t) {
		only := setting(syscall.IPPROTO_IP, ipLocalPortRange, p.Number()<<16|p.Number())
		ways = append(ways, way{"by the kernel's choice", "127.0.0.1:0", net.ListenConfig{Control: only}, net.Dialer{Control: only}, syscall.EADDRNOTAVAIL})
	}
	for _, w := range ways {
		_, err = w.listening.Listen(t.Context(), "tcp", w.address)
		require.ErrorIs(t, err, syscall.EADDRINUSE, w.name)
		_, err = w.calling.DialContext(t.Context(), "tcp", there.Addr().String())
		require.ErrorIs(t, err, w.refused, w.name)
	}

	require.NoError(t, p.Release())
	last := ways[len(ways)-1]
	listener, err := last.listening.Listen(t.Context(), "tcp", last.address)
	require.NoError(t, err, "there was nothing else in the way")
	require.NoError(t, listener.Close())
	conn, err := last.calling.DialContext(t.Context(), "tcp", there.Addr().String())
	require.NoError(t, err)
	require.NoError(t, conn.Close())
}
