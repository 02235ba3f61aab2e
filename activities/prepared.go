package activities

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"requisite/internal/domain"
	"requisite/internal/evaluation"
	"requisite/internal/refusal"
)

// source provides the compiled rules and pricing model in force.
type source interface {
	ruleSet(ctx context.Context, scope domain.Scope, u uuid.UUID) (*evaluation.Rules, error)
	pricingModel(ctx context.Context, scope domain.Scope, u uuid.UUID) (*evaluation.Pricing, error)
}

// prepared is a source of what was compiled beforehand, for code that holds
// locks and must not use a second connection.
type prepared struct {
	rules, prices uuid.UUID // zero for none
	program       *evaluation.Rules
	pricing       *evaluation.Pricing
	// Why one of them could not be compiled, which matters if it is needed.
	noProgram, noPricing error
}

// errOtherVersion reports that another version is in force than the one
// prepared.
var errOtherVersion = errors.New("another version has come into force")

func (p prepared) ruleSet(_ context.Context, _ domain.Scope, u uuid.UUID) (*evaluation.Rules, error) {
	if u != p.rules {
		return nil, errOtherVersion
	}
	return p.program, p.noProgram
}

func (p prepared) pricingModel(_ context.Context, _ domain.Scope, u uuid.UUID) (*evaluation.Pricing, error) {
	if u != p.prices {
		return nil, errOtherVersion
	}
	return p.pricing, p.noPricing
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
		if p.program, p.noProgram = a.programs.ruleSet(ctx, snapshot.Scope, v.ID); p.noProgram == nil {
			p.program = p.program.Here()
		}
	}
	if v := snapshot.PricingModel; v != nil {
		p.prices = v.ID
		if p.pricing, p.noPricing = a.programs.pricingModel(ctx, snapshot.Scope, v.ID); p.noPricing == nil {
			p.pricing = p.pricing.Here()
		}
	}
	return p, nil
}
