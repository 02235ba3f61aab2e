package replay

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"requisite/internal/decision"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/changes"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// Application is the recorded facts of an application's latest calculation.
type Application struct {
	WorkflowID id.WorkflowID
	ExternalID *string
	DecisionID id.DecisionID
	AsOf       fact.Date
	Facts      decision.Facts
	// Approved are documents that are completed or waived now, while the application has not ended.
	Approved []calculation.ApprovedDocument
}

// Compared is what two rule sets give for the facts of one application.
type Compared struct {
	WorkflowID     id.WorkflowID
	ExternalID     *string
	DecisionID     id.DecisionID
	InForce, Draft Evaluation
	Approved       []calculation.ApprovedDocument
}

// name is what a count calls an application.
func (c Compared) name() string {
	if c.ExternalID != nil {
		return *c.ExternalID + " (" + c.DecisionID.String() + ")"
	}
	return c.DecisionID.String()
}

// Evaluation is what a rule set gives: documents, gaps, or a failure.
type Evaluation struct {
	Required []requirement.Requirement
	Gaps     []fact.Gap
	// Failure is why a rule has no answer.
	Failure string
}

func (e Evaluation) decided() bool { return e.Failure == "" && len(e.Gaps) == 0 }

// Compare evaluates two rule sets for the same facts.
func Compare(ctx context.Context, inForce, draft *requirement.Program, a Application) (Compared, error) {
	facts, err := a.Facts.ForRules(a.AsOf)
	if err != nil {
		return Compared{}, fmt.Errorf("the facts of decision %s: %w", a.DecisionID, err)
	}
	found := Compared{WorkflowID: a.WorkflowID, ExternalID: a.ExternalID, DecisionID: a.DecisionID, Approved: a.Approved}
	if found.InForce, err = evaluate(ctx, inForce, facts); err != nil {
		return Compared{}, err
	}
	found.Draft, err = evaluate(ctx, draft, facts)
	return found, err
}

func evaluate(ctx context.Context, program *requirement.Program, facts fact.Facts) (Evaluation, error) {
	found, err := program.Evaluate(ctx, facts)
	if requirement.Unanswerable(err) {
		return Evaluation{Failure: err.Error()}, nil
	}
	return Evaluation{Required: found.Required, Gaps: found.Gaps}, err
}

// Backtest sums up what a draft would have decided otherwise than the version in force. It
// grows with the rules, and not with the applications.
type Backtest struct {
	// Applications are those that were evaluated. Each is among Unchanged, Changed,
	// NewlyDecided, LackingFacts or NotEvaluable.
	Applications int `json:"applications"`
	// Erased have no facts any more, and are left out.
	Erased int `json:"erased"`
	// Unchanged require the same documents and have the same findings by both.
	Unchanged Count `json:"unchanged"`
	// Changed gain or lose documents or findings, or have one whose text changes.
	Changed Count `json:"changed"`
	// NewlyDecided have an answer by the draft, and none by the version in force.
	NewlyDecided Count `json:"newly_decided"`
	// LackingFacts lack facts that the draft needs, and NotEvaluable have no answer by it.
	LackingFacts Count `json:"lacking_facts"`
	NotEvaluable Count `json:"not_evaluable"`

	// Documents are those and findings, sorted by document type code, finding code and entity type.
	Documents []DocumentChange `json:"documents"`
	// Gaps are sorted by Fact, Failures by message.
	Gaps     []GapCount     `json:"gaps"`
	Failures []FailureCount `json:"failures"`

	inForce, draft map[requirement.RuleKey]string // conditions
	texts          map[requirement.RuleKey]bool   // rules of both whose text differs
	documents      map[requirement.RuleKey]*DocumentChange
	gaps           map[string]*GapCount
	failures       map[string]*FailureCount
}

// Count counts applications.
type Count struct {
	Applications int `json:"applications"`
	// Documents counts the documents of the applications. An application may have one for each person.
	Documents int `json:"documents,omitempty"`
	// Examples are the decisions of the first of the applications, behind the external_id of those
	// that have one.
	Examples []string `json:"examples,omitempty"`
}

// MaxExamples bounds the examples of one count.
const MaxExamples = 10

func (c *Count) add(of Compared, documents int) {
	c.Applications++
	c.Documents += documents
	if len(c.Examples) < MaxExamples {
		c.Examples = append(c.Examples, of.name())
	}
}

// DocumentChange is how many applications gain and lose one kind of document, or one finding.
type DocumentChange struct {
	DocumentTypeCode string `json:"document_type_code,omitempty"`
	FindingCode      string `json:"finding_code,omitempty"`
	EntityType       string `json:"entity_type"`
	// Rule is the condition in the draft. RuleInForce is the condition in the version in force.
	// They are empty where there is no such rule.
	Rule        string `json:"rule,omitempty"`
	RuleInForce string `json:"rule_in_force,omitempty"`
	Gained      Count  `json:"gained"`
	Lost        Count  `json:"lost"`
	// TextChanged keep the document, with another text. Reopened are those of them whose document is
	// completed or waived: that was for another text.
	TextChanged Count `json:"text_changed"`
	Reopened    Count `json:"reopened"`
}

// GapCount counts the applications that lack a fact which the draft needs: see Gap.Fact of
// the rules.
type GapCount struct {
	Fact string `json:"fact"`
	Count
	// New are those for which the version in force does not lack it.
	New Count `json:"new"`
}

// FailureCount counts the applications for which the draft has no answer.
type FailureCount struct {
	Message string `json:"message"`
	Count
	// New are those for which the version in force has an answer, or lacks facts.
	New Count `json:"new"`
}

// NewBacktest counts for the rules of two versions.
func NewBacktest(inForce, draft []requirement.Rule) *Backtest {
	return &Backtest{
		inForce: conditions(inForce), draft: conditions(draft), texts: changedTexts(inForce, draft),
		documents: map[requirement.RuleKey]*DocumentChange{}, gaps: map[string]*GapCount{}, failures: map[string]*FailureCount{},
	}
}

func changedTexts(inForce, draft []requirement.Rule) map[requirement.RuleKey]bool {
	before := make(map[requirement.RuleKey]requirement.Rule, len(inForce))
	for _, r := range inForce {
		before[r.RuleKey] = r
	}
	found := map[requirement.RuleKey]bool{}
	for _, r := range draft {
		if old, known := before[r.RuleKey]; known && r.Document != nil && !old.Document.DocumentText().Same(r.Document.DocumentText()) {
			found[r.RuleKey] = true
		}
	}
	return found
}

// TextsChanged are the document type codes of rules whose text the draft changes.
func (b *Backtest) TextsChanged() []string {
	var codes []string
	for r := range b.texts {
		codes = append(codes, r.Code())
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

func conditions(rules []requirement.Rule) map[requirement.RuleKey]string {
	found := make(map[requirement.RuleKey]string, len(rules))
	for _, r := range rules {
		found[r.RuleKey] = r.Text()
	}
	return found
}

// Add counts one application.
func (b *Backtest) Add(c Compared) {
	b.Applications++
	switch {
	case c.Draft.Failure != "":
		b.NotEvaluable.add(c, 0)
		b.addFailure(c)
	case len(c.Draft.Gaps) > 0:
		b.LackingFacts.add(c, 0)
		b.addGaps(c)
	case !c.InForce.decided():
		b.NewlyDecided.add(c, 0)
	default:
		b.addDocuments(c)
	}
}

// The changes of a document or a finding by a draft.
const (
	Gained      = "GAINED"
	Lost        = "LOST"
	TextChanged = "TEXT_CHANGED"
	Reopened    = "REOPENED"
)

// Change is what a draft changes about one document or finding of an application.
type Change struct {
	Change string
	requirement.Requirement
}

// ChangesOf are the changes of an application that both sets of rules decide.
func (b *Backtest) ChangesOf(c Compared) []Change {
	if !c.InForce.decided() || !c.Draft.decided() {
		return nil
	}
	var found []Change
	add := func(change string, requirements []requirement.Requirement) {
		for _, r := range requirements {
			found = append(found, Change{change, r})
		}
	}
	gained := without(c.Draft.Required, c.InForce.Required)
	add(Gained, gained)
	add(Lost, without(c.InForce.Required, c.Draft.Required))
	if len(b.texts) == 0 {
		return found
	}
	approved := make(map[calculation.ApprovedDocument]bool, len(c.Approved))
	for _, d := range c.Approved {
		approved[d] = true
	}
	for _, r := range without(c.Draft.Required, gained) {
		if !b.texts[r.RuleKey()] {
			continue
		}
		found = append(found, Change{TextChanged, r})
		if approved[calculation.ApprovedDocument{DocumentTypeCode: r.DocumentTypeCode, EntityType: r.EntityType, EntityID: r.EntityID}] {
			found = append(found, Change{Reopened, r})
		}
	}
	return found
}

func (b *Backtest) addDocuments(c Compared) {
	found := b.ChangesOf(c)
	if len(found) == 0 {
		b.Unchanged.add(c, 0)
		return
	}
	b.Changed.add(c, 0)
	type kind struct {
		change string
		of     requirement.RuleKey
	}
	counts := map[kind]int{}
	for _, change := range found {
		counts[kind{change.Change, change.RuleKey()}]++
	}
	for kind, n := range counts {
		document := b.document(kind.of)
		count := map[string]*Count{Gained: &document.Gained, Lost: &document.Lost, TextChanged: &document.TextChanged, Reopened: &document.Reopened}[kind.change]
		count.add(c, n)
	}
}

func (b *Backtest) document(of requirement.RuleKey) *DocumentChange {
	found := b.documents[of]
	if found == nil {
		found = &DocumentChange{DocumentTypeCode: of.DocumentTypeCode, FindingCode: of.FindingCode, EntityType: of.EntityType, Rule: b.draft[of], RuleInForce: b.inForce[of]}
		b.documents[of] = found
	}
	return found
}

// without are the documents and findings of the one that are not among the other.
func without(one, other []requirement.Requirement) []requirement.Requirement {
	type ofEntity struct {
		requirement.RuleKey
		entityID string
	}
	have := make(map[ofEntity]bool, len(other))
	for _, r := range other {
		have[ofEntity{r.RuleKey(), r.EntityID}] = true
	}
	var found []requirement.Requirement
	for _, r := range one {
		if !have[ofEntity{r.RuleKey(), r.EntityID}] {
			found = append(found, r)
		}
	}
	return found
}

func (b *Backtest) addGaps(c Compared) {
	already := map[string]bool{}
	for _, g := range c.InForce.Gaps {
		already[g.Fact] = true
	}
	counted := map[string]bool{}
	for _, g := range c.Draft.Gaps {
		if counted[g.Fact] {
			continue
		}
		counted[g.Fact] = true
		found := b.gaps[g.Fact]
		if found == nil {
			found = &GapCount{Fact: g.Fact}
			b.gaps[g.Fact] = found
		}
		found.add(c, 0)
		if !already[g.Fact] {
			found.New.add(c, 0)
		}
	}
}

// maxFailures bounds how many kinds of failures are counted separately: their messages may
// hold numbers.
const (
	maxFailures   = 50
	otherFailures = "they failed in yet other ways"
)

func (b *Backtest) addFailure(c Compared) {
	message := c.Draft.Failure
	if b.failures[message] == nil && len(b.failures) >= maxFailures {
		message = otherFailures
	}
	found := b.failures[message]
	if found == nil {
		found = &FailureCount{Message: message}
		b.failures[message] = found
	}
	found.add(c, 0)
	if c.InForce.Failure == "" {
		found.New.add(c, 0)
	}
}

// Same reports whether the draft decides as the version in force does.
func (b *Backtest) Same() bool {
	if b.Changed.Applications+b.NewlyDecided.Applications > 0 {
		return false
	}
	for _, g := range b.gaps {
		if g.New.Applications > 0 {
			return false
		}
	}
	for _, f := range b.failures {
		if f.New.Applications > 0 {
			return false
		}
	}
	return true
}

// Sum fills in the lists. Counting may go on afterwards.
func (b *Backtest) Sum() *Backtest {
	b.Documents = changes.Sorted(b.documents, func(a, b DocumentChange) int {
		return cmp.Or(cmp.Compare(a.DocumentTypeCode, b.DocumentTypeCode), cmp.Compare(a.FindingCode, b.FindingCode), cmp.Compare(a.EntityType, b.EntityType))
	})
	b.Gaps = changes.Sorted(b.gaps, func(a, b GapCount) int { return cmp.Compare(a.Fact, b.Fact) })
	b.Failures = changes.Sorted(b.failures, func(a, b FailureCount) int { return cmp.Compare(a.Message, b.Message) })
	return b
}
