package db

import "context"

// AfterCommit is work to do once a transaction is committed. A nil AfterCommit ignores work.
type AfterCommit struct{ work []func(context.Context) }

// Do adds work. Statements that are sent with the commit may add work, too.
func (a *AfterCommit) Do(work func(context.Context)) {
	if a != nil {
		a.work = append(a.work, work)
	}
}

// Run does the work in the order in which it was added.
func (a *AfterCommit) Run(ctx context.Context) {
	for _, work := range a.work {
		work(ctx)
	}
}
