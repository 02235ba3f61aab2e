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
	Sequence    int64  `json:"sequence,omitempty" minimum:"1" doc:"The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher is right."`
	Replay      bool   `json:"replay,omitempty" doc:"true when webhook.event.replay sent the event."`
	Test        bool   `json:"test,omitempty" doc:"true when webhook.config.test sent the event: it is an example, and has not happened."`
	UserContext struct {
		UserID   string `json:"user_id" doc:"The name of the credential, or SYSTEM."`
		UserType string `json:"user_type"`
	} `json:"user_context"`
}
