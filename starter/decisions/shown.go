package decisions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// shownDecision is a decision as an examiner reads it. It is built once, and printed as text and as a page.
type shownDecision struct {
	DecisionID  id.DecisionID
	Number      int64
	Kind        decision.Kind
	Outcome     decision.Outcome
	DecidedAt   moment
	AsOf        fact.Date
	DecidedBy   domain.Actor
	TraceID     string
	Erasure     *erasure // nil unless the decision was erased
	Summary     string   // of all documents
	Application shownApplication
	Rules       *shownVersion
	Pricing     *shownVersion
	// Business and Persons are the facts on file. They are empty after an erasure.
	Business        *shownEntity
	Persons         []shownEntity
	Documents       []shownDocument
	Findings        []shownFinding
	NotRequired     []shownResult
	Points          []shownResult
	EvaluationScore *rational.Number
	Gaps            []shownGap
	Error           *decision.RuleError
	Digests         shownDigests
	// Verify are the commands that verify the decision's chain.
	Verify []string
}

// erasure is the decision that erased another.
type erasure struct {
	DecisionID id.DecisionID
	DecidedAt  moment
}

// whatIsErased lists what an erasure removes from a decision.
const whatIsErased = "the values of the application, its business and its persons, the reasons, and what was stated by hand: " +
	"evidence, reviewer, notes and what was approved"

func (e erasure) Words() string {
	if e.DecisionID.IsZero() {
		return "Erased: " + whatIsErased + "."
	}
	return fmt.Sprintf("Erased on %s by decision %s: %s.", e.DecidedAt, e.DecisionID, whatIsErased)
}

// shownApplication names the application, and has its own values.
type shownApplication struct {
	WorkflowID   id.WorkflowID
	ExternalID   string
	BusinessID   id.BusinessID
	BusinessName string
	AccountID    id.AccountID
	AccountName  string
	TimeZone     string
	Values       []shownValue
}

// shownVersion is a version of rules or prices.
type shownVersion struct {
	VersionID id.RuleSetVersionID
	// Version is 0 if the version is no longer stored.
	Version int
	SHA256  string
	history []string // by whom it was proposed, approved and published, and when
	// Changed reports that the stored version no longer has the hash in the decision.
	Changed bool
	// UsedBy is the earlier calculation that used the rules; zero if this decision used them.
	UsedBy id.DecisionID
	Base   *rational.Number // of prices
}

func (v shownVersion) Words() string {
	if v.Version == 0 {
		return fmt.Sprintf("version %s, which is not stored any more", v.VersionID)
	}
	return fmt.Sprintf("version %d (%s)", v.Version, v.VersionID)
}

// shownEntity is a business or a person, with all facts on file.
type shownEntity struct {
	EntityID string
	Name     string
	Values   []shownValue
}

// shownValue is one value on file.
type shownValue struct {
	Label string
	Value any    // nil if there was none
	Unit  string // a currency, or %
	Note  string // the value that rules used, if that differs
}

func (v shownValue) Words() string {
	text := valueWords(v.Value)
	if v.Unit == "%" {
		text += "%"
	} else if v.Unit != "" && v.Value != nil {
		text += " " + v.Unit
	}
	if v.Note != "" {
		text += " (" + v.Note + ")"
	}
	return text
}

func valueWords(value any) string {
	switch value := value.(type) {
	case nil:
		return "not on file"
	case bool:
		if value {
			return "yes"
		}
		return "no"
	case rational.Number:
		return value.Words()
	case []string:
		if len(value) == 0 {
			return "none"
		}
		return strings.Join(value, ", ")
	}
	return fmt.Sprint(value)
}

// shownRef is an entity, with its name as the decision saw it.
type shownRef struct {
	EntityType string // empty for prices
	EntityID   string // empty for a rule that holds for nobody
	EntityName string
}

// Words names the entity by its name, or by its id if it has no name.
func (r shownRef) Words() string {
	switch {
	case r.EntityID == "" && r.EntityType == fact.EntityPerson:
		return "any person"
	case r.EntityID == "" || r.EntityType == fact.EntityWorkflow:
		return "the application"
	case r.EntityName == "":
		return strings.ToLower(r.EntityType) + " " + r.EntityID
	}
	return r.EntityName
}

// Full names the entity with its id.
func (r shownRef) Full() string {
	if r.EntityName == "" || r.EntityType == fact.EntityWorkflow {
		return r.Words()
	}
	return fmt.Sprintf("%s (%s)", r.EntityName, r.EntityID)
}

// The changes of a document in a calculation. The change in a decision about one document is the
// outcome of the decision.
const (
	changeAdded      = "ADDED"
	changeKept       = "KEPT"
	changeRestored   = "RESTORED"
	changeRemoved    = "REMOVED"
	changeReopened   = "REOPENED"
	changeReinstated = "REINSTATED"
	changeCarried    = "CARRIED"
)

// shownDocument is a document that the decision is about.
type shownDocument struct {
	RequiredDocumentID string
	DocumentTypeCode   string
	shownRef
	identity        requirement.Identity // as the decision saw it
	Name            string               // empty if the text is no longer stored
	Category        string
	RequirementText string
	requirement.Terms
	LegalBasis string
	// Changes says what the decision did with the document.
	Changes []string
	Status  document.Status
	document.StatusCause
	PreviousStatus document.Status
	DueOn          fact.Date
	ValidUntil     fact.Date
	CarriedFrom    id.DecisionID // the decision of an earlier application that approved the document
	Reasons        []shownReason
	Review         *shownReview
}

// Title names the document.
func (d shownDocument) Title() string { return cmp.Or(d.Name, d.DocumentTypeCode) }

// changeWords has words for changes. Other changes are shown as their code in lower case.
var changeWords = map[string]string{
	changeCarried:               "approval carried over",
	string(decision.Created):    "required by hand",
	string(document.RenewalDue): "renewal due",
}

// ChangeWords says what the decision did with the document, such as "kept, reopened: FACTS_CHANGED
// (address)".
func (d shownDocument) ChangeWords() string {
	words := make([]string, len(d.Changes))
	for i, change := range d.Changes {
		words[i] = cmp.Or(changeWords[change], strings.ToLower(change))
	}
	text := strings.Join(words, ", ")
	if d.StatusReason != "" {
		text += ": " + string(d.StatusReason)
	}
	if len(d.ChangedFacts) > 0 {
		text += " (" + strings.Join(d.ChangedFacts, ", ") + ")"
	}
	return text
}

func (d shownDocument) StatusWords() string {
	if d.PreviousStatus == "" {
		return string(d.Status)
	}
	return fmt.Sprintf("%s, was %s", d.Status, d.PreviousStatus)
}

// documentText is the text for which an approval of the document holds.
func (d shownDocument) documentText() requirement.DocumentText {
	return d.TextOf(d.Name, d.RequirementText)
}

// termsWords says what an approval is bound to, for how long it is valid, and by when the document is due.
func (d shownDocument) termsWords() (words []string) {
	add := func(format string, period *fact.Period) {
		if period != nil {
			words = append(words, fmt.Sprintf(format, period))
		}
	}
	if len(d.BoundTo) > 0 {
		words = append(words, "An approval is bound to "+strings.Join(d.BoundTo, ", ")+".")
	}
	add("An approval is valid for %s.", d.RenewAfter)
	add("A reminder is due %s before an approval ends.", d.RemindBefore)
	if d.DueFrom != "" {
		add("It is due within %s after "+d.DueFrom+".", d.DueWithin)
	} else {
		add("It is due within %s.", d.DueWithin)
	}
	if d.Hold != "" {
		words = append(words, "It holds up the application "+strings.ToLower(strings.ReplaceAll(string(d.Hold), "_", " "))+".")
	}
	return words
}

// enoughWords says which evidence suffices: each option of a text, or else its own terms.
func enoughWords(t requirement.DocumentText) (words []string) {
	terms := t.Terms()
	if len(t.AnyOf) == 0 {
		return evidenceWords(terms.Evidence())
	}
	for _, o := range t.AnyOf {
		var parts []string
		for _, part := range o.Parts() {
			said := []string{fmt.Sprintf("%s (%s).", part.Name, part.DocumentTypeCode)}
			if part.RequirementText != "" {
				said = append(said, part.RequirementText)
			}
			parts = append(parts, strings.Join(append(said, evidenceWords(terms.For(part))...), " "))
		}
		option := strings.Join(parts, " And: ")
		if o.When != "" {
			option += " Offered when: " + o.When
		}
		words = append(words, option)
	}
	return words
}

func evidenceWords(t requirement.EvidenceTerms) (words []string) {
	if t.NotOlderThan != nil {
		words = append(words, fmt.Sprintf("Evidence may not be older than %s.", t.NotOlderThan))
	}
	if t.MustBeValid {
		words = append(words, "Evidence must be valid.")
	}
	if t.ValidFor != nil {
		words = append(words, fmt.Sprintf("Evidence must be valid for %s when it is approved.", t.ValidFor))
	}
	if t.ExpiredAtMost != nil {
		words = append(words, fmt.Sprintf("Evidence may have expired %s ago at most.", t.ExpiredAtMost))
	}
	return words
}

// shownReason says why a document is required, or is no longer.
type shownReason struct {
	Rule    string
	Message string
}

// shownReview is the last statement by hand about a document, up to the decision.
type shownReview struct {
	DecisionID id.DecisionID
	Outcome    decision.Outcome
	DecidedAt  moment
	DecidedBy  domain.Actor
	Erased     bool
	Reason     string
	ReviewedBy string
	Note       string
	Evidence   []document.Evidence
	Approved   *decision.Approved
}

func reviewOf(s decision.Stated) *shownReview {
	r := &shownReview{
		DecisionID: s.DecisionID,
		Outcome:    s.Outcome,
		DecidedAt:  moment(s.DecidedAt),
		DecidedBy:  domain.Actor{UserID: s.UserID, UserType: s.UserType},
		Erased:     s.Statement == nil,
	}
	if st := s.Statement; st != nil {
		r.Reason, r.ReviewedBy, r.Note, r.Evidence, r.Approved = st.Reason, st.ReviewedBy, st.Note, st.Evidence, st.Approved
	}
	return r
}

// Words says who stated it, when, and in which decision.
func (r shownReview) Words() string {
	verb := "Updated"
	if r.Outcome == decision.Waived {
		verb = "Waived"
	}
	text := fmt.Sprintf("%s %s by %s, decision %s", verb, r.DecidedAt, r.DecidedBy, r.DecisionID)
	if r.Erased {
		text += "; what was stated is erased"
	}
	return text
}

// approvedText is the text that was approved. It is in full if the document has another text now.
func (d shownDocument) approvedText() []string {
	switch a := d.Review.Approved; {
	case a == nil:
		return nil
	case a.Text.Same(d.documentText()):
		return []string{"The requirement as it stands above."}
	case d.Name == "": // the rules of the decision are no longer stored
		return append([]string{a.Text.Name + ": " + a.Text.RequirementText}, enoughWords(a.Text)...)
	default:
		return append([]string{"An earlier text. " + a.Text.Name + ": " + a.Text.RequirementText}, enoughWords(a.Text)...)
	}
}

func identityWords(i requirement.Identity) string {
	words := []string{i.Name()}
	if i.DateOfBirth != "" {
		words = append(words, "born "+i.DateOfBirth)
	}
	if i.Citizenship != "" {
		words = append(words, "citizenship "+i.Citizenship)
	}
	return strings.TrimPrefix(strings.Join(words, ", "), ", ")
}

// shownFinding is a finding of the decision.
type shownFinding struct {
	FindingCode string
	Kind        requirement.FindingKind
	shownRef
	Name       string // empty if the text is no longer stored
	Message    string
	LegalBasis string
	Reasons    []shownReason
}

// Title names the finding.
func (f shownFinding) Title() string { return cmp.Or(f.Name, f.FindingCode) }

// Rows shows what the finding says, and why.
func (f shownFinding) Rows() []row {
	return rows(one("Kind", string(f.Kind)), one("Message", f.Message), one("Legal basis", f.LegalBasis), row{"Why", reasonWords(f.Reasons)})
}

// shownResult is the result of a rule that required and found nothing, or the points of a rule of prices.
type shownResult struct {
	DocumentTypeCode string
	FindingCode      string
	Name             string
	shownRef
	Rule    string
	Holds   bool
	Points  *rational.Number
	Message string
}

// PointsWords shows the points with their sign. The points of a rule that does not hold do not count.
func (r shownResult) PointsWords() string {
	if !r.Holds {
		return "does not apply"
	}
	text := r.Points.String()
	if !strings.HasPrefix(text, "-") {
		text = "+" + text
	}
	return text
}

// shownGap is a fact that was missing.
type shownGap struct {
	shownRef
	NewOf   *shownRef // the business of a record that did not exist yet; nil for other records
	Lacks   string
	Message string
}

// Full names the record that lacked the fact.
func (g shownGap) Full() string {
	if g.NewOf == nil {
		return g.shownRef.Full()
	}
	return fmt.Sprintf("a new %s of %s", g.EntityType, g.NewOf.Full())
}

// shownDigests are the digests of the chain at the decision.
type shownDigests struct {
	Digest         string
	PreviousDigest string // empty for the first decision
	// PersonalSHA256 covers facts, reasons, gaps and statements. An erasure does not remove it.
	PersonalSHA256 string
	RulesSHA256    string
	PricingSHA256  string
}

// moment is a time, to the second.
type moment time.Time

func (m moment) String() string { return time.Time(m).UTC().Format(time.RFC3339) }

// KindWords says what was decided.
func (s *shownDecision) KindWords() string {
	if s.Outcome == decision.Expired {
		return "End of approvals"
	}
	return map[decision.Kind]string{
		decision.Calculation: "Calculation of the required documents", decision.Pricing: "Calculation of the price",
		decision.DocumentStatus: "Change of a document by hand", decision.Erasure: "Erasure of personal data",
	}[s.Kind]
}

// summary counts what the decision did, in a sentence.
func (s *shownDecision) summary() string {
	switch {
	case s.Kind == decision.Erasure:
		return "The personal parts of the decisions before it were erased."
	case s.Refused():
		return "Nothing was decided: " + string(s.Outcome) + "."
	case s.EvaluationScore != nil:
		return "The evaluation score is " + s.EvaluationScore.Words() + "."
	case s.Kind == decision.DocumentStatus && len(s.Documents) == 1:
		d := s.Documents[0]
		return fmt.Sprintf("%s of %s: %s.", d.Title(), d.Full(), d.StatusWords())
	}
	var order []string
	counts := map[string]int{}
	for _, d := range s.Documents {
		for _, change := range d.Changes {
			if counts[change] == 0 {
				order = append(order, change)
			}
			counts[change]++
		}
	}
	words := make([]string, len(order))
	for i, change := range order {
		words[i] = fmt.Sprintf("%d %s", counts[change], strings.ToLower(change))
	}
	summary := "No document is required."
	if len(words) > 0 {
		summary = "Documents: " + strings.Join(words, ", ") + "."
	}
	if len(s.Findings) > 0 {
		summary += fmt.Sprintf(" Findings: %d.", len(s.Findings))
	}
	return summary
}

// Refused reports whether nothing was decided.
func (s *shownDecision) Refused() bool {
	switch s.Outcome {
	case decision.Calculated, decision.Priced, decision.Updated, decision.Created, decision.Waived, decision.Expired, decision.Erased:
		return false
	}
	return true
}

// row is a label and the texts that a printer shows beside it.
type row struct {
	Label  string
	Values []string
}

// rows removes empty texts, and then rows without a text.
func rows(all ...row) (kept []row) {
	for _, r := range all {
		r.Values = slices.DeleteFunc(r.Values, func(text string) bool { return strings.TrimSpace(text) == "" })
		if len(r.Values) > 0 {
			kept = append(kept, r)
		}
	}
	return kept
}

func one(label, value string) row { return row{label, []string{value}} }

// Rows names the application.
func (a shownApplication) Rows() []row {
	business := a.BusinessID.String()
	if a.BusinessName != "" {
		business = fmt.Sprintf("%s (%s)", a.BusinessName, a.BusinessID)
	}
	return rows(one("External id", a.ExternalID), one("Workflow", a.WorkflowID.String()), one("Business", business),
		one("Account", fmt.Sprintf("%s (%s)", a.AccountName, a.AccountID)), one("Time zone", a.TimeZone))
}

// VersionRows names the versions that the decision used.
func (s *shownDecision) VersionRows() []row {
	return append(s.Rules.rows("Rules"), s.Pricing.rows("Pricing model")...)
}

func (v *shownVersion) rows(label string) []row {
	if v == nil {
		return nil
	}
	words := []string{v.Words()}
	for _, text := range v.history {
		words = append(words, strings.ToUpper(text[:1])+text[1:])
	}
	if !v.UsedBy.IsZero() {
		words = append(words, "Used by the last calculation before, decision "+v.UsedBy.String()+".")
	}
	if v.Changed {
		words = append(words, "Warning: the stored version has another SHA-256 than the one that was used. Texts below may not be those of then.")
	}
	base := ""
	if v.Base != nil {
		base = v.Base.Words() + " points"
	}
	return rows(row{label, append(words, "SHA-256 "+v.SHA256)}, one("Base", base))
}

// Rows shows the digests that are not empty.
func (d shownDigests) Rows() []row {
	previous := cmp.Or(d.PreviousDigest, "none: this is the first decision")
	return rows(one("This decision", d.Digest), one("The decision before", previous), one("Facts and reasons", d.PersonalSHA256),
		one("Rules", d.RulesSHA256), one("Pricing model", d.PricingSHA256))
}

func reasonWords(reasons []shownReason) (words []string) {
	for _, r := range reasons {
		words = append(words, r.Message)
		if r.Rule != "" {
			words = append(words, "Rule: "+r.Rule)
		}
	}
	return words
}

// Rows shows what the document requires, and why.
func (d shownDocument) Rows() []row {
	reasons := reasonWords(d.Reasons)
	why, enough := "Why required", "Evidence"
	if len(d.AnyOf) > 0 {
		enough = "Any one of"
	}
	if d.AtLeast > 0 {
		enough = fmt.Sprintf("Any %d of", d.AtLeast)
	}
	if d.Status == document.Inactive {
		why = "Why not any more"
	}
	from := ""
	if !d.CarriedFrom.IsZero() {
		from = "decision " + d.CarriedFrom.String() + " of an earlier application"
	}
	return rows(
		one("In this decision", d.ChangeWords()),
		one("Status", d.StatusWords()),
		one("Due on", dateWords(&d.DueOn)),
		one("Valid until", dateWords(&d.ValidUntil)),
		one("Requirement", d.RequirementText),
		row{enough, enoughWords(d.documentText())},
		row{"Terms", d.termsWords()},
		one("For the applicant", d.Explanation),
		one("Legal basis", d.LegalBasis),
		row{why, reasons},
		one("Approval from", from),
		one("Category", d.Category),
		one("Id", d.RequiredDocumentID),
	)
}

// ReviewRows shows the last statement by hand, without the evidence.
func (d shownDocument) ReviewRows() []row {
	r := d.Review
	if r == nil {
		return nil
	}
	identity := ""
	if r.Approved != nil {
		identity = identityWords(r.Approved.Identity)
		if d.identity != (requirement.Identity{}) && !r.Approved.Identity.HoldsFor(d.identity) {
			identity = "Another: " + identity
		}
	}
	return rows(one("Last review", r.Words()), one("Reason", r.Reason), one("Reviewed by", r.ReviewedBy), one("Note", r.Note),
		row{"Approved text", d.approvedText()}, one("Approved identity", identity))
}

// evidenceOf describes one piece of evidence.
func evidenceOf(e document.Evidence) string {
	var words []string
	for _, part := range []struct{ label, value string }{
		{"", e.DocumentTypeCode},
		{"reference ", e.Reference},
		{"issued on ", dateWords(e.IssuedOn)},
		{"expires on ", dateWords(e.ExpiresOn)},
		{"", map[bool]string{true: "never expires"}[e.NeverExpires]},
	} {
		if part.value != "" {
			words = append(words, part.label+part.value)
		}
	}
	return cmp.Or(strings.Join(words, ", "), "stated without details")
}

func dateWords(d *fact.Date) string {
	if d == nil || d.IsZero() {
		return ""
	}
	return d.String()
}

// verifyCommands returns the commands that verify the chain of a workflow: in the database, and in an export.
func verifyCommands(workflow id.WorkflowID, account domain.Account) []string {
	return []string{
		fmt.Sprintf("starter decision verify --workflow %s", workflow),
		fmt.Sprintf("starter decision export --account %s --out decisions.jsonl", account.WireID()),
		"starter decision verify decisions.jsonl --received received.txt",
	}
}
