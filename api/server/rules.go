package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/author"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/engine"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/internal/store"
)

// RuleSetRequest is a rule set for an account. The request's check includes the rules, so
// that a caller gets all problems together.
type RuleSetRequest struct {
	AccountRequest
	Rules   wire.Raw `json:"rules" doc:"A rule set; see the guide to rules."`
	checked engine.Checked
}

// checkOn returns the problems of the rule set, in its form, in its conditions and in its examples.
// It waits for a slot.
func (in *RuleSetRequest) checkOn(ctx context.Context, s *Server, c *caller) ([]refusal.Field, error) {
	today, err := s.store.Records(c.call.Scope).Tenants.Today(ctx, in.AccountID)
	if refused := (*refusal.Refusal)(nil); errors.As(err, &refused) {
		today = author.Today() // the operation refuses the account, after all problems of the request
	} else if err != nil {
		return nil, err
	}
	fields, err := in.checkDraft(ctx, s, c, today)
	var failing []requirement.Problem
	for _, f := range in.checked.Failing {
		failing = append(failing, f.Problem())
	}
	for _, p := range rulefile.FirstProblems(failing) {
		fields = append(fields, refusal.At(rulesPath(p.Path), refusal.InvalidRule, "%s", p.Message))
	}
	return fields, err
}

// checkKeeping is checkOn with the problem of keep_approvals: rules cannot keep approvals of documents
// that they do not require.
func (in *RuleSetRequest) checkKeeping(ctx context.Context, s *Server, c *caller, codes []string) ([]refusal.Field, error) {
	fields, err := in.checkOn(ctx, s, c)
	if err != nil || in.checked.Program == nil {
		return fields, err
	}
	if at, problem := document.UnknownKept(codes, in.checked.Program.Rules()); at >= 0 {
		fields = append(fields, problem.At(fmt.Sprintf("keep_approvals[%d]", at)))
	}
	return fields, nil
}

// checkDraft is checkOn for a preview, in which examples may fail.
func (in *RuleSetRequest) checkDraft(ctx context.Context, s *Server, c *caller, today fact.Date) (_ []refusal.Field, err error) {
	if len(in.Rules) == 0 {
		return nil, nil // the schema reports that an object is required
	}
	if in.checked, err = s.rules.Check(ctx, c.call.Scope, s.slotPatience, today, in.Rules); err != nil {
		return nil, err
	}
	var fields []refusal.Field
	unread := map[string]bool{}
	for _, p := range in.checked.Unread {
		fields = append(fields, refusal.At(rulesPath(p.Path), refusal.InvalidRule, "%s", p.Message)) // the path is in the field's name
		unread[p.Path] = true
	}
	for _, p := range in.checked.Problems {
		if !unread[p.Path] { // a value that could not be read may cause misleading further problems
			fields = append(fields, refusal.At(rulesPath(p.Path), refusal.InvalidRule, "%s", problemText(p)))
		}
	}
	return fields, nil
}

func rulesPath(path string) string {
	if path == "" {
		return "rules"
	}
	return "rules." + path
}

type rulesValidateRequest struct {
	RuleSetRequest
}

type rulesChecked struct {
	Facts    []string       `json:"facts" nullable:"false" doc:"The facts that the rules need. One with a default is among them only if it has an asked_when."`
	Warnings []rulesWarning `json:"warnings" nullable:"false"`
}

type rulesWarning struct {
	Path     string               `json:"path"`
	Message  string               `json:"message"`
	Severity requirement.Severity `json:"severity" doc:"WARNING: probably not what was meant. HINT: advice, such as a rule that no example tries."`
}

// warnings returns warnings of parts of the rule set that are allowed but probably mistakes.
func (in *RuleSetRequest) warnings() []rulesWarning {
	found := []rulesWarning{}
	for _, w := range in.checked.Warnings {
		found = append(found, rulesWarning{rulesPath(w.Path), problemText(w), w.Severity})
	}
	return found
}

func rulesValidate(ctx context.Context, s *Server, c *caller, in *rulesValidateRequest) (wire.Reply, error) {
	r := s.store.Records(c.call.Scope)
	if _, err := r.Tenants.Today(ctx, in.AccountID); err != nil {
		return wire.Reply{}, err
	}
	if err := r.Facts.Check(ctx, in.AccountID, in.checked.Content); err != nil {
		return wire.Reply{}, err
	}
	return wire.Reply{Data: rulesChecked{append([]string{}, in.checked.Program.FactNamesWithoutDefault()...), in.warnings()}}, nil
}

type rulesPublishRequest struct {
	RuleSetRequest
	ForceField
	Comment wire.Optional[string] `json:"comment,omitempty" maxLength:"1000"`
}

func (in *rulesPublishRequest) checkOn(ctx context.Context, s *Server, c *caller) ([]refusal.Field, error) {
	return in.checkKeeping(ctx, s, c, in.KeepApprovals)
}

// ForceField says when rules come into force. It is exported for the schema, as AccountRequest is.
type ForceField struct {
	EffectiveFrom *fact.Date             `json:"effective_from,omitempty" format:"date" doc:"The first day on which the rules are in force, in the account's time zone; today, or left out, is at once. They replace coming versions that would be in force no earlier and for no more workflows."`
	AppliesTo     *calculation.AppliesTo `json:"applies_to,omitempty" doc:"ALL when left out. NEW: only workflows that are created from then on."`
	KeepApprovals []string               `json:"keep_approvals,omitempty" nullable:"false" minItems:"1" maxItems:"1000" doc:"The document type codes whose approvals hold although their text changes; [\"*\"] is all."`
}

func (in ForceField) force() calculation.Validity {
	force := calculation.Validity{AppliesTo: calculation.AppliesToAll, KeepApprovals: in.KeepApprovals}
	if in.EffectiveFrom != nil {
		from := in.EffectiveFrom.String()
		force.EffectiveFrom = &from
	}
	if in.AppliesTo != nil {
		force.AppliesTo = *in.AppliesTo
	}
	return force
}

type rulesPublished struct {
	VersionID id.RuleSetVersionID `json:"version_id"`
	Version   int                 `json:"version"`
	Changed   bool                `json:"changed" doc:"False when the newest version says the same, from the same day and for the same workflows: no new version was made."`

	Warnings []rulesWarning `json:"warnings" nullable:"false" doc:"As account.documentRules.validate answers them."`
}

func rulesPublish(ctx context.Context, r *store.Records, in *rulesPublishRequest) (rulesPublished, []refusal.Warning, error) {
	draft := calculation.NewDraft(in.checked.Content)
	draft.Comment, draft.Validity = in.Comment.Value, in.force()
	p, err := r.Rules.Publish(ctx, in.AccountID, draft)
	return rulesPublished{p.WireID(), p.Version, p.Changed, in.warnings()}, p.Warnings(), err
}

type rulesGetRequest struct {
	AccountRequest
	VersionID id.RuleSetVersionID `json:"version_id,omitzero"`
}

type RulesVersion struct {
	VersionID   id.RuleSetVersionID `json:"version_id"`
	Version     int                 `json:"version"`
	Comment     *string             `json:"comment"`
	PublishedAt wire.DateTime       `json:"published_at"`
	PublishedBy string              `json:"published_by"`

	EffectiveFrom *string                  `json:"effective_from,omitempty" format:"date" doc:"The first day in force, in the account's time zone. Absent: from published_at on."`
	AppliesTo     calculation.AppliesTo    `json:"applies_to"`
	KeepApprovals []string                 `json:"keep_approvals" nullable:"false"`
	State         calculation.VersionState `json:"state" doc:"IN_FORCE: for some workflows that have not ended, or for those that will be created. A version for NEW ones leaves the one before it in force for the others. REPLACED: no workflow that has not ended could have it."`

	ApprovedBy      *string        `json:"approved_by,omitempty" doc:"The second person. published_by is who proposed the rules, and comment is what the approver said. Absent, as the next four, where one person published."`
	ApprovedByType  *string        `json:"approved_by_type,omitempty"`
	ProposedByType  *string        `json:"proposed_by_type,omitempty"`
	ProposedAt      *wire.DateTime `json:"proposed_at,omitempty"`
	ProposalComment *string        `json:"proposal_comment,omitempty"`
}

func versionView(v store.RulesVersion) RulesVersion {
	return RulesVersion{
		v.WireID(), v.Version, v.Comment, wire.DateTime(v.PublishedAt), v.PublishedBy,
		v.EffectiveFrom, v.AppliesTo, append([]string{}, v.KeepApprovals...), v.State,
		v.ApprovedBy, v.ApprovedByType, v.ProposedByType, (*wire.DateTime)(v.ProposedAt), v.ProposalComment,
	}
}

type rulesData struct {
	RulesVersion
	Rules json.RawMessage `json:"rules"`
}

func rulesGet(ctx context.Context, r *store.Records, in *rulesGetRequest) (rulesData, error) {
	p, err := r.Rules.Version(ctx, in.AccountID, in.VersionID)
	return rulesData{versionView(p), json.RawMessage(p.Content)}, err
}

type rulesListRequest struct {
	AccountRequest
	Page page `json:"page,omitempty"`
}

func (in *rulesListRequest) check() []refusal.Field { return checkAfter[id.RuleSetVersionID](in.Page) }

type rulesListData struct {
	Versions []RulesVersion `json:"versions" nullable:"false"`
	Next     *string        `json:"next" doc:"Pass it as page.after for the next page; null on the last one."`
}

func rulesList(ctx context.Context, r *store.Records, in *rulesListRequest) (rulesListData, error) {
	found, next, err := r.Rules.List(ctx, in.AccountID, in.Page.page())
	data := rulesListData{Versions: []RulesVersion{}, Next: orNull(next)}
	for _, p := range found {
		data.Versions = append(data.Versions, versionView(p))
	}
	return data, err
}

// problemText adds the line and column in a condition. The field's name contains the
// path in the rule set.
func problemText(p requirement.Problem) string {
	if p.Line == 0 || !strings.HasSuffix(p.Path, ".when") {
		return p.Message
	}
	return fmt.Sprintf("Line %d, column %d: %s", p.Line, p.Column, p.Message)
}
