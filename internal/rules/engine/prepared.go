package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/google/uuid"

	"requisite/internal/domain"
	"requisite/internal/limiter"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
)

// Source provides the compiled rules and pricing model in force, and a slot to evaluate
// them.
type Source interface {
	ruleSet(ctx context.Context, scope domain.Scope, u uuid.UUID) (*requirement.Program, error)
	pricingModel(ctx context.Context, scope domain.Scope, u uuid.UUID) (*requirement.Pricing, error)
	compute(ctx context.Context, scope domain.Scope, do func(context.Context) error) error
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

// prepared is a source of programs that were compiled before. Code that holds locks uses it:
// it must not take a second connection.
type prepared struct {
	rules, prices uuid.UUID // zero for none
	program       *requirement.Program
	pricing       *requirement.Pricing
	// The errors of the compilations. They matter only if the program is used.
	noProgram, noPricing error
}

// ErrOtherVersion reports that another version is in force than the one
// prepared.
var ErrOtherVersion = errors.New("another version has come into force")

func (p prepared) ruleSet(_ context.Context, _ domain.Scope, u uuid.UUID) (*requirement.Program, error) {
	if u != p.rules {
		return nil, ErrOtherVersion
	}
	return p.program, p.noProgram
}

func (p prepared) pricingModel(_ context.Context, _ domain.Scope, u uuid.UUID) (*requirement.Pricing, error) {
	if u != p.prices {
		return nil, ErrOtherVersion
	}
	return p.pricing, p.noPricing
}

func (prepared) compute(ctx context.Context, _ domain.Scope, do func(context.Context) error) error {
	return do(ctx)
}

// Prepare compiles the rules and prices of a snapshot.
func (e *Engine) Prepare(ctx context.Context, snapshot calculation.Snapshot) Source {
	var p prepared
	if v := snapshot.RuleSet; v != nil {
		p.rules = v.ID
		p.program, p.noProgram = e.programs.ruleSet(ctx, snapshot.Scope, v.ID)
	}
	if v := snapshot.PricingModel; v != nil {
		p.prices = v.ID
		p.pricing, p.noPricing = e.programs.pricingModel(ctx, snapshot.Scope, v.ID)
	}
	return p
}
