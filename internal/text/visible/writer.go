package visible

import (
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// Writer passes text on in the form of Terminal. It joins a character that is split between
// writes. It is safe for concurrent use.
type Writer struct {
	mu   sync.Mutex
	to   io.Writer
	rest []byte // the beginning of a character
}

// NewWriter makes a Writer that passes text on to another writer.
func NewWriter(to io.Writer) *Writer {
	if w, ok := to.(*Writer); ok {
		return w
	}
	return &Writer{to: to}
}

// Unfiltered is the underlying writer, for a program's own control sequences.
func (w *Writer) Unfiltered() io.Writer { return w.to }

func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	data := append(w.rest, p...)
	w.rest = nil
	var b strings.Builder
	b.Grow(len(data))
	for len(data) > 0 {
		if !utf8.FullRune(data) {
			w.rest = append(w.rest, data...)
			break
		}
		r, width := utf8.DecodeRune(data)
		writeRune(&b, r)
		data = data[width:]
	}
	if _, err := io.WriteString(w.to, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}
