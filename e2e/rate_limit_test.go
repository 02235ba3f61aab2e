package e2e_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
)

func TestUp_LimitsTheRateOfACredential(t *testing.T) {
	require.Equal(t, map[string]any{"per_second": 1000.0, "burst": 2000.0}, data(t, second(), "meta.whoami", harness.Object{})["rate_limit"])
}
