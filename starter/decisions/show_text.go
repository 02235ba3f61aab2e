package decisions

import (
	"fmt"
	"io"
	"strings"

	"requisite/internal/text/visible"
	"requisite/starter/cli"
)

// textWidth is the maximum length of a line that can be broken.
const textWidth = 80

// text prints the decision for a terminal.
func (s *shownDecision) text(out io.Writer) {
	p := textPrinter{out}
	fmt.Fprintf(out, "Decision %s: number %d of workflow %s\n%s: %s, %s, ages counted on %s\n", s.DecisionID, s.Number, s.Application.WorkflowID,
		s.Kind, s.Outcome, s.DecidedAt, s.Day())
	by := visible.Line(s.DecidedBy.String())
	if s.TraceID != "" {
		by += ", trace " + visible.Line(s.TraceID)
	}
	fmt.Fprintf(out, "Decided by %s\n%s\n", by, visible.Line(s.Summary))
	if s.Erasure != nil {
		p.line("", s.Erasure.Words())
	}
	s.application(p)
	s.refusal(p)
	if len(s.Documents) > 0 {
		p.title(fmt.Sprintf("Documents (%d)", len(s.Documents)))
		for _, d := range s.Documents {
			d.text(p)
		}
	}
	if len(s.Findings) > 0 {
		p.title(fmt.Sprintf("Findings (%d)", len(s.Findings)))
		for _, f := range s.Findings {
			fmt.Fprintln(out)
			p.line("  ", strings.TrimSuffix(f.FindingCode+", "+f.Name, ", ")+", of "+f.Full())
			for _, row := range f.Rows() {
				p.field("  "+row.Label, row.Values...)
			}
		}
	}
	s.results(p)
	if s.Business != nil {
		p.entity("Business", *s.Business)
	}
	for _, person := range s.Persons {
		p.entity("Person", person)
	}
	p.title("Digests")
	for _, row := range s.Digests.Rows() {
		p.field(row.Label, row.Values...)
	}
	p.title("To verify")
	for _, command := range s.Verify {
		fmt.Fprintf(out, "  %s\n", command)
	}
}

func (s *shownDecision) application(p textPrinter) {
	p.title("Application")
	for _, row := range s.Application.Rows() {
		p.field(row.Label, row.Values...)
	}
	for _, v := range s.Application.Values {
		p.value(v)
	}
	for _, row := range s.VersionRows() {
		p.field(row.Label, row.Values...)
	}
}

func (s *shownDecision) refusal(p textPrinter) {
	if len(s.Gaps) > 0 {
		p.title(fmt.Sprintf("Nothing was decided while facts were missing (%d)", len(s.Gaps)))
		for _, g := range s.Gaps {
			p.line("  ", g.Lacks+" of "+g.Full())
			p.line("    ", g.Message)
		}
	}
	if wrong := s.Error; wrong != nil {
		p.title("Nothing was decided")
		p.line("  ", fmt.Sprintf("%s: %s", wrong.Code, wrong.Message))
	}
}

func (s *shownDecision) results(p textPrinter) {
	if len(s.Points) > 0 {
		p.title("Points")
		for _, r := range s.Points {
			p.line("  ", r.Rule+": "+r.PointsWords())
			p.line("    ", r.Message)
		}
	}
	if len(s.NotRequired) > 0 {
		p.title(fmt.Sprintf("Not required (%d)", len(s.NotRequired)))
		for _, r := range s.NotRequired {
			p.line("  ", r.Title()+" of "+r.Full())
			p.line("    ", "Rule: "+r.Rule)
			p.line("    ", r.Message)
		}
	}
}

func (d shownDocument) text(p textPrinter) {
	title := d.DocumentTypeCode
	if d.Name != "" {
		title += ", " + d.Name
	}
	fmt.Fprintln(p.out)
	p.line("  ", title+", of "+d.Full())
	for _, row := range append(d.Rows(), d.ReviewRows()...) {
		p.field("  "+row.Label, row.Values...)
	}
	if d.Review != nil {
		for _, e := range d.Review.Evidence {
			p.field("  Evidence stated", evidenceOf(e))
		}
	}
}

// textPrinter prints lines of text, broken at blanks.
type textPrinter struct{ out io.Writer }

func (p textPrinter) title(text string) { fmt.Fprintf(p.out, "\n%s\n", text) }

func (p textPrinter) entity(kind string, e shownEntity) {
	p.title(fmt.Sprintf("%s %s (%s)", kind, visible.Line(e.Name), e.EntityID))
	for _, v := range e.Values {
		p.value(v)
	}
}

// line prints a text with an indent. It prints nothing for an empty text.
func (p textPrinter) line(indent, text string) {
	for line := range cli.Wrapped(visible.Line(text), textWidth-len(indent)) {
		fmt.Fprintln(p.out, indent+line)
	}
}

// The widths of columns of labels.
const (
	labelWidth = 24
	valueWidth = 34 // of labels of facts
)

// field prints a label, and its texts beside it.
func (p textPrinter) field(label string, texts ...string) { p.column(labelWidth, label, texts...) }

func (p textPrinter) value(v shownValue) { p.column(valueWidth, v.Label, v.Words()) }

func (p textPrinter) column(width int, label string, texts ...string) {
	label = "  " + visible.Line(label)
	for _, text := range texts {
		for line := range cli.Wrapped(visible.Line(text), textWidth-width) {
			fmt.Fprintf(p.out, "%-*s %s\n", width-1, label, line)
			label = ""
		}
	}
}

// Title names the document or the finding of the result.
func (r shownResult) Title() string {
	code := r.DocumentTypeCode
	if r.FindingCode != "" {
		code = "finding " + r.FindingCode
	}
	if r.Name == "" {
		return code
	}
	return strings.TrimSpace(code + ", " + r.Name)
}
