package document

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulestest"
)

// This file plays all features of documents together: options with conditions, terms of evidence,
// bound facts, kept approvals, carrying over, documents by hand, reviews and days. It checks what
// must hold whatever was drawn.

// walk is an application of one business.
type walk struct {
	*ledger
	asOf    fact.Date
	earlier []Document // of the workflow before, for the first calculation
	// decided are the documents as hand or a day left them, before any calculation.
	decided map[string]Document

	sets    []requirement.RuleSet
	program *requirement.Program
	kept    KeptTexts
	bound   []string

	is            map[string]bool // custom.a and custom.b
	due           string          // custom.due
	address, name string
	persons       []string
}

func newWalk(t *rapid.T) *walk {
	w := &walk{
		ledger: &ledger{}, asOf: today, is: map[string]bool{"a": true, "b": true}, due: "2026-03-14",
		address: "x", name: "Ltd", persons: []string{"p"},
	}
	w.bound = rapid.SampledFrom([][]string{nil, {"address"}, {"custom.b"}, {"address", "persons"}}).Draw(t, "bound to")
	w.publish(t)
	w.open(t)
	return w
}

func (w *walk) facts(t *rapid.T) fact.Facts {
	f := fact.Facts{AsOf: w.asOf, BusinessID: "e", WorkflowID: "w", Custom: fact.Values{}}
	for name, text := range map[string]string{"a": fmt.Sprint(w.is["a"]), "b": fmt.Sprint(w.is["b"]), "due": `"` + w.due + `"`} {
		v, err := fact.ParseValue([]byte(text))
		require.NoError(t, err)
		f.Custom[name] = v
	}
	for _, p := range w.persons {
		f.Persons = append(f.Persons, fact.PersonFacts{PersonID: p})
	}
	return f
}

func (w *walk) seen(t *rapid.T) Seen {
	identities := map[requirement.Entity]requirement.Identity{{Type: fact.EntityBusiness, ID: "e"}: {LegalName: w.name}}
	for _, p := range w.persons {
		identities[requirement.Entity{Type: fact.EntityPerson, ID: p}] = requirement.Identity{FirstName: w.name}
	}
	return Seen{
		VersionID: fmt.Sprint(len(w.sets)), Version: len(w.sets), AsOf: w.asOf, Facts: w.facts(t), Identities: identities,
		Address: w.address, Earlier: w.earlier, KeptTexts: w.kept,
	}
}

func (w *walk) result(t *rapid.T) requirement.Result {
	result, err := w.program.Evaluate(t.Context(), w.facts(t))
	require.NoError(t, err)
	require.Empty(t, result.Gaps)
	return result
}

// drawWalkRule draws a rule of which each term may be stated.
func drawWalkRule(t *rapid.T, entity string) requirement.DocumentRule {
	r := requirement.DocumentRule{DocumentTypeCode: "D", Category: "c", RequirementText: "r", EntityType: entity}
	r.Name = rapid.SampledFrom([]string{"n", "n", "m"}).Draw(t, "name")
	r.When = rapid.SampledFrom([]string{"", "", "custom.a"}).Draw(t, "when")
	when := func(condition string, o requirement.DocumentOption) requirement.DocumentOption {
		o.When = condition
		return o
	}
	lenient := when("!custom.b", option("A"))
	lenient.ExpiredAtMost = rulestest.Period("3 days")
	r.AnyOf = rapid.SampledFrom([][]requirement.DocumentOption{
		nil,
		{option("A"), option("B")},
		{when("custom.b", option("A")), lenient, when("custom.b", option("B"))},
		{when("custom.b", allOf("A", "B")), option("C"), when("!custom.b", option("B"))},
		{when("custom.b", option("A")), when("custom.a", option("C"))},
	}).Draw(t, "options")
	if len(r.AnyOf) > 1 {
		r.AtLeast = rapid.SampledFrom([]int{0, 2}).Draw(t, "at least")
	}
	period := func(name string, texts ...string) *fact.Period {
		if text := rapid.SampledFrom(append([]string{""}, texts...)).Draw(t, name); text != "" {
			return rulestest.Period(text)
		}
		return nil
	}
	switch rapid.IntRange(0, 3).Draw(t, "validity") {
	case 1:
		r.MustBeValid = true
	case 2:
		r.ValidFor = rulestest.Period("1 day")
	case 3:
		r.ExpiredAtMost = rulestest.Period("2 days")
	}
	if r.RenewAfter = period("renew after", "2 days", "10 days"); r.RenewAfter != nil {
		r.RemindBefore = period("remind before", "1 day")
	}
	if r.DueWithin = period("due within", "1 day", "3 days"); r.DueWithin != nil {
		r.DueFrom = rapid.SampledFrom([]string{"", "custom.due"}).Draw(t, "due from")
	}
	return r
}

// publish publishes drawn rules, or the last ones in other words, of which approvals are kept.
func (w *walk) publish(t *rapid.T) {
	var set requirement.RuleSet
	for name, of := range map[string]fact.DeclaredType{"a": fact.DeclaredBoolean, "b": fact.DeclaredBoolean, "due": fact.DeclaredDate} {
		set.Facts = append(set.Facts, fact.Declaration{Name: name, EntityType: fact.EntityBusiness, Type: of, Label: name, Ask: name})
	}
	keeps := rapid.SampledFrom([][]string{nil, {"*"}}).Draw(t, "keeps")
	if len(w.sets) > 0 && rapid.Bool().Draw(t, "in other words") {
		set.Documents, keeps = slices.Clone(w.sets[len(w.sets)-1].Documents), []string{"*"}
		set.Documents[0].Name += "x"
	} else {
		set.Documents = []requirement.DocumentRule{drawWalkRule(t, fact.EntityBusiness), drawWalkRule(t, fact.EntityPerson)}
	}
	for i := range set.Documents {
		set.Documents[i].BoundTo = w.bound
	}
	program, problems := requirement.Compile(set, requirement.Options{})
	require.Empty(t, problems)
	w.sets, w.program = append(w.sets, set), program
	w.kept = w.kept.Next(NewVersionTexts(len(w.sets), "", keeps, set.Documents), nil, w.asOf.String())
}

// open opens the first workflow, or the next one, and calculates.
func (w *walk) open(t *rapid.T) {
	w.earlier, w.documents = w.all(), map[string]Document{}
	w.recalculate(t, w.result(t), w.seen(t))
	w.earlier, w.decided = nil, maps.Clone(w.documents)
}

// content is everything that is stored of a document, without the wording of reasons.
func content(t fataler, d Document) string {
	text, err := json.Marshal([]any{
		d.ID, d.key().code, d.key().entityType, d.key().entityID, d.Name, d.Category, d.RequirementText, d.Terms, d.Published,
		d.Status, d.PreviousStatus, d.StatusReason, unworded(d.Reasons), d.Version, d.Origin, d.Own, d.Identity, d.Bound, d.Approval,
		d.Evidence, d.ReviewedBy, d.ReviewNote, fmt.Sprint(d.DueSince), fmt.Sprint(d.DueOn), d.Notified,
	})
	require.NoError(t, err)
	return string(fact.CanonicalJSON(json.RawMessage(text)))
}

// calculate calculates, and checks that a repeat changes nothing, that the calculations before do
// not matter, and that each approval ends with its evidence.
func (w *walk) calculate(t *rapid.T) {
	result := w.result(t)
	w.recalculate(t, result, w.seen(t))
	for _, days := range []int{0, 1, 30} {
		later := w.seen(t)
		later.AsOf = fact.DateOf(later.AsOf.UTC().AddDate(0, 0, days))
		again := Recalculate(w.all(), result, later, nil)
		require.True(t, again.Empty() && len(again.Reopened)+len(again.Reinstated) == 0, "the same again, %d days later", days)
		for _, d := range again.Kept {
			require.Equal(t, content(t, w.documents[d.ID]), content(t, d), "all that was calculated is stored")
		}
	}
	direct := &ledger{documents: maps.Clone(w.decided), ids: w.ids} // the ids of both differ
	direct.recalculate(t, result, w.seen(t))
	for _, d := range w.all() {
		w.endsWithItsEvidence(t, d)
		other, known := direct.documents[d.ID]
		if known && d.Status != Inactive && d.Lapsed(w.asOf) == "" && other.Lapsed(w.asOf) == "" && !lapsedInBetween(d, other) {
			outcome := func(d Document) []any { return []any{d.Status, d.StatusReason, text(d.ValidUntil())} }
			require.Equal(t, outcome(other), outcome(d), "calculations in between do not matter: %s", content(t, d))
		}
	}
}

// lapsedInBetween reports whether a calculation found that one of two approvals had lapsed, and that
// the other had not, or for another reason: it may have done so under terms that are replaced now.
func lapsedInBetween(a, b Document) bool {
	lapsed := []StatusReason{Expired, RenewalDue}
	return a.StatusReason != b.StatusReason && (slices.Contains(lapsed, a.StatusReason) || slices.Contains(lapsed, b.StatusReason))
}

// endsWithItsEvidence holds valid_until of an approval of the current demands against the evidence on
// each day.
func (w *walk) endsWithItsEvidence(t *rapid.T, d Document) {
	if d.Status != Completed || d.RenewAfter != nil || !d.Approval.Text.SameDemands(d.Text()) {
		return
	}
	until, still := d.ValidUntil(), d
	if still.ValidFor != nil { // it is asked for on the day of the approval alone
		still.ValidFor, still.MustBeValid = nil, true
	}
	for i := range 20 {
		on := fact.DateOf(d.Approval.On.UTC().AddDate(0, 0, i))
		require.Equal(t, still.suffices(on), until.IsZero() || !until.Before(on), "on %s: %s", on, content(t, d))
	}
}

// review lets a reviewer state drawn evidence.
func (w *walk) review(t *rapid.T, d Document) (Document, error) {
	r := Review{Status: rapid.SampledFrom([]Status{Pending, NeedsReview, Completed, Completed, Completed}).Draw(t, "to"), Note: "n"}
	for _, code := range d.proof().codes() {
		if rapid.IntRange(0, 3).Draw(t, "states "+code) == 0 {
			continue
		}
		e := Evidence{DocumentTypeCode: code, ExpiresOn: new(fact.DateOf(w.asOf.UTC().AddDate(0, 0, rapid.IntRange(-2, 6).Draw(t, "expires"))))}
		if rapid.IntRange(0, 6).Draw(t, "never expires") == 0 {
			e.ExpiresOn, e.NeverExpires = nil, true
		}
		r.Evidence = append(r.Evidence, e)
	}
	return d.Update(r, w.asOf)
}

// pass lets days pass, and applies what they bring.
func (w *walk) pass(days int) {
	w.asOf = fact.DateOf(w.asOf.UTC().AddDate(0, 0, days))
	for _, d := range w.all() {
		for occasion := OccasionExpired; occasion != ""; {
			d, occasion = d.OnDay(w.asOf, false)
		}
		w.documents[d.ID] = d
	}
	w.decided = maps.Clone(w.documents)
}

func TestRecalculate_OfAllFeaturesTogether(t *testing.T) {
	t.Parallel()
	steps := []string{
		"publish", "fact", "fact", "due", "address", "persons", "name", "calculate", "calculate", "calculate",
		"review", "review", "review", "waive", "by hand", "days", "next workflow",
	}
	rapid.Check(t, func(t *rapid.T) {
		w := newWalk(t)
		for range rapid.IntRange(5, 30).Draw(t, "steps") {
			switch step := rapid.SampledFrom(steps).Draw(t, "step"); step {
			case "publish":
				w.publish(t)
			case "fact":
				w.is[rapid.SampledFrom([]string{"a", "b"}).Draw(t, "fact")] = rapid.Bool().Draw(t, "is")
			case "due":
				w.due = rapid.SampledFrom([]string{"2026-03-10", "2026-03-16"}).Draw(t, "due")
			case "address":
				w.address = rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "address")
			case "persons":
				w.persons = rapid.SampledFrom([][]string{{"p"}, {"q"}, {"p", "q"}}).Draw(t, "persons")
			case "name":
				w.name = rapid.SampledFrom([]string{"Ltd", "Inc"}).Draw(t, "name")
			case "calculate":
				w.calculate(t)
			case "days":
				w.pass(rapid.IntRange(1, 3).Draw(t, "days"))
				w.calculate(t)
			case "next workflow":
				w.calculate(t)
				w.open(t)
			default:
				if len(w.documents) == 0 {
					continue
				}
				d := rapid.SampledFrom(w.all()).Draw(t, "document")
				var err error
				switch {
				case step == "review":
					d, err = w.review(t, d)
				case step == "waive":
					d, err = d.Waive(w.asOf)
				case d.Status == Inactive:
					of := requirement.Entity{Type: d.EntityType, ID: d.EntityID}
					d = d.RequireManually(ManualText{Name: "own", DueWithin: rulestest.Period("1 day")}, w.seen(t).Identities[of], w.asOf)
				}
				if err == nil {
					w.documents[d.ID], w.decided[d.ID] = d, d
				}
			}
		}
	})
}
