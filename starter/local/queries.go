package local

import (
	"fmt"
	"net/url"
	"time"
)

// savedQuery is a list of runs that operators look at; docs/operating/runs.md has them
// too.
type savedQuery struct{ name, query string }

// savedQueries are the lists for a day (UTC) and an application.
func savedQueries(at time.Time, workflowID string) []savedQuery {
	return []savedQuery{
		{"Gaps today", fmt.Sprintf(`Outcome = "MISSING_REQUIREMENTS" AND StartTime >= "%sT00:00:00Z"`, at.UTC().Format(time.DateOnly))},
		{"Faults", `ExecutionStatus IN ("Failed", "TimedOut") OR (ExecutionStatus = "Terminated" AND TaskQueue NOT IN ("endpoints", "upkeep"))`},
		{"This application", fmt.Sprintf(`ApplicationWorkflowId = %q`, workflowID)},
		{"Endpoints in trouble", `TaskQueue = "endpoints" AND ExecutionStatus = "Running"`},
	}
}

// link opens the list in the Temporal UI.
func (q savedQuery) link(ui, namespace string) string {
	return fmt.Sprintf("%s/namespaces/%s/workflows?query=%s", ui, url.PathEscape(namespace), url.QueryEscape(q.query))
}
