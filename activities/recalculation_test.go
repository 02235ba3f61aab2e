package activities_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"requisite/activities"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/engine"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
)

// recalculating is an account that is recalculated.
type recalculating struct {
	*pgtest.Bundle
	*testsuite.TestActivityEnvironment
	suite      testsuite.WorkflowTestSuite
	activities *activities.Activities
	log        bytes.Buffer
}

func toRecalculate(t *testing.T) *recalculating {
	t.Parallel()
	c := &recalculating{Bundle: pgtest.NewBundle(t, server)}
	c.suite.SetLogger(slog.New(slog.NewTextHandler(&c.log, nil)))
	c.activities = activities.New(c.Store, engine.New(c.Store.Versions, cacheBytes))
	c.TestActivityEnvironment = c.environment()
	return c
}

// environment is what one activity at a time runs in.
func (c *recalculating) environment() *testsuite.TestActivityEnvironment {
	env := c.suite.NewTestActivityEnvironment()
	env.RegisterActivity(c.activities)
	return env
}

func (c *recalculating) publish(conditions ...string) {
	c.Helper()
	var set requirement.RuleSet
	for i, when := range conditions {
		set.Documents = append(set.Documents, requirement.DocumentRule{DocumentTypeCode: fmt.Sprint("D", i), Name: "n", Category: "c", RequirementText: "t", EntityType: fact.EntityBusiness, When: when})
	}
	c.Write(c.Call, func(r *store.Records) error {
		_, err := r.Rules.Publish(c.Context(), c.Account.WireID(), calculation.NewDraft(set.CanonicalJSON()))
		return err
	})
}

// open opens a workflow for a business of its own.
func (c *recalculating) open(business domain.Business) (w domain.Workflow) {
	c.Helper()
	business.LegalName = "Quillfeather"
	c.Pass(time.Millisecond)
	c.Write(c.Call, func(r *store.Records) error {
		b, err := r.Applicants.CreateBusiness(c.Context(), c.Account.WireID(), business)
		if err != nil {
			return err
		}
		w, err = r.Workflows.Create(c.Context(), c.Account.WireID(), b.WireID(), domain.NewWorkflow{State: domain.Started})
		return err
	})
	return w
}

func (c *recalculating) start(onlyStale bool) (run id.RecalculationID) {
	c.Helper()
	c.Pass(time.Millisecond)
	c.Write(c.Call, func(r *store.Records) (err error) {
		run, err = r.Recalculations.Start(c.Context(), c.Account.WireID(), onlyStale)
		return err
	})
	return run
}

// step runs a step of a recalculation.
func (c *recalculating) step(run id.RecalculationID) (at domain.RecalculationProgress, err error) {
	c.Helper()
	value, err := c.ExecuteActivity(c.activities.RecalculateSome, run)
	if err != nil {
		return at, err
	}
	return at, value.Get(&at)
}

// recalculate recalculates the account, and returns what became of the workflows.
func (c *recalculating) recalculate(onlyStale bool) domain.RecalculationCounts {
	c.Helper()
	at, err := c.step(c.start(onlyStale))
	require.NoError(c, err)
	require.Equal(c, domain.RecalculationDone, at.State)
	require.Equal(c, at.Done(), *at.Total)
	return at.RecalculationCounts
}

// written are how many decisions and events there are.
func (c *recalculating) written() string {
	return fmt.Sprint(c.Count(`SELECT count(*) FROM decision`), " decisions, ", c.Count(`SELECT count(*) FROM webhook_event WHERE workflow_id IS NOT NULL`), " events")
}

func (c *recalculating) stale() int {
	stale := 0
	found, _, err := c.Store.Records(c.Call.Scope).Workflows.List(c.Context(), c.Account.WireID(), domain.WorkflowFilter{}, domain.Page{Limit: 100})
	require.NoError(c, err)
	for _, w := range found {
		if w.DocumentsStale != nil && *w.DocumentsStale {
			stale++
		}
	}
	return stale
}

func established(date string) domain.Business { return domain.Business{EstablishedDate: &date} }

func TestRecalculation_RecordsOnlyWhatDiffers(t *testing.T) {
	c := toRecalculate(t)
	c.publish("business_age_years >= 5")
	c.open(domain.Business{})
	c.open(established("2001-01-01"))
	ended := c.open(domain.Business{})
	c.Write(c.Call, func(r *store.Records) error {
		_, err := r.Workflows.Complete(c.Context(), ended.WireID(), false)
		return err
	})
	require.Equal(t, domain.RecalculationCounts{}, c.recalculate(true), "nothing was calculated before")
	require.Equal(t, domain.RecalculationCounts{Changed: 2, WithGaps: 1}, c.recalculate(false))
	before := c.written()

	require.Equal(t, domain.RecalculationCounts{Unchanged: 2, WithGaps: 1}, c.recalculate(false))
	require.Equal(t, domain.RecalculationCounts{}, c.recalculate(true))
	require.Equal(t, before, c.written(), "the same facts, version and result")

	c.Write(c.Call, func(r *store.Records) error { // a fact that no rule reads
		return r.Businesses.Update(t.Context(), c.Business.WireID(), domain.CustomChange{}, func(b *domain.Business) { b.IndustryCategoryCode = []string{"0742"} })
	})
	require.Equal(t, 1, c.stale())
	require.Equal(t, domain.RecalculationCounts{Unchanged: 1}, c.recalculate(true))
	require.Zero(t, c.stale())
	require.Equal(t, 4, c.Count(`SELECT count(*) FROM decision`), "other facts")

	c.publish("business_age_years >= 5", "true")
	require.Equal(t, 2, c.stale())
	require.Equal(t, domain.RecalculationCounts{Changed: 2}, c.recalculate(true))
	require.Zero(t, c.stale())
	require.Equal(t, 2, c.Count(`SELECT count(*) FROM decision WHERE user_id = 'tester' AND changes LIKE '%"added"%"D1"%'`))
}

func TestRecalculation_AfterADecisionByHandRepeatsNone(t *testing.T) {
	c := toRecalculate(t)
	c.publish("true")
	require.Equal(t, domain.RecalculationCounts{Changed: 1}, c.recalculate(false))
	documents, _, err := c.Store.Records(c.Call.Scope).Documents.List(t.Context(), c.Workflow.WireID(), calculation.DocumentFilter{}, nil)
	require.NoError(t, err)
	c.Write(c.Call, func(r *store.Records) error {
		_, err := r.Documents.Update(t.Context(), id.Must[id.RequiredDocumentID](documents[0].ID), document.Review{Status: document.Completed}, id.DecisionID{})
		return err
	})
	before := c.written()
	require.Equal(t, domain.RecalculationCounts{Unchanged: 1}, c.recalculate(false))
	require.Equal(t, before, c.written())
}

// TestRecalculation_KeepsApprovals as often as it is made.
func TestRecalculation_KeepsApprovals(t *testing.T) {
	c := toRecalculate(t)
	publish := func(text string, keep ...string) {
		rule := requirement.DocumentRule{DocumentTypeCode: "D", Name: "n", Category: "c", RequirementText: text, EntityType: fact.EntityBusiness}
		d := calculation.NewDraft(requirement.RuleSet{Documents: []requirement.DocumentRule{rule}}.CanonicalJSON())
		d.KeepApprovals = keep
		c.Write(c.Call, func(r *store.Records) error {
			_, err := r.Rules.Publish(c.Context(), c.Account.WireID(), d)
			return err
		})
	}
	first := func() calculation.RequiredDocument {
		documents, _, err := c.Store.Records(c.Call.Scope).Documents.List(t.Context(), c.Workflow.WireID(), calculation.DocumentFilter{}, nil)
		require.NoError(t, err)
		return documents[0]
	}
	publish("one")
	require.Equal(t, domain.RecalculationCounts{Changed: 1}, c.recalculate(false))
	c.Write(c.Call, func(r *store.Records) error {
		_, err := r.Documents.Update(t.Context(), id.Must[id.RequiredDocumentID](first().ID), document.Review{Status: document.Completed}, id.DecisionID{})
		return err
	})
	publish("two", "D")
	require.Equal(t, domain.RecalculationCounts{Changed: 1}, c.recalculate(true), "another text")
	require.Equal(t, domain.RecalculationCounts{Unchanged: 1}, c.recalculate(false))
	require.Equal(t, document.Completed, first().Status)
}

func TestRecalculation_OfRulesThatCountDays(t *testing.T) {
	for when, again := range map[string]int64{"business_age_months >= 3": 1, `days_since(established_date) > 5`: 1, "true": 0, `established_date > date("2000-01-01")`: 0} {
		t.Run(when, func(t *testing.T) {
			c := toRecalculate(t)
			c.publish(when)
			require.EqualValues(t, 1, c.recalculate(false).Done())
			require.Zero(t, c.recalculate(true).Done())
			c.Pass(24 * time.Hour)
			require.Equal(t, again, c.recalculate(true).Done())
			require.Zero(t, c.recalculate(true).Done(), "the day counts")
		})
	}
}

// TestRecalculation_AfterAKill: a step dies when it has calculated some, and before it has noted so.
func TestRecalculation_AfterAKill(t *testing.T) {
	for _, onlyStale := range []bool{false, true} {
		t.Run(fmt.Sprint(onlyStale), func(t *testing.T) {
			c := toRecalculate(t)
			c.publish("business_age_years >= 5")
			for range 3 {
				c.open(established("2001-01-01"))
			}
			c.open(domain.Business{})
			c.recalculate(false)
			c.publish("business_age_years >= 5", "true")
			run := c.start(onlyStale)
			at, err := c.step(run)
			require.NoError(t, err)
			require.Equal(t, int64(4), at.Changed)
			before := c.written()
			for range 2 {
				require.NoError(t, c.Exec(`UPDATE recalculation SET state = 'RUNNING', ended_at = NULL, cursor = $1, total = NULL, changed = 0, unchanged = 0, with_gaps = 0 WHERE id = $2`, id.Nil, run.UUID))
				again, err := c.step(run)
				require.NoError(t, err)
				require.Equal(t, at, again, "each is counted once")
				require.Equal(t, before, c.written(), "each is calculated once")
			}
		})
	}
}

// TestRecalculation_TwoStepsAtOnce: a step whose worker was lost goes on beside the next one.
func TestRecalculation_TwoStepsAtOnce(t *testing.T) {
	c := toRecalculate(t)
	c.publish("true")
	for range 20 {
		c.open(domain.Business{})
	}
	run := c.start(false)
	pgtest.AtOnce(2, func(int) {
		if _, err := c.environment().ExecuteActivity(c.activities.RecalculateSome, run); err != nil {
			t.Error(err)
		}
	})
	at, err := c.Store.LongRuns.RunningRecalculation(t.Context(), run)
	require.NoError(t, err)
	require.Equal(t, domain.RecalculationDone, at.State)
	require.Equal(t, domain.RecalculationCounts{Changed: 21}, at.RecalculationCounts)
	require.Equal(t, "21 decisions, 63 events", c.written())
}

func TestRecalculation_WhatCannotBeCalculatedEndsNothing(t *testing.T) {
	c := toRecalculate(t)
	c.publish("highest_ticket_sale / average_individual_sale > 10")
	zero := c.open(domain.Business{})
	c.Write(c.Call, func(r *store.Records) error {
		_, err := r.Businesses.CreateSalesInfo(t.Context(), id.BusinessID{UUID: zero.BusinessID}, id.SalesInfoID{},
			[]domain.SalesAmount{{Type: "HIGHEST_TICKET_SALE", Hundredths: 100, Currency: "USD"}, {Type: "AVERAGE_INDIVIDUAL_SALE", Currency: "USD"}})
		return err
	})
	broken := c.open(domain.Business{})
	require.NoError(t, c.Exec(`UPDATE workflow SET custom = '{"x": {"quillfeather": []}}' WHERE id = $1`, broken.ID))
	erased := c.open(domain.Business{})
	_, err := c.Operator.Erase(t.Context(), c.Call.Scope, id.BusinessID{UUID: erased.BusinessID}, false)
	require.NoError(t, err)
	require.Equal(t, domain.RecalculationCounts{WithGaps: 1, NotEvaluable: 2}, c.recalculate(false))
	require.Contains(t, c.log.String(), broken.WireID().String())
	require.NotContains(t, c.log.String(), "Quillfeather")

	var found []store.NotCalculated
	require.NoError(t, c.Operator.AllDecisions.EachNotCalculated(t.Context(), c.Account.WireID(), func(some []store.NotCalculated) error {
		found = append(found, some...)
		return nil
	}))
	require.Len(t, found, 2)
	require.Equal(t, []any{c.Workflow.WireID(), "MISSING_REQUIREMENTS", 2}, []any{found[0].WorkflowID, found[0].Outcome, len(found[0].Gaps)})
	require.Nil(t, found[0].Error)
	require.Equal(t, []any{zero.WireID(), "RULE_NOT_EVALUABLE"}, []any{found[1].WorkflowID, found[1].Outcome})
	require.Contains(t, found[1].Error.Message, "divides by zero")
	require.Empty(t, found[1].Gaps)
}

func TestRecalculation_BeginsAgainForAnAutomaticStart(t *testing.T) {
	c := toRecalculate(t)
	c.publish("true")
	run := c.start(false)
	require.NoError(t, c.Exec(`UPDATE account SET recalculation = 'ON_FORCE'`))
	c.publish("true", "true")
	require.Equal(t, 1, c.Count(`SELECT count(*) FROM recalculation`))
	at, err := c.step(run)
	require.NoError(t, err)
	require.Equal(t, domain.RecalculationDone, at.State)
	require.Equal(t, domain.RecalculationCounts{Changed: 1}, at.RecalculationCounts, "the first round had the new rules")

	c.Pass(time.Millisecond)
	c.publish("true")
	require.Equal(t, 2, c.Count(`SELECT count(*) FROM recalculation`), "none was running")
	started, err := c.Store.LongRuns.ToStart(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, c.Account.ID, started[0].AccountID)
	at, err = c.step(id.RecalculationID{UUID: started[0].ID})
	require.NoError(t, err)
	require.Equal(t, domain.RecalculationCounts{Changed: 1}, at.RecalculationCounts)
	require.Equal(t, 1, c.Count(`SELECT count(*) FROM decision WHERE user_id = 'SYSTEM'`))
}

func TestRecalculation_Cancel(t *testing.T) {
	c := toRecalculate(t)
	c.publish("true")
	run := c.start(false)
	for range 2 {
		c.Write(c.Call, func(r *store.Records) error { return r.Recalculations.Cancel(t.Context(), run) })
	}
	at, err := c.step(run)
	require.NoError(t, err)
	require.Equal(t, domain.RecalculationCanceled, at.State)
	require.Equal(t, "0 decisions, 2 events", c.written())
	ended, err := c.Store.LongRuns.EndRecalculation(t.Context(), run)
	require.NoError(t, err)
	require.Equal(t, at, ended)
	require.Equal(t, domain.RecalculationCounts{Changed: 1}, c.recalculate(false))
}

// TestRecalculation_PassesALockedWorkflow when the lock stays: it has its turn in the next recalculation.
func TestRecalculation_PassesALockedWorkflow(t *testing.T) {
	c := toRecalculate(t)
	c.publish("true")
	c.open(domain.Business{})
	tx, err := c.Pool().Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }() // otherwise the pool does not close
	_, err = tx.Exec(t.Context(), `SELECT FROM workflow WHERE id = $1 FOR UPDATE`, c.Workflow.ID)
	require.NoError(t, err)
	brief := server.Open(t, pgtest.As(c.URL, pgtest.Serving), nil, store.Options{Now: c.Now, Connections: db.Connections{Lock: 20 * time.Millisecond}})
	*c.activities = *activities.New(brief, engine.New(brief.Versions, cacheBytes))
	require.Equal(t, domain.RecalculationCounts{Changed: 1, NotEvaluable: 1}, c.recalculate(false))
	require.NoError(t, tx.Rollback(t.Context()))
	require.Equal(t, domain.RecalculationCounts{Changed: 1, Unchanged: 1}, c.recalculate(false))
}
