//go:build deep

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

	"requisite/internal/store/db"
)

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
