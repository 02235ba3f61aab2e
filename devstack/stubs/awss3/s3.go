// Package s3 stands for the client of Amazon S3, in which the server can archive. devstack archives nothing.
package s3

import (
	"context"
	"errors"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

var errAbsent = errors.New("devstack has no clients of Amazon Web Services")

type (
	// Client fails in everything.
	Client struct{}
	// Options has the settings that the server makes.
	Options struct {
		BaseEndpoint *string
		UsePathStyle bool
	}
	// GetObjectInput asks for a file.
	GetObjectInput struct{ Bucket, Key *string }
	// GetObjectOutput is a file.
	GetObjectOutput struct{ Body io.ReadCloser }
	// HeadBucketInput asks for a bucket.
	HeadBucketInput struct{ Bucket *string }
	// HeadBucketOutput is a bucket.
	HeadBucketOutput struct{}
	// HeadObjectInput asks about a file.
	HeadObjectInput struct{ Bucket, Key *string }
	// HeadObjectOutput is about a file.
	HeadObjectOutput struct{}
	// ListObjectsV2Input asks for a list.
	ListObjectsV2Input struct {
		Bucket, ContinuationToken, Delimiter, Prefix *string
		MaxKeys                                      *int32
	}
	// ListObjectsV2Output is a list.
	ListObjectsV2Output struct {
		CommonPrefixes        []types.CommonPrefix
		Contents              []types.Object
		IsTruncated           *bool
		NextContinuationToken *string
	}
	// PutObjectInput is a file to store.
	PutObjectInput struct {
		Bucket, Key *string
		Body        io.Reader
	}
	// PutObjectOutput is the answer to it.
	PutObjectOutput struct{}
)

// NewFromConfig returns a client that fails in everything.
func NewFromConfig(aws.Config, ...func(*Options)) *Client { return &Client{} }

func (*Client) GetObject(context.Context, *GetObjectInput, ...func(*Options)) (*GetObjectOutput, error) {
	return nil, errAbsent
}

func (*Client) HeadBucket(context.Context, *HeadBucketInput, ...func(*Options)) (*HeadBucketOutput, error) {
	return nil, errAbsent
}

func (*Client) HeadObject(context.Context, *HeadObjectInput, ...func(*Options)) (*HeadObjectOutput, error) {
	return nil, errAbsent
}

func (*Client) ListObjectsV2(context.Context, *ListObjectsV2Input, ...func(*Options)) (*ListObjectsV2Output, error) {
	return nil, errAbsent
}

func (*Client) PutObject(context.Context, *PutObjectInput, ...func(*Options)) (*PutObjectOutput, error) {
	return nil, errAbsent
}
