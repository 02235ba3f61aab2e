// Package receivers starts the example webhook receivers for tests. A test can send them
// webhooks and read the events that they print.
package receivers

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"requisite/internal/testkit/await"
	"requisite/internal/testkit/needs"
)

// Languages returns the languages of the receivers, for Start.
func Languages() []string { return []string{"go", "node", "python", "java"} }

// Event is the output of a receiver for a webhook that it has processed: the clear fields
// and the decrypted payload.
type Event struct {
	ID            string          `json:"id"`
	EventType     string          `json:"event_type"`
	Timestamp     string          `json:"timestamp"`
	AccountID     string          `json:"account_id"`
	Sequence      int64           `json:"sequence,omitempty"`
	SchemaVersion string          `json:"schema_version"`
	KeyID         string          `json:"key_id"`
	RetryCount    int             `json:"retry_count"`
	Replay        bool            `json:"replay,omitempty"`
	Test          bool            `json:"test,omitempty"`
	Data          json.RawMessage `json:"data"`
}

// Receiver is a running receiver. It ends with its test.
type Receiver struct {
	// URL is the address for webhooks: http://127.0.0.1:PORT/webhooks.
	URL string
	// Events has each processed event once, in the order of processing. It holds a
	// thousand unread events. It is closed when the receiver ends.
	Events <-chan Event

	keyFile string
	mu      sync.Mutex
	keys    map[string]string
}

// Start runs the receiver of a language. keys has the secrets by "ACCOUNT_ID/KEY_ID". Start
// skips the test if this machine lacks the language or its library: see package needs.
func Start(t testing.TB, language string, keys map[string]string) *Receiver {
	t.Helper()
	r := &Receiver{keyFile: filepath.Join(t.TempDir(), "keys.json"), keys: map[string]string{}}
	for name, secret := range keys {
		r.keys[name] = secret
	}
	r.writeKeys(t)

	cmd := command(t, language)
	// The output of a receiver must not depend on the locale.
	cmd.Env = append(os.Environ(), "REQUISITE_WEBHOOK_KEYS="+r.keyFile, "PORT=0", "LC_ALL=C")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := &strings.Builder{}
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatalf("start the %s receiver: %v", language, err)
	}
	events := make(chan Event, 1000)
	address := make(chan string, 1)
	var reading sync.WaitGroup
	reading.Go(func() {
		defer close(events)
		defer close(address)
		lines := bufio.NewScanner(stdout)
		lines.Buffer(nil, 16<<20)
		if lines.Scan() {
			address <- lines.Text()
		}
		for lines.Scan() {
			var e Event
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				t.Errorf("the %s receiver printed a line that is no event: %s", language, lines.Text())
				continue
			}
			events <- e
		}
		if err := lines.Err(); err != nil && !errors.Is(err, os.ErrClosed) {
			t.Errorf("read from the %s receiver: %v", language, err)
		}
	})
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		for range events { // a full channel must not block the reader
		}
		reading.Wait()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("the %s receiver's stderr:\n%s", language, stderr)
		}
	})

	first := await.Next(t, "the address of the "+language+" receiver", address)
	url, ok := strings.CutPrefix(first, "listening on ")
	if !ok {
		t.Fatalf("the %s receiver did not start; its first line is %q", language, first)
	}
	r.URL = url + "/webhooks"
	r.Events = events
	return r
}

// AddKey adds a secret to the receiver's file, as an operator does before activating a new
// key.
func (r *Receiver) AddKey(t testing.TB, accountID, keyID, secret string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys[accountID+"/"+keyID] = secret
	r.writeKeys(t)
}

// writeKeys replaces the file atomically, so that the receiver never reads half of it.
func (r *Receiver) writeKeys(t testing.TB) {
	t.Helper()
	text, err := json.Marshal(r.keys)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.keyFile+".new", text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(r.keyFile+".new", r.keyFile); err != nil {
		t.Fatal(err)
	}
}

// command returns the command of the receiver of a language.
func command(t testing.TB, language string) *exec.Cmd {
	t.Helper()
	dir := filepath.Join(directory(t), language)
	switch language {
	case "go":
		// `go run` would start the receiver as a child, and signals would not reach it.
		program := filepath.Join(t.TempDir(), "receiver")
		run(t, dir, "go", "build", "-o", program, ".")
		return exec.Command(program)
	case "node":
		return exec.Command(node(t), filepath.Join(dir, "receiver.mjs"))
	case "python":
		return exec.Command(python(t), filepath.Join(dir, "receiver.py"))
	case "java":
		return exec.Command(java(t, "java"), "-cp", gson, filepath.Join(dir, "Receiver.java"))
	}
	t.Fatalf("no receiver in %q; there are %v", language, Languages())
	return nil
}

const gson = "/usr/share/java/gson.jar" // from Debian's libgoogle-gson-java

func node(t testing.TB) string {
	t.Helper()
	needs.File(t, filepath.Join(directory(t), "node", "node_modules", "jose"), "npm ci --ignore-scripts --prefix examples/receivers/node")
	return needs.Program(t, "node", "install Node.js 22 or newer")
}

// python returns a Python 3 that has cryptography. The first one in PATH need not be the one
// that has the system's packages.
func python(t testing.TB) string {
	t.Helper()
	for _, program := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(program, "-c", "import cryptography").Run() == nil {
			return program
		}
	}
	needs.Lacking(t, "no python3 has cryptography: apt-get install python3-cryptography, or pip install -r examples/receivers/python/requirements.txt")
	return ""
}

func java(t testing.TB, tool string) string {
	t.Helper()
	needs.File(t, gson, "apt-get install libgoogle-gson-java")
	return needs.Program(t, tool, "install a JDK, version 17 or newer: apt-get install default-jdk-headless")
}

// directory returns the directory of the receivers, from any package of the module.
func directory(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		found := filepath.Join(dir, "examples", "receivers")
		if _, err := os.Stat(filepath.Join(found, "go", "main.go")); err == nil {
			return found
		}
		if filepath.Dir(dir) == dir {
			t.Fatal("no directory above the working directory has examples/receivers")
		}
		dir = filepath.Dir(dir)
	}
}

func run(t testing.TB, dir, program string, args ...string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}
