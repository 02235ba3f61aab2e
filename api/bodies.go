package main

import "github.com/google/uuid"

// bodies are the rooms for bodies that are not decoded yet. A quarter is for small
// ones alone: they never wait behind large ones.
type bodies struct{ small, large *parts }

// Of each room one address has a part, and so has one organization; never less
// than the largest body there takes.
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

// bodyRoom is what a request holds of its body until it is decoded: of the part of
// its caller's address, and of the organization's when it has verified.
type bodyRoom struct {
	bodies bodies
	of     holder
	held   int64
}

// in is the room for a body of which so much is held.
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

// verified lets an organization answer for the body.
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
