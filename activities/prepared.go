package activities

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/google/uuid"

	"requisite/internal/domain"
	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/requirement"
)

// source provides the compiled rules and pricing model in force, and a slot to evaluate
// them.
type source interface {
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

// errOtherVersion reports that another version is in force than the one
// prepared.
var errOtherVersion = errors.New("another version has come into force")

func (p prepared) ruleSet(_ context.Context, _ domain.Scope, u uuid.UUID) (*requirement.Program, error) {
	if u != p.rules {
		return nil, errOtherVersion
	}
	return p.program, p.noProgram
}

func (p prepared) pricingModel(_ context.Context, _ domain.Scope, u uuid.UUID) (*requirement.Pricing, error) {
	if u != p.prices {
		return nil, errOtherVersion
	}
	return p.pricing, p.noPricing
}

func (prepared) compute(ctx context.Context, _ domain.Scope, do func(context.Context) error) error {
	return do(ctx)
}

// prepare compiles the rules and prices in force for a run's workflow. If the workflow
// refuses a calculation, the later transaction reports why.
func (a *Activities) prepare(ctx context.Context, run domain.Run) (source, error) {
	var p prepared
	_, snapshot, err := a.store.Snapshot(ctx, run.Call.Scope, run.WorkflowID)
	if _, refused := refusal.FromError(err); refused {
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	if v := snapshot.RuleSet; v != nil {
		p.rules = v.ID
		p.program, p.noProgram = a.programs.ruleSet(ctx, snapshot.Scope, v.ID)
	}
	if v := snapshot.PricingModel; v != nil {
		p.prices = v.ID
		p.pricing, p.noPricing = a.programs.pricingModel(ctx, snapshot.Scope, v.ID)
	}
	return p, nil
}
