// Package sig1 verifies requests that are signed with Sig1-HMAC-SHA256. The
// clients sign them.
//
// A request lists the elements that it signs in X-API-Signed-Elements. The
// values come from the request itself, so the signature covers the list and
// everything it names.
package sig1

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
)

// Scheme is the scheme of the Authorization header, matched byte for byte.
const Scheme = "Sig1-HMAC-SHA256"

// Headers of the scheme.
const (
	HeaderAPIKey         = "X-API-Key"
	HeaderAuthToken      = "X-API-Auth-Token"
	HeaderAuthorization  = "Authorization"
	HeaderContentSHA256  = "X-API-Content-SHA256"
	HeaderIdempotencyKey = "Idempotency-Key"
	HeaderNonce          = "X-API-Nonce"
	HeaderSignedElements = "X-API-Signed-Elements"
	HeaderTimestamp      = "X-API-Timestamp"
	HeaderVersion        = "X-API-Version"
)

// Element is one part of a request that a signature can cover.
type Element string

// The elements.
const (
	APIKey         Element = "API-Key"
	APIVersion     Element = "API-Version"
	ContentSHA256  Element = "Content-SHA256"
	HTTPVerb       Element = "HTTP-Verb"
	IdempotencyKey Element = "Idempotency-Key"
	Nonce          Element = "Nonce"
	Timestamp      Element = "Timestamp"
	URLPath        Element = "URL-Path"
)

// headers names the header that carries an element; the verb and the path
// have none.
var headers = map[Element]string{
	APIKey:         HeaderAPIKey,
	APIVersion:     HeaderVersion,
	ContentSHA256:  HeaderContentSHA256,
	HTTPVerb:       "",
	IdempotencyKey: HeaderIdempotencyKey,
	Nonce:          HeaderNonce,
	Timestamp:      HeaderTimestamp,
	URLPath:        "",
}

// Strict lists the elements that the strict policy requires.
func Strict() []Element {
	return []Element{APIKey, HTTPVerb, URLPath, Timestamp, Nonce, ContentSHA256}
}

// Request is what a signature can cover. Target is path and query as sent.
type Request struct {
	Method string
	Target string
	Header http.Header
	Body   []byte
	// Explain adds the string to sign to the refusal of a wrong signature. All of the string comes
	// from the request itself.
	Explain bool
}

// value is the text for e in the string to sign.
func (r Request) value(e Element) string {
	switch e {
	case HTTPVerb:
		return r.Method
	case URLPath:
		return r.Target
	default:
		return r.Header.Get(headers[e])
	}
}

// stringToSign builds the string to sign: the API key when only that is signed;
// otherwise the list as sent and each value, one on each line. No header, method or target has a
// line feed, and the list says what each line is: two requests never have the same string.
func (r Request) stringToSign(elements []Element) string {
	if len(elements) == 1 {
		return r.value(APIKey)
	}
	lines := make([]string, 0, len(elements)+1)
	lines = append(lines, r.Header.Get(HeaderSignedElements))
	for _, e := range elements {
		lines = append(lines, r.value(e))
	}
	return strings.Join(lines, "\n")
}

// signature is the HMAC-SHA256 of the string to sign.
func (r Request) signature(secret []byte, elements []Element) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(r.stringToSign(elements)))
	return mac.Sum(nil)
}

// bodyHash is the value of X-API-Content-SHA256 for body.
func bodyHash(body []byte) string {
	sum := sha256.Sum256(body)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// parseElements reads X-API-Signed-Elements; false means an unknown or
// repeated name, or a list that does not begin with the API key.
func parseElements(list string) ([]Element, bool) {
	names := strings.Split(list, ";")
	elements := make([]Element, 0, len(names))
	for _, name := range names {
		e := Element(name)
		if _, known := headers[e]; !known || slices.Contains(elements, e) {
			return nil, false
		}
		elements = append(elements, e)
	}
	return elements, elements[0] == APIKey
}
