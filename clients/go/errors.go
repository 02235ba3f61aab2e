package requisite

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Error is a refusal of the API: one entry of errors. errors.As finds it in what
// a method returns.
type Error struct {
	// Code says what kind of refusal it is, such as BAD_REQUEST; SubCode which rule
	// of the system, where Code is SYSTEM_RULE_VIOLATION.
	Code    string `json:"code"`
	Message string `json:"message"`
	SubCode string `json:"sub_code"`
	// The record that it is about, where there is one.
	EntityType string `json:"entity_type"`
	EntityID   string `json:"entity_id"`
	// Details depends on Code; see Problems and Gaps.
	Details json.RawMessage `json:"details"`
	// The run that goes on, of STILL_RUNNING.
	TemporalWorkflowID string `json:"temporal_workflow_id"`
	TemporalRunID      string `json:"temporal_run_id"`

	// HTTPStatus is that of the answer, and TraceID its trace_id: quote it in a
	// report. RetryAfter is how long to wait, where the answer says so.
	HTTPStatus int           `json:"-"`
	TraceID    string        `json:"-"`
	RetryAfter time.Duration `json:"-"`
}

// Error is code and message, and a line for each problem with its field or for each
// gap with how to fill it.
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
	default:
		if len(e.Details) > 0 {
			lines = append(lines, string(e.Details))
		}
	}
	return strings.Join(lines, "\n- ")
}

func (e *Error) complete(a Answer) {
	e.HTTPStatus, e.TraceID = a.HTTPStatus, a.Meta.TraceID
	e.RetryAfter, _ = retryAfter(a.Header, time.Now())
}

// Problem is one thing that is wrong with a request.
type Problem struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Problems are the details of BAD_REQUEST: every problem of the request, at once.
func (e Error) Problems() []Problem { return details[Problem](e, "BAD_REQUEST") }

// Gaps are the details of MISSING_REQUIREMENTS: what is not on file, and how to
// supply it.
func (e Error) Gaps() []Gap { return details[Gap](e, "MISSING_REQUIREMENTS") }

func details[T any](e Error, code string) []T {
	var list []T
	if e.Code != code || json.Unmarshal(e.Details, &list) != nil {
		return nil
	}
	return list
}

// UnexpectedAnswer is an answer that is not in the API's envelope, as a proxy
// might give one.
type UnexpectedAnswer struct {
	Operation  string
	HTTPStatus int
}

func (e *UnexpectedAnswer) Error() string {
	return fmt.Sprintf("answer of %s (HTTP %d) is not in the envelope of the API; check the base URL, and proxies between", e.Operation, e.HTTPStatus)
}
