package store

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
)

// TestDeadlines_ABusyOrganizationIsWaitedForOnce: not once for each of its accounts, and the run tells
// meanwhile that it goes on.
func TestDeadlines_ABusyOrganizationIsWaitedForOnce(t *testing.T) {
	t.Parallel()
	var told domain.Deadlines
	run := deadlinesRun{progress: func(d domain.Deadlines) { told = d }, finished: map[uuid.UUID]bool{}, busy: map[uuid.UUID]bool{}}
	account := func(organization uuid.UUID) accountDue {
		return accountDue{AccountID: uuid.New(), OrganizationID: organization}
	}
	busy, other := uuid.New(), uuid.New()
	run.putOff(account(busy))
	require.True(t, run.over(account(busy)))
	require.False(t, run.over(account(other)))
	require.EqualValues(t, 1, told.PutOff)
}
