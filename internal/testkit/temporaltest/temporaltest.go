// Package temporaltest runs workflows in a test without a server.
package temporaltest

import (
	"log/slog"
	"time"

	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
)

// Workflows is an environment that logs nothing. Unlike the SDK's, it does not fail a test that takes more than three
// seconds, or in which a workflow task takes more than one: on a busy machine, both happen.
func Workflows() *testsuite.TestWorkflowEnvironment {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	return suite.NewTestWorkflowEnvironment().SetTestTimeout(time.Hour).SetWorkerOptions(worker.Options{DeadlockDetectionTimeout: time.Hour})
}
