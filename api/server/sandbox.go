package server

import (
	"net/http"
	"strings"
	"time"

	"requisite/api/spec"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/text/typo"
)

// failsTwice is how many attempts fail at each delivery of an event after WEBHOOK_FAILS_TWICE.
const failsTwice = 2

// askedFor reads X-Sandbox-Answer. It returns the answer that a caller of the sandbox asks for, or
// the problem of the header.
func askedFor(o operation, c *caller, header http.Header) (asked spec.SandboxAnswer, problem refusal.Problem) {
	values := header.Values(spec.HeaderSandboxAnswer)
	if len(values) == 0 {
		return "", refusal.Problem{}
	}
	if c.call.Scope.Environment != domain.Sandbox {
		return "", refusal.Wrong(refusal.NotAllowed, "This header is for credentials of the sandbox. The credential of this request is live.")
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
