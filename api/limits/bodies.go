package limits

import (
	"requisite/internal/config"
	"requisite/internal/id"
	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
)

// LargestBody is the most bytes that the api reads of a body: the largest rule set, and
// one byte that shows that a body is too large.
const LargestBody = 1<<20 + 1

// bodies limits the bytes of bodies that are not decoded yet. Half of the bytes are for
// requests before their signature is verified, and half for verified ones. Each
// organization has its own limit within the second half.
type bodies struct{ Unverified, Verified *limiter.Limiter }

func newBodies(all int64, sharePercent int) bodies {
	half := int(all / 2)
	each := max(LargestBody, config.Each(half, sharePercent))
	return bodies{limiter.New("unverified_body_bytes", half, 0), limiter.New(refusal.LimitBodyBytes, half, each)}
}

// BodyRoom is the room that a request's body occupies until it is decoded.
type BodyRoom struct {
	bodies bodies
	of     *limiter.Limiter
	tenant string
	bytes  int
}

func (b bodies) Room() BodyRoom { return BodyRoom{bodies: b, of: b.Unverified} }

// Take occupies room for more bytes. It returns false if there is none.
func (r *BodyRoom) Take(bytes int) bool {
	if !r.of.TakeAll(r.tenant, bytes) {
		return false
	}
	r.bytes += bytes
	return true
}

// Verified moves the body into the room of an organization. It refuses the request if the
// organization has none.
func (r *BodyRoom) Verified(organization id.UUID) error {
	tenant := organization.String()
	if !r.bodies.Verified.TakeAll(tenant, r.bytes) {
		return r.bodies.Verified.Busy(tenant)
	}
	r.of.Release(r.tenant, r.bytes)
	r.of, r.tenant = r.bodies.Verified, tenant
	return nil
}

func (r *BodyRoom) Release() {
	r.of.Release(r.tenant, r.bytes)
	r.bytes = 0
}
