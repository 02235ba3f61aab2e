package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"requisite/api/spec"
	"requisite/docs"
	"requisite/internal/clientmodel"
	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/webhooks/event"
)

// site is all pages: their order in the navigation, and what they have in common.
type site struct {
	Parts     []part
	templates *template.Template
}

// part is the pages of a part in the navigation.
type part struct {
	Name   string
	Groups []pageGroup
}

// pageGroup is pages that the navigation shows together. Those of a group with a name are folded,
// except around the page that is shown.
type pageGroup struct {
	Name  string
	Pages []*page
}

// Open reports whether the navigation of a page shows the group's pages.
func (g pageGroup) Open(shown *page) bool { return slices.Contains(g.Pages, shown) }

func (p part) pages() (all []*page) {
	for _, g := range p.Groups {
		all = append(all, g.Pages...)
	}
	return all
}

// page is one page of the documentation.
type page struct {
	Path, Title string
	Class       string         // of the element main
	Operation   *pageOperation // nil for a page that is not of an operation
	Script      string         // that only this page loads
	Body        template.HTML
	Sections    []section // what the body contains
	tree        *node
}

// Contents are the sections in the navigation.
func (p *page) Contents() []section {
	return slices.DeleteFunc(slices.Clone(p.Sections), func(s section) bool { return s.Level > 2 })
}

func (s *site) pages() (all []*page) {
	for _, part := range s.Parts {
		all = append(all, part.pages()...)
	}
	return all
}

// Address is the path of an operation's page.
func Address(o spec.Operation) string { return "/docs/operations/" + o.Name }

type pageOperation struct {
	Name, Summary, About        string
	Writes, TryIt               bool
	Request, Data               pageFields
	Refusals                    []pageRefusal
	Others                      []string // general codes that only some operations return
	RequestExample, DataExample string
	Snippets                    []snippet
	Chapter                     chapter
	Step                        int    // of the onboarding, from 1; 0 for other operations
	Before, After               string // the steps around it
}

type pageField struct {
	Name, Type, Notes string
	Required          bool
}

// fieldRows is a table of fields of a request or of data, whose rows have anchors with this prefix.
type fieldRows struct {
	Prefix, Operation string
	Fields            []pageField
}

func rows(prefix, operation string, fields []pageField) fieldRows {
	return fieldRows{prefix, operation, fields}
}

func (r fieldRows) Request() bool { return r.Prefix == "request" }

// Heading is the heading of the column of names.
func (r fieldRows) Heading() string {
	if r.Request() {
		return "Field"
	}
	return "Field of data"
}

// Label names the table for a screen reader.
func (r fieldRows) Label() string {
	label := "Data of " + r.Operation
	if r.Request() {
		label = "Request of " + r.Operation
	}
	return label + ", from " + r.Fields[0].Name
}

// pageRefusal is a kind of refusal.
type pageRefusal struct {
	Status        int
	Code, SubCode string
	Name          string // the sub-code, or else the code
	Cause, Cure   string
	Answer        string   // the whole response in JSON
	Operations    []string // that can return it; empty for general codes
	Of            string   // the audience of a general code
}

// pageStep is a check that can refuse a request.
type pageStep struct {
	Refusals []pageRefusal // empty for the step of the operation's own refusals
	When, Of string        // Of is empty if the step concerns every operation
}

type pageEvent struct {
	Type, About, Content string
	Fields               []pageField
}

// makeSite renders the content of all pages.
func (a *API) makeSite(api *huma.OpenAPI, calls *clientmodel.Snippets) (*site, error) {
	s := &site{}
	if err := s.parse(a.published); err != nil {
		return nil, err
	}
	operations, err := a.operations(api, calls)
	if err != nil {
		return nil, err
	}
	start, err := startData()
	if err != nil {
		return nil, err
	}
	signing, err := signingData()
	if err != nil {
		return nil, err
	}
	add := func(group *pageGroup, p *page, name string, data any) {
		if err != nil {
			return
		}
		if p.Body, err = s.body(name, data); err == nil {
			err = p.read()
		}
		group.Pages = append(group.Pages, p)
	}
	var first pageGroup
	addGuide := func(group *pageGroup, path, title string, source []byte) {
		body, failed := guide(source)
		if failed != nil && err == nil {
			err = fmt.Errorf("make the guide %s: %w", path, failed)
		}
		add(group, &page{Path: path, Title: title, Class: "guide"}, "guide", body)
	}
	add(&first, &page{Path: StartPage, Title: "Start"}, "start", start)
	addGuide(&first, "/docs/calling", "Calling and receiving", docs.Calling)
	addGuide(&first, "/docs/sandbox-days", "A year in one minute", docs.SandboxDays)
	add(&first, &page{Path: "/docs/signing", Title: "Signing a request"}, "signing", signing)
	add(&first, &page{Path: "/docs/conventions", Title: "What all operations share"}, "conventions", map[string]any{
		"Version": wire.Version, "Success": IndentedValue(api.Paths["/account.get"].Post.Responses["200"].Content[MediaJSON].Example),
		"Refused": IndentedValue(RefusalExample(string(refusal.WorkflowEnded))), "Generators": Generators,
	})
	add(&first, &page{Path: refusal.DocPage, Title: "Refusals and warnings"}, "errors", catalogue(operations))
	if a.TryIt {
		add(&first, &page{Path: tryPage, Title: "Try it", Script: "/docs/try.js"}, "try", tryData(operations))
	}
	s.Parts = []part{{Groups: []pageGroup{first}}}
	for _, c := range chapters() {
		var top pageGroup
		add(&top, &page{Path: c.Path, Title: c.Name}, "chapter", chapterData{c, operations})
		switch c.Path {
		case reviewsPage:
			addGuide(&top, "/docs/rules", "Writing rules", docs.Rules)
		case webhooksPage:
			add(&top, &page{Path: "/docs/events", Title: "Webhook events"}, "events", map[string]any{
				"Arrives": arrivingWebhook(), "Receive": start.Steps["5"], "Events": a.events(api),
			})
		}
		groups := []pageGroup{top}
		for _, g := range c.Groups {
			group := pageGroup{Name: g.Name}
			if g.Name == "" {
				group, groups = groups[0], nil
			}
			for _, name := range g.Operations {
				o := operations[name]
				add(&group, &page{Path: Address(spec.Operation{Name: name}), Title: name, Operation: o}, "operation", o)
			}
			groups = append(groups, group)
		}
		s.Parts = append(s.Parts, part{Name: c.Name, Groups: groups})
	}
	return s, err
}

// chapterData is what the page of a chapter shows.
type chapterData struct {
	chapter
	Described map[string]*pageOperation
}

// tryPage has the form that signs and sends requests.
const tryPage = "/docs/try"

// tryOperation is an operation in the form, with the body of its example.
type tryOperation struct {
	Name   string `json:"name"`
	Writes bool   `json:"writes"`
	Body   string `json:"body"`
}

// tryData returns the operations of the form in the order of the parts, in JSON, by part.
func tryData(operations map[string]*pageOperation) string {
	type choice struct {
		Part       string         `json:"part"`
		Operations []tryOperation `json:"operations"`
	}
	var choices []choice
	for _, c := range chapters() {
		of := choice{Part: c.Name}
		for _, g := range c.Groups {
			for _, name := range g.Operations {
				o := operations[name]
				of.Operations = append(of.Operations, tryOperation{name, o.Writes, o.RequestExample})
			}
		}
		choices = append(choices, of)
	}
	return IndentedValue(choices)
}

// parse reads the templates. In them, operation and code link to an operation and to a
// code or sub-code.
func (s *site) parse(published []operation) (err error) {
	s.templates, err = template.New("").Funcs(template.FuncMap{
		"operation": func(name string) (string, error) {
			i := slices.IndexFunc(published, func(o operation) bool { return o.Name == name })
			if i < 0 {
				return "", fmt.Errorf("there is no operation %s", name)
			}
			return Address(published[i].Operation), nil
		},
		"colored": colored,
		"rows":    rows,
		"slug":    func(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") },
		"code":    func(name string) string { return refusal.DocPage + "#" + name },
		"breakable": func(name string) template.HTML { // after dots, on a narrow screen
			return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(name), ".", ".<wbr/>"))
		},
	}).ParseFS(pageFiles, "docs/pages/*.html")
	return err
}

// pageOperation describes an operation.
func (a *API) pageOperation(api *huma.OpenAPI, calls *clientmodel.Snippets, o operation) (*pageOperation, error) {
	f := Fields{api.Components.Schemas}
	described, shown := api.Paths["/"+o.Name].Post, OperationExamples()[o.Name]
	page := &pageOperation{
		Name: o.Name, Summary: o.Summary, About: strings.ReplaceAll(described.Description, "`", ""), Writes: o.Writes,
		Request:        pageFields{Main: f.List("", described.RequestBody.Content[MediaJSON].Schema)},
		Data:           pageFields{Main: f.List("", described.Responses["200"].Content[MediaJSON].Schema.Properties["data"])},
		RequestExample: indent(shown.Request),
		DataExample:    IndentedValue(described.Responses["200"].Content[MediaJSON].Example),
		Others:         spec.Texts(o.others()...),
		TryIt:          a.TryIt,
	}
	for _, refused := range shown.Refusals {
		page.Refusals = append(page.Refusals, shownRefusal(refused))
	}
	var err error
	page.Snippets, err = CallSnippets(calls, o.Operation, shown.Request)
	return page, err
}

// events describes what the events contain.
func (a *API) events(api *huma.OpenAPI) (events []pageEvent) {
	f := Fields{api.Components.Schemas}
	for _, t := range domain.EventTypes() {
		about, _ := event.Describe(t)
		content := api.Components.Schemas.Map()[Camel(string(t))+"Content"]
		events = append(events, pageEvent{
			Type: string(t), About: about.About, Content: IndentedValue(EventContentExample(about)), Fields: f.List("", content),
		})
	}
	return events
}

// arrivingWebhook shows the request of a webhook, with its headers.
func arrivingWebhook() string {
	about, _ := event.Describe(domain.WorkflowCompleted)
	event := eventExample(domain.WorkflowCompleted, about)
	return fmt.Sprintf("POST /webhooks HTTP/1.1\nContent-Type: application/json\nwebhook-id: %s\nwebhook-timestamp: 1795167000\n\n%s",
		event["id"], IndentedValue(event))
}

// errorsData is the catalogue of refusals.
type errorsData struct {
	Precedence                []pageStep
	Codes, SubCodes, Warnings []pageRefusal
	Problems                  []refusal.ProblemCode
}

// catalogue returns all codes, sub-codes and warnings, with the operations that answer
// them.
func catalogue(described map[string]*pageOperation) errorsData {
	users := map[string][]string{}
	for _, o := range described {
		for _, r := range o.Refusals {
			users[r.Name] = append(users[r.Name], o.Name)
			if r.SubCode != "" {
				users[r.Code] = append(users[r.Code], o.Name)
			}
		}
	}
	operations := func(name string) []string { return slices.Compact(slices.Sorted(slices.Values(users[name]))) }
	data := errorsData{Problems: refusal.ProblemCodes()}
	for _, s := range Precedence {
		shown := pageStep{When: s.When}
		for _, code := range s.Codes {
			shown.Refusals = append(shown.Refusals, shownRefusal(string(code)))
		}
		if s.Of.Words != AnyOperation.Words && s.Of.Words != NoOperation.Words {
			shown.Of = s.Of.Words
		}
		data.Precedence = append(data.Precedence, shown)
	}
	for _, code := range refusal.Codes() {
		example := string(code)
		if code == refusal.SystemRuleViolation {
			example = string(refusal.WorkflowEnded)
		}
		words, _ := code.Words()
		entry := pageRefusal{
			Name:   string(code),
			Code:   string(code),
			Status: code.Status(),
			Cause:  words.Cause,
			Cure:   words.Cure,
			Answer: IndentedValue(RefusalExample(example)),
		}
		if entry.Of = audienceWords(code); entry.Of == "" {
			entry.Operations = operations(string(code))
		}
		data.Codes = append(data.Codes, entry)
	}
	for _, sub := range refusal.SubCodes() {
		entry := shownRefusal(string(sub))
		entry.Operations = operations(string(sub))
		data.SubCodes = append(data.SubCodes, entry)
	}
	for _, code := range refusal.WarningCodes() {
		words, _ := refusal.WarningWords(code)
		data.Warnings = append(data.Warnings, pageRefusal{Name: string(code), Cause: words.Cause, Cure: words.Cure})
	}
	return data
}

// shownRefusal describes the refusal of an example.
func shownRefusal(name string) pageRefusal {
	entry := Parsed(RefusalExamples()[name]).(map[string]any)
	words := refusalWords(name)
	r := pageRefusal{Code: entry["code"].(string), Cause: words.Cause, Cure: words.Cure, Answer: IndentedValue(RefusalExample(name))}
	r.Status = refusal.Code(r.Code).Status()
	r.Name = r.Code
	if sub, ok := entry["sub_code"].(string); ok {
		r.SubCode, r.Name = sub, sub
	}
	return r
}

func indent(example string) string {
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(example), "", "  "); err != nil {
		panic(fmt.Sprintf("example %q: %v", example, err))
	}
	return out.String()
}

func IndentedValue(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Sprintf("example %v: %v", value, err))
	}
	return strings.TrimSuffix(out.String(), "\n")
}
