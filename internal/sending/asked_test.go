package sending_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFailureOnRequest_SendsNothing(t *testing.T) {
	h := newHouse(t)
	u := h.tenant("a")
	e := u.endpoint("/")
	u.owe(e, 1)
	u.call.FailingAttempts = 2
	u.owe(e, 1)
	sent := h.send()
	require.Equal(t, []int{1, 1, 0}, []int{sent.Delivered, sent.Failed, sent.Unknown})
	require.Equal(t, 1, h.count(`SELECT count(*) FROM webhook_delivery WHERE state = 'RETRYING' AND last_error = 'the caller asked for this failure with X-Sandbox-Answer'`))
	require.Equal(t, 1, h.count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'FAILED' AND address IS NULL`))
	arrived := 0
	h.received.Range(func(any, any) bool { arrived++; return true })
	require.Equal(t, 1, arrived)
	require.NotContains(t, h.log.String(), "level=ERROR")
}
