// Package id writes and reads the identifiers of the API: a prefix that names
// the kind, and a UUID in base 62 (alphabet 0-9A-Za-z, big-endian, unpadded).
// Records have only the UUID; the prefix is added in the API.
package id

import (
	"errors"
	"math/big"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// UUID is the identifier of a record, and NullUUID one that may be NULL. No other package imports their library, so
// replacing it changes only this file.
type (
	UUID     = uuid.UUID
	NullUUID = uuid.NullUUID
)

// Nil sorts before all identifiers, and Max after them.
var Nil, Max = uuid.Nil, uuid.Max

// Prefix names the kind of thing an identifier stands for.
type Prefix string

// The kinds of identifier. An account's prefix states its environment.
const (
	AccountLive      Prefix = "lv_"
	AccountSandbox   Prefix = "sb_"
	Business         Prefix = "b_"
	Decision         Prefix = "dec_"
	Organization     Prefix = "org_"
	Person           Prefix = "p_"
	Recalculation    Prefix = "rec_"
	RequiredDocument Prefix = "rd_"
	RuleProposal     Prefix = "prp_"
	RuleSetVersion   Prefix = "rul_" // also of a version of a pricing model
	Run              Prefix = "run_"
	SalesInfo        Prefix = "bsi_"
	Trace            Prefix = "trc_"
	WebhookConfig    Prefix = "whc_"
	WebhookDelivery  Prefix = "whd_"
	WebhookEvent     Prefix = "wh_"
	Workflow         Prefix = "w_"
)

// TailPattern is the form of what follows a prefix, as a regular expression.
// A UUID of the versions in use needs 21 or 22 digits; 20 is accepted.
const TailPattern = `[0-9A-Za-z]{20,22}`

// ErrMalformed reports text that is not an identifier of the wanted kind.
var ErrMalformed = errors.New("not an identifier of this kind")

// New returns a fresh UUIDv7: its order is the order of creation, to the
// millisecond. It panics when the system cannot provide randomness.
func New() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// made counts the ids that NewAt has made. It is global, as the state of UUIDv7 in
// package uuid is: only the process as a whole can keep an order.
var made atomic.Uint64

// NewAt returns a fresh UUIDv7 of a time. Up to thousands of ids of one time are in the
// order of their creation in this process.
func NewAt(t time.Time) uuid.UUID {
	u := uuid.New()
	first := FirstAt(t)
	copy(u[:6], first[:])
	fraction := t.Nanosecond() % int(time.Millisecond) * (1 << 12) / int(time.Millisecond)
	u[6], u[7] = 0x70|byte(fraction>>8), byte(fraction)
	n := made.Add(1)
	u[8], u[9] = 0x80|byte(n>>8)&0x3f, byte(n)
	return u
}

// FirstAt is a lower bound of the ids that are made at a time or later.
func FirstAt(t time.Time) uuid.UUID {
	var u uuid.UUID
	ms := max(0, t.UnixMilli())
	for i := range 6 {
		u[i] = byte(ms >> (40 - 8*i))
	}
	return u
}

// Format writes u as an identifier.
func Format(p Prefix, u uuid.UUID) string { return string(p) + Base62(u[:]) }

// Parse reads an identifier with the given prefix. Text of another form is ErrMalformed.
// Text of the right form that Format never writes (a number above 2^128-1, or a padded
// one) is the nil UUID, which no record has.
func Parse(p Prefix, s string) (uuid.UUID, error) {
	tail, ok := strings.CutPrefix(s, string(p))
	if !ok || len(tail) < 20 || len(tail) > 22 || strings.ContainsFunc(tail, notBase62) {
		return uuid.Nil, ErrMalformed
	}
	n, ok := FromBase62(tail, len(uuid.UUID{}))
	if !ok || Base62(n) != tail {
		return uuid.Nil, nil
	}
	return uuid.UUID(n), nil
}

// Base62 writes big-endian bytes as an unpadded number in base 62, digits
// 0-9A-Za-z. Zero is "0".
func Base62(b []byte) string { return swapCase(new(big.Int).SetBytes(b).Text(62)) }

// FromBase62 is the number that Base62 wrote, as big-endian bytes; false for
// other text, and for a number of more than size bytes.
func FromBase62(text string, size int) ([]byte, bool) {
	if text == "" || strings.ContainsFunc(text, notBase62) {
		return nil, false
	}
	n, _ := new(big.Int).SetString(swapCase(text), 62)
	if n.BitLen() > 8*size {
		return nil, false
	}
	return n.FillBytes(make([]byte, size)), true
}

// swapCase turns math/big's digits 0-9a-zA-Z into 0-9A-Za-z and back.
func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, s)
}

func notBase62(r rune) bool {
	return !('0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z')
}
