package kms

import (
	"context"
	"strings"

	"github.com/tink-crypto/tink-go-awskms/v3/integration/awskms"
	"github.com/tink-crypto/tink-go/v2/tink"
)

func openAWS(ctx context.Context, uri string) (tink.AEADWithContext, error) {
	return awskms.NewAEADWithContext(ctx, strings.TrimPrefix(uri, "aws-kms://"))
}
