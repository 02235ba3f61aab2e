package server

import (
	"context"
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

// admission is the sig1.Admission of one request. It holds the shared resources of the request
// until the request is answered. sig1 calls Admit as the last step before it uses up the nonce,
// so a caller may resend a request unchanged if Admit has refused it.
type admission struct {
	s      *Server
	o      operation
	c      *caller
	header http.Header // of the response
	room   limits.BodyRoom

	found    domain.Credential
	giveBack func()   // returns the request to the credential's rate
	held     []func() // release the resources when the request ends
}

func (a *admission) release() {
	a.room.Release()
	for _, release := range a.held {
		release()
	}
}

// issuedKeyForm is the form of every API key that the service issues.
var issuedKeyForm = regexp.MustCompile(`^(lv|sb)_[0-9A-Za-z]{20,22}$`)

func (a *admission) Credential(ctx context.Context, apiKey string) (sig1.Credential, bool, error) {
	if !issuedKeyForm.MatchString(apiKey) {
		return sig1.Credential{}, false, nil
	}
	release, err := a.s.Limiters.Authentications.Wait(ctx, "", a.s.slotPatience)
	if errors.Is(err, limiter.ErrBusy) {
		return sig1.Credential{}, false, fmt.Errorf("%w: %w", unavailable(), err)
	}
	if err != nil {
		return sig1.Credential{}, false, err
	}
	defer release()
	found, proof, ok, err := a.s.store.Credentials.Active(ctx, apiKey)
	a.found = found
	return proof, ok, err
}

// Admit takes what an authenticated request needs: one request of the credential's rate,
// room for the body, and a slot for requests or for waiting callers. A request that gets
// no room or no slot still counts against the rate, because verifying it took work.
func (a *admission) Admit(ctx context.Context) error {
	a.c.call.Scope = a.found.Scope()
	a.c.call.Actor = domain.APIKey(a.found.Name)
	a.c.apiKey, a.c.credential = a.found.APIKey, a.found
	giveBack, err := a.s.limit.Take(a.found.APIKey, a.s.now())
	if err != nil {
		return err
	}
	if err := a.room.Verified(a.found.OrganizationID); err != nil {
		return err
	}
	of, patience := a.s.Limiters.Requests, a.s.slotPatience
	if a.o.Waits {
		of, patience = a.s.Limiters.Waiting, 0
	}
	release, err := slot(ctx, of, a.c, patience)
	if err != nil {
		return err
	}
	a.held = append(a.held, release)
	a.giveBack = giveBack
	return nil
}

// UseNonce needs no slot, because all nonces of a credential share one connection.
func (a *admission) UseNonce(ctx context.Context, apiKey, nonce string, now time.Time) (bool, error) {
	return a.s.store.Credentials.UseNonce(ctx, apiKey, nonce, now)
}

func (s *Server) verify(r *http.Request, a *admission, body []byte) error {
	err := sig1.Verify(r.Context(), sig1.Request{Method: r.Method, Target: r.RequestURI, Header: r.Header, Body: body, Explain: a.o.explains}, a, s.now())
	if err != nil && a.giveBack != nil {
		a.giveBack() // a copied request must not count against its caller's rate
	}
	if a.c.apiKey != "" { // authenticated
		s.limit.Describe(a.header, a.c.apiKey, s.now())
	}
	if err == nil {
		limits.NoteVerified(r, a.header, a.found.OrganizationID)
		s.store.Credentials.NoteUse(a.found, func(err error) {
			s.log.Warn("cannot record the last use of a credential; the request goes on", "api_key", a.found.APIKey, "error", err)
		})
	}
	return err
}

// permitted refuses a caller whose credential lacks a permission of the operation, unless it has the
// permission that is enough for its own records.
func (a *admission) permitted() error {
	missing := a.o.Permissions.Without(a.found.Permissions)
	switch {
	case len(missing) == 0, a.o.ofOwn != "" && a.found.Permissions.Has(a.o.ofOwn):
		return nil
	case len(a.o.Permissions) == 1:
		return refusal.New(refusal.Forbidden, "%s needs the permission %s, which this credential does not have: "+
			"use another credential, or ask the operator of the service for the permission.",
			a.o.Name, missing.Words())
	}
	return refusal.New(refusal.Forbidden, "%s needs the permissions %s. This credential lacks %s: "+
		"use another credential, or ask the operator of the service for the permissions.",
		a.o.Name, a.o.Permissions.Words(), missing.Words())
}

// slot waits for a slot, and refuses the request if none is free in time.
func slot(ctx context.Context, l *limiter.Limiter, c *caller, patience time.Duration) (release func(), err error) {
	return l.Wait(ctx, c.call.Scope.OrganizationID.String(), patience)
}
