package replay_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/decision/replay"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/view"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// corpus holds the recordings, and corpusList the SHA-256 of each, as sha256sum writes it.
const (
	corpus     = "testdata/corpus"
	corpusList = "testdata/corpus.sha256"
)

var record = flag.Bool("record", false, "add recordings of the shipped examples to the corpus; existing files stay as they are")

func listLine(t *testing.T, file string) string {
	return fmt.Sprintf("%x  %s\n", sha256.Sum256(content(t, file)), filepath.Base(file))
}

// TestReplay_OfTheCorpus makes every recorded decision again. When it fails, the evaluator
// decides otherwise than it did, which no release may do unnoticed: mend the evaluator, not
// the corpus.
func TestReplay_OfTheCorpus(t *testing.T) {
	files, err := replay.Recordings(corpus)
	require.NoError(t, err)
	listed := string(content(t, corpusList))
	require.Equal(t, len(files), strings.Count(listed, "\n"), "%s names other files than there are", corpusList)
	outcomes := map[decision.Outcome]int{}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			require.Contains(t, listed, listLine(t, file), "the file was changed, or is new: run TestRecordCorpus_HasTheShippedExamples with -record to add one")
			r, err := replay.ReadRecording(file)
			require.NoError(t, err)
			rules, err := r.Rules(t.Context())
			require.NoError(t, err)
			for i, c := range r.Decisions {
				found, err := replay.Replay(t.Context(), c, rules)
				require.NoError(t, err)
				require.Empty(t, found, "decision %d", i)
				if c.Found.Outcome == decision.Calculated {
					calculateTwice(t, c, rules.RuleSet)
				}
				outcomes[c.Found.Outcome]++
			}
		})
	}
	for _, outcome := range []decision.Outcome{decision.Calculated, decision.Priced, decision.Outcome(refusal.MissingRequirements), decision.Outcome(refusal.RuleNotEvaluable)} {
		require.NotZero(t, outcomes[outcome], outcome)
	}
}

// calculateTwice calculates the documents of a recorded decision. The second calculation must change nothing.
func calculateTwice(t *testing.T, c replay.Case, rules *requirement.Program) {
	facts, err := c.Facts.ForRules(c.AsOf)
	require.NoError(t, err)
	seen := document.Seen{VersionID: "rul_1", Version: 1, AsOf: c.AsOf, Facts: facts, Identities: c.Facts.Identities(), Address: c.Facts.Address()}
	calculate := func(existing []document.Document) document.Changes {
		result, err := rules.Evaluate(t.Context(), facts)
		require.NoError(t, err)
		return document.Recalculate(existing, result, seen, func() string { return id.New().String() })
	}
	first := calculate(nil)
	seen.Findings = first.Findings.Now
	again := calculate(first.Added)
	require.True(t, again.Empty(), "%+v", again.ByChange)
	require.Equal(t, first.Added, again.Kept)
	require.Equal(t, first.Findings.Now, again.Findings.Now)
	require.False(t, again.Findings.Changed)
	require.Empty(t, slices.Concat(again.Reopened, again.Reinstated, again.Carried, again.Overdue))
}

// TestRecordCorpus_HasTheShippedExamples, as they are now. With -record it adds those that it
// lacks.
func TestRecordCorpus_HasTheShippedExamples(t *testing.T) {
	before, err := replay.Recordings(corpus)
	require.NoError(t, err)
	require.NoError(t, recordCorpus(t, corpus, *record))
	if !*record {
		return
	}
	after, err := replay.Recordings(corpus)
	require.NoError(t, err)
	list, err := os.OpenFile(corpusList, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	require.NoError(t, err)
	for _, file := range after {
		if !slices.Contains(before, file) {
			_, err := list.WriteString(listLine(t, file))
			require.NoError(t, err)
		}
	}
	require.NoError(t, list.Close())
}

// TestRecordCorpus_ChangesNoFile that exists: neither one with other decisions, nor one with
// the same.
func TestRecordCorpus_ChangesNoFile(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, recordCorpus(t, dir, true))
	require.NoError(t, recordCorpus(t, dir, true), "the same again")
	files, err := replay.Recordings(dir)
	require.NoError(t, err)
	before, err := os.ReadFile(files[0])
	require.NoError(t, err)
	changed := bytes.Replace(before, []byte(`"holds":true`), []byte(`"holds":false`), 1)
	require.NotEqual(t, before, changed)
	require.NoError(t, os.WriteFile(files[0], changed, 0o600))
	require.ErrorIs(t, recordCorpus(t, dir, true), errOnlyGrows)
	after, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Equal(t, changed, after)
}

var errOnlyGrows = errors.New("the file exists with other decisions: the corpus only grows")

// recordCorpus adds a file for each shipped rule set and pricing model, named after its
// inputs.
func recordCorpus(t *testing.T, dir string, add bool) error {
	sources, err := filepath.Glob("../../../examples/rules/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	for _, source := range append(sources, "testdata/no-answer.yaml") {
		set, problems := requirement.ReadRuleSet(rulefile.YAMLFile(content(t, source)))
		require.Empty(t, problems)
		set.Examples = nil // they decide nothing
		if err := recordFile(t, dir, add, "rules-"+name(source), replay.Recording{RuleSet: set.CanonicalJSON()}); err != nil {
			return err
		}
	}
	sources, err = filepath.Glob("../../../examples/pricing/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	for _, source := range sources {
		model, problems := requirement.ReadPricingModel(rulefile.YAMLFile(content(t, source)))
		require.Empty(t, problems)
		if err := recordFile(t, dir, add, "pricing-"+name(source), replay.Recording{PricingModel: model.CanonicalJSON()}); err != nil {
			return err
		}
	}
	return nil
}

func content(t *testing.T, file string) []byte {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	return data
}

func name(file string) string { return strings.TrimSuffix(filepath.Base(file), ".yaml") }

// recordFile decides for generated facts, which are the same each time, and writes that.
func recordFile(t *testing.T, dir string, add bool, name string, r replay.Recording) error {
	draft := calculation.NewDraft(nil)
	r.EnvironmentVersion, r.CostLimit = draft.EnvironmentVersion, draft.CostLimit
	rules, err := r.Rules(t.Context())
	require.NoError(t, err)
	kind := decision.Calculation
	if r.PricingModel != nil {
		kind = decision.Pricing
	}
	var set struct{ Facts []fact.Declaration }
	require.NoError(t, json.Unmarshal([]byte(cmp.Or(string(r.RuleSet), string(r.PricingModel))), &set))
	g := generator{rand.New(rand.NewPCG(34, 2026)), set.Facts}
	for range 14 {
		c := replay.Case{Kind: kind, AsOf: fact.Date{Year: 2026, Month: 11, Day: 1 + g.IntN(30)}, Facts: g.facts()}
		facts, err := c.Facts.ForRules(c.AsOf)
		require.NoError(t, err)
		c.Found, err = replay.Evaluate(t.Context(), kind, rules, facts)
		require.NoError(t, err)
		r.Decisions = append(r.Decisions, c)
	}
	text := linesOf(t, r)
	file := filepath.Join(dir, name+"."+inputsHash(t, text)+".json")
	existing, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !add:
		return fmt.Errorf("the corpus lacks %s: -record adds it", filepath.Base(file))
	case errors.Is(err, fs.ErrNotExist):
		return os.WriteFile(file, text, 0o644)
	case err != nil:
		return err
	case !bytes.Equal(existing, text):
		return fmt.Errorf("%s: %w", file, errOnlyGrows)
	}
	return nil
}

// linesOf is a recording with one decision a line.
func linesOf(t *testing.T, r replay.Recording) []byte {
	decisions := r.Decisions
	r.Decisions = []replay.Case{}
	head, err := json.Marshal(r)
	require.NoError(t, err)
	text := bytes.NewBuffer(bytes.TrimSuffix(head, []byte("]}")))
	for i, c := range decisions {
		if i > 0 {
			text.WriteByte(',')
		}
		line, err := json.Marshal(c)
		require.NoError(t, err)
		text.WriteByte('\n')
		text.Write(line)
	}
	text.WriteString("\n]}\n")
	return text.Bytes()
}

// inputsHash is of the rules and the facts in a file, without what was found.
func inputsHash(t *testing.T, text []byte) string {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var r map[string]any
	require.NoError(t, decoder.Decode(&r))
	for _, c := range r["decisions"].([]any) {
		delete(c.(map[string]any), "found")
	}
	inputs, err := json.Marshal(r)
	require.NoError(t, err)
	sum := sha256.Sum256(inputs)
	return hex.EncodeToString(sum[:6])
}

// generator makes facts of applications.
type generator struct {
	*rand.Rand
	declared []fact.Declaration
}

func (g generator) uuid() (u id.UUID) {
	for i := range u {
		u[i] = byte(g.UintN(256))
	}
	u[6], u[8] = u[6]&0x0f|0x70, u[8]&0x3f|0x80
	return u
}

func oneOf[T any](g generator, values ...T) T { return values[g.IntN(len(values))] }

// custom are values of the declared facts of one entity type.
func (g generator) custom(entityType string, on func() bool) wire.Custom {
	values := domain.Custom{}
	for _, d := range g.declared {
		if d.EntityType != entityType || !on() {
			continue
		}
		text := `"any"`
		if d.Choices != nil {
			text = strconv.Quote(oneOf(g, d.Choices...))
		}
		values[d.Name] = json.RawMessage(map[fact.DeclaredType]string{
			fact.DeclaredBoolean: oneOf(g, "true", "false", "false"),
			fact.DeclaredNumber:  oneOf(g, "0", "12.5", "30000"),
			fact.DeclaredAmount:  oneOf(g, "0", "99.99", "25000"),
			fact.DeclaredDate:    oneOf(g, `"2024-02-29"`, `"2026-10-31"`, `"2027-01-01"`),
			fact.DeclaredText:    text, fact.DeclaredTextList: oneOf(g, "[]", "["+text+"]"),
		}[d.Type])
	}
	return wire.Custom{Custom: values}
}

// facts lack something in about every third application.
func (g generator) facts() decision.Facts {
	complete := g.IntN(3) > 0
	on := func() bool { return complete || g.IntN(5) > 0 }
	facts := decision.Facts{Workflow: decision.WorkflowFacts{WorkflowID: id.WorkflowID{UUID: g.uuid()}, Currency: "USD"}, Persons: []view.PersonData{}}
	if on() {
		score := rational.Int(int64(oneOf(g, 120, 349, 350, 420, 499, 500, 610, 700, 880)))
		facts.Workflow.EvaluationScore = &score
	}
	business := view.BusinessData{BusinessID: id.BusinessID{UUID: g.uuid()}, AccountID: domain.Sandbox.Account(g.uuid()), LegalName: "Ltd", IndustryCategoryCode: []string{}, PersonIDs: []id.PersonID{}}
	if on() {
		country := oneOf(g, "US", "DE", "FR", "GB")
		business.Address = wire.OrNull(&domain.Address{Country: &country})
	}
	facts.Workflow.Custom, business.Custom = g.custom(fact.EntityWorkflow, on), g.custom(fact.EntityBusiness, on)
	if on() {
		date := oneOf(g, "2001-05-17", "2016-11-20", "2024-02-29", "2024-11-15", "2026-05-10", "2026-06-01", "2026-09-30")
		business.EstablishedDate = &date
	}
	if on() {
		for range 1 + g.IntN(2) {
			business.IndustryCategoryCode = append(business.IndustryCategoryCode, oneOf(g, "0742", "4722", "5411", "5462", "5712", "5732", "5912", "5967", "5993", "6051", "7995", "8021"))
		}
	}
	if on() {
		business.SalesInfo = &view.SalesInfoData{SalesInfoID: id.SalesInfoID{UUID: g.uuid()}, SalesAmount: []view.SalesAmountData{}}
		for _, of := range []struct {
			name    string
			amounts []int64
		}{
			{"AVERAGE_MONTHLY_CREDIT_SALES", []int64{400000, 1000000, 2500050, 5000000, 5000001, 25000000}},
			{"AVERAGE_YEARLY_CREDIT_SALES", []int64{4800000, 12000000, 60000000, 100000000, 350000000}},
			{"AVERAGE_INDIVIDUAL_SALE", []int64{0, 1450, 9999, 45000, 120000}},
			{"HIGHEST_TICKET_SALE", []int64{64000, 500000, 500001, 1500000}},
		} {
			if on() {
				business.SalesInfo.SalesAmount = append(business.SalesInfo.SalesAmount, view.SalesAmountData{Type: of.name, Value: wire.Decimal{Decimal: rational.Decimal(oneOf(g, of.amounts...))}, Currency: "USD"})
			}
		}
	}
	for range g.IntN(4) {
		person := view.PersonData{PersonID: id.PersonID{UUID: g.uuid()}, BusinessID: business.BusinessID, FirstName: new("A"), LastName: new("B")}
		if on() {
			citizenship := oneOf(g, "US", "US", "CA", "DE", "FR", "GB")
			person.Citizenship = &citizenship
		}
		if on() {
			person.OwnershipPercentage = wire.OrNull(&wire.Decimal{Decimal: rational.Decimal(oneOf(g, 0, 1000, 2499, 2500, 3333, 5000, 10000))})
		} else {
			person.OwnershipPercentage = wire.OrNull[wire.Decimal](nil)
		}
		if on() {
			born, residence := oneOf(g, "1949-12-31", "1988-02-29", "2008-11-15"), oneOf(g, "US", "DE", "GB")
			person.DateOfBirth, person.CountryOfResidence = &born, &residence
		}
		person.Custom = g.custom(fact.EntityPerson, on)
		facts.Persons = append(facts.Persons, person)
		business.PersonIDs = append(business.PersonIDs, person.PersonID)
	}
	business.NoPersonsAttested = len(facts.Persons) == 0 && complete
	facts.Business = business
	return facts
}
