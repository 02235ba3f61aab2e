package activities

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
)

// TestCalculate_APanicIsAnError, so that one workflow cannot hold up the others of its account.
func TestCalculate_APanicIsAnError(t *testing.T) {
	broken := &Activities{} // it has no store
	_, err := broken.calculate(t.Context(), domain.Run{})
	require.ErrorContains(t, err, "panic: ")
}
