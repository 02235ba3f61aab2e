package main

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"requisite/internal/sig1"
)

// callSnippets call an operation in each language, with the functions of the
// snippets that sign.
func callSnippets(operation, request string) []snippet {
	body := indented(request)
	return []snippet{
		{"Shell", "./sign.sh " + operation + " '" + body + "'"},
		{"Go", "answer, err := call(\"" + operation + "\", `" + body + "`)"},
		{"TypeScript", "const answer = await call(\"" + operation + "\", " + body + ");"},
		{"Python", "answer = call(\"" + operation + "\", " + pythonLiteral(body) + ")"},
	}
}

// pythonLiteral writes JSON as Python does: the words for true, false and null
// differ. Examples have none of them in texts.
func pythonLiteral(body string) string {
	return strings.NewReplacer(": true", ": True", ": false", ": False", ": null", ": None").Replace(body)
}

// signedRequest is a whole request with what it was signed from, to hold a
// caller's code to.
type signedRequest struct {
	APIKey, SecretKey, AuthToken string
	Target, Body                 string
	Headers                      []header
	Text, BodyHash, Signature    string
}

type header struct{ Name, Value string }

// exampleSignature signs one request with a credential that is public.
func exampleSignature() signedRequest {
	const (
		secretKey = "xBeain5pFnPyQkl98qzA+BG+Cjzskpqq9fGKDbDoXNP5"
		timestamp = "1795167000"
		nonce     = "5d1f0c7be0a94c1f9a53f0b4c2d7e819"
	)
	r := signedRequest{
		APIKey: "sb_3eY9UJuj09636NVPlgmhfa", SecretKey: secretKey, AuthToken: "an-example-token",
		Target: "/workflow.get", Body: operationExamples()["workflow.get"].request,
	}
	signer, err := sig1.NewSigner(r.APIKey, r.SecretKey, r.AuthToken)
	if err != nil {
		panic(err) // it is a constant
	}
	sum := sha256.Sum256([]byte(r.Body))
	r.BodyHash = base64.StdEncoding.EncodeToString(sum[:])
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set(sig1.HeaderTimestamp, timestamp)
	h.Set(sig1.HeaderNonce, nonce)
	h.Set(sig1.HeaderContentSHA256, r.BodyHash)
	signer.SignElements(sig1.Request{Method: http.MethodPost, Target: r.Target, Header: h, Body: []byte(r.Body)}, sig1.Strict())
	elements := h.Get(sig1.HeaderSignedElements)
	r.Text = strings.Join([]string{elements, r.APIKey, http.MethodPost, r.Target, timestamp, nonce, r.BodyHash}, "\n")
	r.Signature = strings.TrimPrefix(h.Get(sig1.HeaderAuthorization), sig1.Scheme+" ")
	for _, name := range []string{
		"Content-Type", sig1.HeaderAuthorization, sig1.HeaderAPIKey, sig1.HeaderAuthToken, sig1.HeaderSignedElements,
		sig1.HeaderTimestamp, sig1.HeaderNonce, sig1.HeaderContentSHA256,
	} {
		r.Headers = append(r.Headers, header{name, h.Get(name)})
	}
	return r
}
