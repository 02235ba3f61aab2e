package delivery

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// theDocument tells how a webhook goes out.
const theDocument = "../../../docs/delivery.md"

func document(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(theDocument)
	require.NoError(t, err)
	return string(text)
}

// tableOf reads the rows below a table's head.
func tableOf(t *testing.T, head string) (rows [][]string) {
	t.Helper()
	_, table, found := strings.Cut(document(t), "\n"+head+"\n")
	require.True(t, found, "%s has no table %s", theDocument, head)
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		if strings.HasPrefix(line, "|---") {
			continue
		}
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(strings.TrimSpace(line), "|"), "|") {
			cells = append(cells, strings.TrimSpace(cell))
		}
		rows = append(rows, cells)
	}
	require.NotEmpty(t, rows)
	return rows
}

var quoted = regexp.MustCompile("`([^`]+)`")

func names(cell string) (found []string) {
	for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
		found = append(found, m[1])
	}
	return found
}

// onRecord lists, for a state, deliveries that can be on record in it, as far as a
// transition depends on more than the state: whether there was an attempt, and
// whether the next one is the last of the round.
func onRecord(s State) (list []Delivery) {
	attempts := map[State][]int{Pending: {0}, Retrying: {1, MaxAttempts - 1}, Delivered: {1}}[s]
	if attempts == nil {
		attempts = []int{0, 1}
	}
	for _, n := range attempts {
		d := Delivery{State: s, Attempts: n, Round: n}
		if s.Open() {
			d.DueAt = start
		}
		list = append(list, d)
	}
	return list
}

// The table of the document and the code agree.
func TestDocument_HasEveryTransition(t *testing.T) {
	inDocument := map[string]bool{}
	for _, row := range tableOf(t, "| From | Change | To |") {
		require.Len(t, row, 3)
		from := names(row[0])
		if row[0] == "–" {
			from = []string{""}
		}
		for _, f := range from {
			for _, to := range names(row[2]) {
				transition := f + " | " + row[1] + " | " + to
				require.False(t, inDocument[transition], "twice: %s", transition)
				inDocument[transition] = true
			}
		}
	}
	inCode := map[string]bool{}
	add := func(from State, change string, to State) {
		if from.Final() && from == to { // it stays as it is
			return
		}
		inCode[fmt.Sprintf("%s | %s | %s", from, change, to)] = true
	}
	add("", "event", Pending)
	attempt := Attempt{StartedAt: start, Outcome: AttemptSending}
	for _, s := range stored() {
		for _, d := range onRecord(s) {
			for _, c := range changes() {
				if slices.Contains(c.From, s) {
					add(s, c.Name, c.Apply(d, start).State)
				}
			}
			add(s, "attempt succeeds", End(d, Health{}, attempt, Answer{StatusCode: 200}, start, 0.5).Delivery.State)
			add(s, "attempt fails", End(d, Health{}, attempt, Answer{StatusCode: 500}, start, 0.5).Delivery.State)
			add(s, "attempt is lost", Lose(d, Health{}, attempt, start, 0.5).Delivery.State)
		}
	}
	require.Equal(t, inCode, inDocument)
}

// The table lists each state, and the diagram shows it with each change.
func TestDocument_HasEveryState(t *testing.T) {
	var states []State
	for _, row := range tableOf(t, "| State | Means |") {
		states = append(states, State(names(row[0])[0]))
	}
	require.Equal(t, States(), states)
	_, picture, found := strings.Cut(document(t), "```text\n")
	require.True(t, found)
	picture, _, _ = strings.Cut(picture, "```")
	for _, s := range States() {
		require.Contains(t, picture, string(s))
	}
	for _, c := range changes() {
		require.Contains(t, picture, c.Name)
	}
}

func TestDocument_HasTheLimits(t *testing.T) {
	seconds := func(d time.Duration) string { return fmt.Sprintf("%d s", int(d.Seconds())) }
	want := map[string]string{
		"AttemptTimeout": seconds(AttemptTimeout), "BeginWithin": seconds(BeginWithin), "SlotHeld": seconds(SlotHeld), "LostAfter": seconds(LostAfter),
		"MaxInFlight": fmt.Sprint(MaxInFlight), "MaxAttempts": fmt.Sprint(MaxAttempts), "FailingAfter": fmt.Sprint(FailingAfter),
	}
	told := map[string]string{}
	for _, row := range tableOf(t, "| Limit | Is | Why |") {
		told[names(row[0])[0]] = row[1]
	}
	require.Equal(t, want, told)
}
