package kms

import (
	"context"

	"github.com/tink-crypto/tink-go-gcpkms/v2/integration/gcpkms"
	"github.com/tink-crypto/tink-go/v2/tink"
	"google.golang.org/api/option"
)

func openGCP(ctx context.Context, uri string, options ...option.ClientOption) (tink.AEADWithContext, error) {
	return gcpkms.GetAEADWithContext(ctx, uri, gcpkms.WithGoogleAPIClientOptions(options...))
}
