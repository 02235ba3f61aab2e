package receivers

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"requisite/internal/id"
)

var update = flag.Bool("update", false, "write docs/webhook-vectors.json")

// vectorFile is docs/webhook-vectors.json.
type vectorFile struct {
	About   string            `json:"about"`
	Keys    map[string]string `json:"keys"`
	Vectors []vector          `json:"vectors"`
}

// vector is a request and the expected result of a receiver. An accepted one also has the
// steps of its encryption.
type vector struct {
	Name            string            `json:"name"`
	Accepted        bool              `json:"accepted"`
	Now             int64             `json:"now"`
	Headers         map[string]string `json:"headers"`
	Body            string            `json:"body"`
	SharedSecret    string            `json:"shared_secret,omitempty"`
	IV              string            `json:"iv,omitempty"`
	ProtectedHeader string            `json:"protected_header,omitempty"`
	Plaintext       string            `json:"plaintext,omitempty"`
	Token           string            `json:"token,omitempty"`
	Event           *Event            `json:"event,omitempty"`
}

// envelope is the body of a webhook.
type envelope struct {
	ID            string `json:"id"`
	EventType     string `json:"event_type"`
	Timestamp     string `json:"timestamp"`
	AccountID     string `json:"account_id"`
	Sequence      int64  `json:"sequence,omitempty"`
	SchemaVersion string `json:"schema_version"`
	KeyID         string `json:"key_id"`
	Data          string `json:"data"`
	RetryCount    int    `json:"retry_count"`
	Replay        bool   `json:"replay,omitempty"`
}

// protected is the token's protected header.
type protected struct {
	Alg           string   `json:"alg"`
	Enc           string   `json:"enc"`
	Crit          []string `json:"crit,omitempty"`
	Kid           string   `json:"kid"`
	ID            string   `json:"id"`
	EventType     string   `json:"event_type"`
	Timestamp     string   `json:"timestamp"`
	AccountID     string   `json:"account_id"`
	Sequence      int64    `json:"sequence,omitempty"`
	SchemaVersion string   `json:"schema_version,omitempty"`
	RetryCount    int      `json:"retry_count"`
	Replay        bool     `json:"replay,omitempty"`
	IssuedAt      int64    `json:"iat"`
}

func (e envelope) protected(iat int64) protected {
	return protected{"dir", "A256GCM", nil, e.KeyID, e.ID, e.EventType, e.Timestamp, e.AccountID, e.Sequence, e.SchemaVersion, e.RetryCount, e.Replay, iat}
}

func (e envelope) event(plaintext string) *Event {
	var content struct{ Test bool }
	if err := json.Unmarshal([]byte(plaintext), &content); err != nil {
		panic(err) // it is written below
	}
	return &Event{
		e.ID, e.EventType, e.Timestamp, e.AccountID, e.Sequence, e.SchemaVersion, e.KeyID, e.RetryCount, e.Replay, content.Test, json.RawMessage(plaintext),
	}
}

// vectors returns the content of the file. It is always the same, because ids, secrets and
// nonces are fixed.
func vectors(t *testing.T) vectorFile {
	named := func(prefix id.Prefix, name string) string {
		sum := sha256.Sum256([]byte("requisite " + name))
		u := uuid.UUID(sum[:16])
		binary.BigEndian.PutUint64(u[:8], 1763720129417<<16|uint64(u[6])<<8|uint64(u[7])) // a UUIDv7 of the vectors' time
		u[6], u[8] = u[6]&0x0f|0x70, u[8]&0x3f|0x80
		return id.Format(prefix, u)
	}
	secretNamed := func(name string) []byte {
		sum := sha256.Sum256([]byte("requisite webhook vectors, secret " + name))
		return sum[:]
	}
	const iat = 1763720130 // 2025-11-21T10:15:30Z
	account, other := named(id.AccountSandbox, "account"), named(id.AccountSandbox, "other account")
	twin := named(id.AccountSandbox, "twin account")
	first, second, third := secretNamed("one"), secretNamed("two"), secretNamed("three")
	base64of := base64.StdEncoding.EncodeToString
	f := vectorFile{
		About: "Webhooks as they arrive, and whether a receiver that knows these keys accepts them when its clock says now (Unix seconds). " +
			"Keys are named account_id/key_id. Two accounts have a key of the same key_id; and one secret stands under three names, so that only the comparison of clear and protected fields can tell. " +
			"All secrets here are public: use them for tests alone.",
		Keys: map[string]string{
			account + "/whk_20251121_01": base64of(first),
			account + "/whk_20251121_02": base64of(second),
			account + "/whk_20251121_03": base64of(first),
			other + "/whk_20251121_01":   base64of(third),
			twin + "/whk_20251121_01":    base64of(first),
		},
	}

	nonces := byte(0)
	nonce := func() []byte { // each nonce is used once, even in vectors
		nonces++
		return append([]byte("vector nonc"), nonces)
	}
	headers := func(e envelope, iat int64) map[string]string {
		trace := strings.Repeat("0af7651916cd43dd", 2)
		return map[string]string{
			"content-type":      "application/json",
			"traceparent":       "00-" + trace + "-b7ad6b7169203331-01",
			"webhook-id":        e.ID,
			"webhook-timestamp": strconv.FormatInt(iat, 10),
		}
	}
	accept := func(name string, now int64, e envelope, secret []byte, plaintext string) {
		iv := nonce()
		header := compact(t, e.protected(iat))
		e.Data = seal(t, secret, iv, header, plaintext)
		f.Vectors = append(f.Vectors, vector{
			Name: name, Accepted: true, Now: now, Headers: headers(e, iat), Body: compact(t, e),
			SharedSecret: base64of(secret), IV: base64.RawURLEncoding.EncodeToString(iv),
			ProtectedHeader: header, Plaintext: plaintext, Token: e.Data, Event: e.event(plaintext),
		})
	}
	refuse := func(name string, now int64, headers map[string]string, body string) {
		f.Vectors = append(f.Vectors, vector{Name: name, Now: now, Headers: headers, Body: body})
	}

	ordinary := envelope{
		ID: named(id.WebhookEvent, "event"), EventType: "WORKFLOW_COMPLETED", Timestamp: "2025-11-21T10:15:29.417Z",
		AccountID: account, Sequence: 7, SchemaVersion: "2025-11-21", KeyID: "whk_20251121_01",
	}
	plaintext := `{"version":"1.0","workflow_id":"` + named(id.Workflow, "workflow") + `","sequence":7,"user_context":{"user_id":"back office","user_type":"API_KEY"},"state":"ENDED"}`
	accept("ordinary", iat, ordinary, first, plaintext)

	test := ordinary
	test.ID, test.EventType, test.Sequence, test.KeyID, test.RetryCount = named(id.WebhookEvent, "test"), "WEBHOOK_TEST", 0, "whk_20251121_02", 3
	accept("of no workflow, by the service itself, third retry, five minutes old", iat+300, test, second,
		`{"version":"1.0","user_context":{"user_id":"SYSTEM","user_type":"SYSTEM"},"config_id":"`+named("whc_", "config")+`"}`)

	text := ordinary
	text.ID, text.EventType, text.AccountID, text.Sequence = named(id.WebhookEvent, "text"), "REQUIRED_DOCUMENT_UPDATED", other, 4
	accept("text beyond ASCII, an account whose key has the same key_id, clock behind", iat-300, text, third,
		`{"version":"1.0","workflow_id":"`+named(id.Workflow, "text")+`","sequence":4,"user_context":{"user_id":"Prüfstelle Zürich <審査> & 🏦","user_type":"API_KEY"},`+
			`"required_document_id":"`+named(id.RequiredDocument, "text")+`","document_type_code":"BANK_STATEMENTS","status":"COMPLETED","previous_status":"NEEDS_REVIEW"}`)

	calculated := ordinary
	calculated.ID, calculated.EventType, calculated.Sequence = named(id.WebhookEvent, "calculated"), "REQUIRED_DOCUMENTS_CALCULATED", 3
	accept("nested fields", iat, calculated, first,
		`{"version":"1.0","workflow_id":"`+named(id.Workflow, "workflow")+`","sequence":3,"user_context":{"user_id":"back office","user_type":"API_KEY"},`+
			`"added":[{"required_document_id":"`+named(id.RequiredDocument, "passport")+`","document_type_code":"PASSPORT","entity_type":"Person","entity_id":"`+named(id.Person, "person")+`","status":"PENDING"}],`+
			`"kept":[],"restored":[],"removed":[]}`)

	again := ordinary
	again.ID, again.EventType, again.Sequence, again.RetryCount, again.Replay = named(id.WebhookEvent, "again"), "WORKFLOW_CREATED", 1, 1, true
	accept("sent again by a replay", iat, again, first,
		`{"version":"1.0","workflow_id":"`+named(id.Workflow, "workflow")+`","sequence":1,"user_context":{"user_id":"back office","user_type":"API_KEY"},"state":"CREATED","replay":true}`)

	// The following vectors differ from good or replayed only in what their name says.
	good, replayed := f.Vectors[0], f.Vectors[4]
	body := func(change func(e *envelope)) string {
		e := ordinary
		e.Data = good.Token
		change(&e)
		return compact(t, e)
	}
	for _, changed := range []struct {
		name   string
		change func(e *envelope)
	}{
		{"id changed in the body", func(e *envelope) { e.ID = test.ID }},
		{"event_type changed in the body", func(e *envelope) { e.EventType = "WORKFLOW_STARTED" }},
		{"timestamp changed in the body", func(e *envelope) { e.Timestamp = "2025-11-21T10:15:29.418Z" }},
		{"account_id changed in the body", func(e *envelope) { e.AccountID = other }},
		{"account_id changed in the body to one with the same secret", func(e *envelope) { e.AccountID = twin }},
		{"sequence changed in the body", func(e *envelope) { e.Sequence = 8 }},
		{"sequence is missing in the body", func(e *envelope) { e.Sequence = 0 }},
		{"schema_version changed in the body", func(e *envelope) { e.SchemaVersion = "2025-11-22" }},
		{"key_id changed in the body", func(e *envelope) { e.KeyID = "whk_20251121_02" }},
		{"key_id changed in the body to one with the same secret", func(e *envelope) { e.KeyID = "whk_20251121_03" }},
		{"key_id changed in the body to one that is not stored", func(e *envelope) { e.KeyID = "whk_20251121_99" }},
		{"retry_count changed in the body", func(e *envelope) { e.RetryCount = 1 }},
		{"replay changed in the body", func(e *envelope) { e.Replay = true }},
		{"data of another event", func(e *envelope) { e.Data = f.Vectors[3].Token }},
	} {
		refuse(changed.name, iat, good.Headers, body(changed.change))
	}
	refuse("id changed in the body and in the headers", iat, headers(test, iat), body(func(e *envelope) { e.ID = test.ID }))
	refuse("retry_count is text in the body", iat, good.Headers, strings.Replace(good.Body, `"retry_count":0`, `"retry_count":"0"`, 1))
	refuse("sequence is text in the body", iat, good.Headers, strings.Replace(good.Body, `"sequence":7`, `"sequence":"7"`, 1))
	refuse("replay is false in the body of a replayed event", iat, replayed.Headers, strings.Replace(replayed.Body, `"replay":true`, `"replay":false`, 1))
	refuse("replay is text in the body", iat, replayed.Headers, strings.Replace(replayed.Body, `"replay":true`, `"replay":"true"`, 1))
	refuse("replay is missing in the body of a replayed event", iat, replayed.Headers, strings.Replace(replayed.Body, `,"replay":true`, ``, 1))
	refuse("retry_count is missing in the body", iat, good.Headers, strings.Replace(good.Body, `,"retry_count":0`, ``, 1))

	without := func(name string) map[string]string {
		h := headers(ordinary, iat)
		delete(h, name)
		return h
	}
	refuse("webhook-id is that of another event", iat, headers(test, iat), good.Body)
	refuse("webhook-id is missing", iat, without("webhook-id"), good.Body)
	refuse("webhook-timestamp is not iat", iat+1, headers(ordinary, iat+1), good.Body)
	refuse("webhook-timestamp is missing", iat, without("webhook-timestamp"), good.Body)
	refuse("iat is more than five minutes ago", iat+301, good.Headers, good.Body)
	refuse("iat is more than five minutes ahead", iat-301, good.Headers, good.Body)
	refuse("old, with a fresh webhook-timestamp", iat+3600, headers(ordinary, iat+3600), good.Body)

	token := func(name, data string) {
		refuse(name, iat, good.Headers, body(func(e *envelope) { e.Data = data }))
	}
	sealed := func(name string, secret []byte, change func(h *protected)) {
		h := ordinary.protected(iat)
		change(&h)
		token(name, seal(t, secret, nonce(), compact(t, h), plaintext))
	}
	sealed("encrypted with another secret", second, func(*protected) {})
	sealed("alg is none", first, func(h *protected) { h.Alg = "none" })
	sealed("alg is missing", first, func(h *protected) { h.Alg = "" })
	sealed("an extension that must be understood", first, func(h *protected) { h.Crit = []string{"exp"} })
	sealed("kid is another key of the same secret", first, func(h *protected) { h.Kid = "whk_20251121_03" })
	sealed("schema_version is missing in the protected header", first, func(h *protected) { h.SchemaVersion = "" })
	sealed("sequence is missing in the protected header", first, func(h *protected) { h.Sequence = 0 })
	sealed("enc names another algorithm than was used", first, func(h *protected) { h.Enc = "A128GCM" })
	bare := ordinary
	bare.SchemaVersion = ""
	bare.Data = seal(t, first, nonce(), compact(t, bare.protected(iat)), plaintext)
	refuse("schema_version is missing in both", iat, good.Headers, strings.Replace(compact(t, bare), `"schema_version":"",`, "", 1))
	h := ordinary.protected(iat)
	h.Enc = "A128CBC-HS256"
	token("another enc, with the right secret", sealCBC(t, first, compact(t, h), plaintext))

	parts := strings.Split(good.Token, ".")
	tag, err := base64.RawURLEncoding.DecodeString(parts[4])
	require.NoError(t, err)
	ciphertext, err := base64.RawURLEncoding.DecodeString(parts[3])
	require.NoError(t, err)
	replaced := func(i int, b []byte) []string {
		p := append([]string{}, parts...)
		p[i] = base64.RawURLEncoding.EncodeToString(b)
		return p
	}
	join := func(p []string) string { return strings.Join(p, ".") }
	token("truncated tag", join(replaced(4, tag[:12])))
	token("no tag", join(replaced(4, nil)))
	moved := replaced(3, append(bytes.Clone(ciphertext), tag[:4]...))
	moved[4] = base64.RawURLEncoding.EncodeToString(tag[4:])
	token("first bytes of the tag moved into the ciphertext", join(moved))
	flipped := bytes.Clone(ciphertext)
	flipped[0] ^= 1
	token("ciphertext changed", join(replaced(3, flipped)))
	token("empty nonce", join(replaced(2, nil)))
	token("nonce of 16 bytes", seal(t, first, []byte("vector nonce, 16"), compact(t, ordinary.protected(iat)), plaintext))
	later := ordinary.protected(iat)
	later.RetryCount = 1
	token("protected header changed", join(replaced(0, []byte(compact(t, later)))))
	token("four parts", join(parts[:4]))
	token("not a token", "data")
	refuse("data is not text", iat, good.Headers, strings.Replace(good.Body, `"data":"`+good.Token+`"`, `"data":null`, 1))
	refuse("no JSON", iat, good.Headers, good.Body[:len(good.Body)-1])
	refuse("no object", iat, good.Headers, "["+good.Body+"]")
	refuse("empty body", iat, good.Headers, "")

	example := ordinary
	example.ID, example.Sequence = named(id.WebhookEvent, "example"), 0
	accept("an example that webhook.config.test sent", iat, example, first,
		`{"version":"1.0","workflow_id":"`+named(id.Workflow, "example")+`","sequence":7,"user_context":{"user_id":"back office","user_type":"API_KEY"},"state":"ENDED","test":true}`)
	return f
}

// seal returns a compact JWE with dir and A256GCM. It follows RFC 7516, and uses no library
// of the receivers. A valid nonce has 12 bytes.
func seal(t *testing.T, secret, iv []byte, header, plaintext string) string {
	block, err := aes.NewCipher(secret)
	require.NoError(t, err)
	gcm, err := cipher.NewGCMWithNonceSize(block, len(iv))
	require.NoError(t, err)
	encode := base64.RawURLEncoding.EncodeToString
	first := encode([]byte(header))
	out := gcm.Seal(nil, iv, []byte(plaintext), []byte(first))
	return strings.Join([]string{first, "", encode(iv), encode(out[:len(plaintext)]), encode(out[len(plaintext):])}, ".")
}

// sealCBC returns a compact JWE with dir and A128CBC-HS256 (RFC 7518, section 5.2). Its key
// is as long as that of A256GCM.
func sealCBC(t *testing.T, secret []byte, header, plaintext string) string {
	block, err := aes.NewCipher(secret[16:])
	require.NoError(t, err)
	encode := base64.RawURLEncoding.EncodeToString
	first, iv := encode([]byte(header)), []byte("vector nonce CBC")
	padding := aes.BlockSize - len(plaintext)%aes.BlockSize
	out := append([]byte(plaintext), bytes.Repeat([]byte{byte(padding)}, padding)...)
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(out, out)
	mac := hmac.New(sha256.New, secret[:16])
	mac.Write([]byte(first))
	mac.Write(iv)
	mac.Write(out)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(first))*8))
	return strings.Join([]string{first, "", encode(iv), encode(out), encode(mac.Sum(nil)[:16])}, ".")
}

// compact returns v as JSON on one line, without escaping HTML.
func compact(t *testing.T, v any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(v))
	return strings.TrimSuffix(b.String(), "\n")
}

const vectorPath = "../../docs/webhook-vectors.json"

// TestVectors_AreUpToDate writes the file with go test ./examples/receivers -update.
func TestVectors_AreUpToDate(t *testing.T) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(vectors(t)))
	if *update {
		require.NoError(t, os.WriteFile(vectorPath, b.Bytes(), 0o644))
	}
	file, err := os.ReadFile(vectorPath)
	require.NoError(t, err)
	require.Equal(t, b.String(), string(file), "run go test ./examples/receivers -update")
}

// TestVectors_AreValidJWE opens the accepted vectors with go-jose, which did not make them.
// It also opens the one with another enc: a receiver that does not fix enc would accept it.
func TestVectors_AreValidJWE(t *testing.T) {
	file, err := os.ReadFile(filepath.FromSlash(vectorPath))
	require.NoError(t, err)
	var f vectorFile
	require.NoError(t, json.Unmarshal(file, &f))
	accepted := 0
	for _, v := range f.Vectors {
		if !v.Accepted {
			continue
		}
		accepted++
		require.JSONEq(t, compact(t, v.Event.Data), v.Plaintext, v.Name)
		secret, err := base64.StdEncoding.DecodeString(f.Keys[v.Event.AccountID+"/"+v.Event.KeyID])
		require.NoError(t, err, v.Name)
		token, err := jose.ParseEncryptedCompact(v.Token, []jose.KeyAlgorithm{jose.DIRECT}, []jose.ContentEncryption{jose.A256GCM})
		require.NoError(t, err, v.Name)
		require.Equal(t, v.Event.KeyID, token.Header.KeyID, v.Name)
		plaintext, err := token.Decrypt(secret)
		require.NoError(t, err, v.Name)
		require.Equal(t, v.Plaintext, string(plaintext), v.Name)
	}
	require.Equal(t, 6, accepted)

	for _, v := range f.Vectors {
		if v.Name != "another enc, with the right secret" {
			continue
		}
		var e envelope
		require.NoError(t, json.Unmarshal([]byte(v.Body), &e))
		token, err := jose.ParseEncryptedCompact(e.Data, []jose.KeyAlgorithm{jose.DIRECT}, []jose.ContentEncryption{jose.A128CBC_HS256})
		require.NoError(t, err)
		secret, err := base64.StdEncoding.DecodeString(f.Keys[e.AccountID+"/"+e.KeyID])
		require.NoError(t, err)
		_, err = token.Decrypt(secret)
		require.NoError(t, err)
		return
	}
	t.Fatal("there is no vector with another enc")
}

// TestWebhookGuide_ShowsTheFirstVector: the JSON in docs/calling.md is the first vector, so
// that a reader can follow it byte by byte.
func TestWebhookGuide_ShowsTheFirstVector(t *testing.T) {
	text, err := os.ReadFile("../../docs/calling.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(text), "\n## What arrives\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	ordinary := vectors(t).Vectors[0]
	var blocks []string
	for _, part := range strings.Split(section, "```json\n")[1:] {
		block, _, _ := strings.Cut(part, "```")
		blocks = append(blocks, block)
	}
	require.Len(t, blocks, 3)
	start, end := ordinary.Token[:20], ordinary.Token[len(ordinary.Token)-6:]
	require.JSONEq(t, ordinary.Body, strings.Replace(blocks[0], start+"…"+end, ordinary.Token, 1))
	require.JSONEq(t, ordinary.ProtectedHeader, blocks[1])
	require.JSONEq(t, ordinary.Plaintext, blocks[2])
}
