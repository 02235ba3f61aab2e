// Package v4 has the signer that signs nothing.
package v4

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// Signer signs nothing.
type Signer struct{}

// SignerOptions has no settings.
type SignerOptions struct{}

// NewSigner returns it.
func NewSigner(...func(*SignerOptions)) *Signer { return &Signer{} }

// SignHTTP fails.
func (*Signer) SignHTTP(context.Context, aws.Credentials, *http.Request, string, string, string, time.Time, ...func(*SignerOptions)) error {
	return errors.New("devstack has no clients of Amazon Web Services")
}
