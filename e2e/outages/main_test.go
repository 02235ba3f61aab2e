//go:build deep

package outages_test

import (
	"testing"

	"requisite/e2e/parts"
)

// The api gives up soon: in most of the tests it waits for runs that cannot end.
func TestMain(m *testing.M) { parts.Run(m, parts.Impatient) }
