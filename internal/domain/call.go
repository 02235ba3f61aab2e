package domain

import (
	"time"

	"requisite/internal/id"
)

// Call is a request that writes: who sent it, and how a repeat is recognized.
type Call struct {
	Scope     Scope  `json:"scope"`
	Actor     Actor  `json:"actor"`
	Operation string `json:"operation"`
	// IdempotencyKey is empty when the caller sent none.
	IdempotencyKey string `json:"idempotency_key,omitempty"`
	// BodySHA256 is what a repeat must send again: the hash of the body, and of SandboxToday if the
	// request has one.
	BodySHA256 []byte `json:"body_sha256,omitempty"`
	// TraceParent is the W3C trace of the request.
	TraceParent string `json:"traceparent,omitempty"`
	// FailingAttempts is how many attempts fail at each delivery of the events that the call
	// causes, before one is sent. Only a caller of the sandbox asks for any.
	FailingAttempts int `json:"failing_attempts,omitempty"`
}

// Run identifies the Temporal run that writes, so that it writes once.
type Run struct {
	ID   string `json:"id"`
	Call Call   `json:"call"`
	// WorkflowID is the application that the run is about; zero if it is about none.
	WorkflowID id.WorkflowID `json:"workflow_id,omitzero"`
	// StartedAt is the run's one reading of the clock.
	StartedAt time.Time `json:"started_at"`
	// Recalculation marks a calculation that is part of a recalculation. It records no decision that
	// repeats the last one.
	Recalculation bool `json:"recalculation,omitempty"`
}
