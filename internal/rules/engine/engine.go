// Package engine compiles, caches, checks and evaluates the rules of many tenants in one
// process. It bounds the memory and the processor time that they take.
package engine

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

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

// RuleSet is a compiled version.
func (e *Engine) RuleSet(ctx context.Context, scope domain.Scope, u uuid.UUID) (*requirement.Program, error) {
	return e.programs.ruleSet(ctx, scope, u)
}

// inTurns computes in turn with other tenants. The computation must pause as
// requirement.WithPauses says.
func inTurns(ctx context.Context, turns *limiter.Turns, scope domain.Scope, patience time.Duration, do func(context.Context) error) error {
	return turns.Do(ctx, tenantOf(scope), patience, func(pause func() error) (err error) {
		defer func() {
			if failed := recover(); failed != nil { // rules of a tenant must not end the process
				err = fmt.Errorf("panic: %v\n%s", failed, debug.Stack())
			}
		}()
		return do(requirement.WithPauses(ctx, pause))
	})
}
