package engine

import (
	"context"
	"time"

	"requisite/internal/domain"
	"requisite/internal/rules/author"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// Checked is the result of the check of a rule set.
type Checked struct {
	// Unread has problems with the form of the file. Problems has those of its conditions.
	Unread, Problems []requirement.Problem

	// The fields below are empty if there are problems.

	Program *requirement.Program
	// Failing are examples with unexpected results. Only a publication refuses them.
	Failing  []requirement.FailingExample
	Warnings []requirement.Problem
	Content  []byte // the canonical form
}

// Check checks a rule set in JSON. Warnings of dates compare them with today. It fails with
// limiter.ErrBusy if it cannot begin within patience.
func (e *Engine) Check(ctx context.Context, scope domain.Scope, patience time.Duration, today fact.Date, content []byte) (c Checked, err error) {
	return c, checking(ctx, e.checks, scope, patience, func() (err error) {
		c, err = CheckAlone(ctx, today, content)
		return err
	})
}

// CheckAlone is Check without waiting for a slot.
func CheckAlone(ctx context.Context, today fact.Date, content []byte) (c Checked, err error) {
	set, unread := requirement.ParseRuleSetJSON(content)
	c.Unread = unread
	if len(unread) > 0 {
		set.Examples = nil // they may fail because of the problems
	}
	c.Program, c.Failing, c.Problems, err = requirement.CompileDraft(ctx, set, requirement.Options{})
	if err != nil || c.Program == nil || len(unread) > 0 {
		c.Program = nil
		return c, err
	}
	c.Content = set.CanonicalJSON()
	c.Warnings, err = author.Warnings(ctx, today, c.Program, set)
	return c, err
}

// Preview evaluates rules for a snapshot. If program is nil, it evaluates the rules in force.
// versionID is empty for rules that are not published. It fails as Check does.
func (e *Engine) Preview(
	ctx context.Context, patience time.Duration,
	program *requirement.Program, versionID string, snapshot calculation.Snapshot,
) (requirement.Result, error) {
	if program == nil {
		return e.evaluateInForce(ctx, tenantOf(snapshot.Scope), patience, snapshot)
	}
	return e.evaluate(ctx, tenantOf(snapshot.Scope), patience, program, versionID, snapshot)
}
