//go:build deep

package faults

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// mood is how a sink answers.
type mood int

const (
	well mood = iota
	slow
	failing // 500
	busy    // 503, with Retry-After
	hanging // waits for a while, or until its caller hangs up
	silent  // waits longer than an attempt may take
	gone    // 410
	broken  // hangs up without a response
	moods
)

// sinks are receivers at many paths of one server. They check webhooks as the guide says.
type sinks struct {
	server  *http.Server
	address string
	secret  func(account, key string) []byte
	since   func() time.Duration

	mu       sync.Mutex
	moods    map[string]mood
	accounts map[string]string
	arrivals []Arrival
	calm     chan struct{} // closed by heal
}

func newSinks(secret func(account, key string) []byte, since func() time.Duration) (*sinks, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &sinks{
		address: listener.Addr().String(), secret: secret, since: since,
		moods: map[string]mood{}, accounts: map[string]string{}, calm: make(chan struct{}),
	}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	go func() { _ = s.server.Serve(listener) }() // until Close
	return s, nil
}

// add adds a sink of an account.
func (s *sinks) add(name, account string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accounts[name] = account
}

// changeMood changes the mood of a sink.
func (s *sinks) changeMood(random *rand.Rand, names []string) {
	if len(names) == 0 {
		return
	}
	name, next := names[random.IntN(len(names))], well
	if random.IntN(2) == 0 {
		next = mood(random.IntN(int(moods)))
	}
	s.set(name, next)
}

func (s *sinks) set(name string, m mood) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moods[name] = m
}

func (s *sinks) is(name string) mood {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.moods[name]
}

// heal makes all sinks answer 204 from now on.
func (s *sinks) heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moods = map[string]mood{}
	close(s.calm)
}

func (s *sinks) seen() []Arrival {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Arrival{}, s.arrivals...)
}

func (s *sinks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := Arrival{Span: Span{Start: s.since()}, Sink: strings.TrimPrefix(r.URL.Path, "/")}
	defer func() {
		if a.Sink == "" { // the request ended early: nothing is known about it
			return
		}
		a.End = s.since()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.arrivals = append(s.arrivals, a)
	}()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		a.Sink = ""
		return
	}
	s.mu.Lock()
	account, how := s.accounts[a.Sink], s.moods[a.Sink]
	s.mu.Unlock()
	a.Wrong = s.open(&a, body, r.Header, account)
	if a.Wrong != "" {
		a.Status = http.StatusBadRequest
		w.WriteHeader(a.Status)
		return
	}
	a.Status = s.answer(w, r, how)
}

// answer responds according to the mood, and returns the status.
func (s *sinks) answer(w http.ResponseWriter, r *http.Request, how mood) int {
	status := http.StatusNoContent
	wait := func(d time.Duration) bool {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-s.calm:
		case <-r.Context().Done():
			return false
		}
		return true
	}
	here := true
	switch how {
	case slow:
		here = wait(200 * time.Millisecond)
	case failing:
		status = http.StatusInternalServerError
	case busy:
		w.Header().Set("Retry-After", "2")
		status = http.StatusServiceUnavailable
	case hanging:
		here = wait(4 * time.Second)
	case silent:
		here = wait(time.Minute)
	case gone:
		status = http.StatusGone
	case broken:
		panic(http.ErrAbortHandler)
	}
	if !here {
		return 0
	}
	w.WriteHeader(status)
	return status
}

// open verifies and decrypts a webhook as a receiver does, without code of the sender. It
// returns why the receiver refuses the webhook, or an empty text.
func (s *sinks) open(a *Arrival, body []byte, header http.Header, account string) string {
	var clear struct {
		ID         string `json:"id"`
		EventType  string `json:"event_type"`
		Timestamp  string `json:"timestamp"`
		AccountID  string `json:"account_id"`
		Schema     string `json:"schema_version"`
		KeyID      string `json:"key_id"`
		Sequence   *int64 `json:"sequence"`
		RetryCount int    `json:"retry_count"`
		Data       string `json:"data"`
	}
	if err := json.Unmarshal(body, &clear); err != nil {
		return "it cannot be read: " + err.Error()
	}
	a.EventID, a.EventType, a.Account, a.KeyID, a.Retry = clear.ID, clear.EventType, clear.AccountID, clear.KeyID, clear.RetryCount
	if account != clear.AccountID {
		return fmt.Sprintf("it is of account %s, and the sink of %s", clear.AccountID, account)
	}
	token, err := jose.ParseEncryptedCompact(clear.Data, []jose.KeyAlgorithm{jose.DIRECT}, []jose.ContentEncryption{jose.A256GCM})
	if err != nil {
		return "it is no JWE: " + err.Error()
	}
	secret := s.secret(clear.AccountID, clear.KeyID)
	if secret == nil {
		return fmt.Sprintf("its key %s was never shown", clear.KeyID)
	}
	plain, err := token.Decrypt(secret)
	if err != nil {
		return fmt.Sprintf("it does not decrypt with %s: %s", clear.KeyID, err)
	}
	var content map[string]any
	if err := json.Unmarshal(plain, &content); err != nil || content["version"] == nil {
		return "its content cannot be read"
	}
	var sequence any // nil if the event has no workflow
	if clear.Sequence != nil {
		a.Sequence, sequence = *clear.Sequence, float64(*clear.Sequence)
	}
	if content["sequence"] != sequence {
		return fmt.Sprintf("its sequence is %v in clear, and %v in the content", sequence, content["sequence"])
	}
	extra := token.Header.ExtraHeaders
	for name, want := range map[string]any{
		"id": clear.ID, "event_type": clear.EventType, "timestamp": clear.Timestamp, "account_id": clear.AccountID,
		"schema_version": clear.Schema, "retry_count": float64(clear.RetryCount), "sequence": sequence,
	} {
		if extra[jose.HeaderKey(name)] != want {
			return fmt.Sprintf("the header's %s is %v, not %v", name, extra[jose.HeaderKey(name)], want)
		}
	}
	iat, _ := extra["iat"].(float64)
	switch {
	case token.Header.KeyID != clear.KeyID:
		return fmt.Sprintf("kid %s is not %s", token.Header.KeyID, clear.KeyID)
	case header.Get("webhook-id") != clear.ID, header.Get("webhook-timestamp") != strconv.FormatInt(int64(iat), 10):
		return "the request's headers are of another webhook"
	case time.Since(time.Unix(int64(iat), 0)).Abs() > 5*time.Minute:
		return Stale
	}
	return ""
}
