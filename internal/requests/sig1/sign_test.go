package sig1

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
)

// signer is the client's, so that the tests verify the signatures of callers.
func signer(t require.TestingT) requisite.Signer {
	s, err := requisite.NewSigner(knownKey, knownSecret, token)
	require.NoError(t, err)
	return s
}

// signed is a request that the client has signed, with more headers.
func signed(t require.TestingT, extra ...string) Request {
	r := Request{Method: "POST", Target: "/business.create?x=1", Header: http.Header{}, Body: []byte(`{"a":1}`)}
	for i := 0; i < len(extra); i += 2 {
		r.Header.Set(extra[i], extra[i+1])
	}
	signer(t).Sign(r.Method, r.Target, r.Header, r.Body, now)
	return r
}

// signElements signs exactly the given elements, whose headers must be set.
func (r Request) signElements(t require.TestingT, elements []Element) {
	secret, err := base64.StdEncoding.DecodeString(knownSecret)
	require.NoError(t, err)
	r.Header.Set(HeaderAPIKey, knownKey)
	r.Header.Set(HeaderAuthToken, token)
	if !slices.Equal(elements, []Element{APIKey}) {
		r.Header.Set(HeaderSignedElements, joinElements(elements))
	}
	r.Header.Set(HeaderAuthorization, Scheme+" "+base64.StdEncoding.EncodeToString(r.signature(secret, elements)))
}

func joinElements(elements []Element) string {
	names := make([]string, len(elements))
	for i, e := range elements {
		names[i] = string(e)
	}
	return strings.Join(names, ";")
}
