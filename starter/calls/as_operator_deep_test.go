//go:build deep

package calls_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/pgbouncer"
	"requisite/starter/startertest"
)

// TestAsOperator_NeedsSessions: a pooler of transactions may give the next transaction another
// session, which has the rights of the owner.
func TestAsOperator_NeedsSessions(t *testing.T) {
	b := startertest.Setup(t)
	owner := pgtest.As(b.URL, pgtest.Owner)
	for mode, want := range map[string]error{"session": nil, "transaction": db.LackSessions} {
		t.Setenv("DATABASE_URL", pgbouncer.Start(t, mode, []string{owner})(owner))
		answer, _, err := operate(b, b.Account, "account.get", `{"account_id":"`+b.Account+`"}`)
		if want == nil {
			require.NoError(t, err, answer)
			continue
		}
		require.ErrorIs(t, err, want, mode)
	}
}
