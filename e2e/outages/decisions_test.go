//go:build deep

package outages_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
)

// decided is a decision as workflow.decision.list shows it.
type decided struct {
	ID             string `json:"decision_id"`
	Number         int    `json:"number"`
	Outcome        string `json:"outcome"`
	Digest         string `json:"digest"`
	PreviousDigest string `json:"previous_digest"`
}

// decisions lists the workflow's decisions, the oldest first.
func (s stack) decisions(t *testing.T, w harness.Request) (all []decided) {
	after := harness.Object{"limit": 200}
	for {
		var list struct {
			Decisions []decided `json:"decisions"`
			Next      *string   `json:"next"`
		}
		s.Await(t, "a list of the decisions", func(ctx context.Context) error {
			_, err := s.Client.Call(ctx, "workflow.decision.list", harness.Object{"workflow_id": w.WorkflowID, "page": after}, &list)
			return err
		})
		for _, d := range list.Decisions {
			all = append([]decided{d}, all...)
		}
		if list.Next == nil {
			return all
		}
		after["after"] = *list.Next
	}
}

// TestRefusal_StaysOneDecisionAlthoughTheAPIDies after it has recorded the refusal, and before
// the run has ended. What was missing is supplied meanwhile.
func TestRefusal_StaysOneDecisionAlthoughTheAPIDies(t *testing.T) {
	s := newStack(t)
	var w harness.Request
	var thaw func()
	var key requisite.Option
	runs := 0
	for recorded := false; !recorded; { // ends with the test's deadline
		runs++
		w = s.Application(t)
		s.setEstablished(t, "NULL")
		release := s.holdWorkflow(t)
		key = requisite.IdempotencyKey(fmt.Sprint("refused-", runs))
		answering := s.InBackground("workflow.requiredDocument.calculate", w, key)
		s.awaitBlocked(t)
		thaw = s.Devstack.Freeze(t)
		release()
		answer := await.Next(t, "an answer", answering, s.Running()...)
		require.NoError(t, answer.Err)
		requireNoOutcome(t, answer) // a refusal is answered when its run has ended
		if recorded = len(s.decisions(t, w)) == 1; !recorded {
			// The lock was held for longer than the step's first try takes at most: it needs Temporal to go on.
			thaw()
			s.Poll(t, "the refusal is not recorded", func(context.Context) (bool, error) { return len(s.decisions(t, w)) == 1, nil })
		}
	}
	s.API.Kill(t)
	s.setEstablished(t, "'2001-01-01'")
	thaw()
	s.awaitRuns(t, s.Temporal(t), runs, `WorkflowType = 'CalculateRequiredDocuments' AND ExecutionStatus = 'Completed' AND Outcome = 'MISSING_REQUIREMENTS'`)
	s.StartPrograms(t)
	found := s.decisions(t, w)
	require.Len(t, found, 1)
	require.Equal(t, "MISSING_REQUIREMENTS", found[0].Outcome)
	require.Empty(t, s.Documents(t, w))

	var again requisite.Answer
	s.Await(t, "an answer", func(ctx context.Context) (err error) {
		again, err = s.Client.Call(ctx, "workflow.requiredDocument.calculate", w, nil, key)
		return err
	})
	found = s.decisions(t, w)
	require.Len(t, found, 2, "a repeat after a refusal decides again")
	require.Equal(t, found[1].ID, again.Header.Get("Requisite-Decision-Id"))
	require.Equal(t, found[1].Digest, again.Header.Get("Requisite-Decision-Digest"))
	again = s.Send(t, "workflow.requiredDocument.calculate", w, key)
	require.Equal(t, found[1].ID, again.Header.Get("Requisite-Decision-Id"), "a repeat of a success names the first decision")
	require.Len(t, s.decisions(t, w), 2)
}

func (s stack) setEstablished(t *testing.T, sql string) {
	changed, err := s.Exec(t.Context(), `UPDATE business SET established_date = `+sql+`, version = version + 1 WHERE account_id = $1`, s.AccountKey())
	require.NoError(t, err)
	require.Positive(t, changed)
}

// TestDecisions_AreOneGaplessChainUnderKills: 32 callers calculate one workflow while both
// programs are killed.
func TestDecisions_AreOneGaplessChainUnderKills(t *testing.T) {
	s := newStack(t)
	w := s.Application(t)
	done := make(chan int, 32)
	for i := range cap(done) {
		go func() {
			answered := 0
			for n := range 4 {
				key := requisite.IdempotencyKey(fmt.Sprintf("caller-%d-%d", i, n))
				s.Eventually(t, "workflow.requiredDocument.calculate", w, key)
				answered++
			}
			done <- answered
		}()
	}
	for range 2 {
		before := len(s.decisions(t, w))
		s.Poll(t, "no more is decided", func(context.Context) (bool, error) { return len(s.decisions(t, w)) > before, nil })
		s.API.Kill(t)
		s.Worker.Kill(t)
		s.StartPrograms(t)
	}
	answered := 0
	for range cap(done) {
		answered += await.Next(t, "the end of a caller", done, s.Running()...)
	}
	found := s.decisions(t, w)
	require.Len(t, found, answered, "each request is decided once")
	for i, d := range found {
		require.Equal(t, i+1, d.Number)
		if i > 0 {
			require.Equal(t, found[i-1].Digest, d.PreviousDigest)
		}
	}
	out, err := s.Starter("decision", "verify", "--workflow", w.WorkflowID).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, http.StatusOK, s.Send(t, "workflow.decision.get", harness.Object{"decision_id": found[0].ID}).HTTPStatus)
}
