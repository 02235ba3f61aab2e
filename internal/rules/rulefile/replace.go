package rulefile

import (
	"strings"
)

// Replace returns the source of the file with another text for the value at a path. Comments and
// layout elsewhere stay. It returns false if it cannot find the end of the value.
func (f *File) Replace(path, text string) ([]byte, bool) {
	v, exact := f.nearest(path)
	if !exact {
		return nil, false
	}
	if len(f.marks) == 0 { // in JSON, values know their bytes
		return []byte(string(f.json[:v.At]) + text + string(f.json[v.At+len(v.Text):])), true
	}
	line, column := f.position(v.At)
	lines := strings.SplitAfter(string(f.source), "\n")
	if line < 1 || line > len(lines) {
		return nil, false
	}
	begin := 0
	for _, before := range lines[:line-1] {
		begin += len(before)
	}
	runes := []rune(strings.TrimPrefix(lines[line-1], "\ufeff"))
	if column-1 > len(runes) {
		return nil, false
	}
	begin += len(lines[line-1]) - len(string(runes[column-1:]))
	source := string(f.source)
	if source[begin] == '{' || source[begin] == '[' {
		end, ok := flowEnd(source, begin)
		return []byte(source[:begin] + text + source[end:]), ok
	}
	// A block has all lines with at least the same indentation, up to the last one with content.
	key := strings.LastIndex(source[:begin], ":")
	if key < 0 || strings.TrimSpace(source[key+1:begin]) != "" { // a comment is between them
		return nil, false
	}
	end := begin
	for i, next := range lines[line-1:] {
		content := strings.TrimLeft(next, " ")
		if i > 0 && strings.TrimSpace(content) != "" && len(next)-len(content) < column-1 {
			break
		}
		if i == 0 {
			next = source[begin : begin+len(next)-(begin-strings.LastIndex(source[:begin], "\n")-1)]
		}
		end += len(next)
	}
	for {
		last := strings.TrimRight(source[begin:end], " \r\n")
		at := strings.LastIndex(last, "\n") + 1
		if !strings.HasPrefix(strings.TrimSpace(last[at:]), "#") || at == 0 {
			end = begin + len(last)
			break
		}
		end = begin + at // a comment after the block belongs to what follows
	}
	return []byte(source[:key+1] + " " + text + source[end:]), true
}

// flowEnd returns where a value in braces or brackets ends.
func flowEnd(source string, at int) (int, bool) {
	depth := 0
	for i := at; i < len(source); i++ {
		switch c := source[i]; c {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1, true
			}
		case '"', '\'':
			end := i + 1
			for end < len(source) && source[end] != c {
				if c == '"' && source[end] == '\\' {
					end++
				}
				end++
			}
			i = end
		case '#':
			if end := strings.IndexByte(source[i:], '\n'); end >= 0 && (source[i-1] == ' ' || source[i-1] == '\n') {
				i += end
			}
		}
	}
	return len(source), false
}
