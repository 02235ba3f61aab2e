package speed_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
	"requisite/internal/testkit/needs"
)

// BenchmarkRecalculation reports how many applications a recalculation calculates in a second, from its start to its end:
// "first" adds their documents, "again" finds nothing new, and "rules" follows new rules. Each application has a
// business of its own. There are 10,000 applications, or 100 in the small size. It makes one round, regardless of -benchtime.
//
//	TEST_LARGE_BENCHMARKS=1 go test -run NONE -bench Recalculation -benchtime 1x ./e2e/speed
func BenchmarkRecalculation(b *testing.B) {
	s := harness.Shared(b)
	applications := needs.Size(10_000, 100)
	s.CopyApplication(b, s.Application(b).WorkflowID, applications-1)
	rules := func(code string) harness.Object {
		return harness.Object{"account_id": s.AccountID, "rules": harness.Object{"documents": []harness.Object{{
			"document_type_code": code, "name": "n", "category": "c", "requirement_text": "t", "entity_type": "Business", "when": "business_age_years >= 5"}}}}
	}
	recalculate := func() (perSecond float64) {
		began := time.Now()
		var run, ended harness.Object
		s.Must(b, "account.recalculation.start", harness.Object{"account_id": s.AccountID, "only_stale": false}, &run)
		await.True(b, "the end of a recalculation", func(context.Context) error {
			s.Must(b, "account.recalculation.get", run, &ended)
			if ended["state"] == "RUNNING" {
				return fmt.Errorf("%v of %v are done", ended["done"], ended["total"])
			}
			return nil
		})
		require.EqualValues(b, applications, ended["done"])
		require.EqualValues(b, 0, ended["not_evaluable"])
		return float64(applications) / time.Since(began).Seconds()
	}
	s.Must(b, "account.documentRules.publish", rules("A"), nil)
	first, again, changed := recalculate(), 0.0, 0.0
	for made := false; b.Loop(); made = true {
		if made {
			continue
		}
		again = recalculate()
		s.Must(b, "account.documentRules.publish", rules("B"), nil)
		changed = recalculate()
	}
	for unit, figure := range map[string]float64{"ns/op": 0, "applications": float64(applications), "first_per_s": first, "again_per_s": again, "rules_per_s": changed} {
		b.ReportMetric(figure, unit)
	}
}
