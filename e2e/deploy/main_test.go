//go:build deep

package deploy_test

import (
	"testing"

	"requisite/e2e/parts"
)

func TestMain(m *testing.M) { parts.Run(m) }
