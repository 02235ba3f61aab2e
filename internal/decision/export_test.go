package decision_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/decision"
	"requisite/internal/id"
	"requisite/internal/rules/fact"
)

// someTime has the microseconds that Postgres keeps.
func someTime(t *rapid.T, from time.Time) time.Time {
	return from.Add(time.Duration(rapid.Int64Range(0, int64(20*24*time.Hour/time.Microsecond)).Draw(t, "later")) * time.Microsecond)
}

var began = time.Date(2026, 5, 3, 10, 0, 0, 0, time.UTC)

func someBytes(t *rapid.T, name string) []byte {
	return rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, name)
}

// published are versions of rules and prices that decisions of tests name.
var published = map[string][]decision.PublishedVersion{
	"rules":  {rulesVersion(1), rulesVersion(2)},
	"prices": {pricesVersion(1), pricesVersion(2)},
}

func rulesVersion(number int) decision.PublishedVersion {
	v := pricesVersion(number)
	v.Form, v.EffectiveFrom, v.AppliesTo, v.KeepApprovals = decision.AllFields, "2026-05-04", "ALL", `["PASSPORT","TAX_FORM"]`
	v.ProposedBy, v.ProposedByType, v.ProposedAt, v.ProposalComment = v.PublishedBy, "SYSTEM", decision.Time(began.Add(-time.Hour)), "asked for"
	v.ApprovedBy, v.ApprovedByType, v.ApprovedAt, v.PublishComment = "Berta", "API_KEY", v.PublishedAt, "read “all” of it"
	return v
}

func pricesVersion(number int) decision.PublishedVersion {
	return decision.PublishedVersion{
		Form: decision.ContentAlone, ID: id.RuleSetVersionID{UUID: id.NewAt(began)}, Version: number, Content: fmt.Sprintf(`{"n":"É\n%d"}`, number),
		PublishedBy: "Anton", PublishedAt: decision.Time(began),
	}
}

// naming is how a decision names a version.
func naming(v decision.PublishedVersion) *decision.Version {
	return &decision.Version{ID: v.ID, SHA256: v.Hash()}
}

func someVersion(t *rapid.T, of string) *decision.Version {
	if rapid.Bool().Draw(t, "no version") {
		return nil
	}
	return naming(rapid.SampledFrom(published[of]).Draw(t, of))
}

// someChain is the record of a workflow, which begins at a number from 1.
func someChain(t *rapid.T) []decision.Decision {
	workflow, business := id.WorkflowID{UUID: id.New()}, id.BusinessID{UUID: id.New()}
	var chain []decision.Decision
	facts := ""
	for i := range rapid.IntRange(1, 6).Draw(t, "decisions") {
		d := decision.Decision{
			WorkflowID: workflow, BusinessID: business, Number: int64(i + 1), Kind: decision.Calculation, Outcome: decision.Outcome(rapid.StringMatching(`[A-Z_]{1,20}`).Draw(t, "outcome")), DecidedAt: began,
			AsOf: fact.Date{Year: 2026, Month: 5, Day: 3}, UserID: rapid.String().Draw(t, "user"), UserType: "API_KEY", TraceID: rapid.StringMatching(`(trc_[a-z]{5})?`).Draw(t, "trace"),
			Changes: rapid.StringMatching(`\{.{0,20}\}`).Draw(t, "changes"),
		}
		if i > 0 {
			last := chain[i-1]
			d.PreviousAt, d.PreviousDigest, d.DecidedAt = &last.DecidedAt, last.Digest, someTime(t, last.DecidedAt)
		}
		d.ID = id.DecisionID{UUID: id.NewAt(d.DecidedAt)}
		if i > 0 && rapid.IntRange(0, 5).Draw(t, "erased") == 0 {
			d.Kind, d.Outcome, facts = decision.Erasure, decision.Erased, erasedFacts
			for k := range chain {
				chain[k].Personal, chain[k].Salt, chain[k].Fingerprint = "", nil, nil
			}
		} else {
			d.RuleSet, d.PricingModel = someVersion(t, "rules"), someVersion(t, "prices")
			d.Results, d.Personal, d.Salt = rapid.StringMatching(`\[.{0,20}\]`).Draw(t, "results"), `{`+facts+`"more":"`+rapid.StringMatching(`[^"\\\\\x00-\x1f]*`).Draw(t, "personal")+`"}`, someBytes(t, "salt")
			d.Fingerprint = d.ComputeFingerprint()
		}
		d.Seal()
		chain = append(chain, d)
	}
	return chain
}

// erasedFacts are the facts of a business that was erased.
const erasedFacts = `"facts":{"business":{"erased_at":"2026-05-03T10:00:00Z"}},`

var header = decision.ExportHeader{
	Export: decision.ExportVersion, AccountID: id.Account(id.AccountSandbox, id.New()),
	CompleteSince: decision.Moment(decision.Month(began.AddDate(-7, 0, 0))), CompleteUntil: decision.Moment(began.AddDate(1, 0, 0)),
}

func lineOf(t require.TestingT, l decision.ExportLine) string {
	text, err := l.Write()
	require.NoError(t, err)
	return string(text)
}

// exportOf are the lines of an export.
func exportOf(t require.TestingT, chains ...[]decision.Decision) []string {
	lines := []string{lineOf(t, decision.ExportLine{Header: &header})}
	var summary decision.ExportSummary
	told := map[id.RuleSetVersionID]bool{}
	for _, chain := range chains {
		for _, d := range chain {
			for _, used := range []*decision.Version{d.RuleSet, d.PricingModel} {
				for _, v := range slices.Concat(published["rules"], published["prices"]) {
					if used != nil && used.ID == v.ID && !told[v.ID] {
						told[v.ID] = true
						lines = append(lines, lineOf(t, decision.ExportLine{Version: &v}))
					}
				}
			}
			lines = append(lines, lineOf(t, decision.ExportLine{Decision: &d}))
			summary.Decisions++
		}
		lines = append(lines, lineOf(t, decision.ExportLine{End: endOf(chain)}))
		summary.Workflows++
	}
	return append(lines, lineOf(t, decision.ExportLine{Summary: &summary}))
}

func endOf(chain []decision.Decision) *decision.ExportEnd {
	last := chain[len(chain)-1]
	erased := slices.ContainsFunc(chain, func(d decision.Decision) bool { return d.Kind == decision.Erasure })
	return &decision.ExportEnd{WorkflowID: last.WorkflowID, BusinessID: last.BusinessID, Number: last.Number, Digest: decision.Hex(last.Digest), Erased: erased}
}

func verify(t require.TestingT, lines []string, received string) (decision.Verified, error) {
	var digests *decision.ReceivedDigests
	if received != "" {
		var err error
		digests, err = decision.ReadReceived([]byte(received))
		require.NoError(t, err)
	}
	verified, err := decision.VerifyExport(strings.NewReader(strings.Join(lines, "")), digests)
	return verified, err
}

// TestExport_IsReadBackTheSame: each decision, and the record is whole.
func TestExport_IsReadBackTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chains := [][]decision.Decision{someChain(t), someChain(t)}
		for _, d := range slices.Concat(chains...) {
			read, err := decision.ReadExportLine([]byte(lineOf(t, decision.ExportLine{Decision: &d})))
			require.NoError(t, err)
			require.Equal(t, &d, read.Decision)
			require.Equal(t, d.Digest, read.Decision.ComputeDigest())
		}
		verified, err := verify(t, exportOf(t, chains...), "")
		require.NoError(t, err)
		require.Empty(t, verified.Problems)
		require.EqualValues(t, 2, verified.Workflows)
		require.EqualValues(t, len(chains[0])+len(chains[1]), verified.Decisions)
	})
}

// TestReadExportLine_RefusesAnotherSpelling: a digest is of the texts in the file, which a
// program of others may read otherwise.
func TestReadExportLine_RefusesAnotherSpelling(t *testing.T) {
	d := plainChain()[1]
	line := lineOf(t, decision.ExportLine{Decision: &d})
	for from, to := range map[string]string{
		decision.Hex(d.Digest): strings.ToUpper(decision.Hex(d.Digest)),
		`"number":2`:           `"number":2.0`,
		`T11:00:00.000000Z`:    `T11:00:00.000000000Z`,
		`"kind":"CALCULATION"`: `"kind":"CALCULATION","more":""`,
		`"as_of":"2026-05-03"`: `"as_of":20260503`,
		`"previous_at":"`:      `"rule_set_sha256":"00","previous_at":"`,
		`"decision_id":"dec_`:  `"decision_id":"`,
		`"workflow_id":"` + d.WorkflowID.String() + `",`: ``,
	} {
		require.Contains(t, line, from)
		_, err := decision.ReadExportLine([]byte(strings.ReplaceAll(line, from, to)))
		require.Error(t, err, "%s as %s", from, to)
	}
	_, err := decision.ReadExportLine([]byte(`{"export":3}`))
	require.ErrorContains(t, err, "the form of the export is 3, and this program reads 2")
}

// TestVerify_FindsAnySingleMutation of an export, and of the decisions before their digests
// were computed anew.
func TestVerify_FindsAnySingleMutation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chains := [][]decision.Decision{someChain(t), someChain(t)}
		lines := exportOf(t, chains...)
		at := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		switch what := rapid.SampledFrom([]string{"byte", "remove", "duplicate", "swap", "cut", "reseal"}).Draw(t, "mutation"); what {
		case "byte":
			read, err := decision.ReadExportLine([]byte(lines[at]))
			require.NoError(t, err)
			if read.Header != nil {
				return // no digest covers it
			}
			changed := []byte(lines[at])
			changed[rapid.IntRange(0, len(changed)-1).Draw(t, "byte")] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
			again, err := decision.ReadExportLine(changed)
			if v := again.Version; err == nil && v != nil && v.Form == decision.ContentAlone { // its hash covers no more
				v.Version, v.PublishedBy = read.Version.Version, read.Version.PublishedBy
				if milliseconds := read.Version.PublishedAt[:23]; strings.HasPrefix(v.PublishedAt, milliseconds) {
					v.PublishedAt = read.Version.PublishedAt
				}
			}
			if err == nil && string(mustWrite(t, again)) == lines[at] {
				return // another spelling of the same
			}
			lines[at] = string(changed)
		case "remove":
			lines = slices.Delete(lines, at, at+1)
		case "duplicate":
			to := rapid.IntRange(0, len(lines)).Draw(t, "to")
			lines = slices.Insert(lines, to, lines[at])
		case "swap":
			other := rapid.IntRange(0, len(lines)-1).Draw(t, "other")
			if lines[at] == lines[other] || max(at, other)-min(at, other) == 1 && isVersion(lines[at]) && isVersion(lines[other]) {
				return
			}
			lines[at], lines[other] = lines[other], lines[at]
		case "cut":
			text := strings.Join(lines, "")
			lines = []string{text[:rapid.IntRange(0, len(text)-2).Draw(t, "cut")]}
		case "reseal": // somebody who knows how digests are made, and does not rewrite what follows
			chain := chains[0]
			i := rapid.IntRange(0, len(chain)-1).Draw(t, "decision")
			d := chain[i]
			d.Outcome += "X"
			if d.Personal != "" {
				d.Fingerprint = d.ComputeFingerprint()
			}
			d.Seal()
			at := slices.Index(lines, lineOf(t, decision.ExportLine{Decision: &chain[i]}))
			lines[at] = lineOf(t, decision.ExportLine{Decision: &d})
		}
		verified, err := verify(t, lines, "")
		require.True(t, err != nil || len(verified.Problems) > 0)
	})
}

func isVersion(line string) bool { return strings.HasPrefix(line, `{"version":`) }

func mustWrite(t require.TestingT, l decision.ExportLine) []byte { return []byte(lineOf(t, l)) }

// plainChain has three decisions.
func plainChain() []decision.Decision {
	workflow, business := id.WorkflowID{UUID: id.New()}, id.BusinessID{UUID: id.New()}
	var chain []decision.Decision
	for i := range 3 {
		d := decision.Decision{
			WorkflowID: workflow, BusinessID: business, Number: int64(i + 1), Kind: decision.Calculation, Outcome: decision.Calculated, DecidedAt: began.Add(time.Duration(i) * time.Hour),
			AsOf: fact.DateOf(began), UserID: "tester", UserType: "API_KEY", Changes: "{}", Results: "[]", Personal: fmt.Sprintf(`{"n":%d}`, i), Salt: bytes.Repeat([]byte{byte(i)}, 32),
		}
		if i > 0 {
			d.PreviousAt, d.PreviousDigest = &chain[i-1].DecidedAt, chain[i-1].Digest
		}
		d.ID = id.DecisionID{UUID: id.NewAt(d.DecidedAt)}
		d.Fingerprint = d.ComputeFingerprint()
		d.Seal()
		chain = append(chain, d)
	}
	return chain
}

// TestVerify_SaysWhatWasDone with a record: each kind of tampering has its words.
func TestVerify_SaysWhatWasDone(t *testing.T) {
	chain := plainChain()
	other := plainChain()
	received := fmt.Sprintf("%s %s\n", chain[2].ID, decision.Hex(chain[2].Digest))
	rewritten := chain[2]
	rewritten.Outcome = "OTHER"
	rewritten.Fingerprint = rewritten.ComputeFingerprint()
	rewritten.Seal()
	replace := func(from, to string) func(lines []string) []string {
		return func(lines []string) []string {
			lines[2] = strings.Replace(lines[2], from, to, 1)
			return lines
		}
	}
	// In lines, 0 is the header, 1 to 3 are the decisions, 4 is the end, 5 to 8 the other workflow, 9 the summary.
	for name, c := range map[string]struct {
		change   func(lines []string) []string
		received string
		want     []string
	}{
		"nothing":                            {change: func(lines []string) []string { return lines }, received: received},
		"a changed byte":                     {change: replace("CALCULATED", "CALCULATEX"), want: []string{`decision 2 \(dec_\w+\): was changed: its content has`, `decision 2 .*: its fingerprint is not`}},
		"a changed fact":                     {change: replace(`n\":1`, `n\":7`), want: []string{`decision 2 .* its personal part is not the one that was recorded`, `decision 2 .* fingerprint`}},
		"a changed name":                     {change: replace(`"outcome"`, `"Outcome"`), want: []string{`^line 3: was changed, and cannot be read: `}},
		"a removed line":                     {change: func(l []string) []string { return slices.Delete(l, 2, 3) }, want: []string{`decision 3 \(dec_\w+\): the 1 between decision 1 and it were removed`, `^line 9: lines were removed or inserted: .* 2 workflow\(s\) with 6 .* 2 with 5$`}},
		"a removed beginning":                {change: func(l []string) []string { return slices.Delete(l, 1, 3) }, want: []string{`decision 3 .*: the 2 before it were removed, although they are to be kept`, `lines were removed`}},
		"a removed last":                     {change: func(l []string) []string { return slices.Delete(l, 3, 4) }, want: []string{`decision 2 .*: the 1 after it were removed: the workflow has decided 3 times`, `lines were removed`}},
		"a removed end":                      {change: func(l []string) []string { return slices.Delete(l, 4, 5) }, want: []string{`^line 5, workflow w_\w+: the line with the end of the workflow was removed or moved`}},
		"a removed workflow":                 {change: func(l []string) []string { return slices.Delete(l, 1, 5) }, want: []string{`lines were removed or inserted`}},
		"a duplicated line":                  {change: func(l []string) []string { return slices.Insert(l, 3, l[2]) }, want: []string{`decision 2 .*: was inserted: there is another of this number`, `lines were removed or inserted`}},
		"swapped lines":                      {change: func(l []string) []string { l[2], l[3] = l[3], l[2]; return l }, want: []string{`decision 2 .*: was moved: it comes after decision 3`}},
		"a line of another":                  {change: func(l []string) []string { return slices.Insert(l, 8, l[2]) }, want: []string{`^line 9, workflow w_\w+, decision 2 \(dec_\w+\): was inserted or moved: it comes after the end of its workflow`, `lines were removed or inserted`, `end of the workflow was removed`, `second end`}},
		"an end cut off":                     {change: func(l []string) []string { return append(l[:3], l[3][:50]) }, received: received, want: []string{`^line 4: the file was cut off: its last line is not complete`, `^line 4: the export is not complete`, `^decision dec_\w+: was received, and is not in the record: it was removed`}},
		"a rewritten end":                    {change: func(l []string) []string { return rewrite(t, l, rewritten) }, want: nil},
		"a rewritten end, that was received": {change: func(l []string) []string { return rewrite(t, l, rewritten) }, received: received, want: []string{`decision 3 .*: is not the one that was answered`}},
	} {
		t.Run(name, func(t *testing.T) {
			verified, err := verify(t, c.change(exportOf(t, chain, other)), c.received)
			require.NoError(t, err)
			var texts []string
			for _, p := range verified.Problems {
				texts = append(texts, p.String())
			}
			require.Len(t, texts, len(c.want), strings.Join(texts, "\n"))
			for _, want := range c.want {
				require.True(t, slices.ContainsFunc(texts, func(text string) bool { return regexp.MustCompile(want).MatchString(text) }), "%s in\n%s", want, strings.Join(texts, "\n"))
			}
		})
	}
	_, err := verify(t, []string{"{}\n"}, "")
	require.ErrorIs(t, err, decision.ErrNoExport)
	_, err = verify(t, nil, "")
	require.ErrorIs(t, err, decision.ErrNoExport)
}

// rewrite replaces the last decision of the first workflow, and its end.
func rewrite(t *testing.T, lines []string, d decision.Decision) []string {
	lines[3] = lineOf(t, decision.ExportLine{Decision: &d})
	lines[4] = lineOf(t, decision.ExportLine{End: endOf([]decision.Decision{d})})
	return lines
}

// TestReceivedDigests_AreReadInEveryForm in which a caller may have kept them.
func TestReceivedDigests_AreReadInEveryForm(t *testing.T) {
	a, b, c := id.DecisionID{UUID: id.New()}, id.DecisionID{UUID: id.New()}, id.DecisionID{UUID: id.New()}
	r, err := decision.ReadReceived(fmt.Appendf(nil, "%s aa\n\n{\"event_type\":\"X\",\n \"content\":{\"decision_id\":%q,\"digest\":\"bb\"}}\n[{\"decision_id\":%q,\"digest\":\"cc\"}]\n%s AA\n", a, b, c, a))
	require.NoError(t, err)
	require.Equal(t, map[string]string{a.String(): "AA", b.String(): "bb", c.String(): "cc"}, r.Digests())
	for text, want := range map[string]string{"": "there is none", "{}": "there is none", "x": "a line is DECISION_ID DIGEST", "x aa": "is not a decision id", "{": "unexpected EOF"} {
		_, err := decision.ReadReceived([]byte(text))
		require.ErrorContains(t, err, want)
	}
	r, err = decision.ReadReceived(fmt.Appendf(nil, "%s aa\n%s bb\n", a, a))
	require.NoError(t, err)
	end := func(keptSince, until time.Time) (v decision.Verified) {
		r.End(&v, keptSince, until)
		return v
	}
	const conflict, removed = 1, 1
	require.Contains(t, end(began, time.Time{}).Problems[0].String(), "was received with two digests: aa and bb")
	require.Len(t, end(began, time.Time{}).Problems, conflict+removed)
	require.Len(t, end(began, time.Now()).Problems, conflict+removed)
	older := end(time.Now().AddDate(1, 0, 0), time.Time{}) // it may have been pruned
	require.Equal(t, decision.Verified{Problems: older.Problems[:conflict], ReceivedOlder: 1}, older)
	newer := end(began, time.Now().Add(-time.Hour)) // it was made after the export
	require.Equal(t, decision.Verified{Problems: newer.Problems[:conflict], ReceivedNewer: 1}, newer)
}
