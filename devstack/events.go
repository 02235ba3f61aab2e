package main

import (
	"encoding/json"
	"io"
	"sync"
)

// endpoints are the addresses of a running stack.
type endpoints struct {
	DatabaseURL     string `json:"database_url"`
	TemporalAddress string `json:"temporal_address"`
	TemporalUIURL   string `json:"temporal_ui_url,omitempty"`
	Namespace       string `json:"namespace"`
}

type message struct {
	Event   string `json:"event"`
	Message string `json:"message"`
}

// eventStream writes events for the parent process, one JSON object on each line. It is safe for concurrent use.
type eventStream struct {
	mu      sync.Mutex
	encoder *json.Encoder
	ended   bool
}

func newEventStream(w io.Writer) *eventStream {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return &eventStream{encoder: encoder}
}

func (s *eventStream) progress(text string) { s.emit(message{Event: "progress", Message: text}) }

func (s *eventStream) ready(e endpoints) {
	s.emit(struct {
		Event string `json:"event"`
		endpoints
	}{"ready", e})
}

// failed emits the last event of the stream; later ones are dropped.
func (s *eventStream) failed(err error) {
	s.emit(message{Event: "error", Message: err.Error()})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
}

// emit drops the event if the parent does not read. The log has the important entries, and the end of standard input or a
// signal stops the process.
func (s *eventStream) emit(event any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		_ = s.encoder.Encode(event)
	}
}
