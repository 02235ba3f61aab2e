package reference

import (
	"fmt"
	"regexp"
	"strings"
)

var manyBreaks = regexp.MustCompile(`\n{3,}`)

// markdown is /docs.md: the content of all pages as text.
func (s *site) markdown() []byte {
	var out strings.Builder
	for _, p := range s.pages() {
		fmt.Fprintf(&out, "<!-- %s -->\n\n", p.Path)
		block(&out, p.tree)
	}
	return []byte(manyBreaks.ReplaceAllString(out.String(), "\n\n"))
}

// block writes the block elements of an element.
func block(out *strings.Builder, n *node) {
	var words strings.Builder // inline content since the last block
	flush := func() {
		if text := strings.Join(strings.Fields(words.String()), " "); text != "" {
			out.WriteString(text + "\n\n")
		}
		words.Reset()
	}
	for _, child := range n.children {
		switch child.name {
		case "h1", "h2", "h3", "h4":
			flush()
			out.WriteString(strings.Repeat("#", int(child.name[1]-'0')) + " " + inlines(child) + "\n\n")
		case "summary":
			flush()
			out.WriteString("**" + inlines(child) + "**\n\n")
		case "p", "dt", "dd":
			flush()
			out.WriteString(inlines(child) + "\n\n")
		case "pre":
			flush()
			text := strings.Trim(raw(child), "\n")
			fence := "```"
			for strings.Contains(text, fence) {
				fence += "`"
			}
			out.WriteString(fence + "\n" + text + "\n" + fence + "\n\n")
		case "ul", "ol":
			flush()
			number := 0
			for _, item := range child.children {
				if item.name != "li" {
					continue
				}
				number++
				mark := "- "
				if child.name == "ol" {
					mark = fmt.Sprintf("%d. ", number)
				}
				var content strings.Builder
				block(&content, item)
				text := strings.ReplaceAll(strings.TrimSpace(content.String()), "\n", "\n"+strings.Repeat(" ", len(mark)))
				out.WriteString(mark + text + "\n")
			}
			out.WriteString("\n")
		case "table":
			flush()
			table(out, child)
			out.WriteString("\n")
		case "div", "section", "article", "details", "blockquote", "thead", "tbody":
			flush()
			block(out, child)
		default:
			words.WriteString(inline(child))
		}
	}
	flush()
}

func table(out *strings.Builder, n *node) {
	var rows func(*node)
	first := true
	rows = func(n *node) {
		for _, child := range n.children {
			if child.name != "tr" {
				rows(child)
				continue
			}
			columns := 0
			for _, cell := range child.children {
				if cell.name == "th" || cell.name == "td" {
					columns++
					out.WriteString("| " + strings.ReplaceAll(inlines(cell), "|", `\|`) + " ")
				}
			}
			out.WriteString("|\n")
			if first {
				out.WriteString(strings.Repeat("|---", columns) + "|\n")
			}
			first = false
		}
	}
	rows(n)
}

// inlines returns the content of an element on one line.
func inlines(n *node) string {
	var out strings.Builder
	for _, child := range n.children {
		out.WriteString(inline(child))
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

func inline(n *node) string {
	switch n.name {
	case "":
		if n.children == nil {
			return n.text
		}
	case "code", "kbd":
		return "`" + raw(n) + "`"
	case "b", "strong":
		return "**" + inlines(n) + "**"
	case "em":
		return "*" + inlines(n) + "*"
	case "a":
		if n.attr["class"] == "anchor" {
			return ""
		}
		return "[" + inlines(n) + "](" + n.attr["href"] + ")"
	case "br":
		return " "
	}
	return inlines(n)
}

// raw returns the text of an element as it stands.
func raw(n *node) string {
	if n.name == "" && n.children == nil {
		return n.text
	}
	var out strings.Builder
	for _, child := range n.children {
		out.WriteString(raw(child))
	}
	return out.String()
}
