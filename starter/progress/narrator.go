// Package progress shows the progress of long tasks.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"requisite/internal/text/visible"
)

// Narrator shows progress. On a terminal, a step rewrites its own line;
// elsewhere, progress is printed from time to time.
type Narrator struct {
	Out  io.Writer
	step int
}

// steps is how many numbered steps `starter up` has.
const steps = 10

func (n *Narrator) Title(text string) { fmt.Fprintf(n.Out, "%s\n\n", text) }

// Begin announces the next step.
func (n *Narrator) Begin(text string) *StepLine {
	n.step++
	return n.Start(fmt.Sprintf("[%d/%d] %s", n.step, steps, text))
}

// Start announces a long task that is not a numbered step.
func (n *Narrator) Start(text string) *StepLine {
	line := &StepLine{out: n.Out, text: visible.Line(text), started: time.Now(), terminal: terminalOf(n.Out)}
	fmt.Fprint(n.Out, line.text)
	if line.terminal == nil {
		fmt.Fprintln(n.Out)
	}
	return line
}

func (n *Narrator) Line(format string, args ...any) { fmt.Fprintf(n.Out, format+"\n", args...) }

// terminalOf is the terminal behind a writer, or nil.
func terminalOf(out io.Writer) io.Writer {
	if filtered, ok := out.(*visible.Writer); ok {
		out = filtered.Unfiltered()
	}
	file, ok := out.(*os.File)
	if !ok {
		return nil
	}
	if info, err := file.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return file
}

// StepLine is one step under way.
type StepLine struct {
	out      io.Writer
	text     string
	terminal io.Writer // nil if lines cannot be rewritten
	started  time.Time
	reported time.Time
}

// every is how often progress is printed if lines cannot be rewritten.
const every = 15 * time.Second

// erase clears the current line of the terminal.
func (l *StepLine) erase() { fmt.Fprint(l.terminal, "\r\033[K") }

// Progress shows how far the step is.
func (l *StepLine) Progress(text string) {
	elapsed := time.Since(l.started).Round(time.Second)
	switch {
	case l.terminal != nil:
		l.erase()
		fmt.Fprintf(l.out, "%s  %s (%s)", l.text, text, elapsed)
	case time.Since(l.started) >= every && time.Since(l.reported) >= every:
		l.reported = time.Now()
		fmt.Fprintf(l.out, "      %s (%s)\n", text, elapsed)
	}
}

// barWidth is how many characters a bar has.
const barWidth = 30

// Bar shows how much of the step is done. A total of zero is unknown.
func (l *StepLine) Bar(done, total int64) {
	switch {
	case total == 0:
		l.Progress(fmt.Sprintf("%d", done))
	case l.terminal == nil:
		l.Progress(fmt.Sprintf("%d of %d", done, total))
	default:
		full := int(barWidth * min(done, total) / total)
		l.Progress(fmt.Sprintf("[%s%s] %d of %d", strings.Repeat("#", full), strings.Repeat(".", barWidth-full), done, total))
	}
}

// Done ends the step with its result.
func (l *StepLine) Done(text string) {
	elapsed := time.Since(l.started).Round(100 * time.Millisecond)
	if l.terminal != nil {
		l.erase()
		fmt.Fprintf(l.out, "%s: %s (%s)\n", l.text, text, elapsed)
		return
	}
	fmt.Fprintf(l.out, "      %s (%s)\n", text, elapsed)
}
