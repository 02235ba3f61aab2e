package document

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulestest"
)

func option(code string) requirement.DocumentOption {
	return requirement.DocumentOption{OptionPart: requirement.OptionPart{DocumentTypeCode: code, Name: code}}
}

func value(t *testing.T, text string) *fact.Value {
	v, err := fact.ParseValue([]byte(`"` + text + `"`))
	require.NoError(t, err)
	return &v
}

func allOf(codes ...string) (o requirement.DocumentOption) {
	for _, code := range codes {
		o.AllOf = append(o.AllOf, requirement.OptionPart{DocumentTypeCode: code, Name: code})
	}
	return o
}

// The earliest part of an option counts, and of the options those that last longest.
func TestEvidence_SufficesForSeveralOptions(t *testing.T) {
	entry := func(code, expires string) Evidence {
		return Evidence{DocumentTypeCode: code, ExpiresOn: rulestest.Day(expires)}
	}
	aOrBC := requirement.Terms{MustBeValid: true, AnyOf: []requirement.DocumentOption{option("A"), allOf("B", "C")}}
	twoOfThree := requirement.Terms{MustBeValid: true, AtLeast: 2, AnyOf: []requirement.DocumentOption{option("A"), option("B"), option("C")}}
	shared := requirement.Terms{AtLeast: 2, AnyOf: []requirement.DocumentOption{allOf("A", "B"), allOf("A", "C")}}
	for name, c := range map[string]struct {
		terms    requirement.Terms
		evidence []Evidence
		want     string // the last valid day, or a problem
	}{
		"the option alone":       {aOrBC, []Evidence{entry("A", "2027-01-01")}, "2027-01-01"},
		"both parts":             {aOrBC, []Evidence{entry("B", "2027-01-01"), entry("C", "2026-06-01")}, "2026-06-01"},
		"one part":               {aOrBC, []Evidence{entry("B", "2027-01-01")}, "evidence: This must have entries for one of: A with expires_on; B with expires_on and C with expires_on. What is stated suffices for B."},
		"the better option":      {aOrBC, []Evidence{entry("A", "2026-05-01"), entry("B", "2027-01-01"), entry("C", "2026-06-01")}, "2026-06-01"},
		"the better of a part":   {aOrBC, []Evidence{entry("B", "2026-04-01"), entry("B", "2027-01-01"), entry("C", "2027-02-01")}, "2027-01-01"},
		"two of three":           {twoOfThree, []Evidence{entry("A", "2027-01-01"), entry("C", "2026-06-01")}, "2026-06-01"},
		"the best two of three":  {twoOfThree, []Evidence{entry("A", "2027-01-01"), entry("B", "2026-04-01"), entry("C", "2026-06-01")}, "2026-06-01"},
		"the same one twice":     {twoOfThree, []Evidence{entry("A", "2027-01-01"), entry("A", "2027-01-01")}, "evidence: This must have entries for 2 of: A with expires_on; B with expires_on; C with expires_on. What is stated suffices for A."},
		"a code counts for each": {shared, []Evidence{{DocumentTypeCode: "A"}, {DocumentTypeCode: "B"}, {DocumentTypeCode: "C"}}, ""},
		"all that are offered":   {requirement.Terms{AtLeast: 3, AnyOf: []requirement.DocumentOption{option("A"), option("B")}}, []Evidence{{DocumentTypeCode: "A"}}, "evidence: This must have entries for all of: A; B. What is stated suffices for A."},
	} {
		d, err := Document{DocumentTypeCode: "D", Terms: c.terms, Status: NeedsReview, Evidence: c.evidence}.Update(Review{Status: Completed}, today)
		if refused := (*EvidenceError)(nil); errors.As(err, &refused) {
			last := refused.Details[len(refused.Details)-1]
			require.Equal(t, c.want, last.Field+": "+last.Message, name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, c.want, text(d.ValidUntil()), name)
	}
}

func TestEvidence_ValidityTerms(t *testing.T) {
	yet, ago := requirement.Terms{ValidFor: rulestest.Period("3 months")}, requirement.Terms{ExpiredAtMost: rulestest.Period("2 years")}
	renewed := requirement.Terms{MustBeValid: true, RenewAfter: rulestest.Period("1 year")}
	for name, c := range map[string]struct {
		terms    requirement.Terms
		evidence Evidence
		code     EvidenceCode
		until    string
	}{
		"valid for long enough":         {yet, Evidence{ExpiresOn: rulestest.Day("2026-06-15")}, "", "2026-06-15"},
		"a day too short":               {yet, Evidence{ExpiresOn: rulestest.Day("2026-06-14")}, EvidenceExpired, ""},
		"valid for, and expired":        {yet, Evidence{ExpiresOn: rulestest.Day("2026-03-14")}, EvidenceExpired, ""},
		"valid for, without a day":      {yet, Evidence{}, EvidenceRequired, ""},
		"expired on the last day":       {ago, Evidence{ExpiresOn: rulestest.Day("2024-03-15")}, "", "2026-03-15"},
		"expired a day earlier":         {ago, Evidence{ExpiresOn: rulestest.Day("2024-03-14")}, EvidenceExpired, ""},
		"not expired yet":               {ago, Evidence{ExpiresOn: rulestest.Day("2027-03-14")}, "", "2029-03-14"},
		"never expires, valid for":      {yet, Evidence{NeverExpires: true}, "", ""},
		"never expires, expired":        {ago, Evidence{NeverExpires: true}, "", ""},
		"never expires, and is renewed": {renewed, Evidence{NeverExpires: true}, "", "2027-03-15"},
	} {
		d, err := Document{DocumentTypeCode: "D", Terms: c.terms, Status: NeedsReview}.Update(Review{Status: Completed, Evidence: []Evidence{c.evidence}}, today)
		if c.code != "" {
			require.Equal(t, c.code, err.(*EvidenceError).Code, name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, c.until, text(d.ValidUntil()), name)
	}
	never := []Evidence{{NeverExpires: true, ExpiresOn: &today}}
	require.Equal(t, "evidence[0].never_expires", Document{DocumentTypeCode: "D"}.Misstated(never, today)[0].Field)
}

// Until the last day an approval is renewed by other evidence; from then on the document is handled
// as one that is PENDING.
func TestUpdate_RenewsAnApproval(t *testing.T) {
	d := Document{DocumentTypeCode: "D", Terms: requirement.Terms{MustBeValid: true}, Status: Pending, Version: 1}
	approved, err := d.Update(Review{Status: Completed, Evidence: []Evidence{{ExpiresOn: rulestest.Day("2026-04-01")}}}, today)
	require.NoError(t, err)
	approved.Version = 2

	_, err = approved.Update(Review{Status: Completed, Evidence: []Evidence{{ExpiresOn: rulestest.Day("2026-01-01")}}}, today)
	require.Equal(t, EvidenceExpired, err.(*EvidenceError).Code)
	_, err = approved.Update(Review{Status: Completed, Note: "again"}, today)
	require.EqualError(t, err, "a document that is COMPLETED is so already: state the evidence of a new approval, or another status")

	later := rulestest.Date("2026-03-20")
	renewed, err := approved.Update(Review{Status: Completed, Evidence: []Evidence{{ExpiresOn: rulestest.Day("2027-04-01")}}}, later)
	require.NoError(t, err)
	require.Equal(t, []any{Completed, "2027-04-01", later, 2}, []any{renewed.Status, text(renewed.ValidUntil()), renewed.Approval.On, renewed.Approval.Version})

	yearly := Document{DocumentTypeCode: "D", Terms: requirement.Terms{RenewAfter: rulestest.Period("1 month")}, Status: Completed, Approval: &Approval{Status: Completed, On: today}}
	_, err = yearly.Update(Review{Status: Completed}, rulestest.Date("2026-04-15"))
	require.Error(t, err, "it is valid on its last day")
	again, err := yearly.Update(Review{Status: Completed}, rulestest.Date("2026-04-16"))
	require.NoError(t, err)
	require.Equal(t, "2026-05-16", text(again.ValidUntil()))
}

// conditional is a rule with a passport, whose terms depend on a condition, or a deed.
func conditional() requirement.DocumentRule {
	abroad, home := option("PASSPORT"), option("PASSPORT")
	abroad.When, abroad.ValidFor = "custom.abroad", rulestest.Period("6 months")
	home.When, home.ExpiredAtMost = "!custom.abroad", rulestest.Period("1 year")
	return requirement.DocumentRule{DocumentTypeCode: "D", Name: "n", EntityType: fact.EntityBusiness, Terms: requirement.Terms{AnyOf: []requirement.DocumentOption{abroad, home}}}
}

func requiredWith(rule requirement.DocumentRule, table *fact.Table, offered ...int) requirement.Result {
	return requirement.Result{
		Rules: requirement.DocumentRules(rule), Table: table,
		Required: []requirement.Requirement{{DocumentTypeCode: rule.DocumentTypeCode, EntityType: rule.EntityType, EntityID: "e", Offered: offered}},
	}
}

// complete approves the only document of the ledger.
func (l *ledger) complete(t *testing.T, evidence ...Evidence) {
	t.Helper()
	d, err := l.all()[0].Update(Review{Status: Completed, Evidence: evidence}, today)
	require.NoError(t, err)
	l.documents[d.ID] = d
}

// The record has the options that are offered; the approval is of all options with their conditions.
func TestRecalculate_AnApprovalHoldsWhileItsEvidenceIsOffered(t *testing.T) {
	l := &ledger{documents: map[string]Document{}}
	seen := Seen{AsOf: today, Version: 1}
	at := func(offered int) Changes {
		return l.recalculate(t, requiredWith(conditional(), fact.BuiltIn, offered), seen)
	}
	added := at(1).Added[0]
	require.Len(t, added.AnyOf, 1)
	require.Equal(t, "", added.AnyOf[0].When)
	require.Len(t, added.Text().AnyOf, 2)
	l.complete(t, Evidence{DocumentTypeCode: "PASSPORT", ExpiresOn: rulestest.Day("2026-05-01")})
	require.Equal(t, "2027-05-01", text(l.all()[0].ValidUntil()))
	require.True(t, at(1).Empty(), "twice changes nothing")

	changed := at(0)
	require.Len(t, changed.Reopened, 1)
	require.Equal(t, []any{NeedsReview, FactsChanged}, []any{changed.Reopened[0].Status, changed.Reopened[0].StatusReason})
	require.Empty(t, changed.TextChanged, "the text is that of all options")
	require.True(t, at(0).Empty())
	require.Len(t, at(1).Reinstated, 1)

	l.complete(t, Evidence{DocumentTypeCode: "PASSPORT", ExpiresOn: rulestest.Day("2026-10-01")})
	require.Equal(t, "2027-10-01", text(l.all()[0].ValidUntil()))
	require.Empty(t, at(0).Reopened, "this evidence meets either option")
	require.Equal(t, "2026-10-01", text(l.all()[0].ValidUntil()), "until the day of the option that is offered")
}

// TestRecalculate_AnApprovalIsBoundToFacts: of another value the document is reopened, of the
// approved one reinstated, in any order and however often.
func TestRecalculate_AnApprovalIsBoundToFacts(t *testing.T) {
	table := fact.NewTable([]fact.Declaration{{Name: "form", EntityType: fact.EntityBusiness, Type: fact.DeclaredText, Choices: []string{"LLC", "CORP"}, Default: value(t, "LLC")}})
	rule := requirement.DocumentRule{DocumentTypeCode: "D", Name: "n", EntityType: fact.EntityBusiness, Terms: requirement.Terms{BoundTo: []string{"address", "persons", "custom.form"}}}
	rapid.Check(t, func(rt *rapid.T) {
		type values struct{ address, form, persons string }
		draw := func() values {
			return values{
				rapid.SampledFrom([]string{"", "a", "b"}).Draw(rt, "address"), rapid.SampledFrom([]string{"", "LLC", "CORP", "gone"}).Draw(rt, "form"),
				rapid.SampledFrom([]string{"", "p", "pq"}).Draw(rt, "persons"),
			}
		}
		seen := func(v values) Seen {
			s := Seen{AsOf: today, Version: 1, Address: v.address}
			if v.form != "" {
				s.Facts.Custom = fact.Values{"form": *value(t, v.form)}
			}
			for _, p := range v.persons {
				s.Facts.Persons = append(s.Facts.Persons, fact.PersonFacts{PersonID: string(p)})
			}
			return s
		}
		// model: a default counts as absent, and so does a value that is no choice.
		same := func(a, b values) bool {
			for _, v := range []*values{&a, &b} {
				if v.form == "gone" {
					v.form = ""
				}
			}
			return a == b
		}
		l := &ledger{documents: map[string]Document{}}
		first := draw()
		l.recalculate(t, requiredWith(rule, table), seen(first))
		l.complete(t)
		held := true
		for range rapid.IntRange(1, 6).Draw(rt, "calculations") {
			v := draw()
			changes := l.recalculate(t, requiredWith(rule, table), seen(v))
			holds := same(first, v)
			require.Equal(rt, held && !holds, len(changes.Reopened) == 1, "%v then %v", first, v)
			require.Equal(rt, !held && holds, len(changes.Reinstated) == 1)
			if !holds {
				require.Equal(rt, FactsChanged, l.all()[0].StatusReason)
			}
			require.True(rt, l.recalculate(t, requiredWith(rule, table), seen(v)).Empty(), "twice changes nothing")
			held = holds
		}
	})
}

// A name that is new in bound_to takes its value from the next calculation.
func TestRecalculate_ANewNameBindsFromTheNextCalculation(t *testing.T) {
	rule := func(names ...string) requirement.Result {
		return requiredWith(requirement.DocumentRule{DocumentTypeCode: "D", Name: "n", EntityType: fact.EntityBusiness, Terms: requirement.Terms{BoundTo: names}}, fact.BuiltIn)
	}
	l := &ledger{documents: map[string]Document{}}
	l.recalculate(t, rule("address"), Seen{AsOf: today, Address: "a"})
	require.Len(t, l.recalculate(t, rule("address"), Seen{AsOf: today, Address: "b"}).Refreshed, 1, "the next approval is of this value, which must be written")
	require.Empty(t, l.recalculate(t, rule("address"), Seen{AsOf: today, Address: "b"}).Refreshed)

	l = &ledger{documents: map[string]Document{}}
	l.recalculate(t, rule(), Seen{AsOf: today, Address: "a"})
	l.complete(t)
	require.Empty(t, l.recalculate(t, rule("address"), Seen{AsOf: today, Address: "b"}).Reopened)
	require.Len(t, l.recalculate(t, rule("address"), Seen{AsOf: today, Address: "a"}).Reopened, 1)
	require.Len(t, l.recalculate(t, rule("address"), Seen{AsOf: today, Address: "b"}).Reinstated, 1)
	require.Empty(t, l.recalculate(t, rule(), Seen{AsOf: today, Address: "c"}).Reopened, "what no longer binds is not compared")
}

// An approval is carried over only with the same values, and a manual document is bound to none.
func TestRecalculate_BoundValuesOfOtherDocuments(t *testing.T) {
	rule := requirement.DocumentRule{DocumentTypeCode: "D", Name: "n", EntityType: fact.EntityBusiness, Terms: requirement.Terms{BoundTo: []string{"address"}}}
	l := &ledger{documents: map[string]Document{}}
	l.recalculate(t, requiredWith(rule, fact.BuiltIn), Seen{AsOf: today, Address: "a"})
	l.complete(t)
	for address, carried := range map[string]int{"a": 1, "b": 0} {
		next := Recalculate(nil, requiredWith(rule, fact.BuiltIn), Seen{AsOf: today, Address: address, Earlier: l.all()}, func() string { return "new" })
		require.Len(t, next.Carried, carried, address)
	}
	unbound := requirement.DocumentRule{DocumentTypeCode: "D", Name: "n", EntityType: fact.EntityBusiness}
	l = &ledger{documents: map[string]Document{}}
	l.recalculate(t, requiredWith(unbound, fact.BuiltIn), Seen{AsOf: today, Address: "a"})
	l.complete(t)
	next := Recalculate(nil, requiredWith(rule, fact.BuiltIn), Seen{AsOf: today, Address: "a", Earlier: l.all()}, func() string { return "new" })
	require.Empty(t, next.Carried, "its address is not known")

	manual := Document{ID: "m", DocumentTypeCode: "D", EntityType: fact.EntityBusiness, EntityID: "e"}.RequireManually(ManualText{Name: "own"}, requirement.Identity{}, today)
	l = &ledger{documents: map[string]Document{"m": manual}}
	l.recalculate(t, requiredWith(rule, fact.BuiltIn), Seen{AsOf: today, Address: "a"})
	l.complete(t)
	require.Empty(t, l.recalculate(t, requiredWith(rule, fact.BuiltIn), Seen{AsOf: today, Address: "b"}).Reopened)
}

// TestEvidence_IsChosenAsAModelChooses draws options and evidence, and tries all choices of options.
func TestEvidence_IsChosenAsAModelChooses(t *testing.T) {
	codes := []string{"A", "B", "C", "D"}
	rapid.Check(t, func(rt *rapid.T) {
		d := Document{DocumentTypeCode: "X", Status: Pending, Terms: requirement.Terms{MustBeValid: true}}
		for range rapid.IntRange(2, 4).Draw(rt, "options") {
			of := rapid.SliceOfNDistinct(rapid.SampledFrom(codes), 1, 3, rapid.ID).Draw(rt, "codes")
			if len(of) == 1 {
				d.AnyOf = append(d.AnyOf, option(of[0]))
			} else {
				d.AnyOf = append(d.AnyOf, allOf(of...))
			}
		}
		d.AtLeast = rapid.SampledFrom([]int{0, 2, 3, 9}).Draw(rt, "at least")
		best := map[string]int{}
		for range rapid.IntRange(1, 6).Draw(rt, "entries") {
			code, day := rapid.SampledFrom(codes).Draw(rt, "code"), rapid.IntRange(1, 28).Draw(rt, "day")
			d.Evidence = append(d.Evidence, Evidence{DocumentTypeCode: code, ExpiresOn: rulestest.Day(fmt.Sprintf("2026-04-%02d", day))})
			best[code] = max(best[code], day)
		}
		needed, longest := min(max(d.AtLeast, 1), len(d.AnyOf)), 0
		for chosen := range 1 << len(d.AnyOf) {
			count, last := 0, 99
			for i, o := range d.AnyOf {
				if chosen>>i&1 == 1 {
					count++
					for _, part := range o.Parts() {
						last = min(last, best[part.DocumentTypeCode])
					}
				}
			}
			if count == needed {
				longest = max(longest, last)
			}
		}
		after, err := d.Update(Review{Status: Completed}, today)
		unknown := slices.ContainsFunc(d.Evidence, func(e Evidence) bool { return !slices.Contains(d.proof().codes(), e.DocumentTypeCode) })
		if longest == 0 {
			require.Error(rt, err)
			return
		}
		require.NoError(rt, err, "unknown code: %v", unknown)
		require.Equal(rt, fmt.Sprintf("2026-04-%02d", longest), text(after.ValidUntil()))
	})
}

// A kept approval of another text holds although its evidence suffices for no option of the new
// text; but it is of the facts, as any other.
func TestRecalculate_AKeptApprovalIsOfWhatIsOffered(t *testing.T) {
	one, two := conditional(), conditional()
	two.Name = "spelled another way"
	var kept KeptTexts
	for i, rule := range []requirement.DocumentRule{one, two} {
		kept = kept.Next(NewVersionTexts(i+1, "", []string{"*"}, []requirement.DocumentRule{rule}), nil, today.String())
	}
	l := &ledger{documents: map[string]Document{}}
	at := func(rule requirement.DocumentRule, version, offered int) Changes {
		return l.recalculate(t, requiredWith(rule, fact.BuiltIn, offered), Seen{AsOf: today, Version: version, KeptTexts: kept})
	}
	at(one, 1, 1)
	l.complete(t, Evidence{DocumentTypeCode: "PASSPORT", ExpiresOn: rulestest.Day("2026-05-01")})
	require.Empty(t, at(two, 2, 1).Reopened)
	require.Len(t, at(two, 2, 0).Reopened, 1)
	require.Empty(t, at(two, 2, 0).Reinstated)
	require.Len(t, at(two, 2, 1).Reinstated, 1)

	other := conditional()
	for i := range other.AnyOf {
		other.AnyOf[i].DocumentTypeCode = "DEED"
	}
	kept = kept.Next(NewVersionTexts(3, "", []string{"*"}, []requirement.DocumentRule{other}), nil, today.String())
	require.Empty(t, at(other, 3, 0).Reopened, "the passport that was approved is kept")
}

// An approval that is kept of the same options in other words is valid until the day of an option
// that is offered, as one of the same text.
func TestRecalculate_AKeptApprovalOfOtherWordsLastsAsLongAsWhatIsOffered(t *testing.T) {
	one := requirement.DocumentRule{DocumentTypeCode: "D", Name: "n", EntityType: fact.EntityBusiness}
	one.MustBeValid, one.AnyOf = true, []requirement.DocumentOption{option("PASSPORT"), option("ID_CARD"), allOf("BILL", "LEASE")}
	one.AnyOf[0].When = "custom.abroad"
	two := one
	two.Name, two.AnyOf = "in other words", slices.Clone(one.AnyOf)
	two.AnyOf[0].Name, two.AnyOf[1].RequirementText, two.AnyOf[2] = "other", "other", allOf("LEASE", "BILL")
	two.AnyOf[2].AllOf[0].Name = "other"
	stricter := two
	stricter.Name, stricter.MustBeValid, stricter.ValidFor = "stricter", false, rulestest.Period("1 day")
	var kept KeptTexts
	for i, rule := range []requirement.DocumentRule{one, two, stricter} {
		kept = kept.Next(NewVersionTexts(i+1, "", []string{"*"}, []requirement.DocumentRule{rule}), nil, today.String())
	}
	l := &ledger{documents: map[string]Document{}}
	validUntil := func(rule requirement.DocumentRule, version int, offered ...int) string {
		l.recalculate(t, requiredWith(rule, fact.BuiltIn, offered...), Seen{AsOf: today, Version: version, KeptTexts: kept})
		return text(l.all()[0].ValidUntil())
	}
	validUntil(one, 1, 0)
	passport := Evidence{DocumentTypeCode: "PASSPORT", ExpiresOn: rulestest.Day("2026-10-01")}
	l.complete(t, passport, Evidence{DocumentTypeCode: "ID_CARD", ExpiresOn: rulestest.Day("2026-05-01")})
	require.Equal(t, "2026-10-01", validUntil(two, 2, 0))
	require.Equal(t, "2026-05-01", validUntil(two, 2), "no passport is offered")
	require.Equal(t, "2026-10-01", validUntil(stricter, 3), "of other demands, what was approved is kept, not what a calculation found")
}

// A new name of bound_to takes its value from the next calculation, also while the document is
// reopened for another reason.
func TestRecalculate_ANewNameBindsAReopenedDocument(t *testing.T) {
	rule := func(name string, bound ...string) requirement.Result {
		return requiredWith(requirement.DocumentRule{DocumentTypeCode: "D", Name: name, EntityType: fact.EntityBusiness, Terms: requirement.Terms{BoundTo: bound}}, fact.BuiltIn)
	}
	l := &ledger{documents: map[string]Document{}}
	l.recalculate(t, rule("one"), Seen{AsOf: today, Address: "a"})
	l.complete(t)
	require.Len(t, l.recalculate(t, rule("two", "address"), Seen{AsOf: today, Address: "a"}).Reopened, 1)
	require.Empty(t, l.recalculate(t, rule("one", "address"), Seen{AsOf: today, Address: "b"}).Reinstated)
	require.Equal(t, FactsChanged, l.all()[0].StatusReason)
	require.Len(t, l.recalculate(t, rule("one", "address"), Seen{AsOf: today, Address: "a"}).Reinstated, 1)
}

// A document is overdue at once if a calculation makes it so, whether it is new or not.
func TestRecalculate_OverdueAtOnce(t *testing.T) {
	within := func(period string) requirement.Result {
		rule := requirement.DocumentRule{DocumentTypeCode: "D", Name: "n", EntityType: fact.EntityBusiness, Terms: requirement.Terms{DueFrom: "established_date"}}
		if period != "" {
			rule.DueWithin = rulestest.Period(period)
		}
		return requiredWith(rule, fact.BuiltIn)
	}
	seen := Seen{AsOf: today, Facts: fact.Facts{EstablishedDate: rulestest.Day("2020-01-01")}}
	l := &ledger{documents: map[string]Document{}}
	require.Len(t, l.recalculate(t, within("1 year"), seen).Overdue, 1)
	require.Empty(t, l.recalculate(t, within("1 year"), seen).Overdue, "it was so before")
	require.Empty(t, l.recalculate(t, within("9 years"), seen).Overdue)
	require.Len(t, l.recalculate(t, within("1 year"), seen).Overdue, 1)
	require.Empty(t, l.recalculate(t, requirement.Result{}, seen).Overdue)
	require.Len(t, l.recalculate(t, within("1 year"), seen).Overdue, 1, "restored")
}
