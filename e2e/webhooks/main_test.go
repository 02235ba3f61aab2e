package webhooks_test

import (
	"testing"

	"requisite/e2e/harness"
)

// The tests send events faster than the default share of one organization allows.
func TestMain(m *testing.M) { harness.RunTogether(m, 6, "REQUISITE_ORGANIZATION_SHARE=100") }
