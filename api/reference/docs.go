package reference

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"requisite/docs"
	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
)

//go:embed docs/page.html docs/guide.html docs/style.css docs/page.js docs/try.js docs/snippets
var pageFiles embed.FS

// served is a document that anybody can read without a signature.
type served struct {
	Media string
	Body  []byte
}

// pages are the documents by path.
type pages map[string]served

// StartPage is the target of /.
const StartPage = "/docs"

const (
	MediaHTML = "text/html; charset=utf-8"
	MediaJSON = "application/json"
)

func (a *API) MakePages() (pages, error) {
	api := a.Describe()
	description, err := json.Marshal(api)
	if err != nil {
		return nil, fmt.Errorf("describe the API: %w", err)
	}
	made := pages{
		"/openapi.json":                {MediaJSON, description},
		"/docs/rules.schema.json":      {"application/schema+json", docs.RulesSchema},
		"/docs/signature-vectors.json": {MediaJSON, docs.SignatureVectors},
		"/docs/webhook-vectors.json":   {MediaJSON, docs.WebhookVectors},
	}
	scripts := map[string]string{"style.css": "text/css; charset=utf-8", "page.js": "text/javascript; charset=utf-8"}
	if a.TryIt {
		scripts["try.js"] = scripts["page.js"]
	}
	for name, media := range scripts {
		body, err := pageFiles.ReadFile("docs/" + name)
		if err != nil {
			return nil, err
		}
		made["/docs/"+name] = served{media, body}
	}
	data, err := a.pageData(api)
	if err != nil {
		return nil, fmt.Errorf("make the API's page: %w", err)
	}
	if made[StartPage], err = render("page.html", data); err != nil {
		return nil, err
	}
	for path, source := range map[string][]byte{"/docs/rules": docs.Rules, "/docs/calling": docs.Calling} {
		guide, err := guide(source)
		if err != nil {
			return nil, fmt.Errorf("make the guide %s: %w", path, err)
		}
		if made[path], err = render("guide.html", guide); err != nil {
			return nil, err
		}
	}
	return made, nil
}

func render(name string, data any) (served, error) {
	page, err := template.ParseFS(pageFiles, "docs/"+name)
	if err != nil {
		return served{}, err
	}
	var out bytes.Buffer
	err = page.Execute(&out, data)
	return served{MediaHTML, out.Bytes()}, err
}

// Page serves a document, and redirects / to the start page. It returns false for any
// other path. err is the error of writing the response.
func (a *API) Page(w http.ResponseWriter, r *http.Request) (is bool, err error) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false, nil
	}
	if r.URL.Path == "/" {
		http.Redirect(w, r, StartPage, http.StatusFound)
		return true, nil
	}
	document, is := a.Pages[r.URL.Path]
	if !is {
		return false, nil
	}
	if document.Media == MediaHTML {
		// Pages load nothing from other hosts. Only the form of TryIt calls the API.
		policy := "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
		if a.TryIt {
			policy += "; connect-src 'self'"
		}
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Referrer-Policy", "no-referrer")
	}
	w.Header().Set("Content-Type", document.Media)
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, err = w.Write(document.Body)
	return true, err
}

type pageData struct {
	Version    string
	TryIt      bool
	Signing    []snippet
	Vector     signedRequest
	Groups     []pageGroup
	Precedence []pageStep
	Codes      []pageRefusal
	SubCodes   []pageRefusal
	Warnings   []pageRefusal
	Success    string
	Events     []pageEvent
}

type snippet struct{ Language, Text string }

type pageGroup struct {
	Name, About string
	Operations  []pageOperation
}

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

func (a *API) pageData(api *huma.OpenAPI) (pageData, error) {
	f := Fields{api.Components.Schemas}
	data := pageData{Version: wire.Version, TryIt: a.TryIt}
	var err error
	if data.Vector, err = ExampleSignature(); err != nil {
		return data, err
	}
	for _, c := range []snippet{{"Shell", "sign.sh"}, {"Go", "go/main.go"}, {"TypeScript", "sign.ts"}, {"Python", "sign.py"}} {
		text, err := pageFiles.ReadFile("docs/snippets/" + c.Text)
		if err != nil {
			return data, err
		}
		data.Signing = append(data.Signing, snippet{c.Language, string(text)})
	}
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
	users := map[string][]string{}
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
				Snippets:       CallSnippets(o, shown.Request),
				Others:         Texts(o.others()...),
			}
			if name == "account.get" {
				data.Success = operation.DataExample
			}
			for _, refused := range shown.Refusals {
				r := shownRefusal(refused)
				operation.Refusals = append(operation.Refusals, r)
				users[r.Name] = append(users[r.Name], name)
				if r.SubCode != "" {
					users[r.Code] = append(users[r.Code], name)
				}
			}
			group.Operations = append(group.Operations, operation)
		}
		data.Groups = append(data.Groups, group)
	}
	data.Codes, data.SubCodes, data.Warnings = catalogue(users)
	for _, t := range domain.EventTypes() {
		about, _ := t.Describe()
		content := api.Components.Schemas.Map()[Camel(string(t))+"Content"]
		data.Events = append(data.Events, pageEvent{
			Type: string(t), About: about.About, Content: IndentedValue(EventContentExample(about)), Fields: f.List("", content),
		})
	}
	return data, nil
}

// catalogue returns all codes, sub-codes and warnings. users are operations by code.
func catalogue(users map[string][]string) (codes, subCodes, warnings []pageRefusal) {
	operations := func(name string) []string { return slices.Compact(slices.Sorted(slices.Values(users[name]))) }
	for _, code := range refusal.Codes() {
		example := string(code)
		if code == refusal.SystemRuleViolation {
			example = string(refusal.WorkflowEnded)
		}
		words, _ := code.Words()
		entry := pageRefusal{Name: string(code), Code: string(code), Status: code.Status(), Cause: words.Cause, Cure: words.Cure, Answer: IndentedValue(RefusalExample(example))}
		if entry.Of = audienceWords(code); entry.Of == "" {
			entry.Operations = operations(string(code))
		}
		codes = append(codes, entry)
	}
	for _, sub := range refusal.SubCodes() {
		entry := shownRefusal(string(sub))
		entry.Operations = operations(string(sub))
		subCodes = append(subCodes, entry)
	}
	for _, code := range refusal.WarningCodes() {
		words, _ := refusal.WarningWords(code)
		warnings = append(warnings, pageRefusal{Name: code, Cause: words.Cause, Cure: words.Cure})
	}
	return codes, subCodes, warnings
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

// Fields describes the fields of published schemas.
type Fields struct{ Schemas huma.Registry }

// List lists the fields of an object in dotted form. At each level the required fields
// come first. It does not enter a type again that is among around, its enclosing types.
func (f Fields) List(path string, schema *huma.Schema, around ...*huma.Schema) []pageField {
	schema, _ = f.resolve(schema)
	if slices.Contains(around, schema) {
		return nil
	}
	around = append(slices.Clone(around), schema)
	names := slices.SortedFunc(maps.Keys(schema.Properties), func(a, b string) int {
		if first := slices.Contains(schema.Required, a); first != slices.Contains(schema.Required, b) {
			if first {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	var list []pageField
	for _, name := range names {
		property := schema.Properties[name]
		at := path + name
		list = append(list, pageField{Name: at, Type: f.typeName(property), Notes: f.notes(property), Required: slices.Contains(schema.Required, name)})
		inner, _ := f.resolve(property)
		if inner.Type == huma.TypeArray {
			at += "[]"
			inner, _ = f.resolve(inner.Items)
		}
		list = append(list, f.List(at+".", inner, around...)...)
	}
	return list
}

// resolve follows references. It returns the schema of a nullable without null.
func (f Fields) resolve(schema *huma.Schema) (resolved *huma.Schema, nullable bool) {
	for {
		switch {
		case schema.Ref != "":
			schema = f.Schemas.Map()[strings.TrimPrefix(schema.Ref, SchemaPrefix)]
		case len(schema.OneOf) == 2 && schema.OneOf[1].Type == "null":
			schema, nullable = schema.OneOf[0], true
		default:
			return schema, nullable || schema.Nullable
		}
	}
}

func (f Fields) typeName(s *huma.Schema) string {
	inner, nullable := f.resolve(s)
	name := inner.Type
	switch {
	case inner.Type == huma.TypeArray:
		name = "list of " + f.typeName(inner.Items)
	case inner.Format == "date", inner.Format == "date-time":
		name = inner.Format
	case inner.Extensions["type"] != nil:
		name = fmt.Sprint(inner.Extensions["type"])
	case name == "":
		name = "any"
	}
	if nullable {
		name += " or null"
	}
	return name
}

// notes returns the description, the values and the limits of a field.
func (f Fields) notes(s *huma.Schema) string {
	inner, _ := f.resolve(s)
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	switch {
	case s.Description != "":
		add("%s", s.Description)
	case inner.Description != "" && inner.Extensions == nil:
		add("%s", inner.Description)
	}
	if s.Ref == SchemaPrefix+RuleSet || s.Ref == SchemaPrefix+PublishedRuleSet {
		add("See the guide to rules, /docs/rules.")
	}
	limited := inner
	if inner.Type == huma.TypeArray {
		limited, _ = f.resolve(inner.Items)
	}
	if len(limited.Enum) > 0 {
		values := make([]string, len(limited.Enum))
		for i, v := range limited.Enum {
			values[i] = fmt.Sprint(v)
		}
		if len(values) == 1 {
			add("Always %s.", values[0])
		} else {
			add("One of %s.", strings.Join(values, ", "))
		}
	}
	if limited != inner && limited.Type != huma.TypeObject && limited.Description != "" && len(limited.Enum) == 0 {
		add("Each: %s", limited.Description)
	}
	add("%s", limits(inner))
	return strings.TrimSpace(strings.Join(parts, " "))
}

// limits describes the bounds of a value.
func limits(s *huma.Schema) string {
	var parts []string
	between := func(least, most *int, unit string) {
		switch {
		case least != nil && most != nil:
			parts = append(parts, fmt.Sprintf("%d to %d %s.", *least, *most, unit))
		case least != nil:
			parts = append(parts, fmt.Sprintf("At least %d %s.", *least, unit))
		case most != nil:
			parts = append(parts, fmt.Sprintf("At most %d %s.", *most, unit))
		}
	}
	between(s.MinLength, s.MaxLength, "characters")
	between(s.MinItems, s.MaxItems, "elements")
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	if s.Minimum != nil {
		parts = append(parts, "Not less than "+number(*s.Minimum)+".")
	}
	if s.Maximum != nil {
		parts = append(parts, "Not more than "+number(*s.Maximum)+".")
	}
	if s.ExclusiveMaximum != nil {
		parts = append(parts, "Less than "+number(*s.ExclusiveMaximum)+".")
	}
	return strings.Join(parts, " ")
}
