package webhook

import (
	"reflect"
)

// EnvelopeType is the type of a webhook's body, for its description.
func EnvelopeType() reflect.Type { return reflect.TypeFor[clear]() }

// Common are the fields that the content of every event has, as Payload writes
// them, for its description.
type Common struct {
	Version     string `json:"version" doc:"The version of the content's form."`
	WorkflowID  string `json:"workflow_id,omitempty"`
	UserContext struct {
		UserID   string `json:"user_id" doc:"The name of the credential, or SYSTEM."`
		UserType string `json:"user_type" enum:"API_KEY,SYSTEM"`
	} `json:"user_context"`
}
