//go:build deep

package webhooks_test

import (
	"testing"

	"requisite/e2e/harness"
)

// ownStack starts a stack only for the test.
func ownStack(t testing.TB, env ...string) *stack { return withKey(t, harness.New(t, env...)) }
