package server

import (
	"log/slog"
	"net/http"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"requisite/api/limits"
	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/engine"
	"requisite/internal/store"
)

// Operator runs operations on the records of one tenant without a credential.
type Operator struct {
	Scope domain.Scope
	Actor domain.Actor
	// KeepSecret stores the secret of a new webhook key, because no answer to an operator contains
	// it. Without KeepSecret, no key is created.
	KeepSecret func(secret string) error
}

// ForOperator makes a handler that answers an operator as a server answers a caller, but
// needs no signature and has no limits on concurrency. The store must have the
// rights of the api. Only operations that wait for a run need Temporal and a converter.
func ForOperator(
	operator Operator, store *store.Store, rules *engine.Engine, temporal client.Client,
	dc func(string) converter.DataConverter, log *slog.Logger, set Settings,
) http.Handler {
	set.Bounds, set.MaxBodies = limits.Bounds{Waiting: 1, Requests: 1, Share: 100}, 4*limits.LargestBody
	s := New(store, rules, temporal, dc, log, time.Now, set)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, &caller{operator: &operator}) })
}

// operatorPrefix marks the names of operations that an operator runs, in the log and in the scope of
// Idempotency-Keys. An operator and a caller with the same key therefore never get each other's outcome.
const operatorPrefix = "operator/"

// operator admits a request of an operator, who has all permissions.
func (a *admission) operator() error {
	a.c.call.Scope, a.c.call.Actor = a.c.operator.Scope, a.c.operator.Actor
	a.c.call.Operation = operatorPrefix + a.o.Name
	a.found.Permissions = domain.AllPermissions()
	a.c.credential = a.found
	if a.o.credentialOnly {
		return refusal.New(refusal.Forbidden, "%s is about the credential of the request, and an operator has none.", a.o.Name)
	}
	return nil
}
