//go:build deep

package outages_test

import (
	"testing"

	"requisite/e2e/harness"
)

// The patience of the api is short, because in most tests runs cannot end.
func TestMain(m *testing.M) { harness.Run(m, harness.Impatient) }
