package webhooks_test

import (
	"testing"

	"requisite/e2e/parts"
)

func TestMain(m *testing.M) { parts.RunTogether(m, 6) }
