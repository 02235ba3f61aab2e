package config

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"
)

// Listening is where a program listens, which whoever started it on port 0
// learns from it.
type Listening struct {
	Address        string `json:"address,omitempty"`
	MetricsAddress string `json:"metrics_address,omitempty"`
}

// BindAnnounce adds the flag that has a program announce where it listens.
func BindAnnounce(flags *pflag.FlagSet, announce *bool) {
	flags.BoolVar(announce, "announce", false, "write where it listens to standard output, as one line of JSON, for the program that started this one on port 0")
}

// Announce writes the line.
func (l Listening) Announce(to io.Writer) error {
	if err := json.NewEncoder(to).Encode(l); err != nil {
		return fmt.Errorf("announce where it listens: %w", err)
	}
	return nil
}

// ErrNoAnnouncement reports that a program ended without having announced
// anything.
var ErrNoAnnouncement = errors.New("the program ended before it listened")

// ReadListening waits for the line of a program.
func ReadListening(from io.Reader) (l Listening, err error) {
	line, err := bufio.NewReader(from).ReadBytes('\n')
	if err != nil {
		return l, ErrNoAnnouncement
	}
	if err := json.Unmarshal(line, &l); err != nil {
		return l, fmt.Errorf("read where a program listens: %w", err)
	}
	return l, nil
}
