package reference

import (
	"bytes"
	"html/template"
	"net/url"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	source "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// guide renders Markdown. It turns a link to a file that the api does not serve into
// plain text.
func guide(markdown []byte) (template.HTML, error) {
	engine := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(fencedCode{}, 1))))
	document := engine.Parser().Parse(source.NewReader(markdown))
	var unserved []ast.Node
	err := ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if link, is := n.(*ast.Link); is {
			target, served := servedAt(string(link.Destination))
			link.Destination = []byte(target)
			if !served {
				unserved = append(unserved, link)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", err
	}
	for _, n := range unserved {
		for child := n.FirstChild(); child != nil; child = n.FirstChild() {
			n.Parent().InsertBefore(n.Parent(), n, child)
		}
		n.Parent().RemoveChild(n.Parent(), n)
	}
	var out bytes.Buffer
	if err := engine.Renderer().Render(&out, markdown, document); err != nil {
		return "", err
	}
	// This is safe: the guides are our own, and goldmark leaves out raw HTML.
	return template.HTML(out.String()), nil
}

// servedAt returns the address of the target of a link; false if the api does not serve it.
func servedAt(target string) (string, bool) {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "" || u.Path == "" {
		return target, err == nil
	}
	paths := map[string]string{
		"rules.md": "/docs/rules", "calling.md": "/docs/calling", "sandbox-days.md": "/docs/sandbox-days", "rules.schema.json": "/docs/rules.schema.json",
		"signature-vectors.json": "/docs/signature-vectors.json", "webhook-vectors.json": "/docs/webhook-vectors.json",
	}
	path, served := paths[u.Path]
	u.Path = path
	return u.String(), served
}
