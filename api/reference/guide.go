package reference

import (
	"bytes"
	"fmt"
	"html/template"
	"net/url"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	source "github.com/yuin/goldmark/text"
)

// guidePage is a guide of docs/, rendered.
type guidePage struct {
	Title    string
	Contents []heading
	Body     template.HTML
}

type heading struct {
	ID, Text string
	Level    int
}

// guide renders Markdown. It turns a link to a file that the api does not serve into
// plain text.
func guide(markdown []byte) (guidePage, error) {
	renderer := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	document := renderer.Parser().Parse(source.NewReader(markdown))
	var page guidePage
	var unserved []ast.Node
	err := ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			id, _ := n.AttributeString("id")
			h := heading{ID: fmt.Sprintf("%s", id), Text: plainText(n, markdown), Level: n.Level}
			if page.Title == "" {
				page.Title = h.Text
			} else if n.Level <= 2 {
				page.Contents = append(page.Contents, h)
			}
		case *ast.Link:
			target, served := servedAt(string(n.Destination))
			n.Destination = []byte(target)
			if !served {
				unserved = append(unserved, n)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return page, err
	}
	for _, n := range unserved {
		for child := n.FirstChild(); child != nil; child = n.FirstChild() {
			n.Parent().InsertBefore(n.Parent(), n, child)
		}
		n.Parent().RemoveChild(n.Parent(), n)
	}
	var out bytes.Buffer
	if err := renderer.Renderer().Render(&out, markdown, document); err != nil {
		return page, err
	}
	// This is safe: the guides are our own, and goldmark leaves out raw HTML.
	page.Body = template.HTML(out.String())
	return page, nil
}

func plainText(n ast.Node, markdown []byte) string {
	var words strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if t, is := child.(*ast.Text); is {
			words.Write(t.Segment.Value(markdown))
			if t.SoftLineBreak() {
				words.WriteByte(' ')
			}
			continue
		}
		words.WriteString(plainText(child, markdown))
	}
	return words.String()
}

// servedAt returns the address of the target of a link; false if the api does not serve it.
func servedAt(target string) (string, bool) {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "" || u.Path == "" {
		return target, err == nil
	}
	paths := map[string]string{
		"rules.md": "/docs/rules", "calling.md": "/docs/calling", "rules.schema.json": "/docs/rules.schema.json",
		"signature-vectors.json": "/docs/signature-vectors.json", "webhook-vectors.json": "/docs/webhook-vectors.json",
	}
	path, served := paths[u.Path]
	u.Path = path
	return u.String(), served
}
