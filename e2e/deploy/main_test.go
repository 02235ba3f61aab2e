//go:build deep

package deploy_test

import (
	"testing"

	"requisite/e2e/harness"
)

func TestMain(m *testing.M) { harness.Run(m) }
