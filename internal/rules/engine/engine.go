// Package engine compiles, caches, checks and evaluates the rules of many tenants in one process.
// It limits the memory and the processor time that they use.
package engine

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
)

// Versions reads published rules and prices.
type Versions interface {
	RuleSetByID(context.Context, domain.Scope, id.UUID) (calculation.Publication, error)
	PricingModelByID(context.Context, domain.Scope, id.UUID) (calculation.Publication, error)
}

// Engine evaluates rules.
type Engine struct {
	programs    *programs
	evaluations *limiter.Limiter // of rules in force and of previews
	checks      *limiter.Limiter // of rule sets, and compilations of published versions
	// By account: the recalculations of accounts take turns.
	recalculations *limiter.Limiter
}

// checksEach limits the concurrent checks of rule sets of one organization. A check keeps
// some MiB in memory.
const checksEach = 1

// New makes an engine. Compiled rules may use cacheBytes of memory, by estimate. Evaluations use at
// most half of the processors. Checks take longer and cannot lend their slots as evaluations do. So
// they have slots of their own, more than one tenant may take.
func New(versions Versions, cacheBytes int64) *Engine {
	processors := runtime.GOMAXPROCS(0)
	checks := limiter.New(refusal.LimitRuleChecks, max(2, processors), checksEach)
	return &Engine{
		programs: newPrograms(versions, cacheBytes, checks), evaluations: limiter.New(refusal.LimitEvaluations, max(1, processors/2), 0), checks: checks,
		recalculations: limiter.New("recalculations", max(1, processors/2), 0),
	}
}

// CacheBytes is the estimated memory of compiled rules.
func (e *Engine) CacheBytes() int64 { return e.programs.bytes() }

// Limiters are the limiters of the engine, for metrics.
func (e *Engine) Limiters() []*limiter.Limiter {
	return []*limiter.Limiter{e.evaluations, e.checks, e.recalculations}
}

// TakeRecalculation takes a slot for a step of a recalculation. It waits without a limit.
func (e *Engine) TakeRecalculation(ctx context.Context, scope domain.Scope) (release func(), err error) {
	return e.recalculations.Wait(ctx, tenantOf(scope), limiter.Forever)
}

// RuleSet returns a compiled version.
func (e *Engine) RuleSet(ctx context.Context, scope domain.Scope, u id.UUID) (*requirement.Program, error) {
	return e.programs.ruleSet(ctx, scope, u)
}

// rest is how long a long evaluation pauses, after it has computed for about as long, so that
// requests and other programs get its processor.
const rest = 2 * time.Millisecond

// yield pauses an evaluation, and lends its slot to other tenants that wait.
func (e *Engine) yield(tenant string) func() {
	return func() {
		time.Sleep(rest)
		e.evaluations.Yield(tenant)
	}
}

// checking computes in a slot of checks. Then it pauses for as long as that took, and returns the
// slot: a check, unlike an evaluation, cannot pause in between.
func checking(ctx context.Context, checks *limiter.Limiter, scope domain.Scope, patience time.Duration, compute func() error) error {
	return within(ctx, checks, tenantOf(scope), patience, func() error {
		began := time.Now()
		defer func() { time.Sleep(time.Since(began)) }()
		return compute()
	})
}

// within computes in a slot. It waits for one as limiter.Wait does.
func within(ctx context.Context, slots *limiter.Limiter, tenant string, patience time.Duration, compute func() error) (err error) {
	release, err := slots.Wait(ctx, tenant, patience)
	if err != nil {
		return err
	}
	defer release()
	defer func() {
		if failed := recover(); failed != nil { // a tenant's rules must not end the process
			err = fmt.Errorf("panic: %v\n%s", failed, debug.Stack())
		}
	}()
	return compute()
}
