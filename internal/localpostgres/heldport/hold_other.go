//go:build !linux

package heldport

import (
	"math/rand/v2"
	"net"
)

// The ports are below the range of outgoing connections (from 49152 on macOS), which the system
// may assign at any time.
const (
	first = 15_000
	last  = 32_000
	tries = 200
)

// hold finds a port on which nobody listens. It cannot be kept: here, a port that
// is bound cannot be bound again.
func hold(port int) (number int, release func() error, err error) {
	nothing := func() error { return nil }
	if port != 0 {
		return port, nothing, probe(port)
	}
	for range tries {
		number = first + rand.IntN(last-first)
		if err = probe(number); err == nil {
			break
		}
	}
	return number, nothing, err
}

func probe(port int) error {
	listener, err := net.Listen("tcp", address(port))
	if err != nil {
		return err
	}
	return listener.Close()
}
