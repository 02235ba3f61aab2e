package reference

import (
	"reflect"
	"slices"
	"strings"

	"requisite/api/spec"
	"requisite/internal/requests/refusal"
)

// audience is the set of operations that a general refusal can concern.
type audience struct {
	Words string // follow "of"
	has   func(spec.Operation) bool
}

var (
	AnyOperation = audience{"every operation", func(spec.Operation) bool { return true }}
	// NoOperation is for a wrong path or method.
	NoOperation = audience{"requests that are not a POST to the path of an operation", func(spec.Operation) bool { return false }}
	Naming      = audience{"operations that name a record", func(o spec.Operation) bool { return namesRecord(o.Request) }}
	Writing     = audience{"operations that take an Idempotency-Key", func(o spec.Operation) bool { return o.Writes }}
	Waiting     = audience{"operations that wait for their result", func(o spec.Operation) bool { return o.Waits }}
	ruling      = audience{"operations that take rules", func(o spec.Operation) bool { return o.Rules }}
)

// namesRecord reports whether a request has an id.
func namesRecord(request reflect.Type) bool {
	return slices.ContainsFunc(reflect.VisibleFields(request), func(f reflect.StructField) bool {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return strings.HasSuffix(name, "_id")
	})
}

// step is one check that can refuse a request.
type step struct {
	Codes []refusal.Code // the request is refused with one of these
	When  string         // why, if the code alone does not say it
	Of    audience
}

// Precedence lists the checks of a request in their order: the first that applies wins.
// TestRefusals_FollowTheDocumentedOrder compares it with the service. The step without
// codes stands for the refusals that an operation's example lists.
var Precedence = []step{
	{one(refusal.UnknownOperation), "", NoOperation},
	{one(refusal.MethodNotAllowed), "", NoOperation},
	{one(refusal.UnsupportedMediaType), "", AnyOperation},
	{one(refusal.RequestTooLarge), "Content-Length is larger than the operation accepts.", AnyOperation},
	{one(refusal.Unavailable), "There is no room for the body.", AnyOperation},
	{one(refusal.RequestTooLarge, refusal.BadRequest), "The body is larger than the operation accepts, or ends early.", AnyOperation},
	{one(refusal.AuthMissingHeader), "", AnyOperation},
	{one(refusal.AuthInvalidHeader), "", AnyOperation},
	{one(refusal.AuthInvalidAPIKey), "The API key is malformed.", AnyOperation},
	{one(refusal.Unavailable), "The credential cannot be looked up.", AnyOperation},
	{one(refusal.AuthInvalidAPIKey), "", AnyOperation},
	{one(refusal.AuthInvalidAuthToken), "", AnyOperation},
	{one(refusal.AuthSignatureMismatch), "", AnyOperation},
	{one(refusal.AuthElementRequired), "", AnyOperation},
	{one(refusal.AuthTimestampExpired), "", AnyOperation},
	{
		one(refusal.TooManyRequests),
		"The credential has used up its requests per second, or no slot for the request or its body was free in time. " +
			"The nonce is not used up: you may resend the request unchanged.",
		AnyOperation,
	},
	{one(refusal.AuthNonceReused), "", AnyOperation},
	{one(refusal.Forbidden), "", AnyOperation},
	{one(refusal.UnknownVersion), "", AnyOperation},
	{
		one(refusal.BadRequest),
		"Idempotency-Key, X-Sandbox-Today or X-Sandbox-Answer is malformed, or does not fit the operation. " +
			"A live credential may send no header and call no operation of the sandbox.",
		AnyOperation,
	},
	{one(refusal.TooManyRequests), "The check of the rules cannot begin within two seconds.", ruling},
	{one(refusal.BadRequest), "All other problems of the request itself, reported together.", AnyOperation},
	{
		one(refusal.TooManyRequests, refusal.Unavailable),
		"X-Sandbox-Answer asks for it, or for STILL_RUNNING of an operation that waits for its result.",
		AnyOperation,
	},
	{one(refusal.IdempotencyKeyReused, refusal.RequestInProgress), "A repeat whose first outcome is stored gets that outcome here.", Writing},
	{one(refusal.TooManyRequests), "The limit of stored outcomes is reached. Operations that wait for their result notice this only at their end.", Writing},
	{one(refusal.EntityNotFound), "", Naming},
	{
		one(refusal.BadRequest),
		"Problems that only the records show: a currency that is not the account's, a date after today in the account's time zone, " +
			"a day of X-Sandbox-Today before today or more than five years after it, " +
			"a key_id that several accounts have, or an event type that the endpoint does not take.",
		Naming,
	},
	{nil, "The operation's own refusals.", AnyOperation},
	{
		one(refusal.TooManyRequests, refusal.StillRunning),
		"No slot for a run was free within ten seconds. Or the run of this request has not ended in time.",
		Waiting,
	},
	{
		one(refusal.TooManyRequests, refusal.Unavailable, refusal.InternalError),
		"At any point: no connection to the database was free in time, " +
			"the organization's decisions of the day take as many bytes as they may, the service cannot reach one of its dependencies, or it has failed.",
		AnyOperation,
	},
}

func one(codes ...refusal.Code) []refusal.Code { return codes }

// GeneralCodes returns the codes that do not belong to single operations, in the order of
// precedence.
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

// audiences returns the operations that a general code can concern: AnyOperation alone, or
// others in the order of precedence. It returns none for other codes.
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

// audienceWords describes the audiences of a general code; empty for other codes.
func audienceWords(code refusal.Code) string {
	var words []string
	for _, a := range audiences(code) {
		words = append(words, a.Words)
	}
	return strings.Join(words, ", and of ")
}

// general returns the general codes that the operation can return, in the order of
// precedence.
func (o operation) general() []refusal.Code {
	return slices.DeleteFunc(GeneralCodes(), func(code refusal.Code) bool {
		return !slices.ContainsFunc(audiences(code), func(a audience) bool { return a.has(o.Operation) })
	})
}

// others returns the codes of general that only some operations return.
func (o operation) others() []refusal.Code {
	return slices.DeleteFunc(o.general(), func(code refusal.Code) bool { return audiences(code)[0].Words == AnyOperation.Words })
}
