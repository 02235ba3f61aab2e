package server

import (
	"context"
	"time"

	"requisite/internal/decision"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/store"
)

type decisionListRequest struct {
	WorkflowRequest
	Filters struct {
		Kind  decision.Kind  `json:"kind,omitempty"`
		Since *wire.DateTime `json:"since,omitempty" doc:"Only decisions made then or later."`
	} `json:"filters,omitempty"`
	Page page `json:"page,omitempty"`
}

func (in *decisionListRequest) check() []refusal.Field { return checkAfter[id.DecisionID](in.Page) }

type decisionListData struct {
	Decisions []ListedDecision `json:"decisions" nullable:"false"`
	Next      *string          `json:"next" doc:"Pass it as page.after for the next page; null on the last one."`
}

// ListedDecision is a decision without its facts and results.
type ListedDecision struct {
	DecisionID       id.DecisionID       `json:"decision_id"`
	WorkflowID       id.WorkflowID       `json:"workflow_id"`
	Number           int64               `json:"number" doc:"From 1, without gaps in the workflow."`
	Kind             decision.Kind       `json:"kind"`
	Outcome          decision.Outcome    `json:"outcome" doc:"What became of it, or the code of the refusal."`
	DecidedAt        wire.DateTime       `json:"decided_at"`
	AsOf             fact.Date           `json:"as_of" format:"date" doc:"The account's local date, by which ages were counted."`
	SandboxToday     bool                `json:"sandbox_today,omitempty" doc:"Whether as_of is the X-Sandbox-Today of a call; absent otherwise. Never in live."`
	DecidedBy        decidedBy           `json:"decided_by"`
	TraceID          string              `json:"trace_id"`
	RuleVersionID    id.RuleSetVersionID `json:"rule_version_id,omitzero" doc:"The version of the account's rules that was used."`
	PricingVersionID id.RuleSetVersionID `json:"pricing_version_id,omitzero" doc:"The version of the account's pricing model that was used."`
	Erased           bool                `json:"erased" doc:"Whether the personal data was erased: facts and reasons are gone."`
	Digest           string              `json:"digest"`
	PreviousDigest   string              `json:"previous_digest" doc:"The digest of the decision before; empty of the first."`
}

type decidedBy struct {
	UserID   string `json:"user_id" doc:"The name of the credential, or SYSTEM for the operator."`
	UserType string `json:"user_type"`
}

func listed(d decision.Recorded) ListedDecision {
	shown := ListedDecision{
		DecisionID: d.ID, WorkflowID: d.WorkflowID, Number: d.Number, Kind: d.Kind, Outcome: d.Outcome, DecidedAt: wire.DateTime(d.DecidedAt),
		AsOf: d.AsOf, SandboxToday: d.SandboxToday, DecidedBy: decidedBy{d.UserID, d.UserType}, TraceID: d.TraceID, Erased: d.Erased(),
		Digest: decision.Hex(d.Digest), PreviousDigest: decision.Hex(d.PreviousDigest),
	}
	if d.RuleSet != nil {
		shown.RuleVersionID = d.RuleSet.ID
	}
	if d.PricingModel != nil {
		shown.PricingVersionID = d.PricingModel.ID
	}
	return shown
}

func decisionList(ctx context.Context, r *store.Records, in *decisionListRequest) (decisionListData, error) {
	found, next, err := r.Decisions.List(ctx, in.WorkflowID, in.Filters.Kind, (*time.Time)(in.Filters.Since), in.Page.page())
	data := decisionListData{Decisions: []ListedDecision{}}
	for _, d := range found {
		data.Decisions = append(data.Decisions, listed(d))
	}
	if next != "" {
		data.Next = &next
	}
	return data, err
}

type decisionRequest struct {
	DecisionID id.DecisionID `json:"decision_id"`
}

type decisionData struct {
	ListedDecision
	Facts   *decision.Facts       `json:"facts,omitempty" doc:"Everything on file then. Absent once erased."`
	Results []decision.RuleResult `json:"results,omitempty" nullable:"false" doc:"What each rule gave: for each entity where it holds, and once where it holds for nobody."`
	decision.DocumentChanges
	Findings        []calculation.FindingRef      `json:"findings,omitempty" nullable:"false" doc:"Of a CALCULATION: all that it found."`
	Document        *calculation.DocumentMove     `json:"document,omitempty" doc:"Of an UPDATED or WAIVED document: what was moved."`
	Created         *calculation.DocumentAdded    `json:"created,omitempty" doc:"Of a CREATED document."`
	Expired         []calculation.DocumentExpired `json:"expired,omitempty" nullable:"false" doc:"Of an EXPIRED decision, which no caller asked for: whose approvals have lapsed."`
	Statement       *decision.Statement           `json:"statement,omitempty" doc:"What was stated about the document, and what was approved. Absent once erased."`
	EvaluationScore *rational.Number              `json:"evaluation_score,omitempty" doc:"Of a PRICING."`
	Gaps            []fact.Gap                    `json:"gaps,omitempty" nullable:"false" doc:"What was missing."`
	Error           *decision.RuleError           `json:"error,omitempty" doc:"Why a rule had no answer."`
}

func decisionGet(ctx context.Context, r *store.Records, in *decisionRequest) (decisionData, error) {
	d, err := r.Decisions.Get(ctx, in.DecisionID)
	if err != nil {
		return decisionData{}, err
	}
	return DecisionData(d), nil
}

// DecisionData is a decision as workflow.decision.get answers it.
func DecisionData(d decision.Recorded) decisionData {
	data := decisionData{
		ListedDecision: listed(d), Results: d.Evaluated, DocumentChanges: d.Changed.DocumentChanges, Findings: d.Changed.Findings,
		Document: d.Changed.Document, Created: d.Changed.Created, Expired: d.Changed.Expired, EvaluationScore: d.Changed.Score,
	}
	if d.OnFile != nil {
		data.Facts, data.Gaps, data.Error = &d.OnFile.Facts, d.OnFile.Gaps, d.OnFile.Error
		data.Statement = d.OnFile.Statement
	}
	return data
}
