package deliveries_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
	"requisite/internal/webhooks/delivery"
)

// deliverySet has the rows of the table in docs/delivery.md: what is set of the delivery.
var deliverySet = map[string]string{
	"`PENDING`":                        ``,
	"`PENDING`, requested":             `retry_requested_at = $2`,
	"`RETRYING`, due":                  `state = 'RETRYING', attempt_count = 1, next_attempt_at = $2`,
	"`RETRYING`, due later":            `state = 'RETRYING', attempt_count = 1, next_attempt_at = $2::timestamptz + interval '1 hour'`,
	"`RETRYING`, due later, released":  `state = 'RETRYING', attempt_count = 1, next_attempt_at = $2::timestamptz + interval '1 hour', updated_at = '-infinity'`,
	"`RETRYING`, due later, requested": `state = 'RETRYING', attempt_count = 1, next_attempt_at = $2::timestamptz + interval '1 hour', retry_requested_at = $2`,
}

// endpointSet is a column of the table: the failures of the endpoint, when its probe is due, for
// how long it asked, and how many attempts of other deliveries are in flight.
type endpointSet struct {
	failures   int
	probeIn    time.Duration
	retryAfter time.Duration
	inFlight   int
}

var endpointSets = map[string]endpointSet{
	"Well":                                {failures: delivery.FailingAfter - 1, inFlight: delivery.MaxInFlight - 1},
	"Well, its `Retry-After` is later":    {retryAfter: time.Minute},
	"Well, no slot is free":               {inFlight: delivery.MaxInFlight},
	"Fails, its probe is due":             {failures: delivery.FailingAfter},
	"Fails, another attempt is in flight": {failures: delivery.FailingAfter, inFlight: 1},
	"Fails, its probe is due later":       {failures: delivery.FailingAfter, probeIn: time.Minute},
}

// TestDocument_WhoBegins walks the table of docs/delivery.md: each delivery at each endpoint
// is begun by the one that the table names, and by nobody where the endpoint is disabled or
// deleted, the key is missing, or an attempt of it is in flight. Only a delivery that nobody
// begins says what it waits for.
func TestDocument_WhoBegins(t *testing.T) {
	text, err := os.ReadFile("../../../docs/delivery.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "\n| Delivery | Well |")
	require.True(t, found)
	table, _, _ = strings.Cut("| Delivery | Well |"+table, "\n\n")
	rows := strings.Split(table, "\n")
	cells := func(row string) (list []string) {
		for cell := range strings.SplitSeq(strings.Trim(row, "|"), "|") {
			list = append(list, strings.TrimSpace(cell))
		}
		return list
	}
	columns := cells(rows[0])[1:]
	require.Len(t, columns, len(endpointSets))
	require.Len(t, rows[2:], len(deliverySet))
	for _, row := range rows[2:] {
		name := cells(row)[0]
		set, known := deliverySet[name]
		require.True(t, known, name)
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			b.ActiveKey()
			for i, want := range cells(row)[1:] {
				require.Equal(t, want, b.beginner(set, endpointSets[columns[i]], ``), columns[i])
			}
			well := endpointSets["Well"]
			for _, sql := range []string{
				`UPDATE webhook_endpoint SET status = 'DISABLED', disabled_reason = 'x' WHERE id = $1`,
				`UPDATE webhook_endpoint SET deleted_at = now(), slot = NULL WHERE id = $1`,
				`INSERT INTO webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, probe, epoch, workflow_id, run_id, activity_id)
					SELECT id, 1, endpoint_id, 'SENDING', 'k', updated_at, false, 0, 'w', 'r', '' FROM webhook_delivery WHERE endpoint_id = $1 AND of_notice`,
				`UPDATE webhook_key SET status = 'DELETED', deleted_at = now() WHERE status = 'ACTIVE' AND $1::uuid IS NOT NULL`,
			} {
				require.Equal(t, "–", b.beginner(set, well, sql), sql)
			}
		})
	}
}

// beginner says who begins a delivery that is set like this, at a new endpoint. The delivery
// is marked as the delivery of a notice, which makes no difference.
func (b *bundle) beginner(set string, at endpointSet, then string) string {
	b.Helper()
	e := b.Endpoint()
	b.SendTests(e, 1+at.inFlight)
	if at.failures > 0 {
		require.NoError(b, b.Exec(`UPDATE webhook_endpoint_health SET failures = $2, failing_since = $3, probe_at = $4 WHERE endpoint_id = $1`, e.ID, at.failures, b.Now(), b.Now().Add(at.probeIn)))
	}
	if at.retryAfter > 0 {
		require.NoError(b, b.Exec(`UPDATE webhook_endpoint_health SET retry_after = $2 WHERE endpoint_id = $1`, e.ID, b.Now().Add(at.retryAfter)))
	}
	mine := b.LastOf(e)
	require.NoError(b, b.Exec(`
		INSERT INTO webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, probe, epoch, workflow_id, run_id, activity_id)
		SELECT id, 1, endpoint_id, 'SENDING', 'k', $3, false, 0, 'w', 'r', '' FROM webhook_delivery WHERE endpoint_id = $1 AND id <> $2`, e.ID, mine, b.Now()))
	require.NoError(b, b.Exec(`UPDATE webhook_delivery SET of_notice = true WHERE id = $1`, mine))
	if set != "" {
		require.NoError(b, b.Exec(`UPDATE webhook_delivery SET `+set+` WHERE id = $1`, mine, b.Now()))
	}
	if then != "" {
		require.NoError(b, b.Exec(then, e.ID))
	}
	waits, err := b.Store.AllWebhooks.Waits(b.Context(), []delivery.Record{{ID: mine}})
	require.NoError(b, err)
	who := "–"
	for name, begun := range map[string][]deliveries.Attempt{"session": b.Claim(), "run": b.ClaimForRun(e).Attempts} {
		for _, a := range begun {
			if a.DeliveryID == mine {
				require.Equal(b, "–", who, "both")
				who = name
			}
		}
	}
	require.Equal(b, who != "–", slices.Equal(waits[mine], []delivery.Wait{{Cause: delivery.CauseDue}}), "it says why it waits: %v", waits[mine])
	return who
}

// TestDocument_HasEveryTimeOfAnEndpoint walks the other table of docs/delivery.md.
func TestDocument_HasEveryTimeOfAnEndpoint(t *testing.T) {
	text, err := os.ReadFile("../../../docs/delivery.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "\n| Time | Is |\n|---|---|\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	var listed []string
	for row := range strings.Lines(table) {
		listed = append(listed, strings.Split(row, "`")[1])
	}
	b := setup(t)
	times, err := db.Column[string](t.Context(), b.Pool(), `
		SELECT column_name FROM information_schema.columns
		WHERE table_name IN ('webhook_endpoint_health', 'webhook_ready') AND data_type = 'timestamp with time zone'`)
	require.NoError(t, err)
	require.ElementsMatch(t, times, listed)
}
