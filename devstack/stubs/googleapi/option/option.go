// Package option has the options of clients that nobody makes.
package option

import "golang.org/x/oauth2"

// ClientOption changes nothing.
type ClientOption struct{}

// WithTokenSource changes nothing.
func WithTokenSource(oauth2.TokenSource) ClientOption { return ClientOption{} }
