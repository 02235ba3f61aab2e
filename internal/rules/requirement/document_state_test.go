package requirement

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
)

func date(text string) fact.Date {
	d, err := fact.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

func day(text string) *fact.Date { return new(date(text)) }

func period(text string) *fact.Period {
	p, err := fact.ParsePeriod(text)
	if err != nil {
		panic(err)
	}
	return &p
}

var today = date("2026-03-15")

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
				if allowed[[2]Status{from, to}] || from == to && stays[from] && (says.ReviewedBy != "" || says.Note != "" || says.Evidence != nil) {
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
	_, err := Document{Status: Completed}.Waive(today)
	require.EqualError(t, err, "a document that is COMPLETED cannot be waived; only one that is PENDING or NEEDS_REVIEW can")
}

// The last day counts.
func TestEvidence_Suffices(t *testing.T) {
	old, valid := Terms{NotOlderThan: period("3 months")}, Terms{MustBeValid: true}
	options := Terms{NotOlderThan: period("3 months"), AnyOf: []DocumentOption{
		{DocumentTypeCode: "PASSPORT", MustBeValid: new(true)}, {DocumentTypeCode: "BILL"}, {DocumentTypeCode: "LETTER", NotOlderThan: period("30 days")}, {DocumentTypeCode: "DEED", MustBeValid: new(false)},
	}}
	for name, c := range map[string]struct {
		terms    Terms
		evidence []Evidence
		code     EvidenceCode
		details  []string
		until    string
	}{
		"nothing is asked":                {Terms{}, nil, "", nil, ""},
		"nothing is asked, and stated":    {Terms{}, []Evidence{{ExpiresOn: day("2020-01-01")}}, "", nil, ""},
		"the last day":                    {old, []Evidence{{IssuedOn: day("2025-12-15")}}, "", nil, ""},
		"a day too old":                   {old, []Evidence{{IssuedOn: day("2025-12-14")}}, EvidenceTooOld, []string{"evidence[0].issued_on"}, ""},
		"no issue date":                   {old, []Evidence{{Reference: "x"}}, EvidenceRequired, []string{"evidence[0].issued_on"}, ""},
		"no evidence":                     {old, nil, EvidenceRequired, []string{"evidence"}, ""},
		"expires today":                   {valid, []Evidence{{ExpiresOn: day("2026-03-15")}}, "", nil, "2026-03-15"},
		"expired yesterday":               {valid, []Evidence{{ExpiresOn: day("2026-03-14")}}, EvidenceExpired, []string{"evidence[0].expires_on"}, ""},
		"the best of three":               {valid, []Evidence{{ExpiresOn: day("2026-05-01")}, {ExpiresOn: day("2027-01-01")}, {ExpiresOn: day("2020-01-01")}}, "", nil, "2027-01-01"},
		"an option without a code":        {options, []Evidence{{IssuedOn: day("2026-03-15")}}, EvidenceRequired, []string{"evidence[0].document_type_code"}, ""},
		"no option":                       {options, nil, EvidenceRequired, []string{"evidence"}, ""},
		"an option with its own terms":    {options, []Evidence{{DocumentTypeCode: "PASSPORT", ExpiresOn: day("2026-03-15")}}, "", nil, "2026-03-15"},
		"an option with the rule's terms": {options, []Evidence{{DocumentTypeCode: "BILL", IssuedOn: day("2025-12-15")}}, "", nil, ""},
		"an option's own age":             {options, []Evidence{{DocumentTypeCode: "LETTER", IssuedOn: day("2025-12-15")}}, EvidenceTooOld, []string{"evidence[0].issued_on"}, ""},
		"an option without terms":         {options, []Evidence{{DocumentTypeCode: "DEED"}}, "", nil, ""},
		"one of two suffices":             {options, []Evidence{{DocumentTypeCode: "BILL", IssuedOn: day("2020-01-01")}, {DocumentTypeCode: "DEED"}}, "", nil, ""},
		"each entry is told":              {options, []Evidence{{DocumentTypeCode: "BILL"}, {DocumentTypeCode: "LETTER", IssuedOn: day("2020-01-01")}}, EvidenceTooOld, []string{"evidence[0].issued_on", "evidence[1].issued_on"}, ""},
		"too old and expired": {Terms{NotOlderThan: period("1 day"), MustBeValid: true}, []Evidence{{IssuedOn: day("2020-01-01"), ExpiresOn: day("2021-01-01")}},
			EvidenceTooOld, []string{"evidence[0].issued_on", "evidence[0].expires_on"}, ""},
	} {
		d := Document{DocumentTypeCode: "A", Terms: c.terms, Status: NeedsReview, Evidence: c.evidence}
		after, err := d.Update(Review{Status: Completed}, today)
		if c.code == "" {
			require.NoError(t, err, name)
			require.Equal(t, Completed, after.Status, name)
			require.Equal(t, c.until, text(after.ValidUntil()), name)
			continue
		}
		var refused *EvidenceError
		require.True(t, errors.As(err, &refused), name)
		require.Equal(t, c.code, refused.Code, name)
		var fields []string
		for _, problem := range refused.Details {
			fields = append(fields, problem.Field)
		}
		require.Equal(t, c.details, fields, name)
	}
	_, err := Document{DocumentTypeCode: "A", Terms: options, Status: Pending}.Update(Review{Status: Completed}, today)
	require.Equal(t, "This must have an entry for one of PASSPORT with expires_on, BILL with issued_on, LETTER with issued_on, DEED.", err.(*EvidenceError).Details[0].Message)
}

func text(d fact.Date) string {
	if d.IsZero() {
		return ""
	}
	return d.String()
}

func TestEvidence_Misstated(t *testing.T) {
	d := Document{DocumentTypeCode: "A"}
	tomorrow := day("2026-03-16")
	require.Empty(t, d.Misstated([]Evidence{{IssuedOn: &today}, {DocumentTypeCode: "A", ExpiresOn: tomorrow}}, today))
	require.Equal(t, []EvidenceProblem{
		{"evidence[0].document_type_code", "This must be A."},
		{"evidence[1].issued_on", "This may not be after today, 2026-03-15 in the account's time zone."},
	}, d.Misstated([]Evidence{{DocumentTypeCode: "B"}, {IssuedOn: tomorrow}}, today))
	d.AnyOf = []DocumentOption{{DocumentTypeCode: "B"}, {DocumentTypeCode: "C"}}
	require.Equal(t, []EvidenceProblem{{"evidence[0].document_type_code", "This must be one of B, C."}}, d.Misstated([]Evidence{{DocumentTypeCode: "A"}}, today))
}

func TestApproval_IsValidUntilTheFirstOfItsEnds(t *testing.T) {
	for _, c := range []struct {
		renew, expires string
		until          string
		lapsed         StatusReason // on the day after
	}{
		{"", "", "", ""},
		{"1 year", "", "2027-03-15", RenewalDue},
		{"", "2026-04-01", "2026-04-01", Expired},
		{"1 year", "2026-04-01", "2026-04-01", Expired},
		{"1 day", "2026-04-01", "2026-03-16", RenewalDue},
		{"1 year", "2027-03-15", "2027-03-15", Expired},
	} {
		d := Document{Status: Pending}
		if c.renew != "" {
			d.RenewAfter = period(c.renew)
		}
		if c.expires != "" {
			d.MustBeValid, d.Evidence = true, []Evidence{{ExpiresOn: day(c.expires)}}
		}
		d, err := d.Update(Review{Status: Completed}, today)
		require.NoError(t, err)
		require.Equal(t, c.until, text(d.ValidUntil()), c)
		if c.until == "" {
			require.Empty(t, d.lapsed(date("9999-12-31")))
			continue
		}
		last := d.ValidUntil()
		require.Empty(t, d.lapsed(last))
		require.Equal(t, c.lapsed, d.lapsed(fact.DateOf(last.UTC().AddDate(0, 0, 1))))
		d.Status = NeedsReview
		require.Zero(t, d.ValidUntil(), "only an approval that stands has an end")
	}
	waived, err := Document{Status: Pending, Terms: Terms{RenewAfter: period("1 day")}}.Waive(today)
	require.NoError(t, err)
	require.Zero(t, waived.ValidUntil(), "a waiver ends only by hand")
}

func TestIdentity_IsComparedAsPeopleDo(t *testing.T) {
	approved := Identity{FirstName: " Zoë", LastName: "STRAßE", Citizenship: "US"}
	for name, c := range map[string]struct {
		now  Identity
		same bool
	}{
		"the same":          {approved, true},
		"case and marks":    {Identity{FirstName: "zoe\u0308 ", LastName: "strasse", Citizenship: "us"}, true},
		"a field is filled": {Identity{FirstName: "Zoë", LastName: "Straße", Citizenship: "US", DateOfBirth: "1990-01-01"}, true},
		"another name":      {Identity{FirstName: "Zoe", LastName: "Straße", Citizenship: "US"}, false},
		"a field is gone":   {Identity{FirstName: "Zoë", LastName: "Straße"}, false},
	} {
		_, same := approved.filledBy(c.now)
		require.Equal(t, c.same, same, name)
	}
	filled, _ := approved.filledBy(Identity{FirstName: "Zoë", LastName: "Straße", Citizenship: "US", DateOfBirth: "1990-01-01"})
	_, same := filled.filledBy(Identity{FirstName: "Zoë", LastName: "Straße", Citizenship: "US", DateOfBirth: "1991-01-01"})
	require.False(t, same, "what was filled is bound from then on")
}

func TestText_IsComparedByWhatItDemands(t *testing.T) {
	base := DocumentText{Name: "n", RequirementText: "r", AnyOf: []DocumentOption{{DocumentTypeCode: "A", Name: "a"}, {DocumentTypeCode: "B", Name: "b", MustBeValid: new(true)}}, NotOlderThan: period("1 year"), MustBeValid: true}
	change := func(edit func(*DocumentText)) DocumentText {
		changed := base
		changed.AnyOf = slices.Clone(base.AnyOf)
		edit(&changed)
		return changed
	}
	require.True(t, base.Same(change(func(x *DocumentText) { slices.Reverse(x.AnyOf); x.NotOlderThan = period("12 months") })))
	for i, edit := range []func(*DocumentText){
		func(x *DocumentText) { x.Name = "other" }, func(x *DocumentText) { x.RequirementText = "other" }, func(x *DocumentText) { x.MustBeValid = false },
		func(x *DocumentText) { x.NotOlderThan = nil }, func(x *DocumentText) { x.NotOlderThan = period("365 days") }, func(x *DocumentText) { x.AnyOf = x.AnyOf[:1] },
		func(x *DocumentText) { x.AnyOf[0].Name = "other" }, func(x *DocumentText) { x.AnyOf[0].RequirementText = "other" }, func(x *DocumentText) { x.AnyOf[1].MustBeValid = nil },
		func(x *DocumentText) { x.AnyOf[0].NotOlderThan = period("1 day") }, func(x *DocumentText) { x.AnyOf[0].DocumentTypeCode = "C" },
	} {
		require.False(t, base.Same(change(edit)), i)
		require.False(t, change(edit).Same(base), i)
	}
}

func TestTerms_DueOn(t *testing.T) {
	sale, err := fact.ParseValue([]byte(`"2026-01-31"`))
	require.NoError(t, err)
	facts := fact.Facts{EstablishedDate: day("2024-02-29"), Custom: fact.Values{"first_sale_date": sale}}
	for _, c := range []struct {
		terms Terms
		want  string
	}{
		{Terms{}, ""},
		{Terms{DueWithin: period("30 days")}, "2026-04-14"},
		{Terms{DueWithin: period("1 year"), DueFrom: "established_date"}, "2025-03-01"},
		{Terms{DueWithin: period("1 month"), DueFrom: "custom.first_sale_date"}, "2026-03-01"},
		{Terms{DueWithin: period("1 month"), DueFrom: "custom.other"}, ""},
	} {
		require.Equal(t, c.want, text(c.terms.dueOn(facts, today)))
	}
	require.Equal(t, "", text(Terms{DueWithin: period("1 month"), DueFrom: "established_date"}.dueOn(fact.Facts{}, today)))
	d := Document{Status: Pending, DueOn: today}
	require.Equal(t, today, d.Deadline())
	require.False(t, d.Overdue(today), "the last day counts")
	require.True(t, d.Overdue(date("2026-03-16")))
	d.Status = NeedsReview
	require.Equal(t, today, d.Deadline())
	require.False(t, d.Overdue(date("2026-03-16")))
	d.Status = Completed
	require.Zero(t, d.Deadline())
}

// desk has one document of one person, its rules and its reviewer.
type desk struct {
	*ledger
	rule     DocumentRule
	version  int
	keeping  []bool // by version: whether its publication kept approvals
	required bool
	identity Identity
	asOf     fact.Date

	// approved is what was approved last, while nobody has changed the status or the evidence since.
	approved *Approval
	at       int // the version then
}

func (k *desk) seen() Seen {
	return Seen{
		VersionID: strconv.Itoa(k.version), AsOf: k.asOf, Identities: map[Entity]Identity{{fact.EntityPerson, "p"}: k.identity},
		Kept: func(_, since string) bool {
			from, _ := strconv.Atoi(since)
			return !slices.Contains(k.keeping[from+1:k.version+1], false)
		},
	}
}

func (k *desk) result() Result {
	if !k.required {
		return Result{}
	}
	return Result{Rules: []DocumentRule{k.rule}, Required: []Requirement{{DocumentTypeCode: "D", EntityType: fact.EntityPerson, EntityID: "p"}}}
}

// document is the one on record; false where there is none.
func (k *desk) document() (Document, bool) {
	all := k.all()
	if len(all) == 0 {
		return Document{}, false
	}
	return all[0], true
}

// TestDocument_AnApprovalHoldsForWhatWasApproved plays a desk at random: what is published, who the
// person is, and what a reviewer does.
func TestDocument_AnApprovalHoldsForWhatWasApproved(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k := &desk{ledger: &ledger{documents: map[string]Document{}}, rule: DocumentRule{DocumentTypeCode: "D", Name: "a", EntityType: fact.EntityPerson}, keeping: []bool{false}, required: true, asOf: today}
		k.identity = Identity{FirstName: "a"}
		k.calculate(t)
		for range rapid.IntRange(20, 40).Draw(t, "steps") {
			d, known := k.document()
			switch step := rapid.SampledFrom([]string{"publish", "rename", "rule", "calculate", "calculate", "update", "update", "waive", "create"}).Draw(t, "step"); {
			case step == "publish":
				k.rule.Name = rapid.SampledFrom([]string{"a", "b"}).Draw(t, "text")
				k.version++
				k.keeping = append(k.keeping, rapid.Bool().Draw(t, "keeps approvals"))
			case step == "rename":
				k.identity.FirstName = rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name")
			case step == "rule":
				k.required = rapid.Bool().Draw(t, "required")
			case step == "calculate":
				k.calculate(t)
			case !known:
			case step == "update":
				review := Review{Status: rapid.SampledFrom([]Status{Pending, NeedsReview, Completed}).Draw(t, "to")}
				if rapid.Bool().Draw(t, "with evidence") {
					review.Evidence = []Evidence{{Reference: "r"}}
				}
				if after, err := d.Update(review, k.asOf); err == nil {
					k.store(after, review.Evidence != nil || after.Status != d.Status)
				}
			case step == "waive":
				if after, err := d.Waive(k.asOf); err == nil {
					k.store(after, true)
				}
			case step == "create" && d.Status == Inactive:
				k.store(d.RequireByHand(ManualText{Name: "own"}, k.identity, k.asOf), true)
			}
		}
	})
}

// store writes what a hand did.
func (k *desk) store(after Document, forgets bool) {
	k.documents[after.ID] = after
	if forgets {
		k.approved = after.Approval
		k.at = k.version
		if len(after.Reasons) > 0 {
			k.at, _ = strconv.Atoi(after.Reasons[0].VersionID)
		}
	}
}

func (k *desk) calculate(t *rapid.T) {
	before, known := k.document()
	changes := k.recalculate(t, k.result(), k.seen())
	after, _ := k.document()
	again := k.recalculate(t, k.result(), k.seen())
	require.True(t, again.Empty() && len(again.Reopened)+len(again.Reinstated)+len(again.TextChanged) == 0, "the same again changes nothing")
	switch {
	case !known:
		return
	case !k.required && before.Origin == OriginRule:
		require.Equal(t, Inactive, after.Status)
		require.Equal(t, before.standing(), after.standing(), "it is remembered")
		return
	}
	require.NotEqual(t, Inactive, after.Status, "no rule retires what hand requires")
	shown := k.rule.Name
	if !k.required {
		shown = "own"
	}
	require.Equal(t, shown, after.Name)
	require.Equal(t, k.identity, after.Identity)
	require.Equal(t, before.Evidence, after.Evidence, "evidence stays")
	approved := k.approved
	if approved == nil {
		require.Equal(t, before.standing(), after.Status, "the status that hand set stays")
		require.Empty(t, changes.Reopened)
		require.Empty(t, changes.Reinstated)
		return
	}
	kept := !slices.Contains(k.keeping[k.at+1:k.version+1], false)
	holds := approved.Identity == k.identity && (approved.Text.Name == shown || kept)
	want := approved.Status
	if !holds {
		want = map[Status]Status{Completed: NeedsReview, Waived: Pending}[want]
	}
	require.Equal(t, want, after.Status)
	require.Equal(t, !holds, after.StatusReason != "")
	held := before.standing() == approved.Status
	require.Equal(t, held && !holds, len(changes.Reopened) == 1)
	require.Equal(t, !held && holds, len(changes.Reinstated) == 1)
}

func TestRecalculate_ReopensAndReinstates(t *testing.T) {
	rule := DocumentRule{DocumentTypeCode: "D", Name: "a", EntityType: fact.EntityPerson}
	required := func(name string) Result {
		rule.Name = name
		return Result{Rules: []DocumentRule{rule}, Required: []Requirement{{DocumentTypeCode: "D", EntityType: fact.EntityPerson, EntityID: "p"}}}
	}
	of := func(name string) Seen {
		return Seen{VersionID: "v", AsOf: today, Identities: map[Entity]Identity{{fact.EntityPerson, "p"}: {FirstName: name}}}
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
	l.recalculate(t, Result{}, of("Bob"))
	restored := l.recalculate(t, required("b"), of("Bob"))
	require.Equal(t, restored.Restored, restored.Reinstated)
	require.Equal(t, []any{Completed, StatusReason("")}, []any{restored.Restored[0].Status, restored.Restored[0].StatusReason})
	l.recalculate(t, Result{}, of("Bob"))
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
	rule := DocumentRule{DocumentTypeCode: "D", Name: "a", EntityType: fact.EntityBusiness}
	required := func(name string) Result {
		rule.Name = name
		return Result{Rules: []DocumentRule{rule}, Required: []Requirement{{DocumentTypeCode: "D", EntityType: fact.EntityBusiness, EntityID: "b"}}}
	}
	l := &ledger{documents: map[string]Document{}}
	l.recalculate(t, required("a"), Seen{VersionID: "v1"})
	d, err := l.all()[0].Update(Review{Status: Completed}, today)
	require.NoError(t, err)
	l.documents[d.ID] = d
	kept := func(code, since string) bool { return code == "D" && since == "v1" }
	changed := l.recalculate(t, required("b"), Seen{VersionID: "v2", Kept: kept})
	require.Empty(t, changed.Reopened)
	require.Len(t, changed.TextChanged, 1)
	require.Equal(t, Completed, changed.Kept[0].Status)
	require.Len(t, l.recalculate(t, required("b"), Seen{VersionID: "v3"}).Reopened, 1)
}

// An approval that has lapsed does not come back, and the document is due anew.
func TestRecalculate_RestoresNoApprovalThatHasLapsed(t *testing.T) {
	rule := DocumentRule{DocumentTypeCode: "D", Name: "a", EntityType: fact.EntityBusiness, Terms: Terms{RenewAfter: period("1 month"), DueWithin: period("10 days")}}
	required := Result{Rules: []DocumentRule{rule}, Required: []Requirement{{DocumentTypeCode: "D", EntityType: fact.EntityBusiness, EntityID: "b"}}}
	on := func(day string) Seen { return Seen{AsOf: date(day)} }
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
		l.recalculate(t, Result{}, on(c.day))
		restored := l.recalculate(t, required, on(c.day)).Restored[0]
		require.Equal(t, []any{c.status, c.reason, c.dueOn}, []any{restored.Status, restored.StatusReason, text(restored.DueOn)})
	}
}

func TestRecalculate_CarriesApprovals(t *testing.T) {
	rule := func(code string) DocumentRule {
		return DocumentRule{DocumentTypeCode: code, Name: code, EntityType: fact.EntityBusiness, Terms: Terms{RenewAfter: period("1 month")}}
	}
	entity := Entity{fact.EntityBusiness, "b"}
	seen := func(day, name string) Seen {
		return Seen{AsOf: date(day), Identities: map[Entity]Identity{entity: {LegalName: name}}}
	}
	required := Result{}
	for i := range 4 {
		code := fmt.Sprint("D", i)
		required.Rules = append(required.Rules, rule(code))
		required.Required = append(required.Required, Requirement{DocumentTypeCode: code, EntityType: entity.Type, EntityID: entity.ID})
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
	required.Rules[0].RequirementText = "another text"
	require.Equal(t, "D3", carry(seen("2026-04-15", "Ltd")).Carried[0].DocumentTypeCode)
}

func TestDocument_RequiredByHand(t *testing.T) {
	entity := Entity{fact.EntityPerson, "p"}
	there := Seen{AsOf: today, Identities: map[Entity]Identity{entity: {FirstName: "Ann"}}}
	own := ManualText{Name: "own", Category: "c", RequirementText: "r", Explanation: "e", DueWithin: period("1 day"), Reason: "because"}
	d := Document{ID: "rd", DocumentTypeCode: "D", EntityType: entity.Type, EntityID: entity.ID}.RequireByHand(own, Identity{FirstName: "Ann"}, today)
	require.Equal(t, []any{Pending, OriginManual, "own", "2026-03-16", "MANUAL", "because"}, []any{d.Status, d.Origin, d.Name, text(d.DueOn), d.Reasons[0].Rule, d.Reasons[0].Message})
	l := &ledger{documents: map[string]Document{"rd": d}}
	unchanged := l.recalculate(t, Result{}, there)
	require.True(t, unchanged.Empty())
	require.Len(t, unchanged.Kept, 1)

	rule := Result{
		Rules:    []DocumentRule{{DocumentTypeCode: "D", Name: "rule", EntityType: entity.Type, When: "x"}},
		Required: []Requirement{{DocumentTypeCode: "D", EntityType: entity.Type, EntityID: entity.ID}},
	}
	shown := l.recalculate(t, rule, there).Refreshed[0]
	require.Equal(t, []any{"rule", "", "x", OriginManual, ""}, []any{shown.Name, shown.Explanation, shown.Reasons[0].Rule, shown.Origin, text(shown.DueOn)})
	again := l.recalculate(t, Result{}, there).Refreshed[0]
	require.Equal(t, []any{"own", "e", "MANUAL", Pending}, []any{again.Name, again.Explanation, again.Reasons[0].Rule, again.Status})

	gone := l.recalculate(t, Result{}, Seen{AsOf: today}).Removed
	require.Len(t, gone, 1, "its person was deleted")
	require.True(t, l.recalculate(t, Result{}, Seen{AsOf: today}).Empty())

	inactive := Document{ID: "rd", DocumentTypeCode: "D", Status: Inactive, PreviousStatus: Completed, Origin: OriginRule, Approval: &Approval{Status: Completed}, Evidence: []Evidence{{}}, StatusReason: TextChanged}
	d = inactive.RequireByHand(own, Identity{}, today)
	require.Equal(t, []any{"rd", Pending, Status(""), OriginManual, StatusReason("")}, []any{d.ID, d.Status, d.PreviousStatus, d.Origin, d.StatusReason})
	require.Nil(t, d.Approval, "it was asked for anew")
	require.Len(t, d.Evidence, 1)
}

func TestRule_TermsAreChecked(t *testing.T) {
	option := func(code string) DocumentOption { return DocumentOption{DocumentTypeCode: code, Name: "n"} }
	declared := []fact.Declaration{
		{Name: "sale", EntityType: fact.EntityWorkflow, Type: fact.DeclaredDate}, {Name: "form", EntityType: fact.EntityBusiness, Type: fact.DeclaredText},
		{Name: "born", EntityType: fact.EntityPerson, Type: fact.DeclaredDate},
	}
	var many []DocumentOption
	for i := range MaxOptions + 1 {
		many = append(many, option(fmt.Sprint("O", i)))
	}
	for _, c := range []struct {
		terms Terms
		want  string
	}{
		{Terms{AnyOf: many[:2]}, ""},
		{Terms{AnyOf: many[:20], RemindBefore: period("1 month"), RenewAfter: period("1 year"), Hold: HoldWhenOpen, Explanation: strings.Repeat("é", 500)}, ""},
		{Terms{AnyOf: []DocumentOption{{DocumentTypeCode: "A", Name: "n", MustBeValid: new(true)}, option("B")}, RemindBefore: period("1 day")}, ""},
		{Terms{DueWithin: period("1 day"), DueFrom: "custom.sale", Hold: HoldWhenOverdue}, ""},
		{Terms{AnyOf: many[:1]}, "d.any_of holds 1 options; write 2 to 20, or leave any_of out"},
		{Terms{AnyOf: many}, "d.any_of holds 21 options; write 2 to 20, or leave any_of out"},
		{Terms{AnyOf: []DocumentOption{}}, "d.any_of holds 0 options; write 2 to 20, or leave any_of out"},
		{Terms{AnyOf: []DocumentOption{option("A"), option("A")}}, "d.any_of[1].document_type_code A is already any_of[0]: write each option once"},
		{Terms{AnyOf: []DocumentOption{option("A"), option("a b")}}, "d.any_of[1].document_type_code must be 1 to 64 of the characters A-Z, 0-9 and _: write A_B"},
		{Terms{AnyOf: []DocumentOption{option("A"), {DocumentTypeCode: "B"}}}, "d.any_of[1].name is missing"},
		{Terms{RemindBefore: period("1 day")}, "d.remind_before reminds of nothing, because an approval stays valid: add renew_after or must_be_valid, or leave remind_before out"},
		{Terms{DueFrom: "established_date"}, "d.due_from says from when to count and not how long: add due_within"},
		{Terms{DueFrom: "custom.sales", DueWithin: period("1 day")}, "d.due_from custom.sales is no date of the Business or the Workflow; did you mean custom.sale?; those are established_date, custom.sale"},
		{Terms{DueFrom: "custom.form", DueWithin: period("1 day")}, "d.due_from custom.form is of the type TEXT: name a DATE"},
		{Terms{DueFrom: "custom.born", DueWithin: period("1 day")}, "d.due_from custom.born is a fact of persons: name a date of the Business or the Workflow"},
		{Terms{Hold: HoldWhenOverdue}, "d.hold a document without due_within is never overdue: add due_within, or write WHEN_OPEN"},
		{Terms{Hold: "OPEN"}, `d.hold "OPEN" is not WHEN_OPEN or WHEN_OVERDUE`},
		{Terms{Explanation: strings.Repeat("é", 501)}, "d.explanation is longer than 500 characters"},
	} {
		var found []string
		for _, problem := range c.terms.validate("d", declared) {
			found = append(found, problem.Path+" "+problem.Message)
		}
		require.Equal(t, c.want, strings.Join(found, "\n"))
	}
}

// The canonical form of a set without terms has none of their names.
func TestRuleSet_CanonicalFormOfTerms(t *testing.T) {
	plain := RuleSet{Documents: []DocumentRule{{DocumentTypeCode: "A", Name: "n", Category: "c", RequirementText: "r", EntityType: fact.EntityBusiness}}}
	require.JSONEq(t, `{"documents":[{"document_type_code":"A","name":"n","category":"c","requirement_text":"r","entity_type":"Business"}]}`, string(plain.CanonicalJSON()))
	const written = `{"documents":[{"document_type_code":"A","name":"n","category":"c","requirement_text":"r","entity_type":"Business","not_older_than":"1 months",
		"any_of":[{"document_type_code":"B","name":"b","must_be_valid":false},{"document_type_code":"C","name":"c","not_older_than":"3 month"}],"legal_basis":"l"}]}`
	rs, problems := ParseRuleSetJSON([]byte(written))
	require.Empty(t, problems)
	require.JSONEq(t, strings.NewReplacer("1 months", "1 month", "3 month", "3 months").Replace(written), string(rs.CanonicalJSON()))
	again, problems := ParseStoredRuleSet(rs.CanonicalJSON())
	require.Empty(t, problems)
	require.Equal(t, rs, again)
}

// TestRecalculate_KeepsWhatHandStated, and writes a document anew for what it says and when it is due.
func TestRecalculate_KeepsWhatHandStated(t *testing.T) {
	rule := DocumentRule{DocumentTypeCode: "D", Name: "a", EntityType: fact.EntityPerson, Terms: Terms{DueWithin: period("1 month"), DueFrom: "established_date"}}
	calculate := func(l *ledger, as Identity, established string) Changes {
		t.Helper()
		result := Result{Rules: []DocumentRule{rule}, Required: []Requirement{{DocumentTypeCode: "D", EntityType: fact.EntityPerson, EntityID: "p"}}}
		return l.recalculate(t, result, Seen{VersionID: "v", AsOf: today, Facts: fact.Facts{EstablishedDate: day(established)}, Identities: map[Entity]Identity{{fact.EntityPerson, "p"}: as}})
	}
	reviewed := func(l *ledger, r Review) Document {
		t.Helper()
		d, err := l.all()[0].Update(r, today)
		require.NoError(t, err)
		l.documents[d.ID] = d
		return d
	}
	l := &ledger{documents: map[string]Document{}}
	calculate(l, Identity{FirstName: "Ann"}, "2026-01-31")
	require.Equal(t, "2026-03-01", text(l.all()[0].DueOn))
	require.Len(t, calculate(l, Identity{FirstName: "Ann"}, "2026-02-02").Refreshed, 1, "due_on follows its date")
	require.Equal(t, "2026-03-02", text(l.all()[0].DueOn))
	rule.Explanation = "e"
	require.Len(t, calculate(l, Identity{FirstName: "Ann"}, "2026-02-02").Refreshed, 1)

	reviewed(l, Review{Status: NeedsReview, ReviewedBy: "Ida", Note: "n"})
	rule.Explanation = "other"
	calculate(l, Identity{FirstName: "Ann"}, "2026-02-02")
	require.Equal(t, []string{"Ida", "n"}, []string{l.all()[0].ReviewedBy, l.all()[0].ReviewNote})
	d := reviewed(l, Review{Status: NeedsReview, Note: "m"})
	require.Equal(t, []string{"", "m"}, []string{d.ReviewedBy, d.ReviewNote}, "they are of the last update")

	// What is filled after an approval binds from then on.
	reviewed(l, Review{Status: Completed})
	require.Empty(t, calculate(l, Identity{FirstName: "Ann", DateOfBirth: "1990-01-01"}, "2026-02-02").Reopened)
	require.Len(t, calculate(l, Identity{FirstName: "Ann", DateOfBirth: "1990-01-02"}, "2026-02-02").Reopened, 1)
	require.Len(t, calculate(l, Identity{FirstName: "Ann", DateOfBirth: "1990-01-01"}, "2026-02-02").Reinstated, 1)
	require.Len(t, calculate(l, Identity{FirstName: "Ann"}, "2026-02-02").Reopened, 1, "nor may it be removed")
}

// TestRecalculate_AnApprovalThatLapsedMeanwhileIsNotReinstated, and a waiver does not lapse.
func TestRecalculate_AnApprovalThatLapsedMeanwhileIsNotReinstated(t *testing.T) {
	rule := DocumentRule{DocumentTypeCode: "D", EntityType: fact.EntityBusiness, Terms: Terms{RenewAfter: period("1 month"), DueWithin: period("10 days")}}
	calculate := func(l *ledger, name, day string) Changes {
		rule.Name = name
		return l.recalculate(t, Result{Rules: []DocumentRule{rule}, Required: []Requirement{{DocumentTypeCode: "D", EntityType: fact.EntityBusiness, EntityID: "b"}}}, Seen{AsOf: date(day)})
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

	d, err = d.Waive(date("2026-05-02"))
	require.NoError(t, err)
	l.documents[d.ID] = d
	l.recalculate(t, Result{}, Seen{AsOf: date("2026-05-02")})
	require.Equal(t, Waived, calculate(l, "a", "2027-01-01").Restored[0].Status)
}
