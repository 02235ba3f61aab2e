package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
)

// TestDeadlines_ABusyOrganizationIsWaitedForOnce: not once for each of its accounts, and the run tells
// meanwhile that it goes on.
func TestDeadlines_ABusyOrganizationIsWaitedForOnce(t *testing.T) {
	t.Parallel()
	var told domain.Deadlines
	run := deadlinesRun{progress: func(d domain.Deadlines) { told = d }, finished: map[id.UUID]bool{}, busy: map[id.UUID]bool{}}
	account := func(organization id.UUID) accountDue {
		return accountDue{AccountID: id.New(), OrganizationID: organization}
	}
	busy, other := id.New(), id.New()
	run.putOff(account(busy))
	require.True(t, run.over(account(busy)))
	require.False(t, run.over(account(other)))
	require.EqualValues(t, 1, told.PutOff)
}
