package sig1

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"requisite/internal/requests/refusal"
)

// Skew is how far a request's timestamp may differ from the clock, in either direction.
const Skew = 5 * time.Minute

// NonceLife is how long a nonce stays used. It is longer than the ten minutes
// for which one timestamp can be acceptable.
const NonceLife = 15 * time.Minute

// Credential holds the data to verify a caller's request.
type Credential struct {
	Secret []byte
	// TokenSHA256 is the hash of the auth token, which is not stored.
	TokenSHA256 [sha256.Size]byte
	// Minimal accepts a signature over the API key alone.
	Minimal bool
}

// Admission is the part of the service that knows credentials, admits requests and uses up nonces.
type Admission interface {
	// Credential finds an API key that is neither revoked nor expired; false when there is none.
	Credential(ctx context.Context, apiKey string) (Credential, bool, error)
	// Admit is called after the signature has been verified and before the nonce is
	// used: a request that is refused here may be sent again unchanged.
	Admit(ctx context.Context) error
	// UseNonce records a nonce; false when it was used in the last NonceLife.
	UseNonce(ctx context.Context, apiKey, nonce string, now time.Time) (bool, error)
}

var (
	timestampForm = regexp.MustCompile(`^[0-9]{1,12}$`)
	apiKeyForm    = regexp.MustCompile(`^[!-~]{1,255}$`)
	nonceForm     = regexp.MustCompile(`^[A-Za-z0-9_-]{16,64}$`)
)

// proof is the authentication data of a request, with its form checked.
type proof struct {
	apiKey    string
	token     string
	signature []byte
	elements  []Element
	timestamp time.Time // zero when not signed
	nonce     string    // empty when not signed
}

// Verify accepts or refuses a request. A *refusal.Refusal has the first 401 code that
// applies, or comes from Admit. Any other error comes from the admission. Only an accepted
// request uses up its nonce.
func Verify(ctx context.Context, r Request, admission Admission, now time.Time) error {
	p, err := readProof(r)
	if err != nil {
		return err
	}
	var credential Credential
	known := apiKeyForm.MatchString(p.apiKey) // anything else is not a key, and may not be valid text for the store
	if known {
		credential, known, err = admission.Credential(ctx, p.apiKey)
	}
	switch {
	case err != nil:
		return err
	case !known:
		return refusal.New(refusal.AuthInvalidAPIKey, "%s does not name a valid credential.", HeaderAPIKey)
	}
	if err := p.check(r, credential, now); err != nil {
		return err
	}
	if err := admission.Admit(ctx); err != nil || p.nonce == "" {
		return err
	}
	fresh, err := admission.UseNonce(ctx, p.apiKey, p.nonce, now)
	switch {
	case err != nil:
		return err
	case !fresh:
		return refusal.New(refusal.AuthNonceReused, "This %s was used already; send a new one with each request.", HeaderNonce)
	}
	return nil
}

// readProof checks the form of all authentication data, without the credential.
func readProof(r Request) (proof, error) {
	for _, name := range []string{HeaderAuthorization, HeaderAPIKey, HeaderAuthToken} {
		if r.Header.Get(name) == "" {
			return proof{}, refusal.New(refusal.AuthMissingHeader, "The header %s is missing.", name)
		}
	}
	elements := []Element{APIKey}
	if list, sent := single(r.Header, HeaderSignedElements); sent {
		if name, absent := absentHeader(r, list); absent {
			return proof{}, refusal.New(refusal.AuthMissingHeader, "%s lists an element whose header, %s, is missing.", HeaderSignedElements, name)
		}
		var ok bool
		if elements, ok = parseElements(list); !ok {
			return proof{}, refusal.New(refusal.AuthInvalidHeader,
				"%s must list known elements, each once, separated by semicolons, API-Key first.", HeaderSignedElements)
		}
	}
	return readValues(r, elements)
}

// absentHeader finds a header that a listed element needs and that was not sent.
func absentHeader(r Request, list string) (string, bool) {
	for element := range strings.SplitSeq(list, ";") {
		if name := headers[Element(element)]; name != "" && r.Header.Get(name) == "" {
			return name, true
		}
	}
	return "", false
}

func readValues(r Request, elements []Element) (proof, error) {
	p := proof{apiKey: r.Header.Get(HeaderAPIKey), token: r.Header.Get(HeaderAuthToken), elements: elements}
	for _, name := range []string{HeaderAuthorization, HeaderAPIKey, HeaderAuthToken, HeaderSignedElements} {
		if len(r.Header.Values(name)) > 1 {
			return proof{}, refusal.New(refusal.AuthInvalidHeader, "The header %s was sent more than once.", name)
		}
	}
	encoded, ok := strings.CutPrefix(r.Header.Get(HeaderAuthorization), Scheme+" ")
	if !ok {
		return proof{}, refusal.New(refusal.AuthInvalidHeader, "%s must be %q followed by the signature in Base64.", HeaderAuthorization, Scheme)
	}
	var err error
	if p.signature, err = base64.StdEncoding.Strict().DecodeString(encoded); err != nil {
		return proof{}, refusal.New(refusal.AuthInvalidHeader, "The signature in %s is not standard Base64.", HeaderAuthorization)
	}
	for _, e := range elements {
		if name := headers[e]; name != "" && len(r.Header.Values(name)) > 1 {
			return proof{}, refusal.New(refusal.AuthInvalidHeader, "The header %s was sent more than once.", name)
		}
		if refused := p.readElement(e, r.value(e)); refused != nil {
			return proof{}, refused
		}
	}
	return p, nil
}

// readElement checks the form of one signed value, and keeps the values that check needs.
func (p *proof) readElement(e Element, value string) error {
	switch e {
	case Timestamp:
		if !timestampForm.MatchString(value) {
			return refusal.New(refusal.AuthInvalidHeader, "%s must be the time in whole Unix seconds.", HeaderTimestamp)
		}
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return refusal.New(refusal.AuthInvalidHeader, "%s must be the time in whole Unix seconds.", HeaderTimestamp)
		}
		p.timestamp = time.Unix(seconds, 0)
	case Nonce:
		if !nonceForm.MatchString(value) {
			return refusal.New(refusal.AuthInvalidHeader, "%s must be 16 to 64 characters of A-Z, a-z, 0-9, _ and -.", HeaderNonce)
		}
		p.nonce = value
	case ContentSHA256:
		sum, err := base64.StdEncoding.Strict().DecodeString(value)
		if err != nil || len(sum) != sha256.Size {
			return refusal.New(refusal.AuthInvalidHeader, "%s must be the SHA-256 of the body in standard Base64.", HeaderContentSHA256)
		}
	}
	return nil
}

// check compares the proof with the credential and the request, in the order
// in which refusals are documented.
func (p proof) check(r Request, c Credential, now time.Time) error {
	token := sha256.Sum256([]byte(p.token))
	if subtle.ConstantTimeCompare(token[:], c.TokenSHA256[:]) != 1 {
		return refusal.New(refusal.AuthInvalidAuthToken, "%s is not the token of this API key.", HeaderAuthToken)
	}
	if subtle.ConstantTimeCompare(p.signature, r.signature(c.Secret, p.elements)) != 1 {
		return p.mismatch(r, c)
	}
	if slices.Contains(p.elements, ContentSHA256) && r.value(ContentSHA256) != bodyHash(r.Body) {
		return r.mismatch(fmt.Sprintf("The body does not have the hash that %s states.", HeaderContentSHA256))
	}
	if !c.Minimal {
		if err := p.checkStrict(r); err != nil {
			return err
		}
	}
	if !p.timestamp.IsZero() && now.Sub(p.timestamp).Abs() > Skew {
		return expired(p.timestamp, now)
	}
	return nil
}

// expired says how far a timestamp is from the clock. Only a caller who has signed with the secret gets here.
func expired(stated, now time.Time) *refusal.Refusal {
	ahead := now.Unix() - stated.Unix()
	where := fmt.Sprintf("%d seconds behind", ahead)
	if ahead < 0 {
		where = fmt.Sprintf("%d seconds ahead of", -ahead)
	}
	shown := now.UTC().Format("2006-01-02T15:04:05.000Z") // as all date-times of the API
	refused := refusal.New(refusal.AuthTimestampExpired, "%s is more than five minutes from the server's clock: it is %s %s.", HeaderTimestamp, where, shown)
	refused.ServerTime, refused.DifferenceSeconds = shown, ahead
	return refused
}

// longestShown is how many bytes of a string to sign, or of a path, a refusal shows.
const longestShown = 2000

// mismatch refuses a wrong signature, with the path that arrived.
func (r Request) mismatch(message string) *refusal.Refusal {
	refused := refusal.New(refusal.AuthSignatureMismatch, "%s", message)
	refused.ReceivedPath = r.Target[:min(len(r.Target), longestShown)]
	return refused
}

// mismatch says what is wrong with a signature, as far as that is visible. This does not help a forger:
// the string to sign comes from the caller, and a signature with the text of the secret needs the secret.
func (p proof) mismatch(r Request, c Credential) error {
	message := "The signature does not match the request: check the secret key, the listed elements and their order."
	undecoded := []byte(base64.StdEncoding.EncodeToString(c.Secret))
	if subtle.ConstantTimeCompare(p.signature, r.signature(undecoded, p.elements)) == 1 {
		message = "The signature was made with the Base64 text of the secret key: decode the text, and use its bytes as the key."
	} else if r.Explain {
		signed := r.stringToSign(p.elements)
		message += fmt.Sprintf(" The string to sign is %+q.", signed[:min(len(signed), longestShown)])
	} else {
		message += " meta.whoami, signed in the same way, answers the string to sign. " +
			"Compare received_path with the path that you signed: a proxy may have changed it."
	}
	return r.mismatch(message)
}

// checkStrict requires every element of the strict policy, and the element of every other
// header that was sent.
func (p proof) checkStrict(r Request) error {
	for _, e := range Strict() {
		if !slices.Contains(p.elements, e) {
			return refusal.New(refusal.AuthElementRequired, "This credential requires %s to be signed: list it in %s.", e, HeaderSignedElements)
		}
	}
	for _, e := range []Element{APIVersion, IdempotencyKey} {
		if _, sent := single(r.Header, headers[e]); sent && !slices.Contains(p.elements, e) {
			return refusal.New(refusal.AuthElementRequired, "The header %s was sent: list %s in %s.", headers[e], e, HeaderSignedElements)
		}
	}
	return nil
}

// single distinguishes a header that was sent, even empty, from one that was not.
func single(h http.Header, name string) (string, bool) {
	values := h.Values(name)
	if len(values) == 0 {
		return "", false
	}
	return values[0], true
}
