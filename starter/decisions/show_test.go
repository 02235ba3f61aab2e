package decisions_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
)

// examined is an application whose decisions have all that an examiner looks for.
type examined struct {
	*bundle
	// approved is the review of the passport, calculated a later calculation with changed rules.
	version                                           string
	approved, waived, demanded, calculated, recalled, missing refusal.Decision
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
  - {document_type_code: ADDRESS, name: Proof of address, category: c, requirement_text: A utility bill., entity_type: Business, legal_basis: Section 12 of the Act, due_within: 30 days}
  - {document_type_code: TURNOVER, name: Statement of turnover, category: c, requirement_text: t, entity_type: Business, when: custom.turnover_abroad > 1000}
`

// examine makes the application. The names are hostile if they are to be.
func examine(t *testing.T, legalName, firstName, reference string) *examined {
	b := &examined{bundle: setup(t)}
	share, citizenship := pointer(fact.Number{}), "CA"
	_ = share
	b.Write(func(r *store.Records) error {
		if err := r.UpdateBusiness(t.Context(), id.Must[id.BusinessID](b.Business), domain.CustomChange{}, func(b *domain.Business) { b.LegalName = legalName }); err != nil {
			return err
		}
		born := "1980-02-29"
		return r.UpdatePerson(t.Context(), id.Must[id.PersonID](b.Person), domain.CustomChange{}, func(p *domain.Person) {
			p.FirstName, p.DateOfBirth, p.Citizenship = firstName, &born, &citizenship
		})
	})
	b.Exec(`UPDATE workflow SET external_id = 'app-17'`)
	b.version = b.publishRules(examinedRules)
	b.DecideByRules(b.Workflow)
	expires := fact.Date{}
	require.NoError(t, expires.UnmarshalText([]byte("2040-05-31")))
	issued := fact.Date{}
	require.NoError(t, issued.UnmarshalText([]byte("2020-06-01")))
	b.approved = b.update("PASSPORT", requirement.Review{
		Status: requirement.Completed, ReviewedBy: "Ada King", Note: "Seen in person.",
		Evidence: []requirement.Evidence{{DocumentTypeCode: "PASSPORT", Reference: reference, IssuedOn: &issued, ExpiresOn: &expires}},
	})
	b.Write(func(r *store.Records) (err error) {
		b.waived, err = r.WaiveDocument(t.Context(), b.required("ADDRESS"), "Known for 20 years.", id.DecisionID{})
		return err
	})
	b.Write(func(r *store.Records) (err error) {
		_, b.demanded, err = r.CreateDocument(t.Context(), id.Must[id.WorkflowID](b.Workflow), "LETTER", requirement.Entity{Type: fact.EntityBusiness, ID: b.Business},
			requirement.ManualText{Name: "Letter of comfort", Category: "c", RequirementText: "Signed by the parent.", Reason: "The parent is abroad."})
		return err
	})
	b.calculated = b.DecideByRules(b.Workflow)
	b.publishRules(strings.NewReplacer("A clear copy of a document", "A certified copy of a document", "Section 11", "Section 99",
		"  - {document_type_code: ADDRESS", "  - {document_type_code: OTHER").Replace(examinedRules))
	b.recalled = b.DecideByRules(b.Workflow)
	return b
}

func pointer[T any](v T) *T { return &v }

// required finds a document by its code.
func (b *examined) required(code string) (found id.RequiredDocumentID) {
	b.Helper()
	b.Write(func(r *store.Records) error {
		documents, _, err := r.RequiredDocuments(b.Context(), id.Must[id.WorkflowID](b.Workflow), calculation.DocumentFilter{}, nil)
		for _, d := range documents {
			if d.DocumentTypeCode == code {
				found = id.Must[id.RequiredDocumentID](d.ID)
			}
		}
		return err
	})
	return found
}

func (b *examined) update(code string, review requirement.Review) (made refusal.Decision) {
	b.Helper()
	document := b.required(code)
	b.Write(func(r *store.Records) (err error) {
		made, err = r.UpdateDocument(b.Context(), document, review, id.DecisionID{})
		return err
	})
	return made
}

// page shows a decision as a page.
func (b *examined) page(of refusal.Decision) string {
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

func TestShowDump(t *testing.T) {
	b := examine(t, "Secret Name Ltd", "Planted", "file-7")
	dir := "/tmp/show"
	_ = os.MkdirAll(dir, 0o700)
	for name, d := range map[string]refusal.Decision{"approved": b.approved, "waived": b.waived, "demanded": b.demanded, "calculated": b.calculated, "recalled": b.recalled} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".html"), []byte(b.page(d)), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".txt"), []byte(b.MustRun("decision", "show", d.DecisionID.String())), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".json"), []byte(b.MustRun("decision", "show", d.DecisionID.String(), "--json")), 0o600))
	}
	b.erase()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "erased.html"), []byte(b.page(b.recalled)), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "erased.txt"), []byte(b.MustRun("decision", "show", b.recalled.DecisionID.String())), 0o600))
	_ = json.Valid
	_ = regexp.MustCompile
}
