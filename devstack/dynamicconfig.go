package main

import (
	"time"

	"go.temporal.io/server/common/dynamicconfig"
)

// dynamicConfig enables what Requisite and its operators use, and sets limits for one machine with one busy namespace.
// Settings that the product depends on are listed even if they are the defaults.
func dynamicConfig() dynamicconfig.StaticClient {
	return dynamicconfig.StaticClient{
		// A worker in the process that starts a workflow gets its first task with the response to the start.
		dynamicconfig.EnableEagerWorkflowStart.Key():     true,
		dynamicconfig.EnableActivityEagerExecution.Key(): true,

		// A queue's tasks are dispatched fairly across fairness keys. With one partition the order is exact, and a waiting
		// poller is found at once.
		dynamicconfig.MatchingEnableFairness.Key():              true,
		dynamicconfig.MatchingNumTaskqueueReadPartitions.Key():  1,
		dynamicconfig.MatchingNumTaskqueueWritePartitions.Key(): 1,

		// Allow operators these commands in the UI.
		dynamicconfig.FrontendEnableUpdateWorkflowExecution.Key():              true,
		dynamicconfig.FrontendEnableUpdateWorkflowExecutionAsyncAccepted.Key(): true,
		dynamicconfig.FrontendEnableBatcher.Key():                              true,
		dynamicconfig.WorkflowPauseEnabled.Key():                               true,
		dynamicconfig.WorkerHeartbeatsEnabled.Key():                            true,

		// Apply changes of a namespace and of its search attributes soon.
		dynamicconfig.NamespaceCacheRefreshInterval.Key(): 500 * time.Millisecond,

		// Only the machine limits the load: the server's defaults are for one host among many.
		dynamicconfig.FrontendRPS.Key():                                  20_000,
		dynamicconfig.FrontendMaxNamespaceRPSPerInstance.Key():           20_000,
		dynamicconfig.FrontendMaxNamespaceVisibilityRPSPerInstance.Key(): 500,
		dynamicconfig.FrontendPersistenceMaxQPS.Key():                    20_000,
		dynamicconfig.HistoryRPS.Key():                                   20_000,
		dynamicconfig.HistoryPersistenceMaxQPS.Key():                     20_000,
		dynamicconfig.MatchingRPS.Key():                                  20_000,
		dynamicconfig.MatchingPersistenceMaxQPS.Key():                    20_000,

		// A development machine sends no reports.
		dynamicconfig.EnableServerVersionCheck.Key(): false,
	}
}
