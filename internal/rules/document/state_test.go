package document

import (
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/internal/rules/rulestest"
	"requisite/internal/testkit/history"
)

var today = rulestest.Date("2026-03-15")

func TestUpdate_Moves(t *testing.T) {
	all := []Status{Pending, NeedsReview, Completed, Waived, Inactive, "OTHER", ""}
	allowed := map[[2]Status]bool{
		{Pending, NeedsReview}: true, {Pending, Completed}: true, {NeedsReview, Completed}: true,
		{NeedsReview, Pending}: true, {Completed, Pending}: true, {Waived, Pending}: true,
	}
	stays := map[Status]bool{Pending: true, NeedsReview: true}
	for _, from := range all {
		for _, to := range all {
			for _, says := range []Review{{}, {ReviewedBy: "a"}, {Note: "a"}, {Evidence: []Evidence{{}}}} {
				says.Status = to
				after, err := Document{Status: from}.Update(says, today)
				if allowed[[2]Status{from, to}] || from == to && from == Completed && says.Evidence != nil || from == to && stays[from] && (says.ReviewedBy != "" || says.Note != "" || says.Evidence != nil) {
					require.NoError(t, err)
					require.Equal(t, to, after.Status)
					require.Equal(t, to == Completed, after.Approval != nil)
					continue
				}
				var refused *StatusError
				require.True(t, errors.As(err, &refused), "%s to %s", from, to)
				require.Equal(t, StatusError{from, to}, *refused)
			}
		}
	}
	for _, from := range all {
		after, err := Document{Status: from}.Waive(today)
		require.Equal(t, stays[from], err == nil, from)
		require.Equal(t, stays[from], after.Status == Waived && from != Waived, from)
	}
	message := func(from, to Status) string {
		_, err := Document{Status: from}.Update(Review{Status: to}, today)
		return err.Error()
	}
	require.Equal(t, "a document that is NEEDS_REVIEW cannot be moved to INACTIVE; it can be moved to COMPLETED, PENDING", message(NeedsReview, Inactive))
	require.Contains(t, message(Inactive, Pending), "only a calculation")
	require.Contains(t, message(Pending, Waived), "call workflow.requiredDocument.waive")
	require.Contains(t, message(Pending, Pending), "state evidence, reviewed_by or note, or another status")
	require.Contains(t, message(Completed, Completed), "state the evidence of a new approval")
	_, err := Document{Status: Completed}.Waive(today)
	require.EqualError(t, err, "a document that is COMPLETED cannot be waived; only one that is PENDING or NEEDS_REVIEW can")
}

func text(d fact.Date) string {
	if d.IsZero() {
		return ""
	}
	return d.String()
}

// desk has one document of one person, the versions of its rules and its reviewer, in one workflow after the other.
type desk struct {
	*ledger
	account  history.Account
	kept     map[int]KeptTexts // by number of a version
	workflow history.Workflow
	earlier  []Document // of the workflow before, until the first calculation
	applies  bool       // the condition of the rule
	identity requirement.Identity

	// approved is what was approved last, while nobody has changed the status or the evidence since, and at the version
	// that the last calculation had used.
	approved *Approval
	at       int
}

const deskDocument = "D " + fact.EntityPerson

func newDesk() *desk {
	k := &desk{
		ledger: &ledger{documents: map[string]Document{}}, account: history.Account{Day: 1}, kept: map[int]KeptTexts{},
		applies: true, identity: requirement.Identity{FirstName: "a"},
	}
	k.publish(history.Version{Texts: map[string]string{deskDocument: "a"}})
	k.workflow = k.account.Open()
	return k
}

func (k *desk) publish(v history.Version) {
	before := k.kept[len(k.account.Versions)]
	replaced := k.account.Publish(v)
	k.kept[len(k.account.Versions)] = before.Next(versionTexts(&k.account), replaced, k.asOf().String())
}

func (k *desk) asOf() fact.Date { return onDay(k.account.Day) }

// text is what the rule says of the document; false where none requires it.
func (k *desk) text() (string, bool) {
	text, there := k.account.InForce(k.workflow).Texts[deskDocument]
	return text, there && k.applies
}

func (k *desk) seen() Seen {
	number := k.account.InForce(k.workflow).Number
	return Seen{
		VersionID: strconv.Itoa(number), Version: number, AsOf: k.asOf(), Identities: map[requirement.Entity]requirement.Identity{{Type: fact.EntityPerson, ID: "p"}: k.identity},
		KeptTexts: k.kept[number], Earlier: k.earlier,
	}
}

func (k *desk) result() requirement.Result {
	if _, required := k.text(); !required {
		return requirement.Result{}
	}
	return requirement.Result{
		Rules:    requirement.DocumentRules(documentRules(k.account.InForce(k.workflow))...),
		Required: []requirement.Requirement{{DocumentTypeCode: "D", EntityType: fact.EntityPerson, EntityID: "p"}},
	}
}

// document is the one on record; false where there is none.
func (k *desk) document() (Document, bool) {
	all := k.all()
	if len(all) == 0 {
		return Document{}, false
	}
	return all[0], true
}

// store writes what a hand did.
func (k *desk) store(after Document, forgets bool) {
	k.documents[after.ID] = after
	if forgets {
		k.approved = after.Approval
		k.at, _ = strconv.Atoi(after.VersionID())
	}
}

// open ends the workflow, and opens the next one.
func (k *desk) open() {
	k.earlier, k.documents, k.workflow = k.all(), map[string]Document{}, k.account.Open()
}

func (k *desk) calculate(t *rapid.T) {
	before, known := k.document()
	earlier := Document{}
	if len(k.earlier) > 0 {
		earlier = k.earlier[0]
	}
	changes := k.recalculate(t, k.result(), k.seen())
	after, there := k.document()
	k.earlier = nil
	again := k.recalculate(t, k.result(), k.seen())
	require.True(t, again.Empty() && len(again.Reopened)+len(again.Reinstated)+len(again.TextChanged) == 0, "the same again changes nothing")
	text, required := k.text()
	approved := k.approved
	holds := func(shown string) bool {
		if approved == nil || approved.Identity != k.identity {
			return false
		}
		// No version keeps what hand requires.
		return approved.Text.Name == shown || required && k.at > 0 && k.account.Holds(k.account.InForce(k.workflow).Number, k.at, deskDocument, approved.Text.Name)
	}
	switch {
	case !known && !required:
		require.False(t, there)
		k.approved = nil
		return
	case !known:
		carried := earlier.effectiveStatus() == Completed && holds(text)
		require.Equal(t, carried, len(changes.Carried) == 1)
		require.Equal(t, map[bool]Status{true: Completed, false: Pending}[carried], after.Status)
		if !carried {
			k.approved = nil
		}
		return
	case !required && before.Origin == OriginRule:
		require.Equal(t, Inactive, after.Status)
		require.Equal(t, before.effectiveStatus(), after.effectiveStatus(), "it is remembered")
		return
	}
	require.NotEqual(t, Inactive, after.Status, "no rule retires what hand requires")
	shown := rulefile.Pick(required, text, "own")
	require.Equal(t, shown, after.Name)
	require.Equal(t, k.identity, after.Identity)
	require.Equal(t, before.Evidence, after.Evidence, "evidence stays")
	if approved == nil {
		require.Equal(t, before.effectiveStatus(), after.Status, "the status that hand set stays")
		require.Empty(t, changes.Reopened)
		require.Empty(t, changes.Reinstated)
		return
	}
	want := approved.Status
	if !holds(shown) {
		want = map[Status]Status{Completed: NeedsReview, Waived: Pending}[want]
	}
	require.Equal(t, want, after.Status)
	require.Equal(t, !holds(shown), after.StatusReason != "")
	held := before.effectiveStatus() == approved.Status
	require.Equal(t, held && !holds(shown), len(changes.Reopened) == 1)
	require.Equal(t, !held && holds(shown), len(changes.Reinstated) == 1)
}

func TestRecalculate_ReopensAndReinstates(t *testing.T) {
	rule := requirement.DocumentRule{DocumentTypeCode: "D", Name: "a", EntityType: fact.EntityPerson}
	required := func(name string) requirement.Result {
		rule.Name = name
		return requirement.Result{Rules: requirement.DocumentRules(rule), Required: []requirement.Requirement{{DocumentTypeCode: "D", EntityType: fact.EntityPerson, EntityID: "p"}}}
	}
	of := func(name string) Seen {
		return Seen{VersionID: "v", AsOf: today, Identities: map[requirement.Entity]requirement.Identity{{Type: fact.EntityPerson, ID: "p"}: {FirstName: name}}}
	}
	l := &ledger{documents: map[string]Document{}}
	l.recalculate(t, required("a"), of("Ann"))
	pending := l.recalculate(t, required("b"), of("Ann"))
	require.Len(t, pending.Refreshed, 1, "another text refreshes a document whatever its status")
	require.Len(t, l.recalculate(t, required("b"), of("Bob")).Refreshed, 1, "another identity does too")
	require.Empty(t, l.recalculate(t, required("b"), of(" BOB ")).Refreshed)
	require.Len(t, pending.TextChanged, 1)

	d, err := l.all()[0].Update(Review{Status: Completed}, today)
	require.NoError(t, err)
	l.documents[d.ID] = d
	changed := l.recalculate(t, required("a"), of("Bob"))
	require.Equal(t, changed.Reopened, changed.Kept)
	require.Equal(t, []any{NeedsReview, TextChanged}, []any{changed.Reopened[0].Status, changed.Reopened[0].StatusReason})
	require.Empty(t, l.recalculate(t, required("a"), of("Eve")).Reopened, "it is reopened once")
	changed = l.recalculate(t, required("b"), of("Eve"))
	require.Equal(t, IdentityChanged, changed.Refreshed[0].StatusReason)
	l.recalculate(t, requirement.Result{}, of("Bob"))
	restored := l.recalculate(t, required("b"), of("Bob"))
	require.Equal(t, restored.Restored, restored.Reinstated)
	require.Equal(t, []any{Completed, StatusReason("")}, []any{restored.Restored[0].Status, restored.Restored[0].StatusReason})
	l.recalculate(t, requirement.Result{}, of("Bob"))
	restored = l.recalculate(t, required("a"), of("Bob"))
	require.Equal(t, restored.Restored, restored.Reopened, "restoring compares as well")

	// A note is no other evidence.
	d, err = l.all()[0].Update(Review{Status: NeedsReview, Note: "n"}, today)
	require.NoError(t, err)
	l.documents[d.ID] = d
	require.Len(t, l.recalculate(t, required("b"), of("Bob")).Reinstated, 1)
	l.recalculate(t, required("a"), of("Bob"))
	d, err = l.all()[0].Update(Review{Status: NeedsReview, Evidence: []Evidence{{Reference: "other"}}}, today)
	require.NoError(t, err)
	l.documents[d.ID] = d
	require.Empty(t, l.recalculate(t, required("b"), of("Bob")).Reinstated, "nobody has approved this evidence")
	require.Equal(t, NeedsReview, l.all()[0].Status)
}

func TestRecalculate_KeepsApprovalsThatEachPublicationKept(t *testing.T) {
	rule := requirement.DocumentRule{DocumentTypeCode: "D", Name: "a", EntityType: fact.EntityBusiness}
	required := func(name string) requirement.Result {
		rule.Name = name
		return requirement.Result{Rules: requirement.DocumentRules(rule), Required: []requirement.Requirement{{DocumentTypeCode: "D", EntityType: fact.EntityBusiness, EntityID: "b"}}}
	}
	l := &ledger{documents: map[string]Document{}}
	under := func(version int, before KeptTexts, name string, keep ...string) Seen {
		says := NewVersionTexts(version, "", keep, []requirement.DocumentRule{*required(name).Rules[0].Document})
		return Seen{VersionID: strconv.Itoa(version), Version: version, KeptTexts: before.Next(says, nil, today.String())}
	}
	first := under(1, KeptTexts{}, "a")
	l.recalculate(t, required("a"), first)
	d, err := l.all()[0].Update(Review{Status: Completed}, today)
	require.NoError(t, err)
	l.documents[d.ID] = d
	second := under(2, first.KeptTexts, "b", "D")
	changed := l.recalculate(t, required("b"), second)
	require.Empty(t, changed.Reopened)
	require.Len(t, changed.TextChanged, 1)
	require.Equal(t, Completed, changed.Kept[0].Status)
	require.True(t, l.recalculate(t, required("b"), second).Empty(), "twice changes nothing")
	require.True(t, l.recalculate(t, required("b"), under(3, second.KeptTexts, "b")).OnlyReasons(), "what changes no text ends nothing")
	require.Len(t, l.recalculate(t, required("c"), under(3, second.KeptTexts, "c")).Reopened, 1)
}

// An approval that has lapsed does not come back, and the document is due anew.
func TestRecalculate_RestoresNoApprovalThatHasLapsed(t *testing.T) {
	rule := requirement.DocumentRule{DocumentTypeCode: "D", Name: "a", EntityType: fact.EntityBusiness, Terms: requirement.Terms{RenewAfter: rulestest.Period("1 month"), DueWithin: rulestest.Period("10 days")}}
	required := requirement.Result{Rules: requirement.DocumentRules(rule), Required: []requirement.Requirement{{DocumentTypeCode: "D", EntityType: fact.EntityBusiness, EntityID: "b"}}}
	on := func(day string) Seen { return Seen{AsOf: rulestest.Date(day)} }
	for _, c := range []struct {
		day    string
		status Status
		reason StatusReason
		dueOn  string
	}{{"2026-04-15", Completed, "", "2026-04-25"}, {"2026-04-16", Pending, RenewalDue, "2026-04-26"}} {
		l := &ledger{documents: map[string]Document{}}
		require.Equal(t, "2026-03-25", text(l.recalculate(t, required, Seen{AsOf: today}).Added[0].DueOn))
		d, err := l.all()[0].Update(Review{Status: Completed}, today)
		require.NoError(t, err)
		l.documents[d.ID] = d
		require.Equal(t, Completed, l.recalculate(t, required, on(c.day)).Kept[0].Status, "no calculation ends what stands")
		l.recalculate(t, requirement.Result{}, on(c.day))
		restored := l.recalculate(t, required, on(c.day)).Restored[0]
		require.Equal(t, []any{c.status, c.reason, c.dueOn}, []any{restored.Status, restored.StatusReason, text(restored.DueOn)})
	}
}

func TestRecalculate_CarriesApprovals(t *testing.T) {
	rule := func(code string) requirement.DocumentRule {
		return requirement.DocumentRule{DocumentTypeCode: code, Name: code, EntityType: fact.EntityBusiness, Terms: requirement.Terms{RenewAfter: rulestest.Period("1 month")}}
	}
	entity := requirement.Entity{Type: fact.EntityBusiness, ID: "b"}
	seen := func(day, name string) Seen {
		return Seen{AsOf: rulestest.Date(day), Identities: map[requirement.Entity]requirement.Identity{entity: {LegalName: name}}}
	}
	required := requirement.Result{}
	for i := range 4 {
		code := fmt.Sprint("D", i)
		required.Rules = append(required.Rules, requirement.DocumentRules(rule(code))...)
		required.Required = append(required.Required, requirement.Requirement{DocumentTypeCode: code, EntityType: entity.Type, EntityID: entity.ID})
	}
	l := &ledger{documents: map[string]Document{}}
	l.recalculate(t, required, seen("2026-03-15", "Ltd"))
	for _, d := range l.all() {
		var err error
		switch d.DocumentTypeCode {
		case "D0", "D3":
			d, err = d.Update(Review{Status: Completed, Evidence: []Evidence{{Reference: "r"}}, ReviewedBy: "r"}, today)
		case "D1":
			d, err = d.Waive(today)
		}
		require.NoError(t, err)
		if d.Approval != nil {
			d.Approval.DecisionID = "dec"
		}
		l.documents[d.ID] = d
	}
	earlier := l.all()
	carry := func(s Seen) Changes {
		s.Earlier = earlier
		return Recalculate(nil, required, s, func() string { return "new" })
	}
	carried := carry(seen("2026-04-15", "LTD"))
	require.Len(t, carried.Added, 4)
	require.Len(t, carried.Carried, 2)
	first := carried.Carried[0]
	require.Equal(t, []any{"new", "D0", Completed, "dec", "2026-04-15", OriginRule}, []any{first.ID, first.DocumentTypeCode, first.Status, first.Approval.DecisionID, text(first.ValidUntil()), first.Origin})
	require.Equal(t, []Evidence{{Reference: "r"}}, first.Evidence)
	require.Empty(t, first.ReviewedBy, "nobody has reviewed this one")
	require.Equal(t, carried.Added[0], first)
	require.Equal(t, []Status{Completed, Pending, Pending, Completed}, []Status{carried.Added[0].Status, carried.Added[1].Status, carried.Added[2].Status, carried.Added[3].Status}, "a waiver is of one workflow")

	for name, s := range map[string]Seen{"another identity": seen("2026-04-15", "Other"), "it has lapsed": seen("2026-04-16", "Ltd")} {
		fresh := carry(s)
		require.Empty(t, fresh.Carried, name)
		require.Equal(t, Pending, fresh.Added[0].Status, name)
		require.Empty(t, fresh.Added[0].Evidence, name)
		require.Nil(t, fresh.Added[0].Approval, name)
	}
	required.Rules[0].Document.RequirementText = "another text"
	require.Equal(t, "D3", carry(seen("2026-04-15", "Ltd")).Carried[0].DocumentTypeCode)
}

func TestDocument_RequiredByHand(t *testing.T) {
	entity := requirement.Entity{Type: fact.EntityPerson, ID: "p"}
	there := Seen{AsOf: today, Identities: map[requirement.Entity]requirement.Identity{entity: {FirstName: "Ann"}}}
	own := ManualText{Name: "own", Category: "c", RequirementText: "r", Explanation: "e", DueWithin: rulestest.Period("1 day"), Reason: "because"}
	d := Document{ID: "rd", DocumentTypeCode: "D", EntityType: entity.Type, EntityID: entity.ID}.RequireManually(own, requirement.Identity{FirstName: "Ann"}, today)
	require.Equal(t, []any{Pending, OriginManual, "own", "2026-03-16", "MANUAL", "because"}, []any{d.Status, d.Origin, d.Name, text(d.DueOn), d.Reasons[0].Rule, d.Reasons[0].Message})
	l := &ledger{documents: map[string]Document{"rd": d}}
	unchanged := l.recalculate(t, requirement.Result{}, there)
	require.True(t, unchanged.Empty())
	require.Len(t, unchanged.Kept, 1)

	rule := requirement.Result{
		Rules:    requirement.DocumentRules(requirement.DocumentRule{DocumentTypeCode: "D", Name: "rule", EntityType: entity.Type, When: "x"}),
		Required: []requirement.Requirement{{DocumentTypeCode: "D", EntityType: entity.Type, EntityID: entity.ID}},
	}
	shown := l.recalculate(t, rule, there).Refreshed[0]
	require.Equal(t, []any{"rule", "", "x", OriginManual, ""}, []any{shown.Name, shown.Explanation, shown.Reasons[0].Rule, shown.Origin, text(shown.DueOn)})
	again := l.recalculate(t, requirement.Result{}, there).Refreshed[0]
	require.Equal(t, []any{"own", "e", "MANUAL", Pending}, []any{again.Name, again.Explanation, again.Reasons[0].Rule, again.Status})

	gone := l.recalculate(t, requirement.Result{}, Seen{AsOf: today}).Removed
	require.Len(t, gone, 1, "its person was deleted")
	require.True(t, l.recalculate(t, requirement.Result{}, Seen{AsOf: today}).Empty())

	inactive := Document{ID: "rd", DocumentTypeCode: "D", Status: Inactive, PreviousStatus: Completed, Origin: OriginRule, Approval: &Approval{Status: Completed}, Evidence: []Evidence{{}}, StatusReason: TextChanged}
	d = inactive.RequireManually(own, requirement.Identity{}, today)
	require.Equal(t, []any{"rd", Pending, Status(""), OriginManual, StatusReason("")}, []any{d.ID, d.Status, d.PreviousStatus, d.Origin, d.StatusReason})
	require.Nil(t, d.Approval, "it was asked for anew")
	require.Len(t, d.Evidence, 1)
}

// TestRecalculate_KeepsWhatHandStated, and writes a document anew for what it says and when it is due.
func TestRecalculate_KeepsWhatHandStated(t *testing.T) {
	rule := requirement.DocumentRule{DocumentTypeCode: "D", Name: "a", EntityType: fact.EntityPerson, Terms: requirement.Terms{DueWithin: rulestest.Period("1 month"), DueFrom: "established_date"}}
	calculate := func(l *ledger, as requirement.Identity, established string) Changes {
		t.Helper()
		result := requirement.Result{Rules: requirement.DocumentRules(rule), Required: []requirement.Requirement{{DocumentTypeCode: "D", EntityType: fact.EntityPerson, EntityID: "p"}}}
		return l.recalculate(t, result, Seen{VersionID: "v", AsOf: today, Facts: fact.Facts{EstablishedDate: rulestest.Day(established)}, Identities: map[requirement.Entity]requirement.Identity{{Type: fact.EntityPerson, ID: "p"}: as}})
	}
	reviewed := func(l *ledger, r Review) Document {
		t.Helper()
		d, err := l.all()[0].Update(r, today)
		require.NoError(t, err)
		l.documents[d.ID] = d
		return d
	}
	l := &ledger{documents: map[string]Document{}}
	calculate(l, requirement.Identity{FirstName: "Ann"}, "2026-01-31")
	require.Equal(t, "2026-03-01", text(l.all()[0].DueOn))
	require.Len(t, calculate(l, requirement.Identity{FirstName: "Ann"}, "2026-02-02").Refreshed, 1, "due_on follows its date")
	require.Equal(t, "2026-03-02", text(l.all()[0].DueOn))
	rule.Explanation = "e"
	require.Len(t, calculate(l, requirement.Identity{FirstName: "Ann"}, "2026-02-02").Refreshed, 1)

	reviewed(l, Review{Status: NeedsReview, ReviewedBy: "Ida", Note: "n"})
	rule.Explanation = "other"
	calculate(l, requirement.Identity{FirstName: "Ann"}, "2026-02-02")
	require.Equal(t, []string{"Ida", "n"}, []string{l.all()[0].ReviewedBy, l.all()[0].ReviewNote})
	d := reviewed(l, Review{Status: NeedsReview, Note: "m"})
	require.Equal(t, []string{"", "m"}, []string{d.ReviewedBy, d.ReviewNote}, "they are of the last update")

	// What is filled after an approval binds from then on.
	reviewed(l, Review{Status: Completed})
	require.Empty(t, calculate(l, requirement.Identity{FirstName: "Ann", DateOfBirth: "1990-01-01"}, "2026-02-02").Reopened)
	require.Len(t, calculate(l, requirement.Identity{FirstName: "Ann", DateOfBirth: "1990-01-02"}, "2026-02-02").Reopened, 1)
	require.Len(t, calculate(l, requirement.Identity{FirstName: "Ann", DateOfBirth: "1990-01-01"}, "2026-02-02").Reinstated, 1)
	require.Len(t, calculate(l, requirement.Identity{FirstName: "Ann"}, "2026-02-02").Reopened, 1, "nor may it be removed")
}

// TestRecalculate_AnApprovalThatLapsedMeanwhileIsNotReinstated, and a waiver does not lapse.
func TestRecalculate_AnApprovalThatLapsedMeanwhileIsNotReinstated(t *testing.T) {
	rule := requirement.DocumentRule{DocumentTypeCode: "D", EntityType: fact.EntityBusiness, Terms: requirement.Terms{RenewAfter: rulestest.Period("1 month"), DueWithin: rulestest.Period("10 days")}}
	calculate := func(l *ledger, name, day string) Changes {
		rule.Name = name
		return l.recalculate(t, requirement.Result{Rules: requirement.DocumentRules(rule), Required: []requirement.Requirement{{DocumentTypeCode: "D", EntityType: fact.EntityBusiness, EntityID: "b"}}}, Seen{AsOf: rulestest.Date(day)})
	}
	l := &ledger{documents: map[string]Document{}}
	calculate(l, "a", text(today))
	d, err := l.all()[0].Update(Review{Status: Completed}, today)
	require.NoError(t, err)
	l.documents[d.ID] = d
	require.Len(t, calculate(l, "b", "2026-05-01").Reopened, 1)
	changed := calculate(l, "a", "2026-05-02")
	require.Empty(t, changed.Reinstated)
	d = changed.Refreshed[0]
	require.Equal(t, []any{Pending, RenewalDue, "2026-05-12"}, []any{d.Status, d.StatusReason, text(d.DueOn)}, "it is due anew")

	d, err = d.Waive(rulestest.Date("2026-05-02"))
	require.NoError(t, err)
	l.documents[d.ID] = d
	l.recalculate(t, requirement.Result{}, Seen{AsOf: rulestest.Date("2026-05-02")})
	require.Equal(t, Waived, calculate(l, "a", "2027-01-01").Restored[0].Status)
}
