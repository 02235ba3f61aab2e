package server

import (
	"crypto/sha256"
	"net/http"
	"strings"
	"time"

	"requisite/api/spec"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/fact"
	"requisite/internal/store"
	"requisite/internal/text/typo"
)

// failsTwice is how many attempts fail at each delivery of an event after WEBHOOK_FAILS_TWICE.
const failsTwice = 2

// ofSandbox reads a header that only a caller of the sandbox may send. It returns no values if the
// header is absent, or has a problem.
func (c *caller) ofSandbox(header http.Header, name string) (values []string, problem refusal.Problem) {
	if values = header.Values(name); len(values) > 0 && c.call.Scope.Environment != domain.Sandbox {
		return nil, refusal.Wrong(refusal.NotAllowed, "This header is %s", onlyForSandbox)
	}
	return values, refusal.Problem{}
}

const onlyForSandbox = "for credentials of the sandbox. The credential of this request is live."

// today reads X-Sandbox-Today. It returns the day, which is empty for the day of the clock, or the
// problem of the header. It refuses a day that no account can have. Which days an account can have depends on its time
// zone: the store compares them where an operation asks for the day.
func (c *caller) today(o operation, header http.Header, now time.Time) (today string, problem refusal.Problem) {
	values, problem := c.ofSandbox(header, wire.HeaderSandboxToday)
	if len(values) == 0 {
		return "", problem
	}
	if o.ByTheClock() {
		return "", refusal.Wrong(refusal.NotAllowed, "This operation takes no such header: what it does happens by the clock.")
	}
	on, err := fact.ParseDate(values[0])
	if err != nil || len(values) > 1 {
		return "", refusal.Wrong(refusal.WrongFormat, "This header must be a day that exists, as YYYY-MM-DD, once.")
	}
	now = now.UTC()
	if first, last := now.Add(-repeatable), now.AddDate(store.SandboxYears, 0, 1); on.Before(fact.DateOf(first)) || fact.DateOf(last).Before(on) {
		return "", refusal.Wrong(refusal.NotAllowed, "This must be a day from today to %d years later.", store.SandboxYears)
	}
	return values[0], refusal.Problem{}
}

// repeatable is how long after a request its repeat may name the same day, although it has passed since.
const repeatable = 72 * time.Hour

// onDay makes a request one of a day. A repeat with the same Idempotency-Key must name the day again.
func (c *caller) onDay(today string) {
	c.call.Scope.SandboxToday = today
	both := sha256.Sum256(append(c.call.BodySHA256, today...))
	c.call.BodySHA256 = both[:]
}

// askedFor reads X-Sandbox-Answer. It returns the answer that a caller of the sandbox asks for, or
// the problem of the header.
func askedFor(o operation, c *caller, header http.Header) (asked spec.SandboxAnswer, problem refusal.Problem) {
	values, problem := c.ofSandbox(header, spec.HeaderSandboxAnswer)
	if len(values) == 0 {
		return "", problem
	}
	all := spec.Texts(spec.SandboxAnswers()...)
	for _, one := range spec.SandboxAnswers() {
		if len(values) > 1 || string(one) != values[0] {
			continue
		}
		if others := one.Misfit(o.Operation); others != "" {
			return "", refusal.Wrong(refusal.NotAllowed, "Only %s can answer %s.", others, one)
		}
		return one, refusal.Problem{}
	}
	message := "This header must be one of " + strings.Join(all, ", ") + ", once"
	if near, is := typo.Meant(values[0], all); is && near != values[0] {
		return "", refusal.NotOneOf(all, near, "%s: did you mean %s?", message, near)
	}
	return "", refusal.NotOneOf(all, "", "%s.", message)
}

// refuseAsAsked returns the refusal that a caller of the sandbox asks for; nil if the operation must run.
func (c *caller) refuseAsAsked() *refusal.Refusal {
	message := "The request asked for this refusal with " + spec.HeaderSandboxAnswer + ". Nothing was done."
	switch c.asked {
	case spec.AnswerRateLimited:
		return refusal.TooMany(refusal.Limit{Limit: 1, Scope: refusal.ScopeCredential, Of: refusal.LimitRequestsPerSecond}, time.Second, "%s", message)
	case spec.AnswerUnavailable:
		refused := refusal.New(refusal.Unavailable, "%s", message)
		refused.RetryAfter = time.Second
		return refused
	case spec.AnswerStillRunning:
		refused := refusal.New(refusal.StillRunning, "%s", message)
		refused.TemporalWorkflowID, refused.TemporalRunID = "sandbox-answer", id.New().String()
		return refused
	}
	return nil
}
