package reference

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// callersWords are what callers call things that the pages call otherwise, by the address of what they
// look for. The search puts them first.
var callersWords = map[string][]string{
	"/docs#step-1":                                      {"install", "install a client", "npm", "pip", "go get", "sdk"},
	"/docs/conventions#timeouts":                        {"async", "asynchronous", "long running", "polling"},
	"/docs/conventions#repeating":                       {"idempotency", "idempotent", "dedupe requests", "double submit"},
	"/docs/conventions#versions":                        {"versioning", "api version", "breaking change", "deprecation", "compatibility"},
	"/docs/conventions#limits":                          {"rate limit", "throttling", "quota"},
	"/docs/conventions#lists":                           {"pagination", "cursor"},
	"/docs/conventions#generators":                      {"codegen", "generate a client", "openapi generator"},
	"/docs/signing":                                     {"authentication", "authorization", "hmac", "api key"},
	"/docs/calling#drop-repeats":                        {"dedupe", "deduplicate", "duplicate event", "exactly once"},
	"/docs/calling#verify-and-decrypt":                  {"verify signature", "verify webhook"},
	"/docs/calling#change-a-key":                        {"rotate key", "key rotation", "rotate secret"},
	"/docs/calling#test-your-error-handling":            {"sandbox", "sandbox header", "simulate error"},
	"/docs/sandbox-days":                                {"sandbox clock", "time travel", "test expiry", "x-sandbox-today", "sandbox date"},
	"/docs/rules#persons":                               {"beneficial owner", "ubo", "owner", "shareholder", "director"},
	"/docs/operations/workflow.requiredDocument.update": {"approve document", "reject document", "review document", "upload document", "evidence"},
	"/docs/operations/workflow.requiredDocument.waive":  {"waive document", "skip document", "exception"},
	"/docs/operations/account.documentRules.preview":    {"dry run", "simulate rules", "what if"},
	"/docs/operations/workflow.decision.get":            {"audit trail", "audit log"},
	"/docs/webhooks#send-again":                         {"resend", "redeliver", "send again", "missed webhook"},
	"/docs/webhooks":                                    {"webhook not received", "webhook failed"},
	"/docs/operations/business.create":                  {"create merchant", "create applicant", "create company", "onboard"},
	"/docs/operations/workflow.create":                  {"create application", "open application"},
	"/docs/operations/webhook.config.create":            {"subscribe", "register webhook", "add endpoint"},
	"/docs/operations/workflow.requiredDocument.create": {"add document", "request document"},
}

// searchIndex returns a script with the data of the search. Each page has its path, its title and
// its sections. Each section has its anchor, its title, its text with the codes of its tables, the
// anchors of its fields, and the words that callers have for it. The page of an operation is one section
// without an anchor. It returns an error if callersWords has an address that is none.
func (s *site) searchIndex() ([]byte, error) {
	type indexed struct {
		Path      string `json:"path"`
		Title     string `json:"title"`
		Operation bool   `json:"operation,omitempty"`
		Sections  []any  `json:"sections"`
	}
	words := maps.Clone(callersWords)
	called := func(path, anchor string) []string {
		if anchor != "" {
			path += "#" + anchor
		}
		found := words[path]
		delete(words, path)
		if found == nil {
			return []string{}
		}
		return found
	}
	var index []indexed
	for _, p := range s.pages() {
		of := indexed{Path: p.Path, Title: p.Title, Operation: p.Operation != nil}
		if p.Operation != nil {
			var fields []string
			for _, found := range p.Sections {
				fields = append(fields, found.fields...)
			}
			of.Sections = []any{[]any{"", p.Title, p.Operation.Summary, strings.Join(fields, " "), called(p.Path, "")}}
		} else {
			of.Sections = []any{[]any{"", p.Title, "", "", called(p.Path, "")}}
			for _, found := range p.Sections {
				text := []rune(found.text)
				searched := append([]string{string(text[:min(searchable, len(text))])}, found.codes...)
				fields := make([]string, len(found.fields))
				for i, field := range found.fields {
					fields[i] = found.ID + ":" + field
				}
				of.Sections = append(of.Sections,
					[]any{found.ID, found.Title, strings.Join(searched, " "), strings.Join(fields, " "), called(p.Path, found.ID)})
			}
		}
		index = append(index, of)
	}
	if len(words) > 0 {
		return nil, fmt.Errorf("the search has words for addresses that do not exist: %q", slices.Sorted(maps.Keys(words)))
	}
	encoded, err := json.Marshal(index)
	return slices.Concat([]byte("globalThis.searchIndex = "), encoded, []byte(";\n")), err
}
