package reference

import (
	"fmt"
	"regexp"
	"strings"
)

// program is a source file that readers copy.
type program struct {
	Language string
	File     string // where readers save it
	Source   string // the file below docs/
}

// Path is the path at which the api serves the program.
func (p program) Path() string { return "/docs/" + p.File }

func (p program) text() (string, error) {
	body, err := pageFiles.ReadFile("docs/" + p.Source)
	return string(body), err
}

// The languages of the examples, in the order of the pages.
const (
	shell      = "Shell"
	golang     = "Go"
	typescript = "TypeScript"
	python     = "Python"
)

// signPrograms sign and send a request without a client.
var signPrograms = []program{
	{shell, "sign.sh", "snippets/sign.sh"}, {golang, "sign.go", "snippets/go/main.go"},
	{typescript, "sign.ts", "snippets/sign.ts"}, {python, "sign.py", "snippets/sign.py"},
}

// startPrograms go through the steps of the start page.
var startPrograms = []program{
	{typescript, "start.mjs", "start/start.mjs"}, {python, "start.py", "start/start.py"},
	{golang, "start.go", "start/go/main.go"}, {shell, "start.sh", "start/start.sh"},
}

type snippet struct{ Language, Text string }

func signingData() (data struct {
	Signing  []snippet
	Programs []program
	Vector   signedRequest
}, err error) {
	data.Programs = signPrograms
	for _, p := range signPrograms {
		text, err := p.text()
		if err != nil {
			return data, err
		}
		data.Signing = append(data.Signing, snippet{p.Language, text})
	}
	data.Vector, err = ExampleSignature()
	return data, err
}

// start is the content of the start page.
type start struct {
	Credential   string
	Install, Run []snippet
	Steps        map[string][]snippet // of the programs, 2 to 5
	Programs     []program
}

// credential makes the credential of a stack known to the shell.
const credential = `export REPOSITORY=~/requisite # where the checkout is
value() { sed -n "s/.*\"$1\": \"\(.*\)\".*/\1/p" "$REPOSITORY/.stack/stack.json" | head -n 1; }
export BASE_URL=$(value base_url) ACCOUNT_ID=$(value account_id)
export API_KEY=$(value api_key) SECRET_KEY=$(value secret_key) AUTH_TOKEN=$(value auth_token)
export PORT=8099 WEBHOOK_URL=http://127.0.0.1:8099/`

// install and run are commands by language.
var (
	install = map[string]string{
		typescript: `(cd "$REPOSITORY/clients/typescript" && npm ci --ignore-scripts && npm pack)
npm init -y
npm install "$REPOSITORY"/clients/typescript/requisite-client-*.tgz`,
		python: `python3 -m venv .venv
.venv/bin/pip install "$REPOSITORY/clients/python"`,
		golang: `go mod init start
go mod edit -require requisite/clients/go@v0.0.0 -replace "requisite/clients/go=$REPOSITORY/clients/go"`,
		shell: `curl --silent --show-error --remote-name "$BASE_URL/docs/sign.sh"
chmod +x sign.sh`,
	}
	run = map[string]string{
		typescript: "node start.mjs", python: ".venv/bin/python start.py", golang: "go run start.go", shell: "bash start.sh",
	}
)

var stepMark = regexp.MustCompile(`(?m)^\s*(?://|#) Step (\d):`)

// startData reads the programs, and divides them into steps.
func startData() (*start, error) {
	data := &start{Credential: credential, Steps: map[string][]snippet{}, Programs: startPrograms}
	for _, p := range startPrograms {
		data.Install = append(data.Install, snippet{p.Language, install[p.Language]})
		data.Run = append(data.Run, snippet{p.Language, run[p.Language]})
		text, err := p.text()
		if err != nil {
			return nil, err
		}
		marks := stepMark.FindAllStringSubmatchIndex(text, -1)
		for i, mark := range marks {
			end := len(text)
			if i+1 < len(marks) {
				end = marks[i+1][0]
			}
			number := text[mark[2]:mark[3]]
			data.Steps[number] = append(data.Steps[number], snippet{p.Language, strings.Trim(text[mark[0]:end], "\n")})
		}
	}
	for _, number := range []string{"2", "3", "4", "5"} {
		if len(data.Steps[number]) != len(startPrograms) {
			return nil, fmt.Errorf("step %s of the start page is not in every language", number)
		}
	}
	return data, nil
}
