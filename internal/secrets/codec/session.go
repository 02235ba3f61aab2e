package codec

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"sync"
	"time"
)

// sessionLife is how long a browser reads payloads after it has signed in.
const sessionLife = 12 * time.Hour

// A session's value is its end in Unix seconds and a random id, signed.
const (
	endBytes  = 8
	bodyBytes = endBytes + 16
)

// sessions makes and checks the session values of browsers. It signs them with a key that is derived
// from the token: a restart ends no session, and a new token ends all. Only this process knows which
// sessions were signed out.
type sessions struct {
	now     func() time.Time
	key     []byte
	process []byte // signs tickets

	mu    sync.Mutex
	ended map[string]time.Time // signed out before their end
}

func newSessions(token string, now func() time.Time) *sessions {
	process := make([]byte, sha256.Size)
	_, _ = rand.Read(process) // never fails
	return &sessions{now: now, key: sign([]byte(token), "sessions", nil), process: process, ended: map[string]time.Time{}}
}

// begin makes a session.
func (s *sessions) begin() (value string, end time.Time) {
	end = s.now().Add(sessionLife).Truncate(time.Second)
	body := binary.BigEndian.AppendUint64(nil, uint64(end.Unix()))
	body = append(body, make([]byte, bodyBytes-endBytes)...)
	_, _ = rand.Read(body[endBytes:]) // never fails
	return base64.RawURLEncoding.EncodeToString(append(body, sign(s.key, "session", body)...)), end
}

// check returns the end of a value's session, if it is valid.
func (s *sessions) check(value string) (end time.Time, ok bool) {
	data, err := base64.RawURLEncoding.Strict().DecodeString(value)
	if err != nil || len(data) != bodyBytes+sha256.Size {
		return time.Time{}, false
	}
	body, signature := data[:bodyBytes], data[bodyBytes:]
	if !hmac.Equal(signature, sign(s.key, "session", body)) {
		return time.Time{}, false
	}
	end = time.Unix(int64(binary.BigEndian.Uint64(body)), 0)
	s.mu.Lock()
	defer s.mu.Unlock()
	_, signedOut := s.ended[value]
	return end, !signedOut && s.now().Before(end)
}

// end ends a session before its time. It ignores values that are not a session.
func (s *sessions) end(value string) {
	end, ok := s.check(value)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for other, until := range s.ended {
		if !s.now().Before(until) {
			delete(s.ended, other)
		}
	}
	s.ended[value] = end
}

// ticket is accepted instead of the token to begin a session, while this
// process runs.
func (s *sessions) ticket() string {
	return base64.RawURLEncoding.EncodeToString(sign(s.process, "ticket", nil))
}

func (s *sessions) isTicket(text string) bool {
	return hmac.Equal([]byte(text), []byte(s.ticket()))
}

// sign gives different signatures for different uses.
func sign(key []byte, use string, body []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(bytes.Join([][]byte{[]byte(use), body}, []byte{0}))
	return mac.Sum(nil)
}
