package reference

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"requisite/docs"
	"requisite/internal/clientmodel"
)

//go:embed docs/pages docs/style.css docs/page.js docs/theme.js docs/try.js docs/snippets docs/start
var pageFiles embed.FS

// Document is a document that anybody can read without a signature.
type Document struct {
	Media string
	Body  []byte
	sum   string        // changes with the body, so that browsers load it once
	small func() []byte // the body in gzip
}

func serve(media string, body []byte) Document {
	sum := sha256.Sum256(body)
	return Document{media, body, base64.RawURLEncoding.EncodeToString(sum[:]), sync.OnceValue(func() []byte {
		var out bytes.Buffer
		packed := gzip.NewWriter(&out)
		_, _ = packed.Write(body) // a buffer takes everything
		_ = packed.Close()
		return out.Bytes()
	})}
}

// acceptsGzip matches a header Accept-Encoding that allows gzip.
var acceptsGzip = regexp.MustCompile(`(^|,)\s*gzip\s*(;\s*q=(1|0\.0*[1-9])\S*\s*)?(,|$)`)

// StartPage is the target of /.
const StartPage = "/docs"

const (
	MediaHTML = "text/html; charset=utf-8"
	MediaJSON = "application/json"
	mediaText = "text/plain; charset=utf-8"
)

// makePages makes all documents: the pages, the files that they load, all pages as one text,
// and the OpenAPI description.
func (a *API) makePages() (map[string]Document, error) {
	api := a.Describe()
	description, err := json.Marshal(api)
	if err != nil {
		return nil, fmt.Errorf("describe the API: %w", err)
	}
	made := map[string]Document{
		"/openapi.json":                serve(MediaJSON, description),
		"/docs/rules.schema.json":      serve("application/schema+json", docs.RulesSchema),
		"/docs/signature-vectors.json": serve(MediaJSON, docs.SignatureVectors),
		"/docs/webhook-vectors.json":   serve(MediaJSON, docs.WebhookVectors),
	}
	const script = "text/javascript; charset=utf-8"
	files := map[string]string{"style.css": "text/css; charset=utf-8", "page.js": script, "theme.js": script}
	if a.TryIt {
		files["try.js"] = script
	}
	for name, media := range files {
		if made["/docs/"+name], err = file(name, media); err != nil {
			return nil, err
		}
	}
	for _, programs := range [][]program{signPrograms, startPrograms} {
		for _, p := range programs {
			if made[p.Path()], err = file(p.Source, mediaText); err != nil {
				return nil, err
			}
		}
	}
	calls, err := clientmodel.NewSnippets(description)
	if err != nil {
		return nil, fmt.Errorf("write calls of the operations: %w", err)
	}
	site, err := a.makeSite(api, calls)
	if err != nil {
		return nil, fmt.Errorf("make the pages of the API: %w", err)
	}
	for _, p := range site.pages() {
		if _, taken := made[p.Path]; taken {
			return nil, fmt.Errorf("two documents have the path %s", p.Path)
		}
		if made[p.Path], err = site.render(p); err != nil {
			return nil, fmt.Errorf("make the page %s: %w", p.Path, err)
		}
	}
	index, err := site.searchIndex()
	if err != nil {
		return nil, fmt.Errorf("index the pages for the search: %w", err)
	}
	made["/docs/search.js"] = serve(script, index)
	made["/docs.md"] = serve("text/markdown; charset=utf-8", site.markdown())
	made["/llms.txt"] = serve(mediaText, site.index())
	return made, nil
}

func file(name, media string) (Document, error) {
	body, err := pageFiles.ReadFile("docs/" + name)
	return serve(media, body), err
}

// render puts a page into the layout.
func (s *site) render(p *page) (Document, error) {
	var out bytes.Buffer
	err := s.templates.ExecuteTemplate(&out, "layout", struct {
		*site
		Page *page
	}{s, p})
	return serve(MediaHTML, out.Bytes()), err
}

// body renders the content of a page with the template of the name.
func (s *site) body(name string, data any) (template.HTML, error) {
	var out bytes.Buffer
	err := s.templates.ExecuteTemplate(&out, name, data)
	return template.HTML(out.String()), err // the template has escaped it
}

// Page serves a document. It redirects / to the start page, and the path of a page with a slash at
// its end to the page. It returns false for any other path. err is the error of making or writing the response.
func (a *API) Page(w http.ResponseWriter, r *http.Request) (is bool, err error) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false, nil
	}
	if r.URL.Path == "/" {
		http.Redirect(w, r, StartPage, http.StatusFound)
		return true, nil
	}
	pages, err := a.Pages()
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return true, err
	}
	document, is := pages[r.URL.Path]
	if page := strings.TrimSuffix(r.URL.Path, "/"); !is && pages[page].Media == MediaHTML {
		http.Redirect(w, r, page, http.StatusFound)
		return true, nil
	}
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
	w.Header().Set("Vary", "Accept-Encoding")
	body, tag := document.Body, `"`+document.sum+`"`
	if acceptsGzip.MatchString(r.Header.Get("Accept-Encoding")) {
		body, tag = document.small(), `"`+document.sum+`-gzip"`
		w.Header().Set("Content-Encoding", "gzip")
	}
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.Header().Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return true, nil
	}
	_, err = w.Write(body)
	return true, err
}
