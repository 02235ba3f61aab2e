package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"time"

	"go.temporal.io/sdk/client"

	"requisite/internal/domain"
	"requisite/internal/share"
	"requisite/internal/sig1"
)

// admission is what a request holds of what callers share, from its first byte to
// its answer. It serves sig1, whose last step before the nonce is used is to
// admit: what is refused for lack of something may be sent again as it is.
type admission struct {
	s    *server
	o    operation
	c    *caller
	room bodyRoom
	turn func(context.Context) (release func(), err error)

	found    domain.Credential
	giveBack func()   // what was taken of the credential's rate
	held     []func() // given back when the request ends
}

func (a *admission) leave() {
	a.room.release()
	for _, release := range a.held {
		release()
	}
}

func (a *admission) Credential(ctx context.Context, apiKey string) (sig1.Credential, bool, error) {
	asked := a.s.now()
	if a.s.unknown.has(apiKey, asked) {
		return sig1.Credential{}, false, nil
	}
	release, err := a.turn(ctx)
	if err != nil {
		return sig1.Credential{}, false, err
	}
	defer release()
	found, proof, ok, err := a.s.store.ActiveCredential(ctx, apiKey)
	if err == nil && !ok {
		a.s.unknown.add(apiKey, asked)
	}
	a.found = found
	return proof, ok, err
}

// Admit takes from the shares of a caller who has proven who they are: of the rate
// of the credential, of the room for the organization's bodies, and one of its
// places for requests or for those who wait on a run.
func (a *admission) Admit(ctx context.Context) error {
	noteVerified(ctx)
	a.c.call.Scope = a.found.Scope()
	a.c.call.Actor = domain.APIKey(a.found.Name)
	a.c.apiKey = a.found.APIKey
	giveBack, err := a.s.limit.take(a.found.APIKey, a.s.now())
	if err != nil {
		return err
	}
	a.giveBack = giveBack
	if a.room.verified(a.found.OrganizationID) != lackNothing {
		return tooMuch()
	}
	take := a.s.waiter
	if !a.o.waits {
		take = a.s.worked
	}
	release, err := take(ctx, a.c)
	if err != nil {
		return err
	}
	a.held = append(a.held, release)
	if a.o.waits {
		release, err := a.s.takePlace(ctx, a.s.runs, a.c, min(runPatience, a.s.patience))
		if err != nil {
			return err
		}
		a.held = append(a.held, func() { a.s.whenEnded(a.c.run, release) })
	}
	return nil
}

// runHeld is how long the place of a run is held that nobody waits for.
const runHeld = 5 * time.Minute

// whenEnded gives the place of a run back when it has ended, whether or not its
// caller still waits: who hangs up starts no more runs than who does not. run is
// nil when none was started, or it is known to have ended.
func (s *server) whenEnded(run client.WorkflowRun, release func()) {
	if run == nil {
		release()
		return
	}
	go func() {
		defer release()
		ctx, cancel := context.WithTimeout(context.Background(), runHeld)
		defer cancel()
		_ = run.Get(ctx, nil)
	}()
}

// UseNonce waits for no turn: a credential's nonces hold one connection, however
// many there are.
func (a *admission) UseNonce(ctx context.Context, apiKey, nonce string, now time.Time) (bool, error) {
	return a.s.store.UseNonce(ctx, apiKey, nonce, now)
}

// turnOf waits for a turn among the addresses that ask who they are: however many
// requests come from one, another waits for a moment.
func (s *server) turnOf(from netip.Prefix) func(context.Context) (func(), error) {
	return func(ctx context.Context) (func(), error) {
		release, err := s.authentications.Take(ctx, from.String(), authenticationPatience)
		if errors.Is(err, share.ErrBusy) {
			return nil, fmt.Errorf("%w: %w", unavailable(), err)
		}
		return release, err
	}
}

func (s *server) verify(r *http.Request, a *admission, body []byte) error {
	a.turn = s.turnOf(a.room.of.address)
	hash := sha256.Sum256(body)
	a.c.call.BodySHA256 = hash[:]
	err := sig1.Verify(r.Context(), sig1.Request{Method: r.Method, Target: r.RequestURI, Header: r.Header, Body: body}, a, s.now())
	if err != nil && a.giveBack != nil {
		a.giveBack() // nobody takes from a caller's rate with a copy of their request
	}
	return err
}
