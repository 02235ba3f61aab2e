package decisions_test

import (
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/starter/startertest"
)

// examined is an application whose decisions have all that an examiner looks for.
type examined struct {
	*bundle
	version                                                 string // the first one
	first, approved, waived, demanded, calculated, recalled refusal.DecisionRef
}

const examinedRules = `facts:
  - {name: legal_form, entity_type: Business, type: TEXT, choices: [LLC, CORPORATION], label: legal form, ask: The legal form., default: LLC}
  - {name: turnover_abroad, entity_type: Business, type: AMOUNT, label: turnover abroad, ask: The turnover abroad., default: 0}
  - {name: director, entity_type: Person, type: BOOLEAN, label: is a director, ask: Whether the person is a director., default: false}
documents:
  - document_type_code: PASSPORT
    name: Proof of identity
    category: identity
    requirement_text: A clear copy of a document with a photo.
    entity_type: Person
    when: 'person.ownership_percentage >= 25 || person.custom.director'
    legal_basis: Section 11 of the Act
    explanation: We must know who owns you.
    must_be_valid: true
    any_of:
      - {document_type_code: PASSPORT, name: Passport}
      - {document_type_code: LICENSE, name: Driving license, requirement_text: Both sides., not_older_than: 10 years}
  - {document_type_code: ADDRESS, name: Proof of address, category: c, requirement_text: A utility bill., entity_type: Business, legal_basis: Section 12 of the Act, due_within: 30 days, bound_to: [address, country]}
  - {document_type_code: TURNOVER, name: Statement of turnover, category: c, requirement_text: t, entity_type: Business, when: custom.turnover_abroad > 1000}
`

// examine makes the application. The names are hostile if they are to be.
func examine(t *testing.T, legalName, firstName, reference string) *examined {
	b := &examined{bundle: setup(t)}
	born, citizenship := "1980-02-29", "CA"
	b.Write(func(r *store.Records) error {
		if err := r.Businesses.Update(t.Context(), id.Must[id.BusinessID](b.Business), domain.CustomChange{}, func(b *domain.Business) { b.LegalName = legalName }); err != nil {
			return err
		}
		return r.Persons.Update(t.Context(), id.Must[id.PersonID](b.Person), domain.CustomChange{}, func(p *domain.Person) {
			p.FirstName, p.DateOfBirth, p.Citizenship = &firstName, &born, &citizenship
		})
	})
	b.Exec(`UPDATE workflow SET external_id = 'app-17'`)
	b.version = b.publishRules(examinedRules)
	b.first = b.DecideByRules(b.Workflow)
	issued, err := fact.ParseDate("2020-06-01")
	require.NoError(t, err)
	expires, err := fact.ParseDate("2040-05-31")
	require.NoError(t, err)
	b.approved = b.update("PASSPORT", document.Review{
		Status: document.Completed, ReviewedBy: "Ada King", Note: "Seen in person.",
		Evidence: []document.Evidence{{DocumentTypeCode: "PASSPORT", Reference: reference, IssuedOn: &issued, ExpiresOn: &expires}},
	})
	b.Write(func(r *store.Records) (err error) {
		b.waived, err = r.Documents.Waive(t.Context(), b.required("ADDRESS"), "Known for 20 years.", id.DecisionID{})
		return err
	})
	b.Write(func(r *store.Records) (err error) {
		_, b.demanded, err = r.Documents.Create(t.Context(), id.Must[id.WorkflowID](b.Workflow), "LETTER", requirement.Entity{Type: fact.EntityBusiness, ID: b.Business},
			document.ManualText{Name: "Letter of comfort", Category: "c", RequirementText: "Signed by the parent.", Reason: "The parent is abroad."})
		return err
	})
	b.calculated = b.DecideByRules(b.Workflow)
	b.publishRules(strings.NewReplacer("A clear copy of a document", "A certified copy of a document", "Section 11", "Section 99", "Section 12", "Section 98",
		"  - {document_type_code: ADDRESS", "  - {document_type_code: OTHER").Replace(examinedRules))
	b.recalled = b.DecideByRules(b.Workflow)
	return b
}

// required finds a document by its code.
func (b *examined) required(code string) (found id.RequiredDocumentID) {
	b.Helper()
	b.Write(func(r *store.Records) error {
		documents, _, err := r.Documents.List(b.Context(), id.Must[id.WorkflowID](b.Workflow), calculation.DocumentFilter{}, nil)
		for _, d := range documents {
			if d.DocumentTypeCode == code {
				found = id.Must[id.RequiredDocumentID](d.ID)
			}
		}
		return err
	})
	return found
}

func (b *examined) update(code string, review document.Review) (made refusal.DecisionRef) {
	b.Helper()
	required := b.required(code)
	b.Write(func(r *store.Records) (err error) {
		made, err = r.Documents.Update(b.Context(), required, review, id.DecisionID{})
		return err
	})
	return made
}

// page shows a decision as a page.
func (b *examined) page(of refusal.DecisionRef) string {
	b.Helper()
	file := filepath.Join(b.TempDir(), "decision.html")
	require.Equal(b, "Decision "+of.DecisionID.String()+" is written to "+file+". It holds personal data.\n", b.MustRun("decision", "show", of.DecisionID.String(), "--html", file))
	info, err := os.Stat(file)
	require.NoError(b, err)
	require.Equal(b, fs.FileMode(0o600), info.Mode().Perm())
	text, err := os.ReadFile(file)
	require.NoError(b, err)
	_, err = b.Try("decision", "show", of.DecisionID.String(), "--html", file)
	require.ErrorIs(b, err, fs.ErrExist, "a page replaces no file")
	return string(text)
}

// prints shows a decision with each printer: its words without line breaks, and without markup.
func (b *examined) prints(of refusal.DecisionRef) map[string]string {
	b.Helper()
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	page := b.page(of)
	b.requireSelfContained(page)
	tags := regexp.MustCompile(`<style>[^<]*</style>|</?[a-z][^<>]*>|<!DOCTYPE html>`)
	return map[string]string{
		"text": words(b.MustRun("decision", "show", of.DecisionID.String())),
		"page": words(html.UnescapeString(tags.ReplaceAllString(page, " "))),
	}
}

// requireSelfContained fails for a page that loads or runs anything, or that a reader of the
// screen would be lost in.
func (b *examined) requireSelfContained(page string) {
	b.Helper()
	startertest.RequireHarmless(b.T, page)
	for _, not := range []string{"<script", "<link", "<img", "<iframe", "src=", "url(", "@import", "http:", "https:", "javascript:", "ZgotmplZ"} {
		require.NotContains(b, page, not)
	}
	require.NotRegexp(b, `\son[a-z]+=`, regexp.MustCompile(`>[^<]*<`).ReplaceAllString(page, "><"), "no handler within a tag")
	for _, want := range []string{`<html lang="en">`, "<title>", `name="viewport"`, "default-src 'none'", "<h1>", "<main>", "size: A4"} {
		require.Equal(b, 1, strings.Count(page, want), want)
	}
	require.Equal(b, strings.Count(page, "<table"), strings.Count(page, "<caption>"))
	require.Equal(b, strings.Count(page, "<th"), strings.Count(page, "<th scope=")+strings.Count(page, "<thead>"))
	for _, tag := range []string{"table", "section", "article", "dl", "dd", "tr", "td", "p", "div", "main", "code"} {
		require.Equal(b, strings.Count(page, "</"+tag+">"), len(regexp.MustCompile(`<`+tag+`[ >]`).FindAllString(page, -1)), tag)
	}
}

// requireAll fails for words that a printer does not show.
func requireAll(t *testing.T, shown map[string]string, want ...string) {
	t.Helper()
	for printer, text := range shown {
		for _, words := range want {
			require.Contains(t, text, words, printer)
		}
	}
}

// TestDecisionShow_HasWhatAnExaminerNeeds, with each printer.
func TestDecisionShow_HasWhatAnExaminerNeeds(t *testing.T) {
	b := examine(t, "Secret Name Ltd", "Planted", "file-7")
	for _, d := range []refusal.DecisionRef{b.calculated, b.recalled} {
		requireAll(t, b.prints(d), d.DecisionID.String(), d.Digest, "app-17", b.Workflow, b.Account, "CALCULATED", "SYSTEM",
			"Secret Name Ltd", b.Business, "established date", "2001-01-01", "legal form", "counted as LLC", // of the business
			"Planted Name", b.Person, "ownership percentage", "50", "citizenship", "CA", "1980-02-29", "is a director", // of the person
			"PASSPORT", "Proof of identity", "Driving license", "LICENSE", "Both sides.", "10 years", "We must know who owns you.", "at least 25",
			"Ada King", "Seen in person.", "file-7", "2020-06-01", "2040-05-31", b.approved.DecisionID.String(), // the evidence of then
			"Known for 20 years.", b.waived.DecisionID.String(), "Letter of comfort", "Signed by the parent.", "The parent is abroad.",
			"Statement of turnover", "custom.turnover_abroad > 1000", "at most 1000", // what was not required, and why
			"starter decision verify --workflow "+b.Workflow, "starter decision export --account "+b.Account,
		)
	}
	for printer, text := range b.prints(b.first) {
		require.Contains(t, text, "A clear copy of a document with a photo.", printer)
		for _, later := range []string{"Ada King", "file-7", "Known for 20 years.", "Letter of comfort"} {
			require.NotContains(t, text, later, printer)
		}
	}
	before := b.prints(b.calculated)
	requireAll(t, before, b.version, "A clear copy of a document with a photo.", "Section 11 of the Act", "Section 12 of the Act", "An approval is bound to address, country.", b.demanded.DecisionID.String())
	for printer, text := range before {
		require.NotContains(t, text, "certified", printer)
		require.NotContains(t, text, "Section 99", printer)
	}
	after := b.prints(b.recalled)
	requireAll(t, after, b.calculated.Digest, "A certified copy of a document with a photo.", "Section 99 of the Act",
		"A clear copy of a document with a photo.", // which was approved
		"OTHER", "ADDRESS", "The rules no longer had this document.", "Section 12 of the Act")
	for _, printer := range []string{"text", "page"} {
		require.Contains(t, before[printer], "Documents: 3 kept.", printer)
		require.Contains(t, before[printer], "The requirement as it stands above.", printer)
		require.Contains(t, before[printer], "version 1 ("+b.version+")", printer)
		require.Contains(t, after[printer], "Documents: 1 added, 2 kept, 1 reopened, 1 removed.", printer)
		require.Contains(t, after[printer], "kept, reopened: TEXT_CHANGED", printer)
		require.Contains(t, after[printer], "An earlier text.", printer)
	}
}

// TestDecisionShow_SaysWhatHasChanged: another identity than was approved, and a rule that no longer
// holds for a person, although the rules still have it.
func TestDecisionShow_SaysWhatHasChanged(t *testing.T) {
	b := examine(t, "Secret Name Ltd", "Planted", "file-7")
	change := func(change func(*domain.Person)) map[string]string {
		b.Write(func(r *store.Records) error {
			return r.Persons.Update(t.Context(), id.Must[id.PersonID](b.Person), domain.CustomChange{}, change)
		})
		return b.prints(b.DecideByRules(b.Workflow))
	}
	renamed := change(func(p *domain.Person) { p.FirstName = new("Other") })
	for _, printer := range []string{"text", "page"} {
		require.Contains(t, renamed[printer], "Another: Planted Name", printer)
	}
	require.Contains(t, renamed["page"], "Proof of identity Other Name ("+b.Person+")", "the table tells namesakes apart")
	b.publishRules(examinedRules)
	b.Exec(`DELETE FROM rule_set WHERE version = 2`)
	require.NotContains(t, b.prints(b.recalled)["text"], "The rules no longer had this document.", "nobody knows what rules had that are not stored")
	requireAll(t, change(func(p *domain.Person) { p.OwnershipHundredths = new(rational.Decimal(100)) }), "The rule no longer holds for this person.")
}

// TestDecisionShow_OfAChangeByHandHasTheDocument: its requirement, and what was stated.
func TestDecisionShow_OfAChangeByHandHasTheDocument(t *testing.T) {
	b := examine(t, "Secret Name Ltd", "Planted", "file-7")
	shown := b.prints(b.approved)
	requireAll(t, shown, "UPDATED", "COMPLETED", "PENDING", "Planted Name", "A clear copy of a document with a photo.", "Section 11 of the Act", "at least 25",
		"Ada King", "Seen in person.", "file-7", "2020-06-01", "2040-05-31", b.version, b.approved.Digest)
	requireAll(t, b.prints(b.waived), "WAIVED", "A utility bill.", "Known for 20 years.", "Section 12 of the Act")
	requireAll(t, b.prints(b.demanded), "CREATED", "Letter of comfort", "Signed by the parent.", "The parent is abroad.")
	require.Contains(t, shown["text"], "Valid until 2040-05-31")
	require.NotContains(t, shown["text"], "Known for 20 years.", "of another document")
}

// TestDecisionShow_HasTheEvidenceOfACarriedApproval, in the first calculation and in a later one.
func TestDecisionShow_HasTheEvidenceOfACarriedApproval(t *testing.T) {
	b := examine(t, "Secret Name Ltd", "Planted", "file-7")
	previous := id.Must[id.WorkflowID](b.Workflow)
	b.update("PASSPORT", document.Review{Status: document.Completed, ReviewedBy: "Ada King"})
	approved := b.MustRun("decision", "list", b.Workflow, "--limit", "1")
	b.Write(func(r *store.Records) error {
		_, err := r.Workflows.Complete(t.Context(), previous, false)
		return err
	})
	b.Write(func(r *store.Records) error {
		next, err := r.Workflows.Create(t.Context(), id.Must[id.AccountID](b.Account), id.Must[id.BusinessID](b.Business), domain.NewWorkflow{State: domain.Started, PreviousWorkflowID: previous})
		b.Workflow = next.WireID().String()
		return err
	})
	by := regexp.MustCompile(`dec_\w+`).FindString(approved)
	first := b.DecideByRules(b.Workflow)
	for _, d := range []refusal.DecisionRef{first, b.DecideByRules(b.Workflow)} {
		requireAll(t, b.prints(d), by, "Ada King", "file-7", "2040-05-31")
	}
	require.Contains(t, b.prints(first)["text"], "added, approval carried over Status COMPLETED")

	b.update("PASSPORT", document.Review{Status: document.Pending})
	for printer, text := range b.prints(b.DecideByRules(b.Workflow)) {
		require.NotContains(t, text, by, printer)
	}
}

// TestDecisionShow_OfADocumentRequiredAnew has nothing of the waiver before.
func TestDecisionShow_OfADocumentRequiredAnew(t *testing.T) {
	b := examine(t, "Secret Name Ltd", "Planted", "file-7")
	requireAll(t, b.prints(b.calculated), "Known for 20 years.")
	var anew refusal.DecisionRef
	b.Write(func(r *store.Records) error {
		waived, err := r.Documents.Get(t.Context(), b.required("ADDRESS"))
		if err == nil {
			_, anew, err = r.Documents.Create(t.Context(), id.Must[id.WorkflowID](b.Workflow), "ADDRESS", requirement.Entity{Type: waived.EntityType, ID: waived.EntityID},
				document.ManualText{Name: "Proof of address", Category: "c", RequirementText: "A new one.", Reason: "Somebody moved."})
		}
		return err
	})
	requireAll(t, b.prints(anew), "Somebody moved.")
	for printer, text := range b.prints(b.DecideByRules(b.Workflow)) {
		require.NotContains(t, text, "Known for 20 years.", printer)
	}
}

// TestDecisionShow_ErasedShowsNothingErased, and what is left: digests and requirements.
func TestDecisionShow_ErasedShowsNothingErased(t *testing.T) {
	b := examine(t, "Secret Name Ltd", "Planted", "file-7")
	b.erase()
	for _, d := range []refusal.DecisionRef{b.approved, b.waived, b.demanded, b.calculated, b.recalled} {
		shown := b.prints(d)
		requireAll(t, shown, d.Digest, d.DecisionID.String(), "starter decision verify --workflow "+b.Workflow)
		for printer, text := range shown {
			for _, erased := range []string{"Secret", "Planted", "app-17", "1980-02-29", "2001-01-01", "Ada King", "Seen in person", "file-7", "2040-05-31", "2020-06-01",
				"Known for 20 years", "Letter of comfort", "Signed by the parent", "The parent is abroad", "at least 25"} {
				if erased == "2040-05-31" && d == b.approved { // the validity of an approval stays
					continue
				}
				require.NotContains(t, text, erased, printer)
			}
		}
		require.Contains(t, shown["text"], "Erased on ")
		require.Contains(t, shown["page"], "Erased on ")
	}
	requireAll(t, b.prints(b.recalled), "A certified copy of a document with a photo.", "Section 99 of the Act")
}

// TestDecisionShow_EscapesHostileNames in all printers.
func TestDecisionShow_EscapesHostileNames(t *testing.T) {
	hostile := `</title></style><script>alert("x")</script><img src=x onerror=alert(1)>`
	b := examine(t, hostile, hostile, hostile)
	for _, d := range []refusal.DecisionRef{b.approved, b.calculated} {
		page := b.page(d)
		require.NotContains(t, page, "<script")
		require.NotContains(t, page, "<img")
		require.Equal(t, 1, strings.Count(page, "</title>"))
		require.Equal(t, 1, strings.Count(page, "</style>"))
		require.Contains(t, html.UnescapeString(page), hostile, "it is shown as it is")
		require.Contains(t, b.MustRun("decision", "show", d.DecisionID.String(), "--json"), `<script>alert(\"x\")</script>`)
	}
	b = examine(t, startertest.Hostile, startertest.Hostile, "x")
	for _, d := range []refusal.DecisionRef{b.approved, b.calculated} {
		startertest.RequireHarmless(t, b.MustRun("decision", "show", d.DecisionID.String()))
		startertest.RequireHarmless(t, b.MustRun("decision", "show", d.DecisionID.String(), "--json"))
		require.NotContains(t, b.page(d), "\u202e")
	}
}

// TestDecisionShow_PageOfEachKindOfDecision that has no documents.
func TestDecisionShow_PageOfEachKindOfDecision(t *testing.T) {
	b := &examined{bundle: setup(t)}
	b.publishRules(strings.ReplaceAll(oldRules, "business_age_years > 3", "evaluation_score < 3"))
	requireAll(t, b.prints(b.DecideByRules(b.Workflow)), "MISSING_REQUIREMENTS", "evaluation_score", "has not been calculated")
	b.MustRun("pricing", "publish", startertest.RulesFile(t, "pricing.yaml", pricingModel), "--account", b.Account)
	requireAll(t, b.prints(b.DecideScore(b.Workflow)), "540.5", "FOREIGN", "40.5", "500")
	requireAll(t, b.prints(b.Decide(b.Workflow, func(calculation.Snapshot) store.Found {
		return store.Refused{Kind: decision.Calculation, Refusal: refusal.Rule(refusal.EntityWorkflow, b.Workflow, refusal.RuleNotEvaluable, "OLD divides by zero")}
	})), "RULE_NOT_EVALUABLE", "OLD divides by zero")
	b.erase()
	erasure := regexp.MustCompile(`dec_\w+`).FindString(b.MustRun("decision", "list", b.Workflow, "--kind", "ERASURE"))
	requireAll(t, b.prints(refusal.DecisionRef{DecisionID: id.Must[id.DecisionID](erasure)}), "ERASURE", b.Business)
}

// TestDecisionShow_CountsADefaultOnlyWhereTheFactIsNotAskedFor: while it is asked for, nothing is
// decided, and it counts as nothing.
func TestDecisionShow_CountsADefaultOnlyWhereTheFactIsNotAskedFor(t *testing.T) {
	b := &examined{bundle: setup(t)}
	const rules = `facts:
  - {name: legal_form, entity_type: Business, type: TEXT, choices: [LLC, CORPORATION], label: legal form, ask: The legal form., default: LLC}
  - {name: issued, entity_type: Business, type: TEXT, label: issued shares, ask: Which?, default: common ones, asked_when: custom.legal_form == "CORPORATION"}
documents:
  - {document_type_code: A, name: n, category: c, requirement_text: t, entity_type: Business, when: custom.issued == "common ones"}
`
	b.publishRules(rules)
	requireAll(t, b.prints(b.DecideByRules(b.Workflow)), "counted as LLC", "counted as common ones", "issued shares (not asked, counted as common ones)")
	b.publishRules(strings.Replace(rules, "default: LLC", "default: CORPORATION", 1))
	shown := b.prints(b.DecideByRules(b.Workflow))
	requireAll(t, shown, "MISSING_REQUIREMENTS", "Supply the issued shares", "counted as CORPORATION")
	for printer, text := range shown {
		require.NotContains(t, text, "common ones", printer)
	}
}

// TestDecisionShow_WarnsOfChangedRules: their texts are not those of then.
func TestDecisionShow_WarnsOfChangedRules(t *testing.T) {
	b := &examined{bundle: setup(t)}
	b.publishRules(oldRules)
	d := b.DecideByRules(b.Workflow)
	require.NotContains(t, b.prints(d)["text"], "Warning")
	b.Exec(`ALTER TABLE rule_set DISABLE TRIGGER USER`)
	b.Exec(`UPDATE rule_set SET content = replace(content, 'Old business', 'New business')`)
	shown := b.prints(d)
	for _, printer := range []string{"text", "page"} {
		require.Contains(t, shown[printer], "Warning: the stored version has another SHA-256", printer)
	}
}

// TestDecisionShow_JSONIsTheAnswerOfTheAPI.
func TestDecisionShow_JSONIsTheAnswerOfTheAPI(t *testing.T) {
	b := examine(t, "Secret Name Ltd", "Planted", "file-7")
	for _, d := range []refusal.DecisionRef{b.approved, b.waived, b.demanded, b.recalled} {
		var answer struct{ Data json.RawMessage }
		require.NoError(t, json.Unmarshal([]byte(b.MustRun("call", "workflow.decision.get", fmt.Sprintf(`{"decision_id":%q}`, d.DecisionID), "--as-operator", b.Account)), &answer))
		require.JSONEq(t, string(answer.Data), b.MustRun("decision", "show", d.DecisionID.String(), "--json"))
	}
}

// TestDecisionShow_OfApprovalsThatLapsed has the documents that are required anew, and why.
func TestDecisionShow_OfApprovalsThatLapsed(t *testing.T) {
	var later atomic.Int64 // days
	clock := func() time.Time { return time.Now().Add(-time.Hour).AddDate(0, 0, int(later.Load())) }
	b := &examined{bundle: &bundle{startertest.SetupAt(t, clock)}}
	b.publishRules(strings.Replace(examinedRules, "due_within: 30 days", "due_within: 30 days, renew_after: 1 month", 1))
	b.DecideByRules(b.Workflow)
	b.update("ADDRESS", document.Review{Status: document.Completed, ReviewedBy: "Ada King"})
	later.Store(40)
	done, err := b.Store.Upkeep.ApplyDeadlines(t.Context(), func(domain.Deadlines) {}, func(id.WorkflowID, error) {})
	require.NoError(t, err)
	require.EqualValues(t, 1, done.Expired)
	var made []decision.Recorded
	b.Write(func(r *store.Records) (err error) {
		made, _, err = r.Decisions.List(t.Context(), id.Must[id.WorkflowID](b.Workflow), decision.DocumentStatus, nil, domain.Page{Limit: 1})
		return err
	})
	shown := b.prints(made[0].Ref())
	requireAll(t, shown, "PENDING", "COMPLETED", "Proof of address", "Ada King")
	for _, printer := range []string{"text", "page"} {
		require.Contains(t, shown[printer], "renewal due", printer)
		require.NotContains(t, shown[printer], "Nothing was decided", printer)
	}
	require.Contains(t, shown["page"], "End of approvals")
}
