// Package docs holds the documents that programs hand out.
package docs

import _ "embed"

// RulesSchema is the JSON Schema (draft 2020-12) of a rule set's file.
//
//go:embed rules.schema.json
var RulesSchema []byte

// PricingSchema is the JSON Schema (draft 2020-12) of a pricing model's file.
//
//go:embed pricing.schema.json
var PricingSchema []byte

// Rules is the guide for rule authors, Calling the guide for callers, and SandboxDays tells how to try
// what days bring, in Markdown.
var (
	//go:embed rules.md
	Rules []byte
	//go:embed calling.md
	Calling []byte
	//go:embed sandbox-days.md
	SandboxDays []byte
)

// SignatureVectors are signed requests to try a client with.
//
//go:embed signature-vectors.json
var SignatureVectors []byte

// WebhookVectors are webhooks to try a receiver with.
//
//go:embed webhook-vectors.json
var WebhookVectors []byte
