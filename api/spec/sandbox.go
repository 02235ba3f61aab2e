package spec

import "strings"

// ByTheClock reports that an operation refuses X-Sandbox-Today: what it does happens by the clock.
func (o Operation) ByTheClock() bool {
	of := func(group string) bool { return strings.HasPrefix(o.Name, group) }
	return of("account.recalculation.") || of("webhook.") && o.Name != "webhook.event.get" && o.Name != "webhook.event.list"
}

// SandboxAnswer is an answer that a caller of the sandbox asks for, to test what a program does
// with it.
type SandboxAnswer string

// HeaderSandboxAnswer asks for an answer. It is not an element of the signature.
const HeaderSandboxAnswer = "X-Sandbox-Answer"

// The first three refuse the request, and nothing happens. With the others, the operation runs.
const (
	AnswerRateLimited       SandboxAnswer = "RATE_LIMITED"
	AnswerUnavailable       SandboxAnswer = "UNAVAILABLE"
	AnswerStillRunning      SandboxAnswer = "STILL_RUNNING"
	AnswerSecretLost        SandboxAnswer = "SECRET_LOST"
	AnswerWebhookFailsTwice SandboxAnswer = "WEBHOOK_FAILS_TWICE"
)

// SandboxAnswers lists all of them.
func SandboxAnswers() []SandboxAnswer {
	return []SandboxAnswer{AnswerRateLimited, AnswerUnavailable, AnswerStillRunning, AnswerSecretLost, AnswerWebhookFailsTwice}
}

// Misfit says which operations can answer so; empty if o is one of them.
func (a SandboxAnswer) Misfit(o Operation) string {
	switch {
	case a == AnswerStillRunning && !o.Waits:
		return "operations that wait for their result"
	case a == AnswerSecretLost && o.Name != "webhook.key.create":
		return "webhook.key.create"
	case a == AnswerWebhookFailsTwice && !o.Writes:
		return "operations that take an Idempotency-Key"
	}
	return ""
}
