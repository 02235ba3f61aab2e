// Package iterator has the end of a list.
package iterator

import "errors"

// Done is the error at the end of a list.
var Done = errors.New("no more items in iterator")
