//go:build deep

package faults

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"sync"
	"time"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
)

// beside sends requests beside those of the clients. They go on when the step ends, because another fault may keep
// them from being answered; the load waits for them.
func (l *load) beside(seed uint64, do func(context.Context, *rand.Rand, *account)) undo {
	random := rand.New(rand.NewPCG(seed, 71))
	a := l.accounts[random.IntN(len(l.accounts))]
	l.others.Go(func() { do(l.ctx, random, a) })
	return func() {}
}

// cancelRecalculation recalculates an account, and cancels that while rules are published.
func (l *load) cancelRecalculation(ctx context.Context, random *rand.Rand, a *account) {
	began := l.since()
	started := l.ask(ctx, Op{Operation: "account.recalculation.start", Account: a.id, Subject: a.id}, harness.Object{"account_id": a.id}, text("run_id", value))
	if !started.done() {
		return // another one is running
	}
	run := harness.Object{"run_id": started.Value}
	var publishing sync.WaitGroup
	publishing.Go(func() {
		for range 3 {
			l.publish(ctx, a)
		}
	})
	pause(ctx, between(random, 0, 1500*time.Millisecond)) // it has calculated none, some or all workflows
	l.ask(ctx, Op{Operation: "account.recalculation.cancel", Account: a.id, Subject: started.Value}, run, nil)
	publishing.Wait()
	l.ask(ctx, Op{Operation: "account.recalculation.get", Account: a.id, Subject: started.Value, Once: true}, run, text("state", value))
	// The calculation that runs when its recalculation is canceled ends later.
	l.record(Op{Span: Span{began, l.since() + attemptLife}, Operation: recalculated, Account: a.id, Subject: started.Value})
}

// daysAhead is beyond every day that comes during the history.
const daysAhead = 30

// nameDays calculates an application of the clients on a day that comes later, and on the day of the clock, in turn.
func (l *load) nameDays(ctx context.Context, random *rand.Rand, a *account) {
	p := a.any(random)
	day := time.Now().In(zone(a.zone)).AddDate(0, 0, daysAhead).Format(time.DateOnly)
	on := requisite.SandboxToday(day)
	workflow := harness.Object{"workflow_id": p.workflow}
	for range 3 {
		l.ask(ctx, Op{Operation: calculateDocuments, Account: a.id, Subject: p.workflow, Field: named, Value: day}, workflow, nil, on)
		l.ask(ctx, Op{Operation: "workflow.deadlines.apply", Account: a.id, Subject: p.workflow}, workflow, nil, on)
		l.ask(ctx, Op{Operation: calculateDocuments, Account: a.id, Subject: p.workflow}, workflow, nil)
		l.list(ctx, a, p)
	}
}

// deletePerson deletes one of two persons of a new application while its documents are calculated. Then it
// calculates them again.
func (l *load) deletePerson(ctx context.Context, _ *rand.Rand, a *account) {
	business := facts(l.token(), 0)
	delete(business, "no_persons_attested")
	var persons []string
	made := l.ask(ctx, Op{Operation: "business.create", Account: a.id, Value: "0"},
		harness.Object{"account_id": a.id, "business": business, "persons": []harness.Object{{"first_name": "A"}, {"first_name": "B"}}},
		func(o *Op, data json.RawMessage) error {
			var made struct {
				Business string   `json:"business_id"`
				Persons  []string `json:"person_ids"`
			}
			err := json.Unmarshal(data, &made)
			o.Subject, persons = made.Business, made.Persons
			return err
		})
	if !made.done() {
		return
	}
	opened := l.open(ctx, a, made.Subject)
	if !opened.done() {
		return
	}
	calculate := func() {
		l.ask(ctx, Op{Operation: calculateDocuments, Account: a.id, Subject: opened.Subject}, harness.Object{"workflow_id": opened.Subject}, nil)
	}
	var calculating sync.WaitGroup
	for range 2 {
		calculating.Go(calculate)
	}
	l.ask(ctx, Op{Operation: "person.delete", Account: a.id, Subject: persons[0]}, harness.Object{"person_id": persons[0]}, nil)
	calculating.Wait()
	calculate()
}
