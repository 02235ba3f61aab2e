package reference

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"sync"
	"time"

	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/webhooks/event"
)

// A file is named after an operation, or after the code or sub-code of a refusal.
//
//go:embed examples/operations/*.json examples/refusals/*.json
var exampleFiles embed.FS

// example is a valid request of an operation, the data of its response, and the names of
// the operation's own refusals.
type example struct {
	Request, Data string
	Refusals      []string // names in RefusalExamples
}

// OperationExamples returns the examples by operation.
var OperationExamples = sync.OnceValue(func() map[string]example {
	examples := map[string]example{}
	for name, text := range readExamples("operations") {
		var file struct {
			Request  json.RawMessage `json:"request"`
			Data     json.RawMessage `json:"data"`
			Refusals []string        `json:"refusals"`
		}
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&file); err != nil {
			panic(fmt.Sprintf("example of %s: %v", name, err))
		}
		examples[name] = example{string(file.Request), string(file.Data), file.Refusals}
	}
	return examples
})

// RefusalExamples returns entries of errors, by sub-code, or else by code.
var RefusalExamples = sync.OnceValue(func() map[string]string {
	examples := readExamples("refusals")
	for name, text := range examples {
		var entry refusal.Refusal
		if err := json.Unmarshal([]byte(text), &entry); err != nil {
			panic(fmt.Sprintf("example of %s: %v", name, err))
		}
		examples[name] = fmt.Sprintf("%s,\"doc_url\":%q}", strings.TrimSuffix(text, "}"), entry.Documented().DocURL)
	}
	return examples
})

// readExamples returns the compact JSON of the examples in a folder, by name. It panics if
// one is invalid: they are part of the program, and a test reads them all.
func readExamples(folder string) map[string]string {
	files, err := exampleFiles.ReadDir(path.Join("examples", folder))
	if err != nil {
		panic(err)
	}
	examples := map[string]string{}
	for _, file := range files {
		text, err := exampleFiles.ReadFile(path.Join("examples", folder, file.Name()))
		if err != nil {
			panic(err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, text); err != nil {
			panic(fmt.Sprintf("example %s/%s: %v", folder, file.Name(), err))
		}
		examples[strings.TrimSuffix(file.Name(), ".json")] = compact.String()
	}
	return examples
}

// exampleRecords returns the records in the examples of events.
func exampleRecords() event.Named {
	return event.Named{
		Workflow: id.Must[id.WorkflowID]("w_3517YD0mEch3XgoqAzO2l"), Business: id.Must[id.BusinessID]("b_3517YD0aGgcZCEBmBoXin"),
		Document: id.Must[id.RequiredDocumentID]("rd_3517cQJO4cb00O2yCRsv0"), Config: id.Must[id.WebhookConfigID]("whc_3517YD5A0iJeUxESuN6dM"),
		Decision: id.Must[id.DecisionID]("dec_3517cQJO4cb00O2yCRsw9"), Version: id.Must[id.RuleSetVersionID]("rul_3517cQGqmMUST1PmoPgGf"),
		Delivery: id.Must[id.WebhookDeliveryID]("whd_3517YD8O1yBC7Fm4MYr0z"), Event: id.Must[id.WebhookEventID]("wh_3517YD8NUCRTf0PJou2uq"),
		KeyID: "whk_20261120_01", At: time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC),
	}
}
