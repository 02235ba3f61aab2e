//go:build deep

package webhooks_test

import (
	"testing"

	"requisite/e2e/parts"
)

// ownStack is a stack that the test need not leave as it was.
func ownStack(t testing.TB, env ...string) *stack { return withKey(t, parts.New(t, env...)) }
