package main

import (
	"errors"
	"fmt"
	"net"
	"strconv"

	"requisite/internal/freeport"
)

const loopback = "127.0.0.1"

func address(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }

// portRequest is a port that a part wants; zero stands for any free one.
type portRequest struct {
	part string
	port int
}

// choosePorts finds out that the wanted ports are free and picks others for the zeros, all different because all are
// held until the last is found.
func choosePorts(requests ...portRequest) (chosen []int, err error) {
	var held []net.Listener
	defer func() {
		for _, listener := range held {
			err = errors.Join(err, listener.Close())
		}
	}()
	for _, request := range requests {
		listener, err := freeport.Listen(request.port)
		if err != nil {
			return nil, fmt.Errorf("port %d for %s is not free; choose another, or 0 for any: %w", request.port, request.part, err)
		}
		held = append(held, listener)
		chosen = append(chosen, listener.Addr().(*net.TCPAddr).Port)
	}
	return chosen, nil
}
