package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"requisite/app"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/workflows"
)

// OperatorName is the default of --by.
const OperatorName = "OPERATOR"

// operatorActor is the actor of what an operator does.
var operatorActor = domain.Actor{UserID: OperatorName, UserType: "SYSTEM"}

// OperatorCall is the call of an operator on the command line.
func OperatorCall(scope domain.Scope, command string) domain.Call {
	return domain.Call{Scope: scope, Actor: operatorActor, Operation: "starter " + command}
}

// RunAndWait starts a run and waits for its result. A refusal is printed.
func RunAndWait[T any](ctx context.Context, o *Operator, out io.Writer, start workflows.Start) (T, error) {
	var none T
	c, err := app.DialTemporal(ctx, &o.Service, "starter", nil)
	if err != nil {
		return none, err
	}
	defer c.Close()
	fresh := id.New()
	run, err := c.ExecuteWorkflow(ctx, start.Options(fmt.Sprintf("%s/%s/%s", start.Prefix, start.Subject, id.Base62(fresh[:])), "Started by an operator with starter."),
		start.Workflow, start.Input)
	if err != nil {
		return none, fmt.Errorf("start the run: %w", err)
	}
	patience, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var answer workflows.Answer[T]
	err = run.Get(patience, &answer)
	switch {
	case patience.Err() != nil && err != nil:
		return none, fmt.Errorf("no result within a minute; run %s continues; check that a worker is running", run.GetID())
	case err != nil:
		return none, fmt.Errorf("run %s: %w", run.GetID(), err)
	case answer.Refusal != nil:
		if err := PrintJSON(out, OperatorRefusal(answer.Refusal)); err != nil {
			return none, err
		}
		return none, ErrRefused
	}
	return answer.Get()
}
