// Package apiclient signs requests and sends them, as any caller of the API
// does.
package apiclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"requisite/internal/sig1"
)

// Client calls one API with one credential. It is safe for concurrent use.
type Client struct {
	BaseURL string
	Signer  sig1.Signer
	HTTP    *http.Client
}

// Answer is the envelope of one response.
type Answer struct {
	HTTPStatus int             `json:"-"`
	Header     http.Header     `json:"-"`
	Body       []byte          `json:"-"`
	Meta       Meta            `json:"meta"`
	Data       json.RawMessage `json:"data"`
	Errors     []Error         `json:"errors"`
}

// Meta is the envelope's head.
type Meta struct {
	Status   string `json:"status"`
	TraceID  string `json:"trace_id"`
	Version  string `json:"version"`
	Warnings []struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"warnings"`
}

// Error is one entry of errors.
type Error struct {
	Code       string          `json:"code"`
	Message    string          `json:"message"`
	EntityType string          `json:"entity_type"`
	EntityID   string          `json:"entity_id"`
	SubCode    string          `json:"sub_code"`
	Details    json.RawMessage `json:"details"`
}

func (e Error) Error() string {
	code := e.Code
	if e.SubCode != "" {
		code += "/" + e.SubCode
	}
	return strings.TrimSpace(fmt.Sprintf("%s: %s %s", code, e.Message, e.Details))
}

// Option modifies a request before it is signed.
type Option func(http.Header)

// IdempotencyKey makes the request safe to repeat.
func IdempotencyKey(key string) Option {
	return func(h http.Header) { h.Set(sig1.HeaderIdempotencyKey, key) }
}

// Send signs and sends a body as it is and returns whatever the API answers;
// an error means that there was no answer in the envelope.
func (c *Client) Send(ctx context.Context, operation string, body []byte, options ...Option) (Answer, error) {
	target, err := url.JoinPath(c.BaseURL, operation)
	if err != nil {
		return Answer{}, fmt.Errorf("address of %s: %w", operation, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return Answer{}, fmt.Errorf("request for %s: %w", operation, err)
	}
	// Without GetBody the HTTP client cannot resend a request by itself, which
	// would repeat the nonce.
	request.GetBody = nil
	request.Header.Set("Content-Type", "application/json")
	for _, option := range options {
		option(request.Header)
	}
	c.Signer.Sign(request.Method, request.URL.RequestURI(), request.Header, body, time.Now())
	response, err := c.HTTP.Do(request)
	if err != nil {
		return Answer{}, fmt.Errorf("call %s: %w", operation, err)
	}
	defer response.Body.Close()
	answer := Answer{HTTPStatus: response.StatusCode, Header: response.Header}
	if answer.Body, err = io.ReadAll(response.Body); err != nil {
		return Answer{}, fmt.Errorf("answer of %s: %w", operation, err)
	}
	if err := json.Unmarshal(answer.Body, &answer); err != nil {
		return Answer{}, fmt.Errorf("answer of %s (HTTP %d) is not in the envelope: %w", operation, response.StatusCode, err)
	}
	return answer, nil
}

// Call sends a request and reads data into out, which may be nil. A refusal is
// an Error.
func (c *Client) Call(ctx context.Context, operation string, request, out any, options ...Option) (Answer, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return Answer{}, fmt.Errorf("encode a request for %s: %w", operation, err)
	}
	answer, err := c.Send(ctx, operation, body, options...)
	switch {
	case err != nil:
		return answer, err
	case len(answer.Errors) > 0:
		return answer, answer.Errors[0]
	case out == nil:
		return answer, nil
	}
	if err := json.Unmarshal(answer.Data, out); err != nil {
		return answer, fmt.Errorf("data of %s: %w", operation, err)
	}
	return answer, nil
}
