// Package heldport reserves TCP ports of the loopback address, for programs that cannot
// listen on port 0, and for programs that restart at the same address.
package heldport

import (
	"fmt"
	"net"
	"strconv"
)

const loopback = "127.0.0.1"

// Port is a reserved port. On Linux, the kernel assigns it to no listener on port 0 and to no
// outgoing connection until Release. A program that knows the number can listen on it,
// repeatedly. On other systems, it was only free when it was chosen.
type Port struct {
	number  int
	release func() error
}

// Hold reserves a port, or any free one for 0. It fails for a port in use.
func Hold(port int) (*Port, error) {
	number, release, err := hold(port)
	if err != nil {
		return nil, fmt.Errorf("hold %s: %w", address(port), err)
	}
	return &Port{number: number, release: release}, nil
}

// Number of the port.
func (p *Port) Number() int { return p.number }

// Address of the port, as host:port.
func (p *Port) Address() string { return address(p.number) }

// Release ends the reservation. A program that listens on the port keeps it.
func (p *Port) Release() error { return p.release() }

func address(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }
