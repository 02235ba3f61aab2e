package requisite

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Headers of a signed request.
const (
	headerAPIKey         = "X-API-Key"
	headerAuthToken      = "X-API-Auth-Token"
	headerContentSHA256  = "X-API-Content-SHA256"
	headerIdempotencyKey = "Idempotency-Key"
	headerNonce          = "X-API-Nonce"
	headerSandboxToday   = "X-Sandbox-Today"
	headerSignedElements = "X-API-Signed-Elements"
	headerTimestamp      = "X-API-Timestamp"
	headerVersion        = "X-API-Version"

	headerDecisionDigest = "Requisite-Decision-Digest" // of a response
	headerDecisionID     = "Requisite-Decision-Id"     // of a response

	scheme = "Sig1-HMAC-SHA256"
)

// Signer signs requests with one credential.
type Signer struct {
	APIKey    string
	Secret    []byte // the secret key, decoded
	AuthToken string
}

// NewSigner returns a signer for a credential. secretKey is in standard Base64, as the
// operator of the service hands it out. The error names the part of the credential that is
// malformed, and its fault, but never its value.
func NewSigner(apiKey, secretKey, authToken string) (Signer, error) {
	if fault := faultOf(apiKey); fault != "" {
		return Signer{}, errors.New("requisite: the API key " + fault)
	}
	secret, fault := secretOf(secretKey)
	if fault != "" {
		return Signer{}, errors.New("requisite: the secret key " + fault)
	}
	if fault := faultOf(authToken); fault != "" {
		return Signer{}, errors.New("requisite: the auth token " + fault)
	}
	return Signer{APIKey: apiKey, Secret: secret, AuthToken: authToken}, nil
}

// Sign signs a request with a new nonce, and sets its headers. The signature covers method,
// target, timestamp, nonce and body, and the headers X-API-Version and Idempotency-Key if
// they are set. target is the path with the query, exactly as they are sent.
func (s Signer) Sign(method, target string, header http.Header, body []byte, now time.Time) {
	s.sign(method, target, header, body, now, rand.Text())
}

func (s Signer) sign(method, target string, header http.Header, body []byte, now time.Time, nonce string) {
	sum := sha256.Sum256(body)
	header.Set(headerTimestamp, strconv.FormatInt(now.Unix(), 10))
	header.Set(headerNonce, nonce)
	header.Set(headerContentSHA256, base64.StdEncoding.EncodeToString(sum[:]))
	elements := []string{"API-Key", "HTTP-Verb", "URL-Path", "Timestamp", "Nonce", "Content-SHA256"}
	values := []string{s.APIKey, method, target, header.Get(headerTimestamp), header.Get(headerNonce), header.Get(headerContentSHA256)}
	for _, more := range [][2]string{{"Idempotency-Key", headerIdempotencyKey}, {"API-Version", headerVersion}} {
		if value := header.Get(more[1]); value != "" {
			elements, values = append(elements, more[0]), append(values, value)
		}
	}
	listed := strings.Join(elements, ";")
	header.Set(headerSignedElements, listed)
	header.Set(headerAPIKey, s.APIKey)
	header.Set(headerAuthToken, s.AuthToken)
	header.Set("Authorization", scheme+" "+s.signature(strings.Join(append([]string{listed}, values...), "\n")))
}

func (s Signer) signature(stringToSign string) string {
	mac := hmac.New(sha256.New, s.Secret)
	mac.Write([]byte(stringToSign))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
