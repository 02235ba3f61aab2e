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
	TryIt     bool
	templates *template.Template
}

// part is a group of pages in the navigation.
type part struct {
	Name  string
	Pages []*page
}

// page is one page of the documentation.
type page struct {
	Path, Title string
	Class       string // of the element main
	Operations  []pageOperation
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
		all = append(all, part.Pages...)
	}
	return all
}

// pageGroup is the operations whose names begin with the same word.
type pageGroup struct {
	Name, About string
	Operations  []pageOperation
}

// Path is the path of the group's page.
func (g pageGroup) Path() string { return groupPath(g.Name) }

// Title is the group's name in the navigation.
func (g pageGroup) Title() string { return g.Name }

func groupPath(name string) string { return "/docs/operations/" + name }

// Address is the path and anchor of an operation in the pages.
func Address(o spec.Operation) string { return groupPath(operation{o}.tag()) + "#" + o.Name }

type pageOperation struct {
	Name, Summary, About        string
	Writes                      bool
	Request, Data               []pageField
	Refusals                    []pageRefusal
	Others                      []string // general codes that only some operations return
	RequestExample, DataExample string
	Snippets                    []snippet
}

type pageField struct {
	Name, Type, Notes string
	Required          bool
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
	s := &site{TryIt: a.TryIt}
	if err := s.parse(a.published); err != nil {
		return nil, err
	}
	groups, err := a.groups(api, calls)
	if err != nil {
		return nil, err
	}
	start, err := startData(groups)
	if err != nil {
		return nil, err
	}
	signing, err := signingData()
	if err != nil {
		return nil, err
	}
	add := func(part *part, p *page, name string, data any) {
		if err != nil {
			return
		}
		if p.Body, err = s.body(name, data); err == nil {
			err = p.read()
		}
		part.Pages = append(part.Pages, p)
	}
	var first, operations, more, guides part
	add(&first, &page{Path: StartPage, Title: "Start"}, "start", start)
	add(&first, &page{Path: "/docs/signing", Title: "Signing a request"}, "signing", signing)
	add(&first, &page{Path: "/docs/conventions", Title: "What all operations share"}, "conventions", map[string]string{
		"Version": wire.Version, "Success": IndentedValue(api.Paths["/account.get"].Post.Responses["200"].Content[MediaJSON].Example),
		"Refused": IndentedValue(RefusalExample(string(refusal.WorkflowEnded))),
	})
	operations.Name = "Operations"
	for _, g := range groups {
		add(&operations, &page{Path: g.Path(), Title: g.Title(), Operations: g.Operations}, "group", g)
	}
	more.Name = "Events and errors"
	add(&more, &page{Path: "/docs/events", Title: "Webhook events"}, "events", map[string]any{
		"Arrives": arrivingWebhook(), "Receive": start.Steps["5"], "Events": a.events(api),
	})
	add(&more, &page{Path: refusal.DocPage, Title: "Refusals and warnings"}, "errors", catalogue(groups))
	guides.Name = "Guides"
	for _, g := range []struct {
		path, title string
		source      []byte
	}{{"/docs/calling", "Calling and receiving", docs.Calling}, {"/docs/rules", "Writing rules", docs.Rules}} {
		body, failed := guide(g.source)
		if failed != nil {
			return nil, fmt.Errorf("make the guide %s: %w", g.path, failed)
		}
		add(&guides, &page{Path: g.path, Title: g.title, Class: "guide"}, "guide", body)
	}
	s.Parts = []part{first, operations, more, guides}
	return s, err
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
		"code":    func(name string) string { return refusal.DocPage + "#" + name },
		"breakable": func(name string) template.HTML { // after dots, on a narrow screen
			return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(name), ".", ".<wbr/>"))
		},
	}).ParseFS(pageFiles, "docs/pages/*.html")
	return err
}

// groups describes all operations.
func (a *API) groups(api *huma.OpenAPI, calls *clientmodel.Snippets) (groups []pageGroup, err error) {
	f := Fields{api.Components.Schemas}
	for _, tag := range api.Tags {
		group := pageGroup{Name: tag.Name, About: tag.Description}
		for _, o := range a.published {
			name, shown := o.Name, OperationExamples()[o.Name]
			if o.tag() != tag.Name {
				continue
			}
			described := api.Paths["/"+name].Post
			operation := pageOperation{
				Name: name, Summary: o.Summary, About: strings.ReplaceAll(described.Description, "`", ""), Writes: o.Writes,
				Request:        f.List("", described.RequestBody.Content[MediaJSON].Schema),
				Data:           f.List("", described.Responses["200"].Content[MediaJSON].Schema.Properties["data"]),
				RequestExample: indent(shown.Request),
				DataExample:    IndentedValue(described.Responses["200"].Content[MediaJSON].Example),
				Others:         spec.Texts(o.others()...),
			}
			if operation.Snippets, err = CallSnippets(calls, o.Operation, shown.Request); err != nil {
				return nil, err
			}
			for _, refused := range shown.Refusals {
				operation.Refusals = append(operation.Refusals, shownRefusal(refused))
			}
			group.Operations = append(group.Operations, operation)
		}
		groups = append(groups, group)
	}
	return groups, nil
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
func catalogue(groups []pageGroup) errorsData {
	users := map[string][]string{}
	for _, g := range groups {
		for _, o := range g.Operations {
			for _, r := range o.Refusals {
				users[r.Name] = append(users[r.Name], o.Name)
				if r.SubCode != "" {
					users[r.Code] = append(users[r.Code], o.Name)
				}
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
