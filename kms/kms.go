// Package kms registers AWS KMS and Google Cloud KMS with the programs of its module. They are a module of their own,
// because the libraries are large: that of AWS adds about 3 MB to a program, that of Google about 15 MB.
package kms

import (
	"context"

	"github.com/tink-crypto/tink-go/v2/tink"

	"requisite/internal/secrets/kms"
)

// Register makes keyset files with keys of both services readable. The programs call it before anything else.
func Register() {
	kms.Register("aws-kms", openAWS)
	kms.Register("gcp-kms", func(ctx context.Context, uri string) (tink.AEADWithContext, error) { return openGCP(ctx, uri) })
}
