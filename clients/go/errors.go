package requisite

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Error is a refusal of the API. Use errors.As to find it in the error of a method.
type Error struct {
	// Code is the kind of refusal, such as BAD_REQUEST. SubCode is set if Code is
	// SYSTEM_RULE_VIOLATION.
	Code    string `json:"code"`
	Message string `json:"message"`
	SubCode string `json:"sub_code"`
	// EntityType and EntityID name the record that caused the refusal, if there is one.
	EntityType string `json:"entity_type"`
	EntityID   string `json:"entity_id"`
	// Details depends on Code: see Problems, Gaps and Limits.
	Details json.RawMessage `json:"details"`
	// TemporalWorkflowID and TemporalRunID name the run of STILL_RUNNING.
	TemporalWorkflowID string `json:"temporal_workflow_id"`
	TemporalRunID      string `json:"temporal_run_id"`
	// ServerTime is the clock of the service, of AUTH_TIMESTAMP_EXPIRED. DifferenceSeconds is how
	// far it is ahead of the timestamp.
	ServerTime        string `json:"server_time"`
	DifferenceSeconds int64  `json:"difference_seconds"`
	// ReceivedPath is the path that arrived, of AUTH_SIGNATURE_MISMATCH. SignedPath is the one that
	// was signed. A proxy between may have changed it.
	ReceivedPath string `json:"received_path"`
	SignedPath   string `json:"-"`

	// HTTPStatus is the status of the response. TraceID is its trace_id: quote it when you
	// report a problem. RetryAfter is how long to wait, or 0.
	HTTPStatus int           `json:"-"`
	TraceID    string        `json:"-"`
	RetryAfter time.Duration `json:"-"`
	// Replayed is true if an earlier request with the same Idempotency-Key was refused so, and this
	// one did nothing.
	Replayed bool `json:"-"`
	// Decided is the decision that the refusal names, such as one for missing facts.
	Decided `json:"-"`
}

// Error returns the code and the message, and a line for each problem or gap. For a signature that
// does not match it names both paths.
func (e Error) Error() string {
	code := e.Code
	if e.SubCode != "" {
		code += "/" + e.SubCode
	}
	lines := []string{code + ": " + e.Message}
	switch e.Code {
	case "BAD_REQUEST":
		for _, p := range e.Problems() {
			if p.Field != "" {
				p.Message = p.Field + ": " + p.Message
			}
			lines = append(lines, p.Message)
		}
	case "MISSING_REQUIREMENTS":
		for _, g := range e.Gaps() {
			lines = append(lines, g.Message)
		}
	case "AUTH_SIGNATURE_MISMATCH":
		if e.ReceivedPath != "" {
			lines = append(lines, fmt.Sprintf("The client signed the path %s, and %s arrived.", e.SignedPath, e.ReceivedPath))
		}
	default:
		if len(e.Details) > 0 {
			lines = append(lines, string(e.Details))
		}
	}
	return strings.Join(lines, "\n- ")
}

func (e *Error) complete(a Answer, signedPath string) {
	e.SignedPath = signedPath
	e.HTTPStatus, e.TraceID, e.Decided, e.Replayed = a.HTTPStatus, a.Meta.TraceID, a.Decided, a.Replayed
	e.RetryAfter, _ = retryAfter(a.Header, time.Now())
}

// Problem is a problem of one field of a request.
type Problem struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Problems returns the details of BAD_REQUEST: all problems of the request.
func (e Error) Problems() []Problem { return details[Problem](e, "BAD_REQUEST") }

// Gaps returns the details of MISSING_REQUIREMENTS: the missing facts, and how to supply
// them.
func (e Error) Gaps() []Gap { return details[Gap](e, "MISSING_REQUIREMENTS") }

// Limits returns the details of TOO_MANY_REQUESTS: the limit that the request has met.
func (e Error) Limits() []LimitMet { return details[LimitMet](e, "TOO_MANY_REQUESTS") }

func details[T any](e Error, code string) []T {
	var list []T
	if e.Code != code || json.Unmarshal(e.Details, &list) != nil {
		return nil
	}
	return list
}

// UnexpectedAnswer is a response that is not in the API's envelope. A proxy may have sent
// it.
type UnexpectedAnswer struct {
	Operation  string
	HTTPStatus int
}

func (e *UnexpectedAnswer) Error() string {
	return fmt.Sprintf("answer of %s (HTTP %d) is not in the envelope of the API; check the base URL, and proxies between", e.Operation, e.HTTPStatus)
}

// SecretLost is the error of webhook.key.create for a response without the shared secret: an earlier
// response carried it, or the sandbox was asked for such a response. Nobody can decrypt with this key: do not activate it.
type SecretLost struct {
	KeyID   string
	TraceID string
}

func (e *SecretLost) Error() string {
	return fmt.Sprintf("the shared secret of webhook key %s is lost, because it is shown only once: create another key; this one stays INACTIVE", e.KeyID)
}

// lost returns SecretLost for a response of webhook.key.create without the secret, or nil.
func lost(a Answer) error {
	var made KeyCreateData
	if err := json.Unmarshal(a.Data, &made); err != nil || made.SharedSecret != "" {
		return err
	}
	return &SecretLost{made.KeyID, a.Meta.TraceID}
}
