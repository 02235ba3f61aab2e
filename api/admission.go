package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"time"

	"requisite/api/limits"
	"requisite/internal/domain"
	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/sig1"
)

// admission holds a request's part of shared resources, from its first byte to
// its answer. sig1 calls it as its last step before the nonce is used: a request
// that it refuses for lack of a resource may be sent again unchanged.
type admission struct {
	s *server
	o operation
	c *caller
	// answer is the header of the answer.
	answer http.Header
	room   limits.BodyRoom

	found    domain.Credential
	giveBack func()   // gives back what was taken from the credential's rate
	held     []func() // given back when the request ends
}

func (a *admission) leave() {
	a.room.Release()
	for _, release := range a.held {
		release()
	}
}

// apiKeyForm is the form of every valid API key.
var apiKeyForm = regexp.MustCompile(`^(lv|sb)_[0-9A-Za-z]{20,22}$`)

func (a *admission) Credential(ctx context.Context, apiKey string) (sig1.Credential, bool, error) {
	if !apiKeyForm.MatchString(apiKey) {
		return sig1.Credential{}, false, nil
	}
	release, err := a.s.Authentications.Wait(ctx, "", a.s.slotPatience)
	if errors.Is(err, limiter.ErrBusy) {
		return sig1.Credential{}, false, fmt.Errorf("%w: %w", unavailable(), err)
	}
	if err != nil {
		return sig1.Credential{}, false, err
	}
	defer release()
	found, proof, ok, err := a.s.store.ActiveCredential(ctx, apiKey)
	a.found = found
	return proof, ok, err
}

// Admit takes the resources of an authenticated caller: from the credential's
// rate, the organization's room for bodies, and its slots for requests or for
// waiting callers. A request that is refused for lack of room or of a slot has used
// the rate: it has cost a look at the database and at its signature.
func (a *admission) Admit(ctx context.Context) error {
	a.c.call.Scope = a.found.Scope()
	a.c.call.Actor = domain.APIKey(a.found.Name)
	a.c.apiKey = a.found.APIKey
	giveBack, err := a.s.limit.Take(a.found.APIKey, a.s.now())
	if err != nil {
		return err
	}
	if !a.room.Verified(a.found.OrganizationID) {
		return limits.TooMuch()
	}
	of, patience := a.s.Requests, a.s.slotPatience
	if a.o.Waits {
		of, patience = a.s.Waiting, 0
	}
	release, err := slot(ctx, of, a.c, patience)
	if err != nil {
		return err
	}
	a.held = append(a.held, release)
	a.giveBack = giveBack
	return nil
}

// runHeld is how long a run without a waiting caller keeps its slot.
const runHeld = 5 * time.Minute

// whenEnded gives back the slot of a run when the run has ended, even if its caller
// has been answered before, or has hung up: neither must allow more runs.
func (s *server) whenEnded(run *openRun, release func()) {
	end := func() {
		s.completions.Forget(run.GetRunID())
		release()
	}
	if run.ended {
		end()
		return
	}
	go func() {
		defer end()
		ctx, cancel := context.WithTimeout(context.Background(), runHeld)
		defer cancel()
		run.wait(ctx)
	}()
}

// UseNonce takes no slot: all nonces of a credential share one connection.
func (a *admission) UseNonce(ctx context.Context, apiKey, nonce string, now time.Time) (bool, error) {
	return a.s.store.UseNonce(ctx, apiKey, nonce, now)
}

func (s *server) verify(r *http.Request, a *admission, body []byte) error {
	hash := sha256.Sum256(body)
	a.c.call.BodySHA256 = hash[:]
	err := sig1.Verify(r.Context(), sig1.Request{Method: r.Method, Target: r.RequestURI, Header: r.Header, Body: body}, a, s.now())
	if err != nil && a.giveBack != nil {
		a.giveBack() // a copy of a request must not use up its caller's rate
	}
	if err == nil {
		limits.NoteVerified(r, a.answer, a.found.OrganizationID)
		s.store.NoteUse(a.found, func(err error) {
			s.log.Warn("when a credential was used last could not be recorded; the request is not affected", "api_key", a.found.APIKey, "error", err)
		})
	}
	return err
}

// permitted refuses an authenticated caller whose credential does not have every
// permission that the operation needs.
func (a *admission) permitted() error {
	missing := a.o.Permissions.Without(a.found.Permissions)
	switch {
	case len(missing) == 0:
		return nil
	case len(a.o.Permissions) == 1:
		return refusal.New(refusal.Forbidden, "%s needs the permission %s, which this credential does not have: use another credential, or ask the operator of the service for the permission.",
			a.o.Name, missing.Words())
	}
	return refusal.New(refusal.Forbidden, "%s needs the permissions %s. This credential lacks %s: use another credential, or ask the operator of the service for the permissions.",
		a.o.Name, a.o.Permissions.Words(), missing.Words())
}

// slot takes a slot, or refuses a request that gets none in time.
func slot(ctx context.Context, l *limiter.Limiter, c *caller, patience time.Duration) (release func(), err error) {
	release, err = l.Wait(ctx, c.call.Scope.OrganizationID.String(), patience)
	if errors.Is(err, limiter.ErrBusy) {
		return nil, limits.TooMuch()
	}
	return release, err
}
