// Package storage stands for the client of Google Cloud Storage, in which the server can archive. devstack archives nothing.
package storage

import (
	"context"
	"errors"

	"google.golang.org/api/option"
)

// ScopeFullControl is the access that the server asks for.
const ScopeFullControl = "https://www.googleapis.com/auth/devstorage.full_control"

var errAbsent = errors.New("devstack has no client of Google Cloud Storage")

// The types that the server names. There are no values of them but zero, because NewClient fails.
type (
	BucketAttrs    struct{}
	BucketHandle   struct{}
	Client         struct{}
	ObjectAttrs    struct{ Name string }
	ObjectHandle   struct{}
	ObjectIterator struct{}
	Query          struct{ Prefix string }
	Reader         struct{}
	Writer         struct{}
)

// NewClient fails.
func NewClient(context.Context, ...option.ClientOption) (*Client, error) { return nil, errAbsent }

func (*Client) Bucket(string) *BucketHandle { return nil }

func (*BucketHandle) Attrs(context.Context) (*BucketAttrs, error)     { return nil, errAbsent }
func (*BucketHandle) Object(string) *ObjectHandle                     { return nil }
func (*BucketHandle) Objects(context.Context, *Query) *ObjectIterator { return nil }
func (*ObjectHandle) Attrs(context.Context) (*ObjectAttrs, error)     { return nil, errAbsent }
func (*ObjectHandle) NewReader(context.Context) (*Reader, error)      { return nil, errAbsent }
func (*ObjectHandle) NewWriter(context.Context) *Writer               { return nil }
func (*ObjectIterator) Next() (*ObjectAttrs, error)                   { return nil, errAbsent }
func (*Reader) Close() error                                          { return errAbsent }
func (*Reader) Read([]byte) (int, error)                              { return 0, errAbsent }
func (*Writer) Close() error                                          { return errAbsent }
func (*Writer) CloseWithError(error) error                            { return errAbsent }
func (*Writer) Write([]byte) (int, error)                             { return 0, errAbsent }
