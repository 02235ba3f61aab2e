package refusal

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
)

func TestRefusal_SurvivesTemporal(t *testing.T) {
	original := Rule("Workflow", "w_1", WorkflowEnded, "ended")
	original.Details = []byte(`[{"field":"a"}]`)
	original.RetryAfter = time.Hour
	failures := temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{DataConverter: converter.GetDefaultDataConverter()})
	for name, err := range map[string]error{
		"direct":            fmt.Errorf("wrapped: %w", original),
		"made here":         original.Failure(),
		"through a history": failures.FailureToError(failures.ErrorToFailure(original.Failure())),
	} {
		got, ok := FromError(err)
		require.True(t, ok, name)
		require.Equal(t, original, got, name)
	}
	for _, err := range []error{
		nil, errors.New("x"), temporal.NewApplicationError("x", "OTHER"), temporal.NewApplicationError("x", "OTHER", "detail"),
		temporal.NewApplicationError("x", "OTHER", Refusal{Code: BadRequest}),
		temporal.NewApplicationError("x", "BAD_REQUEST", Refusal{Code: EntityNotFound}),
	} {
		_, ok := FromError(err)
		require.False(t, ok, "%v", err)
	}
}

func TestFailure_IsNonRetryableAndBenign(t *testing.T) {
	var app *temporal.ApplicationError
	require.ErrorAs(t, New(BadRequest, "x").Failure(), &app)
	require.True(t, app.NonRetryable())
	require.Equal(t, temporal.ApplicationErrorCategoryBenign, app.Category())
	require.Equal(t, "BAD_REQUEST", app.Type())
}

func TestStatus_OfEachCode(t *testing.T) {
	for code, status := range statuses {
		require.Equal(t, status, code.Status())
	}
	require.Equal(t, 500, Code("NEW").Status(), "an unknown code is a fault of ours")
}
