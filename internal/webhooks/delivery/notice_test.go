package delivery

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func types(notices []Notice) (list []NoticeType) {
	for _, n := range notices {
		list = append(list, n.Type)
	}
	return list
}

func TestEnd_Notices(t *testing.T) {
	since := start.Add(-time.Hour)
	open := Delivery{State: Retrying, Attempts: 3, Round: 3, DueAt: start}
	last := Delivery{State: Retrying, Attempts: MaxAttempts - 1, Round: MaxAttempts - 1, DueAt: start}
	ofNotice := last
	ofNotice.OfNotice = true
	nearly := Health{Failures: FailingAfter - 1, FailingSince: since, LastError: "HTTP 502", Epoch: 1}
	told := Health{Failures: FailingAfter, FailingSince: since, LastError: "HTTP 502", ProbeAt: start, Epoch: 1, Notified: EndpointFailing, NotifiedSince: since}
	reset := told.Flushed(start)
	reset.Epoch = 1
	changed := told // its URL
	changed.SuccessesFrom = 1
	enabled := Health{Epoch: 1, Notified: EndpointDisabled, NotifiedSince: since}
	enabledAndFailing := nearly
	enabledAndFailing.Notified, enabledAndFailing.NotifiedSince = EndpointDisabled, since.Add(-time.Hour)
	failing := func(since time.Time) Notice {
		return Notice{Type: EndpointFailing, Since: since, LastError: "HTTP 500"}
	}
	recovered := func(lastError string) Notice {
		return Notice{Type: EndpointRecovered, Since: since, LastError: lastError}
	}
	of := func(epoch int) Attempt {
		return Attempt{StartedAt: start.Add(-time.Second), Epoch: epoch, Outcome: AttemptSending}
	}
	unknown := of(1)
	unknown.Outcome = AttemptUnknown
	for _, c := range []struct {
		name   string
		d      Delivery
		h      Health
		a      Attempt
		status int
		want   []Notice
	}{
		{"a success at a healthy endpoint", open, Health{Epoch: 1}, of(1), 200, nil},
		{"a failure that is not the fifth", open, Health{Epoch: 1}, of(1), 500, nil},
		{"the fifth failure", open, nearly, of(1), 500, []Notice{failing(since)}},
		{"the fifth failure, of an earlier epoch", open, nearly, of(0), 500, nil},
		{"a failure of an endpoint that is failing", open, told, of(1), 500, nil},
		{"a success of an endpoint that is failing", open, told, of(1), 200, []Notice{recovered("HTTP 502")}},
		{"a success of an earlier epoch", open, changed, of(0), 200, nil},
		{"a success that was in flight during a flush", open, told, of(0), 200, []Notice{recovered("HTTP 502")}},
		{"a failure that was in flight during a flush", open, nearly, of(0), 500, nil},
		{"a success that was taken for lost", open, told, unknown, 200, []Notice{recovered("HTTP 502")}},
		{"the first success after a reset", open, reset, of(1), 200, []Notice{recovered("")}},
		{"the fifth failure after a reset", open, func() Health { h := reset; h.Failures, h.FailingSince = 4, start; return h }(), of(1), 500, nil},
		{"the first success since it was enabled", open, enabled, of(1), 200, []Notice{recovered("")}},
		{"the fifth failure since it was enabled", open, enabledAndFailing, of(1), 500, []Notice{failing(since.Add(-time.Hour))}},
		{"gone, with the fifth failure", open, nearly, of(1), 410, nil},
		{"the last failure of a delivery", last, Health{Epoch: 1}, of(1), 500, []Notice{{Type: DeliveryFailed}}},
		{"the last failure of a notice's delivery", ofNotice, Health{Epoch: 1}, of(1), 500, nil},
		{"both", last, nearly, of(1), 500, []Notice{{Type: DeliveryFailed}, failing(since)}},
		{"a notice's delivery makes the endpoint fail", ofNotice, nearly, of(1), 500, []Notice{failing(since)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, End(c.d, c.h, c.a, Answer{StatusCode: c.status}, start, 0.5).Notices)
		})
	}
	require.Equal(t, []Notice{{Type: DeliveryFailed}}, Lose(last, Health{}, of(0), start, 0.5).Notices)
	require.Empty(t, Lose(open, told, of(1), start, 0.5).Notices)
	require.Equal(t, []Notice{{Type: DeliveryFailed}}, FailedNotice(open, GiveUp("x").Apply(open, start)))
	require.Empty(t, FailedNotice(ofNotice, GiveUp("x").Apply(ofNotice, start)))
}

func TestDisabled_Notice(t *testing.T) {
	since := start.Add(-time.Hour)
	h, n := Health{Failures: 1, FailingSince: since, LastError: "HTTP 410", Epoch: 1}.Disabled("gone", start)
	require.Equal(t, Notice{Type: EndpointDisabled, Since: since, LastError: "HTTP 410", Reason: "gone"}, n)
	require.Equal(t, 2, h.Epoch, "what is in flight recovers nothing")
	_, n = Health{}.Disabled("by hand", start)
	require.Equal(t, Notice{Type: EndpointDisabled, Since: start, Reason: "by hand"}, n)
	_, n = Health{Notified: EndpointFailing, NotifiedSince: since}.Disabled("by hand", start)
	require.Equal(t, since, n.Since)
}

// No notice is repeated, and RECOVERED follows only trouble.
func TestNotices_AlternateBetweenTroubleAndRecovery(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h Health
		var told []NoticeType
		now := start
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(1, 3600).Draw(t, "pause")) * time.Second)
			switch rapid.IntRange(0, 11).Draw(t, "what") {
			case 0:
				h = h.Renewed(now)
			case 1:
				var n Notice
				h, n = h.Disabled("x", now)
				told = append(told, n.Type)
				h = h.Renewed(now) // enabled
			default:
				d := aDelivery(t, now, Retrying)
				a := Attempt{StartedAt: now, Epoch: h.Epoch - rapid.IntRange(0, 1).Draw(t, "earlier"), Outcome: AttemptSending, Probe: h.Failing()}
				d.OfNotice = true
				after := End(d, h, a, anAnswer(t), now, 0.5)
				h = after.Health
				told = append(told, types(after.Notices)...)
			}
		}
		var before NoticeType
		for _, n := range told {
			switch n {
			case EndpointFailing:
				require.NotEqual(t, EndpointFailing, before)
			case EndpointRecovered:
				require.Contains(t, []NoticeType{EndpointFailing, EndpointDisabled}, before)
			}
			before = n
		}
		require.Equal(t, h.Notified == "", before == "" || before == EndpointRecovered)
	})
}
