package webhooks_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
	"requisite/starter/cli"
	"requisite/starter/startertest"
	"requisite/starter/webhooks"
)

// listen runs the command with the flags of a fake api.
func listen(t *testing.T, out io.Writer, flags ...string) error {
	command := webhooks.ListenCommand()
	command.SilenceUsage, command.SilenceErrors = true, true
	command.SetOut(out)
	command.SetArgs(append(flags, "--account", "sb_2"))
	return command.ExecuteContext(t.Context())
}

func TestListen_SendsTheRequestedTestEvents(t *testing.T) {
	for _, c := range []struct{ flags, tests []string }{
		{nil, []string{"WEBHOOK_TEST"}},
		{[]string{"--test", "WORKFLOW_COMPLETED", "--test", "WEBHOOK_ENDPOINT_FAILING"}, []string{"WORKFLOW_COMPLETED", "WEBHOOK_ENDPOINT_FAILING"}},
		{[]string{"--no-test"}, nil},
	} {
		var tests []string
		flags := startertest.FakeAPI(t, func(operation string, body map[string]any) string {
			switch operation {
			case "webhook.key.list":
				return startertest.Success(`{"keys":[]}`)
			case "webhook.key.create":
				return startertest.Success(`{"key_id":"whk_1","shared_secret":"+9bSQ4sROs7wz6Z0gYpeF97a6q5stt73M/v6yMYgzgM="}`)
			case "webhook.config.create":
				return startertest.Success(`{"config_id":"whc_1"}`)
			case "webhook.config.test":
				tests = append(tests, body["event_type"].(string))
				if body["config_id"] != "whc_1" {
					t.Error(body)
				}
			}
			return startertest.Success(`{}`)
		})
		require.NoError(t, listen(t, io.Discard, slices.Concat(flags, []string{"--keys", filepath.Join(t.TempDir(), "keys.json"), "--for", "1ns"}, c.flags)...))
		require.Equal(t, c.tests, tests)
	}
}

// It prints its cursor when it ends.
func TestPoll_RetriesAnUnavailableService(t *testing.T) {
	answers := []string{
		startertest.Failure("UNAVAILABLE", ""),
		startertest.Success(`{"events":[{"id":"wh_1","event_type":"WORKFLOW_CREATED","data":{}}],"next":"c1"}`),
		startertest.Failure("BAD_REQUEST", ""),
	}
	asked := 0
	flags := startertest.FakeAPI(t, func(string, map[string]any) string {
		asked++
		return answers[min(asked, len(answers))-1]
	})
	var out strings.Builder
	require.ErrorContains(t, listen(t, &out, append(flags, "--poll")...), "BAD_REQUEST: m")
	require.Contains(t, out.String(), "WORKFLOW_CREATED  wh_1\n")
	require.Contains(t, out.String(), "To go on from here: starter listen --poll --after c1\n")
}

// It creates the directory of the file.
func TestListen_CreatesNoKeyWhoseSecretItCannotStore(t *testing.T) {
	const secret = "+9bSQ4sROs7wz6Z0gYpeF97a6q5stt73M/v6yMYgzgM="
	created := 0
	flags := startertest.FakeAPI(t, func(operation string, _ map[string]any) string {
		if operation == "webhook.key.create" {
			created++
			return startertest.Success(`{"key_id":"whk_1","shared_secret":"` + secret + `"}`)
		}
		return startertest.Success(`{"keys":[]}`)
	})
	signer, err := requisite.NewSigner("sb_1", "AAAA", "t")
	require.NoError(t, err)
	client := &requisite.Client{BaseURL: flags[1], Signer: signer}
	path := filepath.Join(t.TempDir(), "new", "keys.json")
	made, err := (&webhooks.Receiver{Client: client, AccountID: "sb_2", KeysFile: path}).PrepareKey(t.Context(), false)
	require.NoError(t, err)
	require.Equal(t, "whk_1", made)
	keys, err := webhooks.ReadKeys(path)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"sb_2/whk_1": secret}, keys)

	unwritable := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink("nowhere", unwritable))
	_, err = (&webhooks.Receiver{Client: client, AccountID: "sb_2", KeysFile: filepath.Join(unwritable, "keys.json")}).PrepareKey(t.Context(), false)
	require.ErrorContains(t, err, "no key was created, because its secret could not be stored: ")
	require.Equal(t, 1, created)
}

func TestReadKeys_NamesAMalformedSecret(t *testing.T) {
	const secret = "+9bSQ4sROs7wz6Z0gYpeF97a6q5stt73M/v6yMYgzgM="
	for _, bad := range []string{"", secret + "\n", " " + secret, secret[:43], "c2VjcmV0"} {
		path := filepath.Join(t.TempDir(), "keys.json")
		require.NoError(t, cli.WritePrivate(path, map[string]string{"sb_2/whk_1": bad}))
		_, err := webhooks.ReadKeys(path)
		require.ErrorContains(t, err, "the shared secret of sb_2/whk_1 is not 32 bytes in standard Base64", "%q", bad)
		require.NotContains(t, err.Error(), secret[:43])
	}
}

// It refuses them before it calls the API. Later, a key would be left behind, and polling
// would never end.
func TestListen_RefusesUnknownEventTypes(t *testing.T) {
	t.Chdir(t.TempDir()) // where a key's secret would be kept
	asked := false
	flags := startertest.FakeAPI(t, func(string, map[string]any) string {
		asked = true
		return startertest.Success(`{"events":[],"next":"c"}`)
	})
	for _, c := range []struct {
		flags []string
		says  string
	}{
		{[]string{"--test", "WORKFLOW_ENDED"}, `--test: there is no event type "WORKFLOW_ENDED"; there are WORKFLOW_CREATED, `},
		{[]string{"--test="}, "--test is empty: give an event type, such as WORKFLOW_COMPLETED"},
		{[]string{"--event-type", "WORKFLOW_CREATED,nothing"}, `--event-type: there is no event type "nothing"`},
		{[]string{"--event-type=", "--poll"}, "--event-type is empty"},
		{[]string{"--event-type", "nothing", "--poll"}, `--event-type: there is no event type "nothing"`},
	} {
		require.ErrorContains(t, listen(t, io.Discard, slices.Concat(flags, []string{"--for", "1s"}, c.flags)...), c.says, c.flags)
	}
	require.False(t, asked)
}

func TestReceiver_EscapesControlCharactersOfUnsignedRequests(t *testing.T) {
	var out bytes.Buffer
	printer := &webhooks.WebhookPrinter{Out: &out}
	r := &webhooks.Receiver{AccountID: "sb_1", KeysFile: filepath.Join(t.TempDir(), "none.json"), Keys: map[string]string{}, Had: map[string]bool{}, Took: printer.Took, Refused: printer.Refused}
	header := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"dir","enc":"A256GCM"}`))
	part := base64.RawURLEncoding.EncodeToString(make([]byte, 16))
	body := `{"retry_count":0,"account_id":"a\u001b[2J\nstarter: all is well","key_id":"k\u202e` + strings.Repeat("x", 1000) + `","data":"` + header + ".." + part[:16] + "." + part + "." + part + `"}`
	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/webhooks", strings.NewReader(body)))
	require.Equal(t, http.StatusUnauthorized, w.Code)
	require.Contains(t, out.String(), `there is no secret for this key: k\u202exxx`)
	startertest.RequireHarmless(t, out.String())
	require.Less(t, out.Len(), 500)

	printer.Refused(errors.New(startertest.Hostile))
	startertest.RequireHarmless(t, out.String())
}
