package activities

import (
	"context"
	"fmt"
	"sync"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/sync/singleflight"

	"requisite/internal/domain"
	"requisite/internal/limiter"
	"requisite/internal/postgres"
	"requisite/internal/rules/requirement"
)

// programs caches the compiled programs of versions, which never change. When
// together they exceed their memory limit, the organization that uses the most
// loses the least recently used.
type programs struct {
	store   *postgres.Store
	most    int64
	turns   *limiter.Turns // of compiling and evaluating
	flights singleflight.Group

	mu   sync.Mutex
	kept map[uuid.UUID]*shelf // by organization
	size int64
}

// shelf is the cache of one organization.
type shelf struct {
	kept *simplelru.LRU[uuid.UUID, compiled]
	size int64
}

// compiled is a rule set or a pricing model, and the memory that it takes.
type compiled struct {
	program any
	bytes   int64
}

// cachedPrograms limits the entries; in practice their bytes are the limit.
const cachedPrograms = 1 << 20

func newPrograms(store *postgres.Store, most int64, turns *limiter.Turns) *programs {
	return &programs{store: store, most: most, turns: turns, kept: map[uuid.UUID]*shelf{}}
}

func (p *programs) bytes() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.size
}

func (p *programs) ruleSet(ctx context.Context, scope domain.Scope, u uuid.UUID) (*requirement.Program, error) {
	return ready(ctx, p, scope.OrganizationID, u, loading(p, scope, u, p.store.RuleSetByID, requirement.LoadRuleSet))
}

func (p *programs) pricingModel(ctx context.Context, scope domain.Scope, u uuid.UUID) (*requirement.Pricing, error) {
	return ready(ctx, p, scope.OrganizationID, u, loading(p, scope, u, p.store.PricingModelByID, requirement.LoadPricing))
}

// loading reads a version and compiles it, in turn with other tenants.
func loading[T interface{ MemoryBytes() int64 }](p *programs, scope domain.Scope, u uuid.UUID,
	read func(context.Context, domain.Scope, uuid.UUID) (domain.Publication, error),
	load func(context.Context, []byte, requirement.Options) (T, []requirement.Problem, error),
) func(context.Context) (T, int64, []requirement.Problem, error) {
	return func(ctx context.Context) (made T, bytes int64, problems []requirement.Problem, err error) {
		version, err := read(ctx, scope, u)
		if err != nil {
			return made, 0, nil, err
		}
		err = p.compute(ctx, scope, func(ctx context.Context) (err error) {
			made, problems, err = load(ctx, []byte(version.Content), version.Options())
			return err
		})
		if err != nil || len(problems) > 0 {
			return made, 0, problems, err
		}
		return made, made.MemoryBytes(), nil, nil
	}
}

func (p *programs) compute(ctx context.Context, scope domain.Scope, do func(context.Context) error) error {
	return inTurns(ctx, p.turns, scope, limiter.Forever, do)
}

// ready returns a cached program, or compiles and caches it; concurrent callers
// wait for the same compilation. What was published was checked, so a problem now
// means that another version of the service checked it.
func ready[T any](ctx context.Context, p *programs, organization, u uuid.UUID, compile func(context.Context) (T, int64, []requirement.Problem, error)) (T, error) {
	if found, ok := p.find(organization, u); ok {
		return found.(T), nil
	}
	// It continues for the others when this caller no longer waits.
	flight := p.flights.DoChan(u.String(), func() (_ any, failure error) {
		defer func() {
			if failed := recover(); failed != nil { // else nobody can, and the program ends
				failure = fmt.Errorf("compile version %s: %v", u, failed)
			}
		}()
		if found, ok := p.find(organization, u); ok {
			return found, nil
		}
		made, bytes, problems, err := compile(context.WithoutCancel(ctx))
		switch {
		case err != nil:
			return nil, err
		case len(problems) > 0:
			return nil, fmt.Errorf("version %s does not compile any more: %s: %s", u, problems[0].Path, problems[0].Message)
		}
		p.cache(organization, u, compiled{made, bytes})
		return made, nil
	})
	var none T
	select {
	case <-ctx.Done():
		return none, context.Cause(ctx)
	case made := <-flight:
		if made.Err != nil {
			return none, made.Err
		}
		return made.Val.(T), nil
	}
}

func (p *programs) find(organization, u uuid.UUID) (any, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	own := p.kept[organization]
	if own == nil {
		return nil, false
	}
	found, ok := own.kept.Get(u)
	return found.program, ok
}

// cache makes room first. A program larger than the whole cache is not cached.
func (p *programs) cache(organization, u uuid.UUID, c compiled) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.bytes > p.most {
		return
	}
	own := p.kept[organization]
	if own == nil {
		own = &shelf{}
		own.kept, _ = simplelru.NewLRU[uuid.UUID, compiled](cachedPrograms, nil) // fails for a size of 0
		p.kept[organization] = own
	}
	own.size += c.bytes // the largest user makes room
	p.size += c.bytes
	for p.size > p.most {
		p.removeOne()
	}
	own.kept.Add(u, c)
	p.kept[organization] = own
}

// removeOne evicts from the organization that uses the most.
func (p *programs) removeOne() {
	var most uuid.UUID
	var largest *shelf
	for organization, s := range p.kept {
		if s.kept.Len() > 0 && (largest == nil || s.size > largest.size) {
			most, largest = organization, s
		}
	}
	_, gone, _ := largest.kept.RemoveOldest()
	largest.size -= gone.bytes
	p.size -= gone.bytes
	if largest.kept.Len() == 0 {
		delete(p.kept, most)
	}
}
