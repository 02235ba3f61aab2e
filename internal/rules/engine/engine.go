// Package engine compiles, caches, checks and evaluates the rules of many tenants in one
// process. It bounds the memory and the processor time that they take.
package engine

import (
	"context"
	"runtime"

	"github.com/google/uuid"

	"requisite/internal/domain"
	"requisite/internal/limiter"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
)

// Versions reads published rules and prices.
type Versions interface {
	RuleSetByID(context.Context, domain.Scope, uuid.UUID) (calculation.Publication, error)
	PricingModelByID(context.Context, domain.Scope, uuid.UUID) (calculation.Publication, error)
}

// Engine evaluates rules.
type Engine struct {
	programs    *programs
	evaluations *limiter.Turns   // everything that rules compute
	checks      *limiter.Limiter // rule sets that are being checked
}

// checksEach limits the concurrent checks of rule sets of one organization. A check keeps
// some MiB in memory while it waits for its turns.
const checksEach = 1

// New makes an engine. Compiled rules may take cacheBytes of memory, by estimate. Rules are
// evaluated on half of the processors at most.
func New(versions Versions, cacheBytes int64) *Engine {
	evaluations := limiter.NewTurns("evaluations", max(1, runtime.GOMAXPROCS(0)/2))
	return &Engine{
		programs: newPrograms(versions, cacheBytes, evaluations), evaluations: evaluations,
		checks: limiter.New("rule_checks", 0, checksEach),
	}
}

// CacheBytes is the estimated memory of compiled rules.
func (e *Engine) CacheBytes() int64 { return e.programs.bytes() }

// Limiters are the limiters of the engine, for metrics.
func (e *Engine) Limiters() []*limiter.Limiter { return append(e.evaluations.Limiters(), e.checks) }

// InForce provides any version, which it reads, compiles and caches.
func (e *Engine) InForce() Source { return e.programs }

// RuleSet is a compiled version.
func (e *Engine) RuleSet(ctx context.Context, scope domain.Scope, u uuid.UUID) (*requirement.Program, error) {
	return e.programs.ruleSet(ctx, scope, u)
}

// Slot waits for a slot to evaluate rules with what Prepare returns.
func (e *Engine) Slot(ctx context.Context, scope domain.Scope) (release func(), err error) {
	return e.evaluations.Wait(ctx, tenantOf(scope), limiter.Forever)
}
