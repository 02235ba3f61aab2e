package faults

import (
	"bufio"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// echo starts a server that echoes lines. ended gets a value for each ended connection.
func echo(t *testing.T) (address string, ended <-chan struct{}) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	gone := make(chan struct{}, 16)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(conn, conn)
				_ = conn.Close()
				gone <- struct{}{}
			}()
		}
	}()
	return listener.Addr().String(), gone
}

func proxied(t *testing.T) (*Proxy, net.Conn, <-chan struct{}) {
	address, ended := echo(t)
	p, err := NewProxy(address)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	conn, err := net.Dial("tcp", p.Addr())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.Equal(t, "there\n", say(t, conn, "there\n"))
	return p, conn, ended
}

func say(t *testing.T, conn net.Conn, line string) string {
	_, err := io.WriteString(conn, line)
	require.NoError(t, err)
	answer, err := bufio.NewReader(conn).ReadString('\n')
	require.NoError(t, err)
	return answer
}

func TestProxy_CutResetsAndRefusesConnections(t *testing.T) {
	p, conn, ended := proxied(t)
	p.Cut(true)
	_, err := conn.Read(make([]byte, 1))
	require.Error(t, err)
	<-ended
	next, err := net.Dial("tcp", p.Addr())
	if err == nil {
		_, err = next.Read(make([]byte, 1))
		_ = next.Close()
	}
	require.Error(t, err)
	p.Cut(false)
	again, err := net.Dial("tcp", p.Addr())
	require.NoError(t, err)
	defer again.Close()
	require.Equal(t, "back\n", say(t, again, "back\n"))
}

func TestProxy_StallKeepsConnectionsAndTheirData(t *testing.T) {
	p, conn, _ := proxied(t)
	p.Stall(true)
	_, err := io.WriteString(conn, "late\n")
	require.NoError(t, err)
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(100*time.Millisecond)))
	_, err = conn.Read(make([]byte, 1))
	require.ErrorContains(t, err, "timeout")
	require.NoError(t, conn.SetReadDeadline(time.Time{}))
	p.Stall(false)
	line, err := bufio.NewReader(conn).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "late\n", line)
}

func TestProxy_DelaysBothDirections(t *testing.T) {
	p, conn, _ := proxied(t)
	const by = 150 * time.Millisecond
	p.Delay(by)
	began := time.Now()
	require.Equal(t, "slow\n", say(t, conn, "slow\n"))
	require.GreaterOrEqual(t, time.Since(began), 2*by, "a delay in each direction")
}

func TestProxy_ClosesTheOtherSide(t *testing.T) {
	_, conn, ended := proxied(t)
	require.NoError(t, conn.Close())
	<-ended
}

// TestProxy_PassesOnAResetDuringAStall, so that the connections of a killed program end.
func TestProxy_PassesOnAResetDuringAStall(t *testing.T) {
	p, conn, ended := proxied(t)
	p.Stall(true)
	require.NoError(t, conn.(*net.TCPConn).SetLinger(0))
	require.NoError(t, conn.Close())
	<-ended
}
