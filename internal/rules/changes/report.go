package changes

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// This file has the report of what a rule set would change for many applications.

// Kind is how a document or a finding changes.
type Kind string

// Reopened, Reinstated and Carried are as in document.ByChange. TextChanged documents are some of
// those kept. IdentityChanged and FactsChanged documents are some of those reopened: the change does
// not come from the rules.
const (
	Added           Kind = "added"
	Kept            Kind = "kept"
	Restored        Kind = "restored"
	Removed         Kind = "removed"
	TextChanged     Kind = "text_changed"
	Reopened        Kind = "reopened"
	IdentityChanged Kind = "identity_changed"
	FactsChanged    Kind = "facts_changed"
	Reinstated      Kind = "reinstated"
	Carried         Kind = "carried"
	// OverdueAtOnce documents are overdue by the calculation: some of those added, kept or restored.
	OverdueAtOnce Kind = "overdue_at_once"
)

// Change is the change of one document or finding of an application.
type Change struct {
	Kind Kind
	requirement.RuleKey
	FindingKind requirement.FindingKind
	EntityID    string
	Reason      string
}

// Application is what a rule set would change for one application. If the rules decide nothing,
// nothing changes.
type Application struct {
	WorkflowID, ExternalID string
	// DecisionID is the decision whose facts were tried. It is empty if the stored facts were
	// tried.
	DecisionID string
	Undecided
	// InForce is why the version in force decides nothing. A preview does not set it.
	InForce Undecided
	Changes []Change
}

// Undecided is why rules decide nothing about an application: facts are missing, or a rule has no
// result.
type Undecided struct {
	Gaps    []fact.Gap
	Failure string
}

// Decided reports whether there is no such reason.
func (u Undecided) Decided() bool { return len(u.Gaps) == 0 && u.Failure == "" }

// name is the external_id, or the id if there is none. For a decision only that matters.
func (a Application) name() string {
	switch {
	case a.DecisionID == "":
		return cmp.Or(a.ExternalID, a.WorkflowID)
	case a.ExternalID == "":
		return a.DecisionID
	}
	return a.ExternalID + " (" + a.DecisionID + ")"
}

// OfDocuments lists the changes that a calculation makes. Kept has no documents that are kept only
// because a person required them; if their texts change, that is listed.
func OfDocuments(c document.Changes) (found []Change) {
	add := func(kind Kind, documents []document.Document) {
		for _, d := range documents {
			key := requirement.RuleKey{DocumentTypeCode: d.DocumentTypeCode, EntityType: d.EntityType}
			found = append(found, Change{kind, key, "", d.EntityID, firstMessage(d.Reasons)})
		}
	}
	add(Added, c.Added)
	add(Kept, slices.DeleteFunc(slices.Clone(c.Kept), document.Document.RequiredOnlyByHand))
	add(Restored, c.Restored)
	add(Removed, c.Removed)
	add(TextChanged, c.TextChanged)
	add(Reopened, c.Reopened)
	reopened := func(why document.StatusReason) []document.Document {
		return slices.DeleteFunc(slices.Clone(c.Reopened), func(d document.Document) bool { return d.StatusReason != why })
	}
	add(IdentityChanged, reopened(document.IdentityChanged))
	add(FactsChanged, reopened(document.FactsChanged))
	add(Reinstated, c.Reinstated)
	add(Carried, c.Carried)
	add(OverdueAtOnce, c.Overdue)
	find := func(kind Kind, findings []document.Finding) {
		for _, f := range findings {
			found = append(found, Change{kind, requirement.RuleKey{FindingCode: f.FindingCode, EntityType: f.EntityType}, f.Kind, f.EntityID, firstMessage(f.Reasons)})
		}
	}
	find(Added, c.Findings.Added)
	find(Kept, slices.DeleteFunc(slices.Clone(c.Findings.Now), func(f document.Finding) bool { return slices.ContainsFunc(c.Findings.Added, f.SameAs) }))
	find(Removed, c.Findings.Removed)
	return found
}

func firstMessage(reasons []document.DocumentReason) string {
	if len(reasons) == 0 {
		return ""
	}
	return reasons[0].Message
}

// Report sums up what a rule set would change. Its size depends on the rules, gaps and failures,
// and not on the number of applications.
type Report struct {
	// Applications is how many were tried. Each of them counts in Changed, Unchanged, NewlyDecided,
	// LackingFacts or NotEvaluable.
	Applications int `json:"applications"`
	// Erased applications have no facts any more, and were not tried.
	Erased int `json:"erased,omitempty"`
	// Changed applications have changes other than kept documents.
	Changed   Tally `json:"changed"`
	Unchanged Tally `json:"unchanged"`
	// NewlyDecided applications have a result now, and had none with the version in force.
	NewlyDecided Tally `json:"newly_decided"`
	// LackingFacts applications have gaps. For NotEvaluable ones a rule has no result. Nothing is
	// decided about either.
	LackingFacts Tally `json:"lacking_facts"`
	NotEvaluable Tally `json:"not_evaluable"`

	// Rules are the rules of documents, followed by those of findings, each sorted by code and
	// entity type.
	Rules []RuleReport `json:"rules"`
	// Gaps are sorted by the name of the fact, see Gap.Fact. Failures are sorted by message.
	Gaps     []Obstacle `json:"gaps"`
	Failures []Obstacle `json:"failures"`

	examples       int
	tried, inForce map[requirement.RuleKey]string // conditions by rule
	rules          map[ruleKey]*RuleReport
	gaps, failures map[string]*Obstacle
}

// Tally counts things, and the applications that have them.
type Tally struct {
	Count        int `json:"count"`
	Applications int `json:"applications"`
	// Examples name the first of the applications.
	Examples []string `json:"examples,omitempty"`
}

// RuleReport is what changes about the documents or findings of one rule.
type RuleReport struct {
	DocumentTypeCode string                  `json:"document_type_code,omitempty"`
	FindingCode      string                  `json:"finding_code,omitempty"`
	EntityType       string                  `json:"entity_type"`
	FindingKind      requirement.FindingKind `json:"kind,omitempty"`
	// Rule is the condition, and RuleInForce the condition in the version in force. Each is empty
	// if there is no such rule.
	Rule        string `json:"rule,omitempty"`
	RuleInForce string `json:"rule_in_force,omitempty"`
	// Required is how many documents are required, or findings found.
	Required int `json:"required"`

	Tallies
}

// Tallies has a tally for each kind of change. In JSON, the first five are always there.
type Tallies struct {
	Added           Tally `json:"added"`
	Kept            Tally `json:"kept"`
	Removed         Tally `json:"removed"`
	Reopened        Tally `json:"reopened"`
	OverdueAtOnce   Tally `json:"overdue_at_once"`
	Restored        Tally `json:"restored,omitzero"`
	TextChanged     Tally `json:"text_changed,omitzero"`
	IdentityChanged Tally `json:"identity_changed,omitzero"`
	FactsChanged    Tally `json:"facts_changed,omitzero"`
	Reinstated      Tally `json:"reinstated,omitzero"`
	Carried         Tally `json:"carried,omitzero"`
}

// of returns the tally of a kind of change.
func (t *Tallies) of(kind Kind) *Tally {
	return map[Kind]*Tally{
		Added: &t.Added, Kept: &t.Kept, Removed: &t.Removed, Reopened: &t.Reopened, OverdueAtOnce: &t.OverdueAtOnce, Restored: &t.Restored,
		TextChanged: &t.TextChanged, IdentityChanged: &t.IdentityChanged, FactsChanged: &t.FactsChanged, Reinstated: &t.Reinstated, Carried: &t.Carried,
	}[kind]
}

// Of returns the tally of a kind of change.
func (t *Tallies) Of(kind Kind) Tally { return *t.of(kind) }

// Differs reports whether there is any change other than kept documents.
func (t Tallies) Differs() bool {
	t.Kept = Tally{}
	return !reflect.DeepEqual(t, Tallies{})
}

// ruleKey distinguishes findings of one code that have several kinds.
type ruleKey struct {
	requirement.RuleKey
	kind requirement.FindingKind
}

// Obstacle is a reason why nothing was decided about applications.
type Obstacle struct {
	// What is the name of a fact, or the message of a failure.
	What string `json:"what"`
	Tally
	// InForce is how many of the applications have the same obstacle with the version in force.
	InForce int `json:"in_force,omitempty"`
}

// NewReport makes a report about rules. If inForce is not nil, it compares them with the version in
// force. Each tally names at most examples applications.
func NewReport(examples int, tried, inForce []requirement.Rule) *Report {
	r := &Report{
		examples: max(0, examples), tried: conditions(tried), inForce: conditions(inForce),
		rules: map[ruleKey]*RuleReport{}, gaps: map[string]*Obstacle{}, failures: map[string]*Obstacle{},
	}
	for _, rule := range tried { // also a rule that gives nobody a document
		key := ruleKey{RuleKey: rule.RuleKey}
		if rule.Finding != nil {
			key.kind = rule.Finding.Kind
		}
		r.rule(key)
	}
	return r
}

// rule is the report of a rule.
func (r *Report) rule(of ruleKey) *RuleReport {
	found := r.rules[of]
	if found == nil {
		key := of.RuleKey
		found = &RuleReport{key.DocumentTypeCode, key.FindingCode, key.EntityType, of.kind, r.tried[key], r.inForce[key], 0, Tallies{}}
		r.rules[of] = found
	}
	return found
}

func conditions(rules []requirement.Rule) map[requirement.RuleKey]string {
	found := make(map[requirement.RuleKey]string, len(rules))
	for _, r := range rules {
		found[r.RuleKey] = r.Text()
	}
	return found
}

// maxFailures limits how many kinds of failures are counted separately: their messages may contain
// numbers.
const (
	maxFailures   = 50
	otherFailures = "they failed in yet other ways"
)

// Add counts one application.
func (r *Report) Add(a Application) {
	r.Applications++
	name := a.name()
	switch {
	case a.Failure != "":
		r.count(&r.NotEvaluable, name, 1)
		message := a.Failure
		if r.failures[message] == nil && len(r.failures) >= maxFailures {
			message = otherFailures
		}
		r.addObstacle(r.failures, message, name, 1, a.InForce.Failure != "")
	case len(a.Gaps) > 0:
		r.count(&r.LackingFacts, name, 1)
		already := gapsByFact(a.InForce.Gaps)
		for of, n := range gapsByFact(a.Gaps) {
			r.addObstacle(r.gaps, of, name, n, already[of] > 0)
		}
	case !a.InForce.Decided():
		r.count(&r.NewlyDecided, name, 1)
	default:
		r.addChanges(name, a.Changes)
	}
}

func gapsByFact(gaps []fact.Gap) map[string]int {
	counts := map[string]int{}
	for _, g := range gaps {
		counts[g.Fact]++
	}
	return counts
}

func (r *Report) addObstacle(of map[string]*Obstacle, what, name string, n int, inForce bool) {
	found := of[what]
	if found == nil {
		found = &Obstacle{What: what}
		of[what] = found
	}
	r.count(&found.Tally, name, n)
	if inForce {
		found.InForce++
	}
}

func (r *Report) addChanges(name string, changes []Change) {
	type kindOfRule struct {
		ruleKey
		change Kind
	}
	counts := map[kindOfRule]int{}
	total := &r.Unchanged
	for _, c := range changes {
		counts[kindOfRule{ruleKey{c.RuleKey, c.FindingKind}, c.Kind}]++
		if c.Kind != Kept {
			total = &r.Changed
		}
	}
	r.count(total, name, 1)
	for of, n := range counts {
		r.count(r.rule(of.ruleKey).of(of.change), name, n)
	}
}

func (r *Report) count(t *Tally, name string, n int) {
	t.Count += n
	t.Applications++
	if len(t.Examples) < r.examples {
		t.Examples = append(t.Examples, name)
	}
}

// Same reports whether the rules decide as the version in force does.
func (r *Report) Same() bool {
	isNew := func(o *Obstacle) bool { return o.InForce < o.Applications }
	return r.Changed.Applications+r.NewlyDecided.Applications == 0 &&
		!slices.ContainsFunc(slices.Collect(maps.Values(r.gaps)), isNew) && !slices.ContainsFunc(slices.Collect(maps.Values(r.failures)), isNew)
}

// Sum fills in the lists. More applications may be added afterwards.
func (r *Report) Sum() *Report {
	for _, rule := range r.rules {
		rule.Required = rule.Added.Count + rule.Kept.Count + rule.Restored.Count
	}
	r.Rules = sorted(r.rules, func(a, b RuleReport) int {
		return cmp.Or(cmp.Compare(a.FindingCode, b.FindingCode), cmp.Compare(a.DocumentTypeCode, b.DocumentTypeCode),
			cmp.Compare(a.FindingKind, b.FindingKind), cmp.Compare(a.EntityType, b.EntityType))
	})
	byWhat := func(a, b Obstacle) int { return cmp.Compare(a.What, b.What) }
	r.Gaps, r.Failures = sorted(r.gaps, byWhat), sorted(r.failures, byWhat)
	return r
}

func sorted[K comparable, V any](of map[K]*V, compare func(a, b V) int) []V {
	values := make([]V, 0, len(of))
	for _, value := range of {
		values = append(values, *value)
	}
	slices.SortFunc(values, compare)
	return values
}
