// Package types has the values and errors of S3 that the server names.
package types

type (
	// CommonPrefix is a folder.
	CommonPrefix struct{ Prefix *string }
	// Object is a file.
	Object struct{ Key *string }
	// NoSuchBucket and NoSuchKey are errors that nobody returns.
	NoSuchBucket struct{}
	NoSuchKey    struct{}
)

func (*NoSuchBucket) Error() string { return "no such bucket" }
func (*NoSuchKey) Error() string    { return "no such key" }
