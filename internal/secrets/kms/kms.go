// Package kms opens the keys of key management services that encrypt keyset files. The services are in the module kms/,
// whose programs register them.
package kms

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/tink-crypto/tink-go/v2/tink"
)

// timeout limits one request to a service, with its retries.
const timeout = 20 * time.Second

// Service opens the keys of one service. It makes no request, and takes credentials
// from the environment in the service's own way.
type Service func(ctx context.Context, uri string) (tink.AEADWithContext, error)

// services has the services of this program, by the scheme of their URIs.
var services = map[string]Service{}

// Register adds the service of URIs with a scheme. A program calls it before it opens a key.
func Register(scheme string, s Service) { services[scheme] = s }

// Open opens the key with a URI, such as aws-kms://arn:aws:kms:… or
// gcp-kms://projects/…/cryptoKeys/…. An empty URI is no key. Each use of the key is a
// request to the service.
func Open(ctx context.Context, uri string) (tink.AEADWithContext, error) {
	open, err := find(uri)
	if open == nil || err != nil {
		return nil, err
	}
	opened, err := open(ctx, uri)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", uri, err)
	}
	return limited{opened}, nil
}

// Check is an error for a URI that Open cannot open in this program.
func Check(uri string) error {
	_, err := find(uri)
	return err
}

// find finds the service of a key; there is none for an empty URI.
func find(uri string) (Service, error) {
	if uri == "" {
		return nil, nil
	}
	scheme, key, found := strings.Cut(uri, "://")
	if !found || key == "" || scheme != "aws-kms" && scheme != "gcp-kms" {
		return nil, fmt.Errorf("must be the URI of a key, as aws-kms://arn:aws:kms:REGION:ACCOUNT:key/ID "+
			"or gcp-kms://projects/P/locations/L/keyRings/R/cryptoKeys/K, not %q", uri)
	}
	open := services[scheme]
	if open == nil {
		return nil, fmt.Errorf("%s:// is not in this program, because its library is large; "+
			"build the programs of kms/, or the image with --build-arg KMS=yes", scheme)
	}
	return open, nil
}

// limited limits how long each request takes.
type limited struct{ key tink.AEADWithContext }

func (l limited) EncryptWithContext(ctx context.Context, plaintext, bound []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return l.key.EncryptWithContext(ctx, plaintext, bound)
}

func (l limited) DecryptWithContext(ctx context.Context, ciphertext, bound []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return l.key.DecryptWithContext(ctx, ciphertext, bound)
}
