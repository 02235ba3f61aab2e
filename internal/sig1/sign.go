package sig1

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Signer signs requests for one credential.
type Signer struct {
	APIKey    string
	Secret    []byte // the secret key, decoded
	AuthToken string
}

// NewSigner takes the secret key as it is handed out, in standard Base64.
func NewSigner(apiKey, secretKey, authToken string) (Signer, error) {
	secret, err := base64.StdEncoding.Strict().DecodeString(secretKey)
	if err != nil {
		return Signer{}, errors.New("the secret key is not standard Base64")
	}
	return Signer{APIKey: apiKey, Secret: secret, AuthToken: authToken}, nil
}

// Sign sets every header of the strict policy on header, with a fresh nonce,
// and lists Idempotency-Key and X-API-Version where header carries them.
// Target is path and query exactly as they will be sent.
func (s Signer) Sign(method, target string, header http.Header, body []byte, now time.Time) {
	elements := Strict()
	for _, e := range []Element{IdempotencyKey, APIVersion} {
		if header.Get(headers[e]) != "" {
			elements = append(elements, e)
		}
	}
	header.Set(HeaderTimestamp, strconv.FormatInt(now.Unix(), 10))
	header.Set(HeaderNonce, rand.Text())
	header.Set(HeaderContentSHA256, bodyHash(body))
	s.SignElements(Request{Method: method, Target: target, Header: header, Body: body}, elements)
}

// SignElements signs exactly the given elements, whose headers must be set, and
// sets the authentication headers.
func (s Signer) SignElements(r Request, elements []Element) {
	r.Header.Set(HeaderAPIKey, s.APIKey)
	r.Header.Set(HeaderAuthToken, s.AuthToken)
	if !slices.Equal(elements, []Element{APIKey}) {
		r.Header.Set(HeaderSignedElements, joinElements(elements))
	}
	signature := r.signature(s.Secret, elements)
	r.Header.Set(HeaderAuthorization, Scheme+" "+base64.StdEncoding.EncodeToString(signature))
}
