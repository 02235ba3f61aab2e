package decisions

import (
	_ "embed" // the page
	"html/template"
	"io"
)

//go:embed show.html
var pageText string

// page writes the decision as one page that loads no other files.
func (s *shownDecision) page(out io.Writer) error {
	page, err := template.New("show.html").Funcs(template.FuncMap{"date": dateWords}).Parse(pageText)
	if err != nil {
		return err
	}
	return page.Execute(out, s)
}
