// Package freeport finds free ports for programs that are told on which to listen.
package freeport

import (
	"math/rand/v2"
	"net"
	"strconv"
)

// Free ports are looked for below those that systems give to outgoing connections
// (from 32768 on Linux): between the choice of a port and its use, one of those is
// easily given away.
const (
	first = 15_000
	last  = 32_000
	tries = 200
)

// Listen listens on a port of the loopback address, or on a free one for 0.
func Listen(port int) (net.Listener, error) {
	if port == 0 {
		for range tries {
			if listener, err := listen(first + rand.IntN(last-first)); err == nil {
				return listener, nil
			}
		}
	}
	return listen(port)
}

func listen(port int) (net.Listener, error) {
	return net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// Choose gives a port on which nobody listens: the wanted one, or another for 0.
func Choose(wanted int) (int, error) {
	listener, err := Listen(wanted)
	if err != nil {
		return 0, err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	return port, listener.Close()
}

// Address gives a loopback address with a port on which nobody listens.
func Address() (string, error) {
	port, err := Choose(0)
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), err
}
