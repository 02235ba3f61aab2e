package limits

import (
	"github.com/google/uuid"

	"requisite/internal/limiter"
	"requisite/internal/operations/config"
)

// LargestBody is of account.documentRules.publish; one more byte shows that a body is
// too large.
const LargestBody = 1<<20 + 1

// bodies limit the bytes of bodies that are not decoded yet: half of them are for those
// whose signature is not verified yet, and half for organizations, each of which has
// its own limit.
type bodies struct{ Unverified, Verified *limiter.Limiter }

func newBodies(all int64, sharePercent int) bodies {
	half := int(all / 2)
	each := max(LargestBody, config.Each(half, sharePercent))
	return bodies{limiter.New("unverified_body_bytes", half, 0), limiter.New("body_bytes", half, each)}
}

// BodyRoom is what a request's body takes until it is decoded.
type BodyRoom struct {
	bodies bodies
	of     *limiter.Limiter
	tenant string
	bytes  int
}

func (b bodies) Room() BodyRoom { return BodyRoom{bodies: b, of: b.Unverified} }

// Take reports whether there is room for more bytes.
func (r *BodyRoom) Take(bytes int) bool {
	if !r.of.TakeAll(r.tenant, bytes) {
		return false
	}
	r.bytes += bytes
	return true
}

// Verified counts the body against an organization, and reports whether it has room.
func (r *BodyRoom) Verified(organization uuid.UUID) bool {
	tenant := organization.String()
	if !r.bodies.Verified.TakeAll(tenant, r.bytes) {
		return false
	}
	r.of.Release(r.tenant, r.bytes)
	r.of, r.tenant = r.bodies.Verified, tenant
	return true
}

func (r *BodyRoom) Release() {
	r.of.Release(r.tenant, r.bytes)
	r.bytes = 0
}
