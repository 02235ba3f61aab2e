package decision_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/id"
	"requisite/internal/rules/fact"
	"requisite/internal/testkit/needs"
)

// record is an export before it is written. A forger can compute all digests anew.
type record struct {
	header decision.ExportHeader
	// erased are the businesses that the ends of their workflows mark as erased.
	erased map[id.BusinessID]bool
	chains [][]decision.Decision
}

// Chains of the record.
const (
	// first has four decisions.
	first = iota
	// second is of the same business.
	second
	// gone is of a business that was erased. A status was changed afterwards.
	gone
)

func fullRecord() *record {
	r := &record{header: header, erased: map[id.BusinessID]bool{}, chains: make([][]decision.Decision, 3)}
	business, other := id.BusinessID{UUID: id.New()}, id.BusinessID{UUID: id.New()}
	for i, of := range []id.BusinessID{business, business, other} {
		r.add(i, decision.Decision{WorkflowID: id.WorkflowID{UUID: id.New()}, BusinessID: of, SandboxToday: i == first})
	}
	r.add(first, decision.Decision{})
	r.add(first, decision.Decision{Kind: decision.DocumentStatus})
	r.add(first, decision.Decision{Kind: decision.Pricing})
	r.add(second, decision.Decision{})
	r.erase(gone)
	r.add(gone, decision.Decision{Kind: decision.DocumentStatus, Personal: `{` + erasedFacts + `"n":1}`})
	r.erased[other] = true
	return r.seal()
}

// add appends a decision an hour after the last one of the record, with what d leaves out.
func (r *record) add(chain int, d decision.Decision) {
	n := 0
	for _, c := range r.chains {
		n += len(c)
	}
	d.DecidedAt = began.Add(time.Duration(n) * time.Hour)
	d.ID = id.DecisionID{UUID: id.NewAt(d.DecidedAt)}
	if len(r.chains[chain]) > 0 {
		d.WorkflowID, d.BusinessID = r.chains[chain][0].WorkflowID, cmp.Or(d.BusinessID, r.chains[chain][0].BusinessID)
	}
	d.Kind, d.Outcome, d.AsOf, d.Changes = cmp.Or(d.Kind, decision.Calculation), cmp.Or(d.Outcome, decision.Calculated), fact.DateOf(began), "{}"
	d.UserID, d.UserType, d.TraceID = "tester", "API_KEY", "trc_1"
	if d.Kind != decision.Erasure {
		d.RuleSet, d.PricingModel = naming(published["rules"][0]), naming(published["prices"][0])
		d.Results, d.Personal, d.Salt = "[]", cmp.Or(d.Personal, fmt.Sprintf(`{"facts":{"business":{"legal_name":"Ltd"}},"n":%d}`, n)), bytes.Repeat([]byte{byte(n)}, decision.SaltSize)
	}
	r.chains[chain] = append(r.chains[chain], d)
}

// erase removes the facts of a workflow, and appends the decision that says so.
func (r *record) erase(chain int) {
	r.hide(chain, 0, len(r.chains[chain]))
	r.add(chain, decision.Decision{Kind: decision.Erasure, Outcome: decision.Erased})
}

// hide removes the facts of some decisions of a workflow.
func (r *record) hide(chain, from, to int) {
	r.seal()
	for i := range r.chains[chain][from:to] {
		d := &r.chains[chain][from+i]
		d.Personal, d.Salt, d.Fingerprint = "", nil, nil
	}
}

// seal computes everything that is computed.
func (r *record) seal() *record {
	for _, chain := range r.chains {
		for i := range chain {
			d := &chain[i]
			if i > 0 {
				d.PreviousAt, d.PreviousDigest = &chain[i-1].DecidedAt, chain[i-1].Digest
			} else if d.Number <= 1 {
				d.PreviousAt, d.PreviousDigest = nil, nil
			}
			d.Number = max(1, chain[0].Number) + int64(i)
			if d.Personal != "" {
				d.Fingerprint = d.ComputeFingerprint()
			}
			d.Seal()
		}
	}
	return r
}

func (r *record) lines(t require.TestingT) []string {
	r.seal()
	lines := exportOf(t, r.chains...)
	lines[0] = lineOf(t, decision.ExportLine{Header: &r.header})
	for _, chain := range r.chains {
		end := endOf(chain)
		at := slices.Index(lines, lineOf(t, decision.ExportLine{End: end}))
		end.BusinessID = chain[0].BusinessID
		end.Erased = r.erased[end.BusinessID]
		lines[at] = lineOf(t, decision.ExportLine{End: end})
	}
	return lines
}

// received are the digests of some decisions of the record, as the account has them.
func (r *record) received(from ...decision.Decision) string {
	var text strings.Builder
	for _, d := range from {
		fmt.Fprintf(&text, "%s %s\n", d.ID, decision.Hex(d.Digest))
	}
	return text.String()
}

// checked is an export for both verifiers.
type checked struct {
	text, received string
	// finding is what each verifier says of it, as a regular expression. It is empty where
	// nothing is wrong.
	finding string
	// alike is set where the verifiers name the same decisions, in words of their own.
	alike bool
}

func (r *record) checked(t require.TestingT, received, finding string) checked {
	return checked{text: strings.Join(r.lines(t), ""), received: received, finding: finding}
}

// check has both verifiers check exports.
func check(t *testing.T, cases map[string]checked) {
	names := slices.Sorted(maps.Keys(cases))
	theirs := inPython(t, names, cases)
	for i, name := range names {
		c := cases[name]
		t.Run(name, func(t *testing.T) {
			var digests *decision.ReceivedDigests
			if c.received != "" {
				var err error
				digests, err = decision.ReadReceived([]byte(c.received))
				require.NoError(t, err)
			}
			verified, err := decision.VerifyExport(strings.NewReader(c.text), digests)
			var ours strings.Builder
			for _, p := range verified.Problems {
				fmt.Fprintln(&ours, p)
			}
			if err != nil {
				fmt.Fprintln(&ours, err)
			}
			theirs := theirs[i]
			both := fmt.Sprintf("ours:\n%s\ntheirs:\n%s", ours.String(), theirs.Text)
			require.Equal(t, c.finding == "" && !c.alike, ours.String() == "", both)
			require.Equal(t, c.finding == "" && !c.alike, theirs.OK, both)
			if err == nil {
				require.Contains(t, theirs.Text, verified.Claim.String())
				require.Contains(t, theirs.Text, fmt.Sprintf("%d of %d received digest(s) found, %d too old and %d too new",
					verified.Received, len(digests.Digests()), verified.ReceivedOlder, verified.ReceivedNewer))
			}
			for _, text := range []string{ours.String(), theirs.Text} {
				require.Regexp(t, c.finding, text, both)
			}
			if c.alike {
				for _, named := range regexp.MustCompile(`dec_\w+`).FindAllString(ours.String(), -1) {
					require.Contains(t, theirs.Text, named, both)
				}
			}
		})
	}
}

// runAll runs a program with each pair of arguments. An exception ends it.
const runAll = `
import contextlib, io, json, sys
program, results = compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), []
for files in json.load(sys.stdin):
    sys.argv, out, code = [sys.argv[0], *files], io.StringIO(), None
    with contextlib.redirect_stdout(out):
        try: exec(program, {"__name__": "__main__"})
        except SystemExit as ended: code = ended.code
    results.append({"ok": not code, "text": out.getvalue() + (code if isinstance(code, str) else "")})
json.dump(results, sys.stdout)
`

type verdict struct {
	OK   bool
	Text string
}

// inPython checks exports with the program that has no code of ours.
func inPython(t *testing.T, names []string, cases map[string]checked) (found []verdict) {
	python := needs.Program(t, "python3", "install Python 3")
	dir := t.TempDir()
	var arguments [][]string
	for i, name := range names {
		files := []string{filepath.Join(dir, fmt.Sprintf("%d.jsonl", i)), filepath.Join(dir, fmt.Sprintf("%d.received", i))}
		require.NoError(t, os.WriteFile(files[0], []byte(cases[name].text), 0o600))
		require.NoError(t, os.WriteFile(files[1], []byte(cases[name].received), 0o600))
		arguments = append(arguments, files)
	}
	input, err := json.Marshal(arguments)
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), python, "-c", runAll, "../../examples/decisions/verify.py")
	command.Stdin = bytes.NewReader(input)
	var failure bytes.Buffer
	command.Stderr = &failure
	out, err := command.Output()
	require.NoError(t, err, failure.String())
	require.NoError(t, json.Unmarshal(out, &found))
	require.Len(t, found, len(names))
	return found
}

// TestPythonVerifier_IsShort, and needs the standard library alone: an examiner can read it.
func TestPythonVerifier_IsShort(t *testing.T) {
	program, err := os.ReadFile("../../examples/decisions/verify.py")
	require.NoError(t, err)
	require.LessOrEqual(t, bytes.Count(program, []byte("\n")), 174)
	require.Equal(t, []string{"import hashlib, json, string, sys, time, unicodedata"}, regexp.MustCompile(`(?m)^.*\bimport\b.*$`).FindAllString(string(program), -1))
}

// TestForgeries_AreRefusedByBothVerifiers with the same finding. The operator who forges them
// computes all digests anew, and adapts the header, the ends and the summary.
func TestForgeries_AreRefusedByBothVerifiers(t *testing.T) {
	cases := map[string]checked{}
	forge := func(name, finding string, change func(r *record) (received string)) {
		r := fullRecord()
		received := change(r)
		cases[name] = r.checked(t, received, finding)
	}
	last := func(r *record, chain int) decision.Decision { return r.chains[chain][len(r.chains[chain])-1] }
	cut := func(r *record, chain int) (removed decision.Decision) {
		removed = last(r, chain)
		r.chains[chain] = r.chains[chain][:len(r.chains[chain])-1]
		return removed
	}

	forge("an end removed, and the header dated before it", `after the export ends`, func(r *record) string {
		removed := cut(r, first)
		r.header.CompleteUntil = decision.Moment(removed.DecidedAt)
		return r.received(removed)
	})
	forge("an end removed, and the header as it was", `was received, and is not in the record: it was removed`, func(r *record) string {
		return r.received(cut(r, first))
	})
	forge("an end removed, and hidden behind an erasure", `keeps its facts, although`, func(r *record) string {
		removed := cut(r, first)
		r.header.CompleteUntil = decision.Moment(removed.DecidedAt)
		r.add(second, decision.Decision{Kind: decision.Erasure, Outcome: decision.Erased})
		r.erased[r.chains[second][0].BusinessID] = true
		return r.received(removed)
	})
	forge("a beginning removed, and the header dated after it", `before the export begins`, func(r *record) string {
		r.seal()
		removed := r.chains[second][0]
		r.chains[second] = r.chains[second][1:]
		r.header.CompleteSince = decision.Moment(decision.Month(began.AddDate(0, 1, 0)))
		return r.received(removed)
	})
	forge("a beginning removed, and the header as it was", `before it were removed, although they are to be kept`, func(r *record) string {
		r.seal()
		r.chains[second] = r.chains[second][1:]
		return ""
	})
	forge("a decision dated later, with its id", `was changed: its id was made at`, func(r *record) string {
		d := &r.chains[first][3]
		d.DecidedAt = d.DecidedAt.Add(time.Hour)
		return ""
	})
	forge("facts moved into the salt", `was changed: its salt has 33 bytes, and not 32`, func(r *record) string {
		received := r.received(r.chains[first]...) // which this does not change
		d := &r.chains[first][0]
		d.Salt, d.Personal = append(slices.Clip(d.Salt), d.Personal[0]), d.Personal[1:]
		return received
	})
	forge("salt moved into the facts", `was changed: its salt has 31 bytes, and not 32`, func(r *record) string {
		received := r.received(r.chains[first]...)
		d := &r.chains[first][3]
		d.Salt, d.Personal = d.Salt[:31], string(d.Salt[31:])+d.Personal
		return received
	})
	forge("an erasure of one decision", `\(dec_\w+\): keeps its facts, although decision 5 says that they were erased`, func(r *record) string {
		r.hide(first, 3, 4)
		r.add(first, decision.Decision{Kind: decision.Erasure, Outcome: decision.Erased})
		r.erased[r.chains[first][0].BusinessID] = true
		return ""
	})
	forge("an erasure of one workflow", `\(dec_\w+\): keeps its facts, although its business b_\w+ was erased`, func(r *record) string {
		r.erase(first)
		r.erased[r.chains[first][0].BusinessID] = true
		return ""
	})
	forge("an erasure of one workflow, said of that one alone", `\(dec_\w+\): keeps its facts, although its business b_\w+ was erased`, func(r *record) string {
		r.erase(first)
		return ""
	})
	forge("an erasure of a business that was not erased", `records an erasure, although the business was not erased`, func(r *record) string {
		r.erase(first)
		r.erase(second)
		return ""
	})
	forge("an erasure under the name of another business", `is about another business than decision 1`, func(r *record) string {
		r.hide(second, 0, 2)
		r.add(second, decision.Decision{Kind: decision.Erasure, Outcome: decision.Erased, BusinessID: id.BusinessID{UUID: id.New()}})
		return ""
	})
	forge("facts removed without an erasure", `its personal part was removed without an erasure`, func(r *record) string {
		r.hide(first, 0, 1)
		return ""
	})
	forge("facts added to an erasure", `it has fields that do not belong together`, func(r *record) string {
		d := &r.chains[gone][1]
		d.Personal, d.Salt = "{}", make([]byte, 32)
		return ""
	})
	forge("a decision without a hash of facts", `it has fields that do not belong together`, func(r *record) string {
		r.chains[gone][0].PersonalSHA256 = nil
		return ""
	})
	forge("a decision without results", `it has fields that do not belong together`, func(r *record) string {
		r.chains[gone][0].Results = ""
		return ""
	})
	forge("salt left of what was erased", `it has fields that do not belong together`, func(r *record) string {
		r.chains[gone][0].Salt = make([]byte, 32)
		return ""
	})
	forge("a digest received of the last moment", `was received, and is not in the record: it was removed`, func(r *record) string {
		return r.received(decision.Decision{ID: id.DecisionID{UUID: id.NewAt(time.Time(r.header.CompleteUntil).Add(-time.Millisecond))}, Digest: []byte{1}})
	})
	forge("a digest received of the first moment", `was received, and is not in the record: it was removed`, func(r *record) string {
		return r.received(decision.Decision{ID: id.DecisionID{UUID: id.NewAt(time.Time(r.header.CompleteSince))}, Digest: []byte{1}})
	})
	forge("a digest that was received", `is not the one that was answered: the received digest is`, func(r *record) string {
		received := r.received(r.seal().chains[first][3])
		r.chains[first][3].Outcome = "OTHER"
		return received
	})
	forge("two digests that were received", `was received with two digests`, func(r *record) string {
		d := r.seal().chains[first][0]
		return r.received(d) + d.ID.String() + " 00\n"
	})
	check(t, cases)
}

// TestExports_ThatAreHonestHaveNoProblems, also when records changed meanwhile. Both verifiers
// say what an export claims, so that an examiner sees one that ends too early.
func TestExports_ThatAreHonestHaveNoProblems(t *testing.T) {
	cases := map[string]checked{}
	honest := func(name string, change func(r *record) (received string)) {
		r := fullRecord()
		received := change(r)
		cases[name] = r.checked(t, received, "")
	}
	honest("all is there", func(r *record) string { return r.received(slices.Concat(r.seal().chains...)...) })
	honest("erased while the export was made", func(r *record) string {
		r.seal()
		r.header.CompleteUntil = decision.Moment(r.chains[gone][2].DecidedAt.Add(time.Microsecond))
		received := r.received(slices.Concat(r.chains...)...)
		for _, chain := range []int{first, second} {
			r.add(chain, decision.Decision{Kind: decision.DocumentStatus})
			r.erase(chain)
		}
		r.erased[r.chains[first][0].BusinessID] = true
		return received
	})
	honest("erased twice", func(r *record) string {
		r.erase(gone)
		return ""
	})
	honest("what is too old or too new for the export", func(r *record) string {
		older := decision.Decision{ID: id.DecisionID{UUID: id.NewAt(time.Time(header.CompleteSince).Add(-time.Millisecond))}, Digest: []byte{1}}
		newer := decision.Decision{ID: id.DecisionID{UUID: id.NewAt(time.Time(header.CompleteUntil))}, Digest: []byte{2}}
		return r.received(older, newer)
	})
	honest("the beginning was pruned", func(r *record) string {
		r.seal()
		r.header.CompleteSince = decision.Moment(decision.Month(began.AddDate(0, 1, 0)))
		later := r.chains[first][2:3]
		later[0].DecidedAt = began.AddDate(0, 1, 0)
		later[0].ID = id.DecisionID{UUID: id.NewAt(later[0].DecidedAt)}
		r.chains = [][]decision.Decision{later}
		return ""
	})
	check(t, cases)
}

// TestEveryField_IsProtected: both verifiers find a change of any field of a line, and its
// absence. No digest covers the header's values, which the page says.
func TestEveryField_IsProtected(t *testing.T) {
	r := fullRecord()
	lines := r.lines(t)
	cases := map[string]checked{}
	replace := func(name string, line int, text string) {
		changed := slices.Clone(lines)
		changed[line] = text
		require.NotEqual(t, lines[line], text, name)
		cases[name] = checked{text: strings.Join(changed, ""), finding: "."}
	}
	field := regexp.MustCompile(`"(\w+)":("(?:[^"\\]|\\.)*"|\w+)`)
	for kind, line := range map[string]int{"header": 0, "rules": 1, "prices": 2, "complete": 3, "end": 7, "erased": 11, "erasure": 12, "summary": len(lines) - 1} {
		text := lines[line]
		for _, at := range field.FindAllStringSubmatchIndex(text, -1) {
			name, value := text[at[2]:at[3]], text[at[4]:at[5]]
			before, after := text[:at[0]], text[at[1]:]
			removed := regexp.MustCompile(`(\{),|,(,|\})`).ReplaceAllString(before+after, "$1$2")
			// The hash of prices is of the content alone.
			protected := kind != "prices" || name != "version" && name != "published_by"
			if protected || name == "version" {
				replace(kind+" without "+name, line, removed)
			}
			replace(kind+" with "+name+" twice", line, before+`"`+name+`":`+value+`,"`+name+`":`+value+after)
			replace(kind+" with null as "+name, line, before+`"`+name+`":null`+after)
			if kind == "header" && name != "export" || !protected {
				continue
			}
			replace(kind+" with another "+name, line, before+`"`+name+`":`+another(name, value)+after)
		}
		replace(kind+" with one more", line, strings.Replace(text, "{", `{"more":"x",`, 1))
	}
	for _, name := range []string{"personal", "salt", "fingerprint", "results", "trace_id"} {
		text := lines[12] // of the erasure, which lacks all but the last
		text = regexp.MustCompile(`"`+name+`":"[^"]*",`).ReplaceAllString(text, "")
		replace("erasure with an added "+name, 12, strings.Replace(text, "{", `{"`+name+`":"00",`, 1))
		replace("erasure with an empty "+name, 12, strings.Replace(text, "{", `{"`+name+`":"",`, 1))
	}
	replace("complete with a named day", 4, strings.Replace(lines[4], "{", `{"sandbox_today":"true",`, 1))
	replace("complete with a day that is not named", 3, strings.Replace(lines[3], `"sandbox_today":"true"`, `"sandbox_today":"false"`, 1))
	// Facts that come with all that belongs to them, but for a digest that covers them.
	for line, d := range map[int]decision.Decision{4: r.chains[first][1], 11: r.chains[gone][0], 12: r.chains[gone][1]} {
		d.Personal, d.Salt = `{`+erasedFacts+`"n":7}`, make([]byte, decision.SaltSize)
		d.Fingerprint = d.ComputeFingerprint()
		replace(fmt.Sprintf("line %d with other facts", line), line, lineOf(t, decision.ExportLine{Decision: &d}))
	}
	require.Greater(t, len(cases), 150)
	check(t, cases)
	page, err := os.ReadFile("../../docs/decision-export.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "No digest covers the header")
}

// another is another value of the same form.
func another(name, value string) string {
	switch {
	case value == "true":
		return "false"
	case value == "false":
		return "true"
	case value[0] != '"':
		return value + "1"
	case strings.HasSuffix(name, "_at") || name == "as_of":
		return strings.Replace(value, "2026", "2025", 1)
	}
	i := len(value) / 2
	letter := byte('1')
	if value[i] == letter {
		letter = '2'
	}
	return value[:i] + string(letter) + value[i+1:]
}

// TestLines_ThatWereMovedAreFound by both verifiers, who name the same decisions.
func TestLines_ThatWereMovedAreFound(t *testing.T) {
	lines := fullRecord().lines(t)
	cases := map[string]checked{}
	// Lines: 0 the header, 1 and 2 versions, 3 to 6 decisions, 7 the end; 8 to 10; 11 to 14; 15 the summary.
	require.Len(t, lines, 16)
	for name, change := range map[string]func(l []string) []string{
		"line removed":         func(l []string) []string { return slices.Delete(l, 4, 5) },
		"first removed":        func(l []string) []string { return slices.Delete(l, 3, 4) },
		"last removed":         func(l []string) []string { return slices.Delete(l, 6, 7) },
		"end removed":          func(l []string) []string { return slices.Delete(l, 7, 8) },
		"workflow removed":     func(l []string) []string { return slices.Delete(l, 8, 11) },
		"decisions removed":    func(l []string) []string { return slices.Delete(l, 8, 10) },
		"erasure removed":      func(l []string) []string { return slices.Delete(l, 12, 13) },
		"summary removed":      func(l []string) []string { return slices.Delete(l, 15, 16) },
		"header removed":       func(l []string) []string { return slices.Delete(l, 0, 1) },
		"all removed":          func(l []string) []string { return nil },
		"duplicated":           func(l []string) []string { return slices.Insert(l, 4, l[3]) },
		"end duplicated":       func(l []string) []string { return slices.Insert(l, 8, l[7]) },
		"header duplicated":    func(l []string) []string { return slices.Insert(l, 8, l[0]) },
		"summary duplicated":   func(l []string) []string { return append(l, l[15]) },
		"workflow duplicated":  func(l []string) []string { return slices.Insert(l, 11, l[8:11]...) },
		"swapped":              func(l []string) []string { l[5], l[6] = l[6], l[5]; return l },
		"swapped with the end": func(l []string) []string { l[6], l[7] = l[7], l[6]; return l },
		"moved to another":     func(l []string) []string { l[6], l[9] = l[9], l[6]; return l },
		"after the summary":    func(l []string) []string { l[14], l[15] = l[15], l[14]; return l },
		"cut off":              func(l []string) []string { return append(l[:5], l[5][:40]) },
		"an empty line":        func(l []string) []string { return slices.Insert(l, 5, "\n") },
		"a header of half a month": func(l []string) []string {
			l[0] = strings.Replace(l[0], "-01T00:00:00.000000Z", "-02T00:00:00.000000Z", 1)
			return l
		},
		"no JSON":          func(l []string) []string { l[5] = "[" + l[5][1:]; return l },
		"not UTF-8":        func(l []string) []string { l[5] = strings.Replace(l[5], "Ltd", "\xff", 1); return l },
		"half a character": func(l []string) []string { l[5] = strings.Replace(l[5], "Ltd", `\ud800`, 1); return l },
		"deeply nested":    func(l []string) []string { l[5] = strings.Repeat("[", 100_000) + "\n"; return l },
	} {
		cases[name] = checked{text: strings.Join(change(slices.Clone(lines)), ""), alike: true}
	}
	check(t, cases)
}
