package ruleset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/store"
)

// explainedApplication is the decision that the documents of a workflow follow, and what the rules
// would say today.
type explainedApplication struct {
	workflow domain.WorkflowOnRecord
	// inForce is the version that a calculation would use now. It is nil without one, and once the
	// workflow has ended.
	inForce *calculation.Publication
	// decided is nil without a calculation on record.
	decided *decision.Recorded
	// refused is a later calculation that decided nothing.
	refused *decision.Recorded
	// then explains decided; nil once its facts were erased.
	then *RecordedExplainer
	now  *explainer // nil unless asked for
	// thenLacks and nowLacks say that one of both has no such document.
	thenLacks, nowLacks *noDocumentError
}

func (f explainOptions) explain(ctx context.Context, out io.Writer, st *store.Store, workflow string) (*explainedApplication, error) {
	var workflowID id.WorkflowID
	if err := workflowID.Parse(workflow); err != nil {
		return nil, err
	}
	scope, err := st.WorkflowScope(ctx, workflowID)
	if err != nil {
		return nil, err
	}
	e := &explainedApplication{}
	records := st.Records(scope)
	onRecord, err := records.WorkflowWithFindings(ctx, workflowID)
	if err != nil {
		return nil, err
	}
	e.workflow = onRecord.WorkflowOnRecord
	if err := e.findDecided(ctx, records, workflowID); err != nil {
		return nil, err
	}
	if e.decided != nil && e.decided.OnFile != nil {
		e.then, err = ExplainRecorded(ctx, st, scope, *e.decided, f.document, f.all)
		if err != nil && !errors.As(err, &e.thenLacks) {
			return nil, err
		}
	}
	if w := e.workflow; w.State != domain.Ended && w.RuleSetID.Valid {
		found, err := records.RuleSet(ctx, scope.Environment.Account(w.AccountID), id.RuleSetVersionID{UUID: w.RuleSetID.UUID})
		if err != nil {
			return nil, err
		}
		e.inForce = &found.Publication
	}
	if f.now || f.file != "" || f.given != "" || e.decided == nil && e.workflow.State != domain.Ended {
		w, snapshot, err := st.Snapshot(ctx, scope, workflowID)
		if err != nil {
			return nil, err
		}
		e.now, err = currentExplainer(ctx, out, st, w, snapshot, f)
		if err != nil && !errors.As(err, &e.nowLacks) {
			return nil, err
		}
	}
	if (e.then == nil || e.thenLacks != nil) && e.nowLacks != nil {
		return nil, e.nowLacks
	}
	if e.now == nil && e.thenLacks != nil {
		return nil, e.thenLacks
	}
	return e, nil
}

// findDecided finds the last calculation that decided and a refusal since then, or else the last
// refusal.
func (e *explainedApplication) findDecided(ctx context.Context, records *store.Records, workflowID id.WorkflowID) (err error) {
	if e.decided, err = records.LastCalculated(ctx, workflowID, 0); err != nil {
		return err
	}
	newest, _, err := records.Decisions(ctx, workflowID, decision.Calculation, nil, domain.Page{Limit: 1})
	switch {
	case err != nil || len(newest) == 0 || e.decided != nil && newest[0].ID == e.decided.ID:
		return err
	case e.decided != nil:
		e.refused = &newest[0]
		return nil
	}
	whole, err := records.Decision(ctx, newest[0].ID)
	e.decided = &whole
	return err
}

// by names the version that decided.
func (e *explainedApplication) by() string {
	switch v := e.decided.RuleSet; {
	case v == nil:
		return "without rules"
	case e.then == nil || e.then.Gone:
		return "by version " + v.ID.String()
	}
	return "by " + e.then.source.String()
}

func (e *explainedApplication) text(ctx context.Context, out io.Writer) error {
	w := e.workflow
	fmt.Fprintf(out, "Workflow %s (%s)\n", w.WireID(), w.State)
	if d := e.decided; d == nil {
		fmt.Fprintln(out, "No calculation of its documents is on record.")
	} else {
		fmt.Fprintf(out, "Decided %s %s: %s, decision %s (number %d), ages counted on %s\n",
			d.DecidedAt.UTC().Format(time.RFC3339), e.by(), d.Outcome, d.ID, d.Number, d.AsOf)
		e.since(out)
		if err := e.decision(ctx, out); err != nil {
			return err
		}
	}
	if e.now == nil {
		return nil
	}
	fmt.Fprintf(out, "\nToday, ages counted on %s\n", e.now.facts.used.AsOf)
	if e.nowLacks != nil {
		fmt.Fprintf(out, "Rules: %s\n\n%v\n", e.now.source, e.nowLacks)
		return nil
	}
	return e.now.text(ctx, out)
}

// since says what has happened since the decision.
func (e *explainedApplication) since(out io.Writer) {
	if r := e.refused; r != nil {
		fmt.Fprintf(out, "A calculation %s decided nothing: %s, decision %s\n", r.DecidedAt.UTC().Format(time.RFC3339), r.Outcome, r.ID)
	}
	switch {
	case e.workflow.State == domain.Ended:
		fmt.Fprintln(out, "The workflow has ended: that decision stands.")
	case e.inForce != nil && (e.decided.RuleSet == nil || e.decided.RuleSet.ID != e.inForce.WireID()):
		hint := "; --now shows what it would say"
		if e.now != nil {
			hint = ""
		}
		fmt.Fprintf(out, "In force now is %s%s.\n", versionText(*e.inForce), hint)
	case e.workflow.DocumentsStale != nil && *e.workflow.DocumentsStale:
		fmt.Fprintln(out, "Facts have changed since; --now shows what the rules say of them.")
	}
}

func (e *explainedApplication) decision(ctx context.Context, out io.Writer) error {
	switch {
	case e.then == nil:
		fmt.Fprintf(out, "Its facts and reasons were erased. \"starter decision show %s\" shows what is left.\n", e.decided.ID)
		return nil
	case e.then.Gone:
		fmt.Fprintf(out, "That version is not stored any more. \"starter decision show %s\" shows the results as recorded.\n", e.decided.ID)
		return nil
	case e.thenLacks != nil:
		fmt.Fprintf(out, "\n%v\n", e.thenLacks)
		return nil
	}
	if err := e.then.Text(ctx, out); err != nil {
		return err
	}
	if e.then.Differs {
		fmt.Fprintf(out, "\nThis program evaluates the rules otherwise than was decided. \"starter decision show %s\" shows the results as recorded.\n", e.decided.ID)
	}
	return nil
}

// explainedDecision is the head of `decided` in what --json prints.
type explainedDecision struct {
	DecisionID id.DecisionID `json:"decision_id"`
	Number     int64         `json:"number"`
	DecidedAt  string        `json:"decided_at"`
	Outcome    string        `json:"outcome"`
	AsOf       fact.Date     `json:"as_of"`
	// RuleVersionID is the version that was used. Rule_set has its number while it is stored.
	RuleVersionID id.RuleSetVersionID `json:"rule_version_id,omitzero"`
	Erased        bool                `json:"erased,omitempty"`
	// RulesGone and Differs come from RecordedExplainer.
	RulesGone bool `json:"rules_gone,omitempty"`
	Differs   bool `json:"differs,omitempty"`
	// RefusedSince is a later calculation that decided nothing.
	RefusedSince id.DecisionID `json:"refused_since,omitzero"`
}

func (e *explainedApplication) json(ctx context.Context, out io.Writer) error {
	head, err := plainJSON(struct {
		WorkflowID id.WorkflowID `json:"workflow_id"`
		State      domain.State  `json:"state"`
		Stale      *bool         `json:"documents_stale"`
	}{e.workflow.WireID(), e.workflow.State, e.workflow.DocumentsStale})
	if err != nil {
		return err
	}
	fmt.Fprint(out, head[:len(head)-1])
	if d := e.decided; d != nil {
		shown := explainedDecision{DecisionID: d.ID, Number: d.Number, DecidedAt: decision.Time(d.DecidedAt), Outcome: string(d.Outcome), AsOf: d.AsOf, Erased: d.Erased()}
		if d.RuleSet != nil {
			shown.RuleVersionID = d.RuleSet.ID
		}
		if e.refused != nil {
			shown.RefusedSince = e.refused.ID
		}
		fmt.Fprint(out, ",\n\"decided\": ")
		if e.then == nil {
			text, err := plainJSON(shown)
			if err != nil {
				return err
			}
			fmt.Fprint(out, text)
		} else {
			shown.RulesGone, shown.Differs = e.then.Gone, e.then.Differs
			if err := e.then.JSON(ctx, out, shown); err != nil {
				return err
			}
		}
	}
	if e.now != nil {
		fmt.Fprint(out, ",\n\"now\": ")
		if err := e.now.json(ctx, out, struct {
			AsOf *fact.Date `json:"as_of"`
		}{&e.now.facts.used.AsOf}); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(out, "}")
	return err
}
