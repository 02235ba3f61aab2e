//go:build deep

package neighbors_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
)

// TestRecalculation_OtherTenantIsAnswered prints how many times longer a tenant waits while the applications of
// another are recalculated. The aim is at most 1.3 times.
func TestRecalculation_OtherTenantIsAnswered(t *testing.T) {
	s := harness.Shared(t)
	w := newWatcher(t, s)
	client, account := s.Tenant(t, "large")
	large := tenant{client, account}
	require.NoError(t, large.call(t.Context(), "account.documentRules.publish", harness.Object{"account_id": account, "rules": rules(5, "Business", "business_age_years >= 5", nil)}, nil))
	s.CopyApplication(t, large.workflow(t, 2), 10_000-1)
	w.measure(t) // fills the caches
	before := w.measure(t)

	var run, at harness.Object
	require.NoError(t, large.call(t.Context(), "account.recalculation.start", harness.Object{"account_id": account, "only_stale": false}, &run))
	s.Await(t, "the first applications", func(ctx context.Context) error {
		err := large.call(ctx, "account.recalculation.get", run, &at)
		if err == nil && at["done"] == float64(0) {
			err = errors.New("it has not begun")
		}
		return err
	})
	during := w.measure(t)
	require.NoError(t, large.call(t.Context(), "account.recalculation.get", run, &at))
	t.Logf("%v of %v applications were recalculated meanwhile, and it is %v", at["done"], at["total"], at["state"])
	require.NoError(t, large.call(t.Context(), "account.recalculation.cancel", run, nil))
	compare(t, before, during)
}
