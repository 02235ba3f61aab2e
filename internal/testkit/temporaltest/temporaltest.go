// Package temporaltest runs workflows in a test without a server.
package temporaltest

import (
	"log/slog"
	"time"

	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
)

// Workflows is an environment that logs nothing. It ends no test by the clock, as the SDK does after
// three seconds, or after one in which a workflow got no processor.
func Workflows() *testsuite.TestWorkflowEnvironment {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	return suite.NewTestWorkflowEnvironment().SetTestTimeout(time.Hour).SetWorkerOptions(worker.Options{DeadlockDetectionTimeout: time.Hour})
}
