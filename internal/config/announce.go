package config

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Listening holds the addresses that a program listens on. It tells them to its parent,
// because it may choose its ports.
type Listening struct {
	Address        string `json:"address,omitempty"`
	MetricsAddress string `json:"metrics_address,omitempty"`
	HealthAddress  string `json:"health_address,omitempty"`
}

// Announce writes the line that ReadListening reads.
func (l Listening) Announce(to io.Writer) error {
	if err := json.NewEncoder(to).Encode(l); err != nil {
		return fmt.Errorf("announce the listening address: %w", err)
	}
	return nil
}

// ErrNoAnnouncement reports that a program ended without announcing an address.
var ErrNoAnnouncement = errors.New("the program ended before it was listening")

// ReadListening waits for the line that a program announces itself with.
func ReadListening(from io.Reader) (l Listening, err error) {
	line, err := bufio.NewReader(from).ReadBytes('\n')
	if err != nil {
		return l, ErrNoAnnouncement
	}
	if err := json.Unmarshal(line, &l); err != nil {
		return l, fmt.Errorf("read the announced address: %w", err)
	}
	return l, nil
}
