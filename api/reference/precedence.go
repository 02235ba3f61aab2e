package reference

import (
	"reflect"
	"slices"
	"strings"

	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
)

// audience is which operations can be refused in a way that is not an operation's own.
type audience struct {
	Words string // after "of"
	has   func(Operation) bool
}

var (
	AnyOperation = audience{"every operation", func(Operation) bool { return true }}
	// A path that names no operation, and a method that none takes.
	NoOperation = audience{"requests that are not a POST to the path of an operation", func(Operation) bool { return false }}
	// Those that name a record, which may not exist: all that take anything.
	Naming  = audience{"operations that name a record", func(o Operation) bool { return o.Request != reflect.TypeFor[wire.Empty]() }}
	Writing = audience{"operations that take an Idempotency-Key", func(o Operation) bool { return o.Writes }}
	Waiting = audience{"operations that wait for their result", func(o Operation) bool { return o.Waits }}
	ruling  = audience{"operations that take rules", func(o Operation) bool { return o.Rules }}
)

// step is one check that can refuse a request.
type step struct {
	Codes []refusal.Code // one of these
	When  string         // what is the matter there, where the code alone does not say
	Of    audience
}

// Precedence are the steps in the order in which a request meets them: the first
// that applies wins. TestRefusals_FollowTheDocumentedOrder holds the order to what is answered.
// The step without codes stands for the refusals that an operation's example lists.
var Precedence = []step{
	{one(refusal.UnknownOperation), "", NoOperation},
	{one(refusal.MethodNotAllowed), "", NoOperation},
	{one(refusal.UnsupportedMediaType), "", AnyOperation},
	{one(refusal.RequestTooLarge), "Content-Length announces more than the operation accepts.", AnyOperation},
	{one(refusal.Unavailable), "There is no room for the body.", AnyOperation},
	{one(refusal.RequestTooLarge, refusal.BadRequest), "More arrives than the operation accepts, or the body does not arrive whole.", AnyOperation},
	{one(refusal.AuthMissingHeader), "", AnyOperation},
	{one(refusal.AuthInvalidHeader), "", AnyOperation},
	{one(refusal.AuthInvalidAPIKey), "The key does not have the form of one.", AnyOperation},
	{one(refusal.Unavailable), "The credential cannot be looked up.", AnyOperation},
	{one(refusal.AuthInvalidAPIKey), "", AnyOperation},
	{one(refusal.AuthInvalidAuthToken), "", AnyOperation},
	{one(refusal.AuthSignatureMismatch), "", AnyOperation},
	{one(refusal.AuthElementRequired), "", AnyOperation},
	{one(refusal.AuthTimestampExpired), "", AnyOperation},
	{one(refusal.TooManyRequests), "The credential has used up its requests a second, or its organization has as many requests in progress as it may. The nonce is not used: the same request may be sent again unchanged.", AnyOperation},
	{one(refusal.AuthNonceReused), "", AnyOperation},
	{one(refusal.Forbidden), "", AnyOperation},
	{one(refusal.UnknownVersion), "", AnyOperation},
	{one(refusal.BadRequest), "Idempotency-Key is malformed.", AnyOperation},
	{one(refusal.TooManyRequests), "The check of the rules cannot begin within two seconds.", ruling},
	{one(refusal.BadRequest), "Everything else that the request alone shows, all problems at once.", AnyOperation},
	{one(refusal.IdempotencyKeyReused, refusal.RequestInProgress), "A repeat whose first outcome is kept gets that outcome here.", Writing},
	{one(refusal.TooManyRequests), "As many outcomes are kept as may be. Operations that wait for their result find this out at their end.", Writing},
	{one(refusal.EntityNotFound), "", Naming},
	{one(refusal.BadRequest), "What needs a look at the records: a currency that is not the account's, a date after today in the account's time zone, a key_id that several accounts have, an event type that the endpoint does not take, or a page.after that is not of this list.", Naming},
	{nil, "Those of the operation itself.", AnyOperation},
	{one(refusal.TooManyRequests, refusal.StillRunning), "As many runs of the organization as may be have not ended, and none ended within ten seconds; or a run was started and goes on.", Waiting},
	{one(refusal.Unavailable, refusal.InternalError), "At any point: something that the service needs cannot be reached, or the service has failed.", AnyOperation},
}

func one(codes ...refusal.Code) []refusal.Code { return codes }

// GeneralCodes are the codes that are not an operation's own, each once, in the
// order of precedence.
func GeneralCodes() (codes []refusal.Code) {
	for _, s := range Precedence {
		for _, code := range s.Codes {
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
	for _, s := range Precedence {
		if !slices.Contains(s.Codes, code) {
			continue
		}
		if s.Of.Words == AnyOperation.Words {
			return []audience{s.Of}
		}
		if !slices.ContainsFunc(found, func(a audience) bool { return a.Words == s.Of.Words }) {
			found = append(found, s.Of)
		}
	}
	return found
}

// audienceWords tell who can be refused with a general code; empty for others.
func audienceWords(code refusal.Code) string {
	var words []string
	for _, a := range audiences(code) {
		words = append(words, a.Words)
	}
	return strings.Join(words, ", and of ")
}

// general are the general codes with which the operation can be refused, in the
// order of precedence.
func (o Operation) general() []refusal.Code {
	return slices.DeleteFunc(GeneralCodes(), func(code refusal.Code) bool {
		return !slices.ContainsFunc(audiences(code), func(a audience) bool { return a.has(o) })
	})
}

// others are those of general that not every operation has.
func (o Operation) others() []refusal.Code {
	return slices.DeleteFunc(o.general(), func(code refusal.Code) bool { return audiences(code)[0].Words == AnyOperation.Words })
}
