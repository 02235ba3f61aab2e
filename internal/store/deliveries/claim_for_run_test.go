package deliveries_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/delivery"
)

// TestClaimForRun_ReadsFewOfManyRetries: an endpoint's run holds the lock of its health while it claims.
// Thousands of deliveries may wait for their next attempts then, none of them released.
func TestClaimForRun_ReadsFewOfManyRetries(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.fill(e, 5000)
	require.NoError(t, b.Exec(`UPDATE webhook_delivery SET state = 'RETRYING', attempt_count = 1, next_attempt_at = now() + interval '1 hour'`))
	require.NoError(t, b.Exec(`ANALYZE`))
	for name, health := range map[string]string{"well": `failures = 0, failing_since = NULL, probe_at = NULL`, "failing": fmt.Sprintf(`failures = %d, failing_since = now(), probe_at = now()`, delivery.FailingAfter)} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, b.Exec(`UPDATE webhook_endpoint_health SET `+health))
			sent := &pgtest.Spy{}
			s := server.Open(t, pgtest.As(b.URL, pgtest.Worker), nil, store.Options{Tracer: sent})
			_, err := s.Deliveries().ClaimForRun(t.Context(), pgtest.InRun, e.ID, delivery.MaxInFlight, 1)
			require.NoError(t, err)
			conn, err := db.Open(t.Context(), pgtest.As(b.URL, pgtest.Worker), db.Options{})
			require.NoError(t, err)
			defer conn.Close()
			measured := 0
			for i, q := range sent.Sent {
				if !strings.Contains(q.SQL, "webhook_delivery d") {
					continue
				}
				measured++
				require.Less(t, blocks(t, conn, fmt.Sprintf("look_%d", i), q), 200, q.SQL)
			}
			require.GreaterOrEqual(t, measured, 3, "what was requested, what is due, and what is left")
		})
	}
}

// blocks is how many blocks a statement reads when it is planned without its arguments.
func blocks(t *testing.T, conn *db.DB, name string, q pgx.QueuedQuery) int {
	t.Helper()
	var arguments []string
	for _, a := range q.Arguments {
		arguments = append(arguments, literal(a))
	}
	var text []byte
	undo := errors.New("undo")
	err := conn.InPlannedTx(t.Context(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "PREPARE "+name+" AS "+q.SQL); err != nil {
			return err
		}
		err := tx.QueryRow(t.Context(), "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE "+name+"("+strings.Join(arguments, ", ")+")").Scan(&text)
		return cmp.Or(err, undo)
	})
	require.ErrorIs(t, err, undo, q.SQL)
	var plans []struct {
		Plan struct {
			Hit  int `json:"Shared Hit Blocks"`
			Read int `json:"Shared Read Blocks"`
		}
	}
	require.NoError(t, json.Unmarshal(text, &plans))
	return plans[0].Plan.Hit + plans[0].Plan.Read
}

// literal is an argument in SQL.
func literal(a any) string {
	v := reflect.ValueOf(a)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return `NULL`
	}
	if at, is := a.(time.Time); is {
		a = at.Format(time.RFC3339Nano)
	}
	return fmt.Sprintf(`'%v'`, a)
}
