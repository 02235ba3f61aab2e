package delivery

import (
	"time"

	"requisite/internal/domain"
)

// NoticeType is the type of an event that informs an account's other endpoints
// about an endpoint or a failed delivery.
type NoticeType string

// The notices. About an endpoint, FAILING and DISABLED alternate with RECOVERED:
// an endpoint that is reset or enabled has recovered only when an attempt at it
// succeeds.
const (
	EndpointFailing   = NoticeType(domain.WebhookEndpointFailing)
	EndpointDisabled  = NoticeType(domain.WebhookEndpointDisabled)
	EndpointRecovered = NoticeType(domain.WebhookEndpointRecovered)
	DeliveryFailed    = NoticeType(domain.WebhookDeliveryFailed)
)

// NoticeTypes lists all of them.
func NoticeTypes() []NoticeType {
	return []NoticeType{EndpointFailing, EndpointDisabled, EndpointRecovered, DeliveryFailed}
}

// Notice is a notice that a decision causes. One about a delivery carries the
// delivery itself, and uses no field but Type.
type Notice struct {
	Type NoticeType
	// Since is when the first failure since the last success began. Without a
	// failure, it is when the endpoint was disabled.
	Since     time.Time
	LastError string // empty when no attempt has failed since the endpoint was reset
	Reason    string // why it was disabled
}

// failing is the health of an endpoint after a failure, and the notice about it,
// once for each time that the endpoint begins to fail.
func (h Health) failing() (Health, []Notice) {
	if !h.Failing() || h.Notified == EndpointFailing {
		return h, nil
	}
	if h.Notified == "" {
		h.NotifiedSince = h.FailingSince
	}
	h.Notified = EndpointFailing
	return h, []Notice{{Type: EndpointFailing, Since: h.NotifiedSince, LastError: h.LastError}}
}

// recovered is the health of an endpoint after a success, and the notice about it
// when an earlier one said that the endpoint was in trouble. before is the health
// before the success.
func (h Health) recovered(before Health) (Health, []Notice) {
	if h.Notified == "" {
		return h, nil
	}
	notice := Notice{Type: EndpointRecovered, Since: h.NotifiedSince, LastError: before.LastError}
	h.Notified, h.NotifiedSince = "", time.Time{}
	return h, []Notice{notice}
}

// Disabled is the health of an endpoint that is disabled, and the notice about it.
// Attempts in flight no longer count toward its health.
func (h Health) Disabled(reason string, now time.Time) (Health, Notice) {
	switch {
	case h.Notified != "": // NotifiedSince stays
	case h.FailingSince.IsZero():
		h.NotifiedSince = now
	default:
		h.NotifiedSince = h.FailingSince
	}
	h.Notified = EndpointDisabled
	return h.Detached(), Notice{Type: EndpointDisabled, Since: h.NotifiedSince, LastError: h.LastError, Reason: reason}
}

// FailedNotice is the notice about a delivery that has become FAILED. There is
// none if the delivery is itself of a notice.
func FailedNotice(before, after Delivery) []Notice {
	if after.State != Failed || before.State == Failed || after.OfNotice {
		return nil
	}
	return []Notice{{Type: DeliveryFailed}}
}
