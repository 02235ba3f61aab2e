package main

import (
	"time"

	"go.temporal.io/server/common/dynamicconfig"
)

// dynamicConfig turns on what Requisite and its operators use, and sets limits for one machine with one busy namespace.
// Settings that the product depends on are listed even if they are the defaults today.
func dynamicConfig() dynamicconfig.StaticClient {
	return dynamicconfig.StaticClient{
		// A worker in the process that starts a workflow gets its first task with the answer.
		dynamicconfig.EnableEagerWorkflowStart.Key():     true,
		dynamicconfig.EnableActivityEagerExecution.Key(): true,

		// Tasks of a queue are dispatched fairly across fairness keys. One partition keeps the order exact and finds a
		// waiting poller at once.
		dynamicconfig.MatchingEnableFairness.Key():              true,
		dynamicconfig.MatchingNumTaskqueueReadPartitions.Key():  1,
		dynamicconfig.MatchingNumTaskqueueWritePartitions.Key(): 1,

		// Actions of operators in the UI.
		dynamicconfig.FrontendEnableUpdateWorkflowExecution.Key():              true,
		dynamicconfig.FrontendEnableUpdateWorkflowExecutionAsyncAccepted.Key(): true,
		dynamicconfig.FrontendEnableBatcher.Key():                              true,
		dynamicconfig.WorkflowPauseEnabled.Key():                               true,
		dynamicconfig.WorkerHeartbeatsEnabled.Key():                            true,

		// Namespaces, and search attributes with them, that are changed through the API are usable soon.
		dynamicconfig.NamespaceCacheRefreshInterval.Key(): 500 * time.Millisecond,

		// The machine is the limit, not the server's defaults for one host among many.
		dynamicconfig.FrontendRPS.Key():                                  20_000,
		dynamicconfig.FrontendMaxNamespaceRPSPerInstance.Key():           20_000,
		dynamicconfig.FrontendMaxNamespaceVisibilityRPSPerInstance.Key(): 500,
		dynamicconfig.FrontendPersistenceMaxQPS.Key():                    20_000,
		dynamicconfig.HistoryRPS.Key():                                   20_000,
		dynamicconfig.HistoryPersistenceMaxQPS.Key():                     20_000,
		dynamicconfig.MatchingRPS.Key():                                  20_000,
		dynamicconfig.MatchingPersistenceMaxQPS.Key():                    20_000,

		// A development machine sends out nothing.
		dynamicconfig.EnableServerVersionCheck.Key(): false,
	}
}
