// Package aws has the types that the stubs of Amazon's clients share.
package aws

import "context"

// Config has no settings but those that the server reads.
type Config struct{ Credentials CredentialsProvider }

// Credentials are those of nobody.
type Credentials struct{ AccessKeyID, SecretAccessKey, SessionToken string }

// CredentialsProvider finds credentials.
type CredentialsProvider interface {
	Retrieve(context.Context) (Credentials, error)
}

// Retryer says which errors are worth a retry.
type Retryer interface{ IsErrorRetryable(error) bool }

// ClientLogMode says what a client logs.
type ClientLogMode uint64

// Int32 and String make pointers.
func Int32(v int32) *int32    { return &v }
func String(v string) *string { return &v }
