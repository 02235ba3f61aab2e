package reference

import (
	"cmp"
	"html/template"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// Formats of code that are not programming languages, by their names in Markdown fences.
const (
	inJSON = "json"
	inHTTP = "http"
	inYAML = "yaml"
	inCEL  = "cel"
	inSQL  = "sql"
)

// A token of code has one of these classes, which style.css colors.
const (
	comment  = "c"
	literal  = "s" // text
	keyword  = "k"
	number   = "n"
	property = "p"
)

// kind is a kind of token. If its pattern has a group, only the text of the group is the token.
type kind struct{ class, pattern string }

const (
	doubleQuoted = `"(?:[^"\\\n]|\\.)*"`
	singleQuoted = `'(?:[^'\\\n]|\\.)*'`
	backQuoted   = "`[^`]*`"
	numeral      = `\b\d[\d_]*(?:\.\d+)?\b`
)

func words(list string) string { return `\b(?:` + strings.ReplaceAll(list, " ", "|") + `)\b` }

// tokens are the kinds of tokens of each language. The first that matches counts.
var tokens = map[string][]kind{
	inJSON: {{property, `(` + doubleQuoted + `)\s*:`}, {literal, doubleQuoted}, {keyword, words("true false null")}, {number, `-?` + numeral}},
	inHTTP: {
		{keyword, `\b(?:GET|POST)\b`}, {property, `(?m:^[A-Za-z0-9-]+:)`}, {property, `(` + doubleQuoted + `)\s*:`}, {literal, doubleQuoted},
		{keyword, words("true false null")}, {number, numeral},
	},
	golang: {
		{comment, `//[^\n]*`}, {literal, doubleQuoted + `|` + backQuoted},
		{keyword, words("break case chan const continue default defer else false for func go if import interface map nil package range return select struct switch true type var")},
		{number, numeral},
	},
	typescript: {
		{comment, `//[^\n]*`}, {literal, doubleQuoted + `|` + singleQuoted + `|` + backQuoted},
		{keyword, words("as async await case catch class const default else export false for from function if import in instanceof let new null of return switch throw true try typeof undefined")},
		{number, numeral},
	},
	python: {
		{comment, `#[^\n]*`}, {literal, doubleQuoted + `|` + singleQuoted},
		{keyword, words("and as async await class def elif else except False for from if import in is lambda None not or pass raise return True try while with yield")},
		{number, numeral},
	},
	shell: {
		{comment, `(?m:(?:^|[ \t])(#[^\n]*))`}, {literal, doubleQuoted + `|'[^']*'`}, {property, `\$\{?[A-Za-z_0-9]+\}?`},
		{keyword, words("do done else export fi for if in local set then while")},
	},
	inYAML: {
		{comment, `(?m:(?:^|[ \t])(#[^\n]*))`},
		{property, `(?m:^[ \t]*(?:- )*([A-Za-z_][\w]*):)`}, {property, `[{,]\s*([A-Za-z_]\w*):`},
		{literal, doubleQuoted + `|'[^'\n]*'`}, {keyword, words("true false null")}, {number, numeral},
	},
	inCEL: {{comment, `//[^\n]*`}, {literal, doubleQuoted + `|` + singleQuoted}, {keyword, words("true false in has all exists")}, {number, numeral}},
	inSQL: {
		{comment, `--[^\n]*`}, {literal, singleQuoted},
		{keyword, `(?i:` + words("select from where and or insert into values create table primary key not null on conflict do nothing default returning") + `)`},
		{number, numeral},
	},
}

// fences maps the names in Markdown fences to programming languages.
var fences = map[string]string{"go": golang, "ts": typescript, "js": typescript, "python": python, "sh": shell, "console": shell}

var scanners = func() map[string]*regexp.Regexp {
	all := map[string]*regexp.Regexp{}
	for language, kinds := range tokens {
		var patterns []string
		for _, k := range kinds {
			if regexp.MustCompile(k.pattern).NumSubexp() == 0 {
				k.pattern = `(` + k.pattern + `)`
			}
			patterns = append(patterns, k.pattern)
		}
		all[language] = regexp.MustCompile(strings.Join(patterns, "|"))
	}
	return all
}()

// colored marks the tokens of code, so that pages need no script for it. It leaves code in an unknown
// language unchanged.
func colored(language, code string) template.HTML {
	var out strings.Builder
	at := 0
	if scanner := scanners[language]; scanner != nil {
		for _, found := range scanner.FindAllStringSubmatchIndex(code, -1) {
			for i, k := range tokens[language] {
				if from, to := found[2*i+2], found[2*i+3]; from >= 0 {
					out.WriteString(template.HTMLEscapeString(code[at:from]) + `<span class="` + k.class + `">` + template.HTMLEscapeString(code[from:to]) + `</span>`)
					at = to
				}
			}
		}
	}
	return template.HTML(out.String() + template.HTMLEscapeString(code[at:]))
}

// fencedCode renders the code of a guide.
type fencedCode struct{}

func (fencedCode) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		block := n.(*ast.FencedCodeBlock)
		language := string(block.Language(source))
		_, err := w.WriteString("<pre><code>" + string(colored(cmp.Or(fences[language], language), string(block.Lines().Value(source)))) + "</code></pre>\n")
		return ast.WalkSkipChildren, err
	})
}
