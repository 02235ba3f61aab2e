// Package heldport reserves TCP ports of the loopback address for programs that
// must be told a number and cannot listen on port 0 themselves, and for those
// that stop and come back at the same address.
package heldport

import (
	"fmt"
	"net"
	"strconv"
)

const loopback = "127.0.0.1"

// Port is a reserved port. On Linux nobody else is given it until Release:
// neither a program that listens on port 0 nor an outgoing connection. A program
// that is told the number listens on it as if it were free, any number of times.
// Elsewhere the port was free when it was chosen, and no more is promised.
type Port struct {
	number  int
	release func() error
}

// Hold reserves a port, or any free one for 0. It is an error when somebody
// listens on it.
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
