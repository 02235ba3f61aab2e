package decisions

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/view"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/text/visible"
	"requisite/starter/ruleset"
)

// builder reads everything that a shown decision contains, as it was at the time of the decision. Only
// external_id and the account's name are those of today.
type builder struct {
	store   *store.Store
	scope   domain.Scope
	records *store.Records
	decision.Recorded
	shown *shownDecision

	// reasons is the calculation that says why documents are required: this one, or the last one before
	// a change of status. It is nil if there is none.
	reasons *decision.Recorded
	// before is the calculation before this one. It is read only if this one removed documents.
	before           *decision.Recorded
	rules, oldRules  ruleTexts // of reasons and before
	declared         []fact.Declaration
	identities       map[requirement.Entity]requirement.Identity
	found            map[ruleKey]decision.RuleResult // of reasons
	reviews, demands map[string]decision.Stated      // by required document
	carried          map[string]id.DecisionID        // by required document
}

// ruleKey names a result of a rule: for an entity, or without entity ID for nobody.
type ruleKey struct{ code, entityType, entityID string }

// ruleTexts are the rules of a version.
type ruleTexts map[requirement.RuleKey]requirement.Rule

// findDecision finds a decision by its id, or the last calculation of a workflow by the workflow's id.
func findDecision(ctx context.Context, st *store.Store, text string) (*builder, error) {
	var decisionID id.DecisionID
	if strings.HasPrefix(text, string(id.Workflow)) {
		last, err := lastCalculation(ctx, st, text)
		if err != nil {
			return nil, err
		}
		decisionID = last
	} else if err := decisionID.Parse(text); err != nil {
		return nil, err
	}
	scope, err := st.Scopes.Decision(ctx, decisionID)
	if err != nil {
		return nil, err
	}
	b := &builder{store: st, scope: scope, records: st.Records(scope)}
	b.Recorded, err = b.records.Decisions.Get(ctx, decisionID)
	return b, err
}

func lastCalculation(ctx context.Context, st *store.Store, workflow string) (last id.DecisionID, err error) {
	var workflowID id.WorkflowID
	if err := workflowID.Parse(workflow); err != nil {
		return last, err
	}
	scope, err := st.Scopes.Workflow(ctx, workflowID)
	if err != nil {
		return last, err
	}
	found, _, err := st.Records(scope).Decisions.List(ctx, workflowID, decision.Calculation, nil, domain.Page{Limit: 1})
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("no calculation of the documents of workflow %s is on record", workflowID)
	}
	if err != nil {
		return last, err
	}
	return found[0].ID, nil
}

// build makes the shown decision, with the documents and findings of a code, or with all if code is empty.
func (b *builder) build(ctx context.Context, code string) (*shownDecision, error) {
	b.shown = &shownDecision{
		DecisionID: b.ID, Number: b.Number, Kind: b.Kind, Outcome: b.Outcome, DecidedAt: moment(b.DecidedAt), AsOf: b.AsOf,
		DecidedBy: domain.Actor{UserID: b.UserID, UserType: b.UserType}, TraceID: b.TraceID, EvaluationScore: b.Changed.Score,
	}
	for _, step := range []func(context.Context) error{b.application, b.digests, b.erasure, b.findReasons, b.versions, b.stated} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	b.index()
	if err := b.facts(); err != nil {
		return nil, err
	}
	if err := b.documents(ctx); err != nil {
		return nil, err
	}
	b.results()
	b.refusal()
	b.shown.Summary = b.shown.summary()
	return b.shown, b.only(code)
}

func (b *builder) application(ctx context.Context) error {
	w, err := b.records.Workflows.Get(ctx, b.WorkflowID)
	if err != nil {
		return err
	}
	account, err := b.records.Tenants.Get(ctx, b.scope.Environment.Account(w.AccountID))
	if err != nil {
		return err
	}
	a := &b.shown.Application
	a.WorkflowID, a.BusinessID, a.AccountID, a.AccountName, a.TimeZone = b.WorkflowID, b.BusinessID, account.WireID(), account.Name, account.TimeZone
	if w.ExternalID != nil {
		a.ExternalID = *w.ExternalID
	}
	if b.OnFile != nil {
		a.BusinessName = b.OnFile.Facts.Business.LegalName
	}
	b.shown.Verify = verifyCommands(b.WorkflowID, account)
	return nil
}

func (b *builder) digests(ctx context.Context) error {
	d := &b.shown.Digests
	d.Digest, d.PreviousDigest, d.PersonalSHA256 = decision.Hex(b.Digest), decision.Hex(b.PreviousDigest), decision.Hex(b.PersonalSHA256)
	if v := b.RuleSet; v != nil {
		d.RulesSHA256 = decision.Hex(v.SHA256)
	}
	if v := b.PricingModel; v != nil {
		d.PricingSHA256 = decision.Hex(v.SHA256)
	}
	return nil
}

// erasure finds the last decision that erased this one.
func (b *builder) erasure(ctx context.Context) error {
	if !b.Erased() {
		return nil
	}
	b.shown.Erasure = &erasure{}
	found, _, err := b.records.Decisions.List(ctx, b.WorkflowID, decision.Erasure, nil, domain.Page{Limit: 1})
	if err == nil && len(found) > 0 {
		*b.shown.Erasure = erasure{found[0].ID, moment(found[0].DecidedAt)}
	}
	return err
}

// findReasons finds the calculations that say why documents are, or were, required.
func (b *builder) findReasons(ctx context.Context) (err error) {
	calculated := b.Kind == decision.Calculation && b.Outcome == decision.Calculated
	switch {
	case calculated:
		b.reasons = &b.Recorded
		if len(b.Changed.Removed) > 0 {
			b.before, err = b.records.Decisions.LastCalculated(ctx, b.WorkflowID, b.Number)
		}
	case b.Kind == decision.DocumentStatus:
		b.reasons, err = b.records.Decisions.LastCalculated(ctx, b.WorkflowID, b.Number)
	}
	return err
}

// versions finds the rules and the prices that the decision used.
func (b *builder) versions(ctx context.Context) (err error) {
	used := b.RuleSet
	if used == nil && b.reasons != nil {
		used = b.reasons.RuleSet
	}
	var set requirement.RuleSet
	if b.shown.Rules, set, err = b.ruleSet(ctx, used); err != nil {
		return err
	}
	b.rules, b.declared = textsOf(set), set.Facts
	if b.shown.Rules != nil && b.RuleSet == nil {
		b.shown.Rules.UsedBy = b.reasons.ID
	}
	if b.before != nil {
		_, old, err := b.ruleSet(ctx, b.before.RuleSet)
		if err != nil {
			return err
		}
		b.oldRules = textsOf(old)
	}
	if v := b.PricingModel; v != nil && b.Kind == decision.Pricing {
		found, shown, err := findVersion(v, decision.OfPrices, func() (calculation.Publication, error) {
			return b.store.Versions.PricingModelByID(ctx, b.scope, v.ID.UUID)
		})
		if err != nil {
			return err
		}
		b.shown.Pricing = shown
		if found.Content == "" {
			return nil
		}
		model, problems := requirement.ParsePricingModelJSON([]byte(found.Content))
		if len(problems) > 0 {
			return fmt.Errorf("pricing model %s cannot be read: %s", v.ID, problems[0].Message)
		}
		shown.Base, b.declared = &model.Base, model.Facts
	}
	return nil
}

func (b *builder) ruleSet(ctx context.Context, used *decision.Version) (*shownVersion, requirement.RuleSet, error) {
	var set requirement.RuleSet
	if used == nil {
		return nil, set, nil
	}
	found, shown, err := findVersion(used, decision.OfRules, func() (calculation.Publication, error) {
		return b.store.Versions.RuleSetByID(ctx, b.scope, used.ID.UUID)
	})
	if err != nil || found.Content == "" {
		return shown, set, err
	}
	set, problems := requirement.ParseRuleSetJSON([]byte(found.Content))
	if len(problems) > 0 {
		return nil, set, fmt.Errorf("rule set %s cannot be read: %s", used.ID, problems[0].Message)
	}
	return shown, set, nil
}

func textsOf(set requirement.RuleSet) ruleTexts {
	texts := ruleTexts{}
	for _, rule := range set.Rules() {
		texts[rule.RuleKey] = rule
	}
	return texts
}

// findVersion reads the version that a decision used, and says whether it has changed since.
func findVersion(
	used *decision.Version, hashed hashedForm, find func() (calculation.Publication, error),
) (calculation.Publication, *shownVersion, error) {
	shown := &shownVersion{VersionID: used.ID, SHA256: decision.Hex(used.SHA256)}
	found, err := find()
	if errors.Is(err, calculation.ErrNoVersion) {
		return calculation.Publication{}, shown, nil
	}
	if err != nil {
		return found, nil, err
	}
	shown.Version, shown.history = found.Version, ruleset.PublicationTexts(found)
	shown.Changed = !bytes.Equal(hashed(found).Hash(), used.SHA256)
	return found, shown, nil
}

// stated finds the statements by hand about the documents up to the decision. They are from this
// application, or from the one whose approvals it took over.
func (b *builder) stated(ctx context.Context) error {
	b.reviews, b.demands, b.carried = map[string]decision.Stated{}, map[string]decision.Stated{}, map[string]id.DecisionID{}
	if b.Kind != decision.Calculation && b.Kind != decision.DocumentStatus {
		return nil
	}
	carried, err := b.records.Decisions.CarriedInto(ctx, b.WorkflowID, b.Number)
	if err != nil {
		return err
	}
	for _, ref := range carried {
		var from id.DecisionID
		if err := from.Parse(ref.FromDecisionID); err != nil {
			return err
		}
		b.carried[ref.RequiredDocumentID] = from
		approved, err := b.records.Decisions.Get(ctx, from)
		if _, gone := refusal.FromError(err); gone { // pruned
			continue
		}
		if err != nil {
			return err
		}
		if stated := approved.Stated(); stated != nil {
			b.reviews[ref.RequiredDocumentID] = *stated
		}
	}
	found, err := b.records.Decisions.Stated(ctx, b.WorkflowID, b.Number)
	for _, s := range found {
		of := b.reviews
		if s.Outcome == decision.Created {
			of = b.demands
		} else { // this statement replaces the approval that was taken over
			delete(b.carried, s.RequiredDocumentID.String())
		}
		of[s.RequiredDocumentID.String()] = s
	}
	return err
}

// index makes maps of identities and results, because there may be many thousands.
func (b *builder) index() {
	b.identities, b.found = map[requirement.Entity]requirement.Identity{}, map[ruleKey]decision.RuleResult{}
	// Later identities replace earlier ones, so those of this decision count.
	for _, seen := range []*decision.Recorded{b.before, b.reasons, &b.Recorded} {
		if seen == nil || seen.OnFile == nil {
			continue
		}
		f := seen.OnFile.Facts
		maps.Copy(b.identities, f.Identities())
		if f.Business.SalesInfo != nil {
			sales := requirement.Entity{Type: refusal.EntitySalesInfo, ID: f.Business.SalesInfo.SalesInfoID.String()}
			b.identities[sales] = requirement.Identity{LegalName: f.Business.LegalName}
		}
	}
	if b.reasons != nil {
		for _, r := range b.reasons.Evaluated {
			if r.FindingCode == "" {
				b.found[ruleKey{r.DocumentTypeCode, r.EntityType, r.EntityID}] = r
			}
		}
	}
}

// ref names an entity as the decision saw it, or else as the calculation in reasons or before saw it.
func (b *builder) ref(entityType, entityID string) shownRef {
	return shownRef{entityType, entityID, b.identities[requirement.Entity{Type: entityType, ID: entityID}].Name()}
}

// documents adds the documents that the decision is about.
func (b *builder) documents(ctx context.Context) error {
	c := b.Changed
	more := map[string][]string{}
	for _, of := range []struct {
		change string
		refs   []calculation.DocumentRef
	}{{changeReopened, c.Reopened}, {changeReinstated, c.Reinstated}} {
		for _, ref := range of.refs {
			more[ref.RequiredDocumentID] = append(more[ref.RequiredDocumentID], of.change)
		}
	}
	for _, ref := range c.Carried {
		more[ref.RequiredDocumentID] = append(more[ref.RequiredDocumentID], changeCarried)
	}
	for _, of := range []struct {
		change string
		refs   []calculation.DocumentRef
	}{{changeAdded, c.Added}, {changeKept, c.Kept}, {changeRestored, c.Restored}, {changeRemoved, c.Removed}} {
		for _, ref := range of.refs {
			d := b.document(ref.NamedDocument, append([]string{of.change}, more[ref.RequiredDocumentID]...)...)
			d.StatusCause = ref.StatusCause
			b.shown.Documents = append(b.shown.Documents, d)
		}
	}
	if made := c.Created; made != nil {
		d := b.document(made.NamedDocument, string(b.Outcome))
		d.DueOn = made.DueOn
		b.shown.Documents = append(b.shown.Documents, d)
	}
	if c.Document != nil {
		if err := b.moved(ctx, *c.Document, string(b.Outcome)); err != nil {
			return err
		}
	}
	for _, e := range c.Expired {
		move := calculation.DocumentMove{
			RequiredDocumentID: e.RequiredDocumentID,
			DocumentTypeCode:   e.DocumentTypeCode,
			Status:             e.Status,
			PreviousStatus:     e.PreviousStatus,
			DueOn:              e.DueOn,
			ValidUntil:         e.ValidUntil,
		}
		if err := b.moved(ctx, move, string(e.StatusReason)); err != nil {
			return err
		}
	}
	return nil
}

// moved adds a document whose status has changed without a calculation.
func (b *builder) moved(ctx context.Context, move calculation.DocumentMove, change string) error {
	onRecord, err := b.records.Documents.Get(ctx, move.RequiredDocumentID)
	if err != nil {
		return err
	}
	ref := calculation.NamedDocument{
		RequiredDocumentID: onRecord.ID, DocumentTypeCode: move.DocumentTypeCode, EntityType: onRecord.EntityType, EntityID: onRecord.EntityID, Status: move.Status,
	}
	d := b.document(ref, change)
	d.PreviousStatus, d.DueOn, d.ValidUntil = move.PreviousStatus, move.DueOn, move.ValidUntil
	b.shown.Documents = append(b.shown.Documents, d)
	return nil
}

// document returns a document as the decision left it.
func (b *builder) document(ref calculation.NamedDocument, changes ...string) shownDocument {
	d := shownDocument{
		RequiredDocumentID: ref.RequiredDocumentID, DocumentTypeCode: ref.DocumentTypeCode, shownRef: b.ref(ref.EntityType, ref.EntityID),
		Changes: changes, Status: ref.Status, CarriedFrom: b.carried[ref.RequiredDocumentID],
	}
	demand, byHand := b.demands[ref.RequiredDocumentID]
	d.identity = b.identities[requirement.Entity{Type: ref.EntityType, ID: ref.EntityID}]
	if byHand && (!d.CarriedFrom.IsZero() || demand.Number > b.reviews[ref.RequiredDocumentID].Number) {
		d.CarriedFrom = id.DecisionID{} // it was required again, so earlier statements no longer count
	} else if review, there := b.reviews[ref.RequiredDocumentID]; there {
		d.Review = reviewOf(review)
	}
	result := b.resultOf(ref)
	switch {
	case changes[0] == changeRemoved:
		if !d.say(b.oldRules) && !d.say(b.rules) && byHand {
			d.demanded(demand)
		}
		d.Reasons = b.whyRemoved(ref, result)
	case result != nil && result.Holds:
		d.say(b.rules)
		d.Reasons = reasonsOf(*result)
	case byHand:
		d.demanded(demand)
	default:
		d.say(b.rules)
	}
	return d
}

// resultOf returns the result of the rules for a document; nil if they have none.
func (b *builder) resultOf(ref calculation.NamedDocument) *decision.RuleResult {
	for _, entityID := range []string{ref.EntityID, ""} {
		if r, there := b.found[ruleKey{ref.DocumentTypeCode, ref.EntityType, entityID}]; there {
			return &r
		}
	}
	return nil
}

func reasonsOf(r decision.RuleResult) []shownReason {
	if r.Reason == nil {
		return nil
	}
	return []shownReason{{r.Rule, r.Reason.Message}}
}

// say gives the document the text of its rule; false if there is no rule.
func (d *shownDocument) say(rules ruleTexts) bool {
	of, there := rules[requirement.RuleKey{DocumentTypeCode: d.DocumentTypeCode, EntityType: d.EntityType}]
	if there {
		rule := of.Document
		d.Name, d.Category, d.RequirementText, d.Terms, d.LegalBasis = rule.Name, rule.Category, rule.RequirementText, rule.Terms, rule.LegalBasis
	}
	return there
}

// demanded gives the document the text with which somebody required it by hand.
func (d *shownDocument) demanded(by decision.Stated) {
	if by.Statement == nil || by.Statement.Required == nil {
		return
	}
	text := by.Statement.Required
	d.Name, d.Category, d.RequirementText = text.Name, text.Category, text.RequirementText
	d.Terms = requirement.Terms{Explanation: text.Explanation, DueWithin: text.DueWithin}
	d.Reasons = []shownReason{{Message: fmt.Sprintf("Required by hand, by %s in decision %s: %s", by.UserID, by.DecisionID, text.Reason)}}
}

// whyRemoved says why a document is no longer required.
func (b *builder) whyRemoved(ref calculation.NamedDocument, result *decision.RuleResult) []shownReason {
	rule, known := b.rules[requirement.RuleKey{DocumentTypeCode: ref.DocumentTypeCode, EntityType: ref.EntityType}]
	isPerson := func(p view.PersonData) bool { return p.PersonID.String() == ref.EntityID }
	switch {
	case b.OnFile == nil:
		return nil
	case ref.EntityType == fact.EntityPerson && !slices.ContainsFunc(b.OnFile.Facts.Persons, isPerson):
		return []shownReason{{Message: "The person was no longer on record."}}
	case result != nil && !result.Holds && result.EntityID == ref.EntityID:
		return reasonsOf(*result)
	case known: // the rule has results only for persons who must supply the document
		return []shownReason{{rule.Text(), "The rule no longer holds for this person."}}
	case b.shown.Rules != nil && b.shown.Rules.Version == 0:
		return nil // the rules are no longer stored
	}
	return []shownReason{{Message: "The rules no longer had this document."}}
}

// results adds the findings, the results that required and found nothing, and the points of prices.
func (b *builder) results() {
	for _, r := range b.Evaluated {
		if r.FindingCode != "" && r.Holds {
			b.shown.Findings = append(b.shown.Findings, b.finding(r))
			continue
		}
		shown := shownResult{
			DocumentTypeCode: r.DocumentTypeCode,
			FindingCode:      r.FindingCode,
			shownRef:         b.ref(r.EntityType, r.EntityID),
			Rule:             r.Rule,
			Holds:            r.Holds,
			Points:           r.Points,
		}
		if r.Reason != nil {
			shown.Message = r.Reason.Message
		}
		if r.Points != nil {
			b.shown.Points = append(b.shown.Points, shown)
			continue
		}
		if r.Holds {
			continue
		}
		shown.Name = b.rules[r.RuleKey()].Name
		b.shown.NotRequired = append(b.shown.NotRequired, shown)
	}
}

// finding returns a finding with the texts of its rule, and the kind that the decision recorded.
func (b *builder) finding(r decision.RuleResult) shownFinding {
	f := shownFinding{FindingCode: r.FindingCode, shownRef: b.ref(r.EntityType, r.EntityID), Reasons: reasonsOf(r)}
	for _, ref := range b.Changed.Findings {
		if ref.FindingCode == r.FindingCode && ref.EntityType == r.EntityType && ref.EntityID == r.EntityID {
			f.Kind = ref.Kind
		}
	}
	if of, there := b.rules[r.RuleKey()]; there {
		f.Name, f.Message, f.LegalBasis = of.Name, of.Finding.Message, of.LegalBasis
	}
	return f
}

// refusal says why nothing was decided.
func (b *builder) refusal() {
	if b.OnFile == nil {
		return
	}
	b.shown.Error = b.OnFile.Error
	for _, g := range b.OnFile.Gaps {
		b.shown.Gaps = append(b.shown.Gaps, b.gap(g))
	}
}

func (b *builder) gap(g fact.Gap) shownGap {
	shown := shownGap{shownRef: b.ref(g.EntityType, g.EntityID), Lacks: g.Lacks(), Message: g.Message}
	if g.IsOfNewRecord() {
		of := b.ref(fact.EntityBusiness, g.BusinessID)
		shown.shownRef, shown.NewOf = shownRef{EntityType: g.EntityType}, &of
	}
	return shown
}

// only keeps the documents and findings of a code, and removes all others.
func (b *builder) only(code string) error {
	if code == "" {
		return nil
	}
	s := b.shown
	codes := map[string]bool{}
	for rule := range b.rules {
		codes[rule.Code()] = true
	}
	for _, d := range s.Documents {
		codes[d.DocumentTypeCode] = true
	}
	for _, r := range s.NotRequired {
		codes[cmp.Or(r.DocumentTypeCode, r.FindingCode)] = true
	}
	for _, f := range s.Findings {
		codes[f.FindingCode] = true
	}
	if !codes[code] {
		return fmt.Errorf("--document: the decision has no %s; its codes are %s", visible.Line(code), strings.Join(slices.Sorted(maps.Keys(codes)), ", "))
	}
	s.Documents = slices.DeleteFunc(s.Documents, func(d shownDocument) bool { return d.DocumentTypeCode != code })
	s.Findings = slices.DeleteFunc(s.Findings, func(f shownFinding) bool { return f.FindingCode != code })
	s.NotRequired = slices.DeleteFunc(s.NotRequired, func(r shownResult) bool { return cmp.Or(r.DocumentTypeCode, r.FindingCode) != code })
	return nil
}
