package clientmodel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"strconv"
	"strings"
)

// Snippets writes calls of operations with the clients, for documentation.
type Snippets struct{ model *Model }

// NewSnippets reads an OpenAPI description.
func NewSnippets(openAPI []byte) (*Snippets, error) {
	m, err := Read(openAPI)
	return &Snippets{m}, err
}

// Snippet is a call of an operation in each language.
type Snippet struct{ Go, TypeScript, Python string }

// Call returns calls of an operation with a request, which it keeps in its order, and with an
// Idempotency-Key and a day of the sandbox, each of which may be empty.
func (s *Snippets) Call(operation string, request []byte, key, day string) (Snippet, error) {
	for _, c := range s.model.Operations {
		if c.Name != operation {
			continue
		}
		decoder := json.NewDecoder(bytes.NewReader(request))
		decoder.UseNumber()
		body, err := ordered(decoder)
		if err != nil {
			return Snippet{}, fmt.Errorf("read the request of %s: %w", operation, err)
		}
		golang, err := s.golang(c, body, key, day)
		return Snippet{golang, typescriptCall(c, body, key, day), pythonCall(c, body, key, day)}, err
	}
	return Snippet{}, fmt.Errorf("there is no operation %s", operation)
}

// value is a value of JSON. Its members are in their order.
type value struct {
	text     string // of anything but an object or a list, as in JSON
	object   bool
	list     bool
	members  []member
	elements []value
}

type member struct {
	name string
	value
}

func ordered(d *json.Decoder) (v value, err error) {
	token, err := d.Token()
	if err != nil {
		return v, err
	}
	switch token {
	case json.Delim('{'):
		v.object = true
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return v, err
			}
			inner, err := ordered(d)
			if err != nil {
				return v, err
			}
			v.members = append(v.members, member{name.(string), inner})
		}
		_, err = d.Token()
		return v, err
	case json.Delim('['):
		v.list = true
		for d.More() {
			inner, err := ordered(d)
			if err != nil {
				return v, err
			}
			v.elements = append(v.elements, inner)
		}
		_, err = d.Token()
		return v, err
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(token)
	v.text = strings.TrimSpace(out.String())
	return v, err
}

// width is how long a line of a snippet may be.
const width = 80

// group writes parts between brackets, on one line if they fit behind a prefix of the given length.
func group(before int, opening string, parts []string, closing, indent string) string {
	line := opening + strings.Join(parts, ", ") + closing
	if len(parts) == 0 || before+len(line) <= width && !strings.Contains(line, "\n") {
		return line
	}
	return opening + "\n" + indent + strings.ReplaceAll(strings.Join(parts, ",\n"), "\n", "\n"+indent) + ",\n" + closing
}

// notation is how a language writes values.
type notation struct {
	indent          string
	truth, no, null string
	name            func(string) string // of a member, with its separator
	pad             string              // within the braces of an object
}

var (
	javaScript = notation{"  ", "true", "false", "null", func(name string) string { return name + ": " }, " "}
	pythonic   = notation{"    ", "True", "False", "None", func(name string) string { return strconv.Quote(name) + ": " }, ""}
)

// write writes a value as a literal, an object on one line if it fits.
func (n notation) write(v value, before int) string {
	switch {
	case v.object:
		parts := n.members(v)
		if line := group(before, "{"+n.pad, parts, n.pad+"}", n.indent); !strings.Contains(line, "\n") && len(parts) > 0 {
			return line
		}
		return group(before, "{", parts, "}", n.indent)
	case v.list:
		var parts []string
		for _, e := range v.elements {
			parts = append(parts, n.write(e, len(n.indent)))
		}
		return group(before, "[", parts, "]", n.indent)
	}
	switch v.text {
	case "true":
		return n.truth
	case "false":
		return n.no
	case "null":
		return n.null
	}
	return v.text
}

func (n notation) members(v value) (parts []string) {
	for _, m := range v.members {
		name := n.name(m.name)
		parts = append(parts, name+n.write(m.value, len(n.indent)+len(name)))
	}
	return parts
}

func typescriptCall(c Operation, body value, key, day string) string {
	var options []string
	if key != "" {
		options = append(options, "idempotencyKey: "+strconv.Quote(key))
	}
	if day != "" {
		options = append(options, "sandboxToday: "+strconv.Quote(day))
	}
	before, after := "const answer = await client.call("+strconv.Quote(c.Name)+", ", ");"
	if len(options) > 0 {
		after = ", { " + strings.Join(options, ", ") + " });"
	}
	request := javaScript.write(body, len(before+after))
	if len(body.members) > 0 && !strings.Contains(request, "\n") && len(before+request+after) > width {
		request = group(width, "{", javaScript.members(body), "}", javaScript.indent)
	}
	return before + request + after
}

func pythonCall(c Operation, body value, key, day string) string {
	var arguments []string
	for _, m := range body.members {
		arguments = append(arguments, m.name+"="+pythonic.write(m.value, len("    =")+len(m.name)))
	}
	if key != "" {
		arguments = append(arguments, "idempotency_key="+strconv.Quote(key))
	}
	if day != "" {
		arguments = append(arguments, "sandbox_today="+strconv.Quote(day))
	}
	before := "answer = client." + Snake(c.Name)
	return before + group(len(before), "(", arguments, ")", "    ")
}

// golang writes a call of Go. A pointer to a plain value needs a variable before the call.
func (s *Snippets) golang(c Operation, body value, key, day string) (string, error) {
	w := goWriter{model: s.model}
	before := "answer, err := client." + GoName(c.Name) + "(ctx, "
	line := before + w.value(Type{Kind: Reference, Object: c.Request}, body, "", len(before))
	if key != "" {
		line += ", requisite.IdempotencyKey(" + strconv.Quote(key) + ")"
	}
	if day != "" {
		line += ", requisite.SandboxToday(" + strconv.Quote(day) + ")"
	}
	source, err := format.Source([]byte(strings.Join(append(w.variables, line+")"), "\n")))
	if err != nil {
		return "", fmt.Errorf("write a call of %s: %w", c.Name, err)
	}
	return string(source), nil
}

type goWriter struct {
	model     *Model
	variables []string
}

// value writes a value of a type. path names it, for a variable.
func (w *goWriter) value(t Type, v value, path string, before int) string {
	name := GoType(t, true)
	if t.Kind == Reference {
		name = "requisite." + t.Object
	}
	switch {
	case t.Kind == Reference:
		o := w.model.Object(t.Object)
		var parts []string
		for _, m := range v.members {
			f, _ := o.Field(m.name)
			field := GoName(f.Name) + ": "
			parts = append(parts, field+w.field(f, m.value, path+GoName(f.Name), len("\t")+len(field)))
		}
		return group(before+len(name), name+"{", parts, "}", "\t")
	case t.Kind == List:
		element := GoType(*t.Element, true)
		if t.Element.Kind == Reference {
			element = "requisite." + element
		}
		var parts []string
		for _, e := range v.elements {
			part := w.value(*t.Element, e, path, len("\t"))
			if t.Element.Kind == Reference {
				part = strings.TrimPrefix(part, element)
			}
			parts = append(parts, part)
		}
		return group(before, "[]"+element+"{", parts, "}", "\t")
	case v.object || v.list:
		return anyGo(v, before)
	case t.Kind == Number:
		return strconv.Quote(v.text)
	}
	return v.text
}

// field writes the value of a field, as golangField declares it.
func (w *goWriter) field(f Field, v value, path string, before int) string {
	bare := f.Of.Kind == Anything || f.Of.Kind == List || f.Of.Kind == Dictionary || f.Of.Kind == Union
	plain := f.Of
	plain.Nullable = false
	switch {
	case f.Required && (!f.Of.Nullable || bare):
		return w.value(plain, v, path, before)
	case !f.Required && f.Of.Nullable:
		t := GoType(plain, true)
		if plain.Kind == Reference {
			t = "requisite." + t
		}
		if v.text == "null" {
			return "requisite.Null[" + t + "]()"
		}
		written := w.value(plain, v, path, before)
		switch plain.Kind {
		case Integer, Number:
			written = t + "(" + written + ")"
		}
		return "requisite.Set(" + written + ")"
	case bare:
		return w.value(plain, v, path, before)
	case plain.Kind == Reference:
		return "&" + w.value(plain, v, path, before)
	}
	variable := strings.ToLower(path[:1]) + path[1:]
	if strings.HasPrefix(path, "ID") || strings.HasPrefix(path, "URL") {
		variable = strings.ToLower(path)
	}
	written := w.value(plain, v, path, before)
	switch plain.Kind {
	case Integer, Number:
		written = GoType(plain, true) + "(" + written + ")"
	}
	w.variables = append(w.variables, variable+" := "+written)
	return "&" + variable
}

// anyGo writes a value whose type the description does not say.
func anyGo(v value, before int) string {
	var parts []string
	switch {
	case v.object:
		for _, m := range v.members {
			name := strconv.Quote(m.name) + ": "
			parts = append(parts, name+anyGo(m.value, len("\t")+len(name)))
		}
		return group(before, "map[string]any{", parts, "}", "\t")
	case v.list:
		for _, e := range v.elements {
			parts = append(parts, anyGo(e, len("\t")))
		}
		return group(before, "[]any{", parts, "}", "\t")
	case v.text == "null":
		return "nil"
	}
	return v.text
}

func GoType(t Type, requested bool) string {
	switch t.Kind {
	case Text:
		return "string"
	case Integer:
		return "int64"
	case Number:
		return "json.Number"
	case Boolean:
		return "bool"
	case List:
		return "[]" + GoType(*t.Element, requested)
	case Dictionary:
		if t.Element.Kind == Anything && requested {
			return "any"
		} else if t.Element.Kind == Anything {
			return "json.RawMessage"
		}
		return "map[string]" + GoType(*t.Element, requested)
	case Reference:
		return t.Object
	}
	if requested {
		return "any"
	}
	return "json.RawMessage"
}

// GoName writes id, url and the like as Go does.
func GoName(name string) string {
	var out strings.Builder
	for _, word := range strings.FieldsFunc(name, func(c rune) bool { return c == '_' || c == '.' || c == '-' }) {
		switch word {
		case "id", "url", "ms", "ip":
			out.WriteString(strings.ToUpper(word))
		case "ids":
			out.WriteString("IDs")
		default:
			out.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return out.String()
}
