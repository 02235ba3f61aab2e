package activities

import (
	"context"
	"reflect"

	"requisite/internal/domain"
)

// PreparedHere reports whether the rules and the pricing model that are compiled before
// the locks are taken are also evaluated in this process.
func (a *Activities) PreparedHere(ctx context.Context, run domain.Run) (bool, error) {
	from, err := a.prepare(ctx, run)
	if err != nil {
		return false, err
	}
	p := from.(prepared)
	return reflect.DeepEqual(p.program, p.program.Here()) && reflect.DeepEqual(p.pricing, p.pricing.Here()), nil
}
