// Package wire is the form of requests and answers: the envelope, date-times, and the
// strict reading of request bodies. It refuses a name that is misspelled, repeated or in
// the wrong case.
package wire

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/requests/refusal"
)

// Version is the newest version of the API, in the date form of meta.version.
const Version = "2025-03-24"

// DateTime is a time in the API: UTC, always with three decimals and Z.
type DateTime time.Time

const dateTimeForm = "2006-01-02T15:04:05.000Z"

// MarshalJSON writes the moment, cut to the millisecond.
func (d DateTime) MarshalJSON() ([]byte, error) {
	return []byte(time.Time(d).UTC().Format(`"` + dateTimeForm + `"`)), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (d *DateTime) UnmarshalJSON(data []byte) error {
	at, err := time.Parse(`"`+dateTimeForm+`"`, string(data))
	*d = DateTime(at)
	return err
}

// Schema describes the form.
func (DateTime) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time"}
}

// The statuses of answers.
const (
	StatusSuccess = "SUCCESS"
	StatusError   = "ERROR"
)

// Meta is the envelope's head.
type Meta struct {
	Status   string            `json:"status"`
	TraceID  string            `json:"trace_id"`
	Version  string            `json:"version"`
	Warnings []refusal.Warning `json:"warnings,omitempty" nullable:"false"`
}

// Reply is a success: its data, and warnings.
type Reply struct {
	Data     any               `json:"data"`
	Warnings []refusal.Warning `json:"warnings,omitempty" nullable:"false"`
	// Decision goes to headers; nil where nothing was decided.
	Decision *refusal.DecisionRef `json:"-"`
	// Replayed reports that an earlier request with the Idempotency-Key did the work.
	Replayed bool `json:"-"`
}

// The fields of draft-ietf-httpapi-ratelimit-headers, in answers to a credential that has a rate.
const (
	HeaderRateLimit       = "RateLimit"
	HeaderRateLimitPolicy = "RateLimit-Policy"
)

// HeaderReplayed is "true" in an answer for work that this request did not do, but an earlier one with its
// Idempotency-Key.
const HeaderReplayed = "Idempotent-Replayed"

func markReplayed(h http.Header, replayed bool) {
	if replayed {
		h.Set(HeaderReplayed, "true")
	}
}

// The headers that name the decision of an answer.
const (
	HeaderDecisionID     = "Requisite-Decision-Id"
	HeaderDecisionDigest = "Requisite-Decision-Digest"
)

func nameDecision(h http.Header, d *refusal.DecisionRef) {
	if d != nil {
		h.Set(HeaderDecisionID, d.DecisionID.String())
		h.Set(HeaderDecisionDigest, d.Digest)
	}
}

// Empty is the data of an operation that answers {}.
type Empty struct{}

// WriteReply answers 200 with data.
func WriteReply(w http.ResponseWriter, traceID string, reply Reply) error {
	nameDecision(w.Header(), reply.Decision)
	markReplayed(w.Header(), reply.Replayed)
	return write(w, http.StatusOK, struct {
		Meta Meta `json:"meta"`
		Data any  `json:"data"`
	}{Meta{StatusSuccess, traceID, Version, reply.Warnings}, reply.Data})
}

// WriteRefusal answers with errors and the status of the refusal's code.
func WriteRefusal(w http.ResponseWriter, traceID string, r *refusal.Refusal) error {
	if r.RetryAfter > 0 {
		seconds := (r.RetryAfter + time.Second - 1) / time.Second
		w.Header().Set("Retry-After", strconv.FormatInt(int64(seconds), 10))
	}
	if r.Allow != "" {
		w.Header().Set("Allow", r.Allow)
	}
	nameDecision(w.Header(), r.Decision)
	markReplayed(w.Header(), r.Replayed)
	shown := *r
	shown.Decision, shown.RetryAfter = nil, 0
	return write(w, r.Code.Status(), struct {
		Meta   Meta               `json:"meta"`
		Errors []*refusal.Refusal `json:"errors"`
	}{Meta{StatusError, traceID, Version, nil}, []*refusal.Refusal{&shown}})
}

// write encodes the whole answer first, so that an encoding error is found
// before anything is sent.
func write(w http.ResponseWriter, status int, envelope any) error {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(envelope); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(body.Len()))
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, err := w.Write(body.Bytes())
	return err
}
