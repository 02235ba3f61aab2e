package reference

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"requisite/api/spec"
	"requisite/docs"
	"requisite/internal/clientmodel"
	"requisite/internal/requests/sig1"
)

// CallSnippets returns a call of an operation in each language: with its client, or in a shell with
// sign.sh. A call that writes has an Idempotency-Key, and one of the sandbox alone the day that it is about.
func CallSnippets(calls *clientmodel.Snippets, o spec.Operation, request string) ([]snippet, error) {
	key, day, named := ExampleKey(o), ExampleDay(o), ""
	if day != "" {
		named = "SANDBOX_TODAY=" + day + " "
	}
	call, err := calls.Call(o.Name, []byte(request), key, day)
	return []snippet{
		{typescript, call.TypeScript}, {python, call.Python}, {golang, call.Go},
		{shell, strings.TrimSpace(named + "./sign.sh " + o.Name + " '" + indent(request) + "' " + key)},
	}, err
}

// ExampleKey returns the Idempotency-Key of an operation's example; empty if it takes none.
func ExampleKey(o spec.Operation) string {
	if !o.Writes {
		return ""
	}
	return "onboarding-4711-" + o.Name
}

// exampleDay is the day of the sandbox in examples. It is at most five years away, and must not pass.
const exampleDay = "2031-06-01"

// ExampleDay returns the day of an operation's example; empty if it happens today.
func ExampleDay(o spec.Operation) string {
	if !o.Sandbox {
		return ""
	}
	return exampleDay
}

// signedRequest is a request with its signed text, with which callers test their code.
type signedRequest struct {
	APIKey, SecretKey, AuthToken string
	Target, Body                 string
	Headers                      []header
	Text, BodyHash, Signature    string
}

type header struct{ Name, Value string }

// Request is the request as it is sent.
func (r signedRequest) Request() string {
	var out strings.Builder
	fmt.Fprintf(&out, "POST %s HTTP/1.1\n", r.Target)
	for _, h := range r.Headers {
		fmt.Fprintf(&out, "%s: %s\n", h.Name, h.Value)
	}
	return out.String() + "\n" + r.Body
}

// ExampleSignature returns the vector named strict: a request that was signed with a
// public credential.
func ExampleSignature() (signedRequest, error) {
	var file struct {
		APIKey    string `json:"api_key"`
		SecretKey string `json:"secret_key"`
		AuthToken string `json:"auth_token"`
		Vectors   []struct {
			Name         string            `json:"name"`
			Target       string            `json:"target"`
			Body         string            `json:"body"`
			StringToSign string            `json:"string_to_sign"`
			Headers      map[string]string `json:"headers"`
		} `json:"vectors"`
	}
	if err := json.Unmarshal(docs.SignatureVectors, &file); err != nil {
		return signedRequest{}, fmt.Errorf("read the signature vectors: %w", err)
	}
	for _, v := range file.Vectors {
		if v.Name != "strict" {
			continue
		}
		of := func(name string) string { return v.Headers[strings.ToLower(name)] }
		r := signedRequest{
			APIKey: file.APIKey, SecretKey: file.SecretKey, AuthToken: file.AuthToken,
			Target: v.Target, Body: v.Body, Text: v.StringToSign, BodyHash: of(sig1.HeaderContentSHA256),
			Signature: strings.TrimPrefix(of(sig1.HeaderAuthorization), sig1.Scheme+" "),
			Headers:   []header{{"Content-Type", MediaJSON}},
		}
		for _, name := range []string{
			sig1.HeaderAuthorization, sig1.HeaderAPIKey, sig1.HeaderAuthToken, sig1.HeaderSignedElements,
			sig1.HeaderTimestamp, sig1.HeaderNonce, sig1.HeaderContentSHA256,
		} {
			r.Headers = append(r.Headers, header{name, of(name)})
		}
		return r, nil
	}
	return signedRequest{}, errors.New("the signature vectors have none that is named strict")
}
