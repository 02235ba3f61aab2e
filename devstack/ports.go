package main

import (
	"errors"
	"fmt"
	"net"
	"strconv"

	"requisite/internal/localpostgres/heldport"
)

const loopback = "127.0.0.1"

func address(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }

// stackPorts are reserved before anything starts and until everything has stopped, because neither Temporal nor its UI can
// listen on port 0 and report its port.
type stackPorts struct {
	frontend, history, matching, worker, ui *heldport.Port
}

// holdPorts reserves the ports that the options ask for, and free ones for the rest.
func holdPorts(o options) (p stackPorts, err error) {
	for _, want := range []struct {
		part, flag string
		port       int
		held       **heldport.Port
	}{
		{"Temporal", "temporal-port", o.temporalPort, &p.frontend},
		{"the Temporal UI", "ui-port", o.uiPort, &p.ui},
		{"Temporal's history service", "", 0, &p.history},
		{"Temporal's matching service", "", 0, &p.matching},
		{"Temporal's worker service", "", 0, &p.worker},
	} {
		if want.held == &p.ui && o.noUI {
			continue
		}
		if *want.held, err = heldport.Hold(want.port); err != nil {
			if want.port != 0 {
				err = fmt.Errorf("port %d for %s is in use; stop what uses it, or give --%s 0 to pick a free one: %w", want.port, want.part, want.flag, err)
			} else {
				err = fmt.Errorf("reserve a port for %s: %w", want.part, err)
			}
			return p, errors.Join(err, p.release())
		}
	}
	return p, nil
}

// release frees the ports.
func (p *stackPorts) release() error {
	var errs []error
	for _, held := range []*heldport.Port{p.frontend, p.history, p.matching, p.worker, p.ui} {
		if held != nil {
			errs = append(errs, held.Release())
		}
	}
	*p = stackPorts{}
	return errors.Join(errs...)
}
