package engine

import (
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/sync/singleflight"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/limiter"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
)

// programs caches the compiled programs of versions, which never change. If they exceed the
// memory limit, it evicts the least recently used program of the organization that uses the
// most memory.
type programs struct {
	versions Versions
	most     int64
	checks   *limiter.Limiter // compilations count as checks
	flights  singleflight.Group

	mu     sync.Mutex
	caches map[id.UUID]*organizationCache // by organization
	size   int64
}

// organizationCache is the cache of one organization.
type organizationCache struct {
	kept *simplelru.LRU[id.UUID, compiled]
	size int64
}

// compiled is a rule set or a pricing model, with the memory that it uses.
type compiled struct {
	program any
	bytes   int64
}

// cachedPrograms limits the entries. In practice the limit is their bytes.
const cachedPrograms = 1 << 20

func newPrograms(versions Versions, most int64, checks *limiter.Limiter) *programs {
	return &programs{versions: versions, most: most, checks: checks, caches: map[id.UUID]*organizationCache{}}
}

func (p *programs) bytes() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.size
}

func (p *programs) ruleSet(ctx context.Context, scope domain.Scope, u id.UUID) (*requirement.Program, error) {
	return ready(ctx, p, scope.OrganizationID, u, loading(p, scope, u, p.versions.RuleSetByID, requirement.LoadRuleSet))
}

func (p *programs) pricingModel(ctx context.Context, scope domain.Scope, u id.UUID) (*requirement.Pricing, error) {
	return ready(ctx, p, scope.OrganizationID, u, loading(p, scope, u, p.versions.PricingModelByID, requirement.LoadPricing))
}

// loading returns a function that reads a version and compiles it.
func loading[T interface{ MemoryBytes() int64 }](p *programs, scope domain.Scope, u id.UUID,
	read func(context.Context, domain.Scope, id.UUID) (calculation.Publication, error),
	load func(context.Context, []byte, requirement.Options) (T, []requirement.Problem, error),
) func(context.Context) (T, int64, []requirement.Problem, error) {
	return func(ctx context.Context) (made T, bytes int64, problems []requirement.Problem, err error) {
		version, err := read(ctx, scope, u)
		if err != nil {
			return made, 0, nil, err
		}
		err = checking(ctx, p.checks, scope, limiter.Forever, func() (err error) {
			made, problems, err = load(ctx, []byte(version.Content), version.Options())
			return err
		})
		if err != nil || len(problems) > 0 {
			return made, 0, problems, err
		}
		return made, made.MemoryBytes(), nil, nil
	}
}

// ready returns a cached program, or compiles and caches it. Concurrent callers wait for the same
// compilation. A problem means that another version of the service checked the rules.
func ready[T any](
	ctx context.Context, p *programs,
	organization, u id.UUID,
	compile func(context.Context) (T, int64, []requirement.Problem, error),
) (T, error) {
	if found, ok := p.find(organization, u); ok {
		return found.(T), nil
	}
	// The compilation continues for other callers after ctx has ended.
	flight := p.flights.DoChan(u.String(), func() (_ any, failure error) {
		defer func() {
			if failed := recover(); failed != nil { // otherwise the process would end
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

func (p *programs) find(organization, u id.UUID) (any, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	own := p.caches[organization]
	if own == nil {
		return nil, false
	}
	found, ok := own.kept.Get(u)
	return found.program, ok
}

// cache adds a program, and evicts others if needed. It does not cache a program that is larger
// than the limit.
func (p *programs) cache(organization, u id.UUID, c compiled) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.bytes > p.most {
		return
	}
	own := p.caches[organization]
	if own == nil {
		own = &organizationCache{}
		own.kept, _ = simplelru.NewLRU[id.UUID, compiled](cachedPrograms, nil) // fails for a size of 0
		p.caches[organization] = own
	}
	own.size += c.bytes // added first, so that the largest user is evicted, which may be this one
	p.size += c.bytes
	for p.size > p.most {
		p.removeOne()
	}
	own.kept.Add(u, c)
	p.caches[organization] = own
}

// removeOne evicts a program of the organization that uses the most memory.
func (p *programs) removeOne() {
	var most id.UUID
	var largest *organizationCache
	for organization, s := range p.caches {
		if s.kept.Len() > 0 && (largest == nil || s.size > largest.size) {
			most, largest = organization, s
		}
	}
	_, gone, _ := largest.kept.RemoveOldest()
	largest.size -= gone.bytes
	p.size -= gone.bytes
	if largest.kept.Len() == 0 {
		delete(p.caches, most)
	}
}
