// Package credentials stands for credentials of Amazon Web Services. There are none.
package credentials

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
)

var errAbsent = errors.New("devstack has no clients of Amazon Web Services")

// StaticCredentialsProvider has no credentials.
type StaticCredentialsProvider struct{}

// NewStaticCredentialsProvider forgets what it is given.
func NewStaticCredentialsProvider(_, _, _ string) StaticCredentialsProvider {
	return StaticCredentialsProvider{}
}

// Retrieve fails.
func (StaticCredentialsProvider) Retrieve(context.Context) (aws.Credentials, error) {
	return aws.Credentials{}, errAbsent
}
