//go:build deep

package webhooks_test

import (
	"testing"

	"requisite/e2e/parts"
)

// ownStack starts a stack only for the test.
func ownStack(t testing.TB, env ...string) *stack { return withKey(t, parts.New(t, env...)) }
