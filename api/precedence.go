package main

import (
	"reflect"
	"slices"
	"strings"

	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
)

// audience is which operations can be refused in a way that is not an operation's own.
type audience struct {
	words string // after "of"
	has   func(Operation) bool
}

var (
	anyOperation = audience{"every operation", func(Operation) bool { return true }}
	// A path that names no operation, and a method that none takes.
	noOperation = audience{"requests that are not a POST to the path of an operation", func(Operation) bool { return false }}
	// Those that name a record, which may not exist: all that take anything.
	naming  = audience{"operations that name a record", func(o Operation) bool { return o.request != reflect.TypeFor[wire.Empty]() }}
	writing = audience{"operations that take an Idempotency-Key", func(o Operation) bool { return o.writes }}
	waiting = audience{"operations that wait for their result", func(o Operation) bool { return o.waits }}
	ruling  = audience{"operations that take rules", func(o Operation) bool { return o.rules }}
)

// step is one check that can refuse a request.
type step struct {
	codes []refusal.Code // one of these
	when  string         // what is the matter there, where the code alone does not say
	of    audience
}

// precedence are the steps in the order in which a request meets them: the first
// that applies wins. TestTheFirstRefusalWins holds the order to what is answered.
// The step without codes stands for the refusals that an operation's example lists.
var precedence = []step{
	{one(refusal.UnknownOperation), "", noOperation},
	{one(refusal.MethodNotAllowed), "", noOperation},
	{one(refusal.UnsupportedMediaType), "", anyOperation},
	{one(refusal.RequestTooLarge), "Content-Length announces more than the operation accepts.", anyOperation},
	{one(refusal.Unavailable), "There is no room for the body.", anyOperation},
	{one(refusal.RequestTooLarge, refusal.BadRequest), "More arrives than the operation accepts, or the body does not arrive whole.", anyOperation},
	{one(refusal.AuthMissingHeader), "", anyOperation},
	{one(refusal.AuthInvalidHeader), "", anyOperation},
	{one(refusal.AuthInvalidAPIKey), "The key does not have the form of one.", anyOperation},
	{one(refusal.Unavailable), "The credential cannot be looked up.", anyOperation},
	{one(refusal.AuthInvalidAPIKey), "", anyOperation},
	{one(refusal.AuthInvalidAuthToken), "", anyOperation},
	{one(refusal.AuthSignatureMismatch), "", anyOperation},
	{one(refusal.AuthElementRequired), "", anyOperation},
	{one(refusal.AuthTimestampExpired), "", anyOperation},
	{one(refusal.TooManyRequests), "The credential has used up its requests a second, or its organization has as many requests in progress as it may. The nonce is not used: the same request may be sent again unchanged.", anyOperation},
	{one(refusal.AuthNonceReused), "", anyOperation},
	{one(refusal.Forbidden), "", anyOperation},
	{one(refusal.UnknownVersion), "", anyOperation},
	{one(refusal.BadRequest), "Idempotency-Key is malformed.", anyOperation},
	{one(refusal.TooManyRequests), "The check of the rules cannot begin within two seconds.", ruling},
	{one(refusal.BadRequest), "Everything else that the request alone shows, all problems at once.", anyOperation},
	{one(refusal.IdempotencyKeyReused, refusal.RequestInProgress), "A repeat whose first outcome is kept gets that outcome here.", writing},
	{one(refusal.TooManyRequests), "As many outcomes are kept as may be. Operations that wait for their result find this out at their end.", writing},
	{one(refusal.EntityNotFound), "", naming},
	{one(refusal.BadRequest), "What needs a look at the records: a currency that is not the account's, a date after today in the account's time zone, a key_id that several accounts have, an event type that the endpoint does not take, or a page.after that is not of this list.", naming},
	{nil, "Those of the operation itself.", anyOperation},
	{one(refusal.TooManyRequests, refusal.StillRunning), "As many runs of the organization as may be have not ended, and none ended within ten seconds; or a run was started and goes on.", waiting},
	{one(refusal.Unavailable, refusal.InternalError), "At any point: something that the service needs cannot be reached, or the service has failed.", anyOperation},
}

func one(codes ...refusal.Code) []refusal.Code { return codes }

// generalCodes are the codes that are not an operation's own, each once, in the
// order of precedence.
func generalCodes() (codes []refusal.Code) {
	for _, s := range precedence {
		for _, code := range s.codes {
			if !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	return codes
}

// audiences are who can be refused with a general code: anyOperation alone, or
// others, in the order of precedence. There is none for other codes.
func audiences(code refusal.Code) (found []audience) {
	for _, s := range precedence {
		if !slices.Contains(s.codes, code) {
			continue
		}
		if s.of.words == anyOperation.words {
			return []audience{s.of}
		}
		if !slices.ContainsFunc(found, func(a audience) bool { return a.words == s.of.words }) {
			found = append(found, s.of)
		}
	}
	return found
}

// audienceWords tell who can be refused with a general code; empty for others.
func audienceWords(code refusal.Code) string {
	var words []string
	for _, a := range audiences(code) {
		words = append(words, a.words)
	}
	return strings.Join(words, ", and of ")
}

// general are the general codes with which the operation can be refused, in the
// order of precedence.
func (o Operation) general() []refusal.Code {
	return slices.DeleteFunc(generalCodes(), func(code refusal.Code) bool {
		return !slices.ContainsFunc(audiences(code), func(a audience) bool { return a.has(o) })
	})
}

// others are those of general that not every operation has.
func (o Operation) others() []refusal.Code {
	return slices.DeleteFunc(o.general(), func(code refusal.Code) bool { return audiences(code)[0].words == anyOperation.words })
}
