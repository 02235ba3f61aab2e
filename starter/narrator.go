package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"requisite/internal/text/visible"
)

// narrator shows progress. On a terminal, a step rewrites its own line;
// elsewhere, progress is printed from time to time.
type narrator struct {
	out  io.Writer
	step int
}

// steps is how many numbered steps `starter up` has.
const steps = 9

func (n *narrator) title(text string) { fmt.Fprintf(n.out, "%s\n\n", text) }

// begin announces the next step.
func (n *narrator) begin(text string) *stepLine {
	n.step++
	return n.start(fmt.Sprintf("[%d/%d] %s", n.step, steps, text))
}

// start announces something that takes a while and is not a numbered step.
func (n *narrator) start(text string) *stepLine {
	line := &stepLine{out: n.out, text: visible.Line(text), started: time.Now(), terminal: terminalOf(n.out)}
	fmt.Fprint(n.out, line.text)
	if line.terminal == nil {
		fmt.Fprintln(n.out)
	}
	return line
}

func (n *narrator) line(format string, args ...any) { fmt.Fprintf(n.out, format+"\n", args...) }

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

// stepLine is one step under way.
type stepLine struct {
	out      io.Writer
	text     string
	terminal io.Writer // nil where lines cannot be rewritten
	started  time.Time
	told     time.Time
}

// every is how often progress is printed where lines cannot be rewritten.
const every = 15 * time.Second

// erase clears the current line of the terminal.
func (l *stepLine) erase() { fmt.Fprint(l.terminal, "\r\033[K") }

// progress shows how far the step is.
func (l *stepLine) progress(text string) {
	elapsed := time.Since(l.started).Round(time.Second)
	switch {
	case l.terminal != nil:
		l.erase()
		fmt.Fprintf(l.out, "%s  %s (%s)", l.text, text, elapsed)
	case time.Since(l.started) >= every && time.Since(l.told) >= every:
		l.told = time.Now()
		fmt.Fprintf(l.out, "      %s (%s)\n", text, elapsed)
	}
}

// done ends the step with its result.
func (l *stepLine) done(text string) {
	elapsed := time.Since(l.started).Round(100 * time.Millisecond)
	if l.terminal != nil {
		l.erase()
		fmt.Fprintf(l.out, "%s: %s (%s)\n", l.text, text, elapsed)
		return
	}
	fmt.Fprintf(l.out, "      %s (%s)\n", text, elapsed)
}
