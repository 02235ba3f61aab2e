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

// inTurns computes in turn with other tenants. The computation must look at its context
// as requirement.WithPauses says.
func inTurns(ctx context.Context, turns *limiter.Turns, scope domain.Scope, patience time.Duration, do func(context.Context) error) error {
	return turns.Do(ctx, tenantOf(scope), patience, func(pause func() error) (err error) {
		defer func() {
			if failed := recover(); failed != nil { // what a tenant wrote must end no program
				err = fmt.Errorf("panic: %v\n%s", failed, debug.Stack())
			}
		}()
		return do(requirement.WithPauses(ctx, pause))
	})
}

// prepared is a source of what was compiled beforehand, for code that holds locks and
// a slot, and must not use a second connection.
type prepared struct {
	rules, prices uuid.UUID // zero for none
	program       *requirement.Program
	pricing       *requirement.Pricing
	// Why one of them could not be compiled, which matters if it is needed.
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

// prepare compiles what is in force for a run's workflow. When there is nothing
// to calculate, the transaction of the step reports why.
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
