package generate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"strconv"
	"strings"
)

// Snippets writes calls of operations with the clients, for documentation.
type Snippets struct{ model *model }

// NewSnippets reads an OpenAPI description.
func NewSnippets(openAPI []byte) (*Snippets, error) {
	m, err := read(openAPI)
	return &Snippets{m}, err
}

// Call is a call of an operation in each language.
type Call struct{ Go, TypeScript, Python string }

// Call returns calls of an operation with a request, which it keeps in its order, and an
// Idempotency-Key, which may be empty.
func (s *Snippets) Call(operation string, request []byte, key string) (Call, error) {
	for _, c := range s.model.operations {
		if c.name != operation {
			continue
		}
		decoder := json.NewDecoder(bytes.NewReader(request))
		decoder.UseNumber()
		body, err := ordered(decoder)
		if err != nil {
			return Call{}, fmt.Errorf("read the request of %s: %w", operation, err)
		}
		golang, err := s.golang(c, body, key)
		return Call{golang, typescriptCall(c, body, key), pythonCall(c, body, key)}, err
	}
	return Call{}, fmt.Errorf("there is no operation %s", operation)
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

func typescriptCall(c call, body value, key string) string {
	before, after := "const answer = await client.call("+strconv.Quote(c.name)+", ", ");"
	if key != "" {
		after = ", { idempotencyKey: " + strconv.Quote(key) + " });"
	}
	request := javaScript.write(body, len(before+after))
	if len(body.members) > 0 && !strings.Contains(request, "\n") && len(before+request+after) > width {
		request = group(width, "{", javaScript.members(body), "}", javaScript.indent)
	}
	return before + request + after
}

func pythonCall(c call, body value, key string) string {
	var arguments []string
	for _, m := range body.members {
		arguments = append(arguments, m.name+"="+pythonic.write(m.value, len("    =")+len(m.name)))
	}
	if key != "" {
		arguments = append(arguments, "idempotency_key="+strconv.Quote(key))
	}
	before := "answer = client." + snake(c.name)
	return before + group(len(before), "(", arguments, ")", "    ")
}

// golang writes a call of Go. A pointer to a plain value needs a variable before the call.
func (s *Snippets) golang(c call, body value, key string) (string, error) {
	w := goWriter{model: s.model}
	before := "answer, err := client." + golangName(c.name) + "(ctx, "
	line := before + w.value(typ{kind: reference, object: c.request}, body, "", len(before))
	if key != "" {
		line += ", requisite.IdempotencyKey(" + strconv.Quote(key) + ")"
	}
	source, err := format.Source([]byte(strings.Join(append(w.variables, line+")"), "\n")))
	if err != nil {
		return "", fmt.Errorf("write a call of %s: %w", c.name, err)
	}
	return string(source), nil
}

type goWriter struct {
	model     *model
	variables []string
}

// value writes a value of a type. path names it, for a variable.
func (w *goWriter) value(t typ, v value, path string, before int) string {
	name := golangType(t, true)
	if t.kind == reference {
		name = "requisite." + t.object
	}
	switch {
	case t.kind == reference:
		o := w.model.object(t.object)
		var parts []string
		for _, m := range v.members {
			f, _ := o.field(m.name)
			field := golangName(f.name) + ": "
			parts = append(parts, field+w.field(f, m.value, path+golangName(f.name), len("\t")+len(field)))
		}
		return group(before+len(name), name+"{", parts, "}", "\t")
	case t.kind == list:
		element := golangType(*t.element, true)
		if t.element.kind == reference {
			element = "requisite." + element
		}
		var parts []string
		for _, e := range v.elements {
			part := w.value(*t.element, e, path, len("\t"))
			if t.element.kind == reference {
				part = strings.TrimPrefix(part, element)
			}
			parts = append(parts, part)
		}
		return group(before, "[]"+element+"{", parts, "}", "\t")
	case v.object || v.list:
		return anyGo(v, before)
	case t.kind == number:
		return strconv.Quote(v.text)
	}
	return v.text
}

// field writes the value of a field, as golangField declares it.
func (w *goWriter) field(f field, v value, path string, before int) string {
	bare := f.of.kind == anything || f.of.kind == list || f.of.kind == dictionary || f.of.kind == union
	plain := f.of
	plain.nullable = false
	switch {
	case f.required && (!f.of.nullable || bare):
		return w.value(plain, v, path, before)
	case !f.required && f.of.nullable:
		t := golangType(plain, true)
		if plain.kind == reference {
			t = "requisite." + t
		}
		if v.text == "null" {
			return "requisite.Null[" + t + "]()"
		}
		written := w.value(plain, v, path, before)
		switch plain.kind {
		case integer, number:
			written = t + "(" + written + ")"
		}
		return "requisite.Set(" + written + ")"
	case bare:
		return w.value(plain, v, path, before)
	case plain.kind == reference:
		return "&" + w.value(plain, v, path, before)
	}
	variable := strings.ToLower(path[:1]) + path[1:]
	if strings.HasPrefix(path, "ID") || strings.HasPrefix(path, "URL") {
		variable = strings.ToLower(path)
	}
	written := w.value(plain, v, path, before)
	switch plain.kind {
	case integer, number:
		written = golangType(plain, true) + "(" + written + ")"
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
