package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOperatorActions_AreKept: who ran what with which outcome is final, also for the owner of the table.
func TestOperatorActions_AreKept(t *testing.T) {
	b := setup(t)
	action, err := b.Operator.Audit.Begin(t.Context(), "Ada", "erase", []string{"b_1"})
	require.NoError(t, err)
	open, err := b.Operator.Audit.List(t.Context(), "b_1", time.Time{}, 10)
	require.NoError(t, err)
	require.Nil(t, open[0].Outcome)
	require.NotEmpty(t, open[0].DatabaseRole)
	require.Error(t, b.Operator.Audit.End(t.Context(), action, []string{"b_2"}, "DONE"), "it forgets no id")
	require.NoError(t, b.Operator.Audit.End(t.Context(), action, []string{"b_1", "b_2"}, "REFUSED ENTITY_NOT_FOUND"))
	for _, change := range []string{
		`UPDATE operator_action SET outcome = 'DONE'`, `UPDATE operator_action SET operator = 'Bob'`, `DELETE FROM operator_action`, `TRUNCATE operator_action`,
	} {
		require.ErrorContains(t, b.Exec(change), "keeps what it has", change)
	}
	found, err := b.Operator.Audit.List(t.Context(), "b_2", b.Now().Add(-time.Hour), 10)
	require.NoError(t, err)
	require.Equal(t, []any{"Ada", "erase", "REFUSED ENTITY_NOT_FOUND"}, []any{found[0].Operator, found[0].Command, *found[0].Outcome})
	none, err := b.Operator.Audit.List(t.Context(), "b_3", time.Time{}, 10)
	require.NoError(t, err)
	require.Empty(t, none)
}
