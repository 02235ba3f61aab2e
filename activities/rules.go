package activities

import (
	"context"
	"time"

	"requisite/internal/domain"
	"requisite/internal/rules/author"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
)

// Check and Preview are functions, because exported methods are activities. They fail with
// limiter.ErrBusy if they cannot begin within patience.

// Checked is the result of the check of a rule set.
type Checked struct {
	// Unread are the problems of the file's form, and Problems those of its conditions and
	// examples.
	Unread, Problems []requirement.Problem

	// The next fields are empty if there are problems.

	Program  *requirement.Program
	Warnings []requirement.Problem
	Content  []byte // the canonical form
}

// Check checks a rule set in JSON, in turn with other tenants.
func Check(ctx context.Context, a *Activities, scope domain.Scope, patience time.Duration, content []byte) (c Checked, err error) {
	began := time.Now()
	release, err := a.checks.Wait(ctx, tenantOf(scope), patience)
	if err != nil {
		return c, err
	}
	defer release()
	return c, inTurns(ctx, a.evaluations, scope, max(0, patience-time.Since(began)), func(ctx context.Context) (err error) {
		c, err = CheckAlone(ctx, content)
		return err
	})
}

// CheckAlone is Check without waiting for other tenants.
func CheckAlone(ctx context.Context, content []byte) (c Checked, err error) {
	set, unread := requirement.ParseRuleSetJSON(content)
	c.Unread = unread
	if len(unread) > 0 {
		set.Examples = nil // they may fail because of the problems
	}
	c.Program, c.Problems, err = requirement.CompileContext(ctx, set, requirement.Options{})
	if err != nil || c.Program == nil || len(unread) > 0 {
		c.Program = nil
		return c, err
	}
	c.Content = set.CanonicalJSON()
	c.Warnings, err = author.Warnings(ctx, c.Program, set)
	return c, err
}

// Preview evaluates rules for a snapshot; the rules in force if program is nil. versionID is
// empty for rules that are not published. It writes nothing.
func Preview(ctx context.Context, a *Activities, patience time.Duration, program *requirement.Program, versionID string, snapshot calculation.Snapshot) (requirement.Result, error) {
	release, err := a.evaluations.Wait(ctx, tenantOf(snapshot.Scope), patience)
	if err != nil {
		return requirement.Result{}, err
	}
	release() // the evaluation takes slots of its own, without the limit of patience
	if program == nil {
		return a.evaluateInForce(ctx, a.programs, snapshot)
	}
	return a.evaluate(ctx, a.programs, program, versionID, snapshot)
}
