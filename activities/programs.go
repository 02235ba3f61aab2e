package activities

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"

	"requisite/internal/postgres"
	"requisite/internal/requirement"
)

// cached is how many compiled rule sets, and pricing models, a process keeps;
// a version never changes, so neither does what was compiled from it.
const cached = 512

// programs compiles what an account has in force, once.
type programs struct {
	store    *postgres.Store
	rules    *lru.Cache[uuid.UUID, *requirement.Program]
	pricings *lru.Cache[uuid.UUID, *requirement.Pricing]
}

func newPrograms(store *postgres.Store) (*programs, error) {
	rules, err := lru.New[uuid.UUID, *requirement.Program](cached)
	if err != nil {
		return nil, fmt.Errorf("cache of rule sets: %w", err)
	}
	pricings, err := lru.New[uuid.UUID, *requirement.Pricing](cached)
	if err != nil {
		return nil, fmt.Errorf("cache of pricing models: %w", err)
	}
	return &programs{store: store, rules: rules, pricings: pricings}, nil
}

func (p *programs) ruleSet(ctx context.Context, scope postgres.Scope, u uuid.UUID) (*requirement.Program, error) {
	return compiled(p.rules, u, func() (*requirement.Program, []requirement.Problem, error) {
		v, err := p.store.RuleSetByID(ctx, scope, u)
		if err != nil {
			return nil, nil, err
		}
		set, problems := requirement.ParseRuleSetJSON([]byte(v.Content))
		if len(problems) > 0 {
			return nil, problems, nil
		}
		program, problems := requirement.Compile(set, v.Options())
		return program, problems, nil
	})
}

func (p *programs) pricingModel(ctx context.Context, scope postgres.Scope, u uuid.UUID) (*requirement.Pricing, error) {
	return compiled(p.pricings, u, func() (*requirement.Pricing, []requirement.Problem, error) {
		v, err := p.store.PricingModelByID(ctx, scope, u)
		if err != nil {
			return nil, nil, err
		}
		model, problems := requirement.ParsePricingModelJSON([]byte(v.Content))
		if len(problems) > 0 {
			return nil, problems, nil
		}
		pricing, problems := requirement.CompilePricing(model, v.Options())
		return pricing, problems, nil
	})
}

// compiled looks in the cache, or makes and keeps. What was published was
// checked, so a problem now means that this process is older or newer than the
// one that checked it.
func compiled[T any](cache *lru.Cache[uuid.UUID, T], u uuid.UUID, compile func() (T, []requirement.Problem, error)) (T, error) {
	if found, ok := cache.Get(u); ok {
		return found, nil
	}
	made, problems, err := compile()
	if err != nil {
		return made, err
	}
	if len(problems) > 0 {
		return made, fmt.Errorf("version %s does not compile any more: %s: %s", u, problems[0].Path, problems[0].Message)
	}
	cache.Add(u, made)
	return made, nil
}
