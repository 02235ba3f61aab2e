// Package workercomponent stands for the workflows that start workers at cloud providers. Here are none.
package workercomponent

import "go.uber.org/fx"

// Module provides nothing.
var Module = fx.Options()
