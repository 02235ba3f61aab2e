package main

import "github.com/google/uuid"

// bodies limit the memory of bodies that are not decoded yet. A quarter is
// reserved for small ones, which never wait behind large ones.
type bodies struct{ small, large *parts }

// One address gets only a part of each, and so does one organization; never
// less than the largest body.
const (
	bodyPart   = 4
	smallBody  = 64<<10 + 1 // one more byte shows that a body is too large
	largeBody  = 1<<20 + 1
	smallShare = 4 // one of so many parts is for small bodies
)

func newBodies(all int64, changed func(by int64)) bodies {
	small := all / smallShare
	room := func(all, largest int64) *parts { return newParts(all, max(all/bodyPart, largest), changed) }
	return bodies{room(small, smallBody), room(all-small, largeBody)}
}

// bodyRoom is the room that a request's body takes until it is decoded: from the
// part of its caller's address, and once the signature is verified, from that of
// the organization.
type bodyRoom struct {
	bodies bodies
	of     holder
	held   int64
}

// in is the room for a body with the given number of bytes held.
func (u *bodyRoom) in(held int64) *parts {
	if held <= smallBody {
		return u.bodies.small
	}
	return u.bodies.large
}

func (u *bodyRoom) take(n int64) lack {
	before, after := u.in(u.held), u.in(u.held+n)
	wanted := n
	if before != after { // it has grown large
		wanted = u.held + n
	}
	why := after.take(u.of, wanted)
	if why != lackNothing {
		return why
	}
	if before != after {
		before.give(u.of, u.held)
	}
	u.held += n
	return lackNothing
}

// verified counts the body against an organization.
func (u *bodyRoom) verified(organization uuid.UUID) lack {
	to := holder{organization: organization}
	why := u.in(u.held).move(u.of, to, u.held)
	if why == lackNothing {
		u.of = to
	}
	return why
}

func (u *bodyRoom) release() {
	u.in(u.held).give(u.of, u.held)
	u.held = 0
}
