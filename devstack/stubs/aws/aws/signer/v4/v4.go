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

// NewSigner returns it.
func NewSigner() *Signer { return &Signer{} }

// SignHTTP fails.
func (*Signer) SignHTTP(context.Context, aws.Credentials, *http.Request, string, string, string, time.Time) error {
	return errors.New("devstack has no clients of Amazon Web Services")
}
