package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
)

// TestListenBeginsWithTheTestsThatItIsToldTo runs the command against an api that
// notes what is asked of it.
func TestListenBeginsWithTheTestsThatItIsToldTo(t *testing.T) {
	for _, c := range []struct{ flags, tests []string }{
		{nil, []string{"WEBHOOK_TEST"}},
		{[]string{"--test", "WORKFLOW_COMPLETED", "--test", "WEBHOOK_ENDPOINT_FAILING"}, []string{"WORKFLOW_COMPLETED", "WEBHOOK_ENDPOINT_FAILING"}},
		{[]string{"--no-test"}, nil},
	} {
		var tests []string
		api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			data := map[string]string{"/webhook.key.list": `{"keys":[]}`, "/webhook.key.create": `{"key_id":"whk_1","shared_secret":"AAAA"}`, "/webhook.config.create": `{"config_id":"whc_1"}`}[r.URL.Path]
			if data == "" {
				data = "{}"
			}
			var in struct {
				ConfigID  string `json:"config_id"`
				EventType string `json:"event_type"`
			}
			if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
				t.Error(err)
			}
			if r.URL.Path == "/webhook.config.test" {
				tests = append(tests, in.EventType)
				if in.ConfigID != "whc_1" {
					t.Error(in.ConfigID)
				}
			}
			fmt.Fprintf(w, `{"meta":{"status":"SUCCESS","trace_id":"trc_1","version":"2025-03-24"},"data":%s}`, data)
		}))
		command := listenCommand()
		command.SetArgs(append([]string{
			"--base-url", api.URL, "--api-key", "sb_1", "--secret-key", "AAAA", "--auth-token", "t", "--account", "sb_2",
			"--keys", filepath.Join(t.TempDir(), "keys.json"), "--for", "1ns",
		}, c.flags...))
		require.NoError(t, command.ExecuteContext(t.Context()))
		api.Close()
		require.Equal(t, c.tests, tests)
	}
}

// TestPollingGoesOnWhenTheServiceIsAwayForAMoment, and ends with its cursor.
func TestPollingGoesOnWhenTheServiceIsAwayForAMoment(t *testing.T) {
	asked := 0
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		switch asked++; asked {
		case 1:
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `{"meta":{"status":"ERROR"},"errors":[{"code":"UNAVAILABLE","message":"m"}]}`)
		case 2:
			fmt.Fprint(w, `{"meta":{"status":"SUCCESS"},"data":{"events":[{"event_id":"wh_1","event_type":"WORKFLOW_CREATED","payload":{}}],"next":"c1"}}`)
		default:
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"meta":{"status":"ERROR"},"errors":[{"code":"BAD_REQUEST","message":"enough"}]}`)
		}
	}))
	defer api.Close()
	var out strings.Builder
	command := listenCommand()
	command.SilenceUsage, command.SilenceErrors = true, true
	command.SetOut(&out)
	command.SetArgs([]string{"--poll", "--base-url", api.URL, "--api-key", "sb_1", "--secret-key", "AAAA", "--auth-token", "t", "--account", "sb_2"})
	require.ErrorContains(t, command.ExecuteContext(t.Context()), "BAD_REQUEST: enough")
	require.Contains(t, out.String(), "WORKFLOW_CREATED  wh_1\n")
	require.Contains(t, out.String(), "To go on from here: starter listen --poll --after c1\n")
}

// TestListenStoresASecretOrMakesNone: the directory of the file is made, and a key
// is not created when its secret could not be stored.
func TestListenStoresASecretOrMakesNone(t *testing.T) {
	created := 0
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data := `{"keys":[]}`
		if r.URL.Path == "/webhook.key.create" {
			created++
			data = `{"key_id":"whk_1","shared_secret":"AAAA"}`
		}
		fmt.Fprintf(w, `{"meta":{"status":"SUCCESS"},"data":%s}`, data)
	}))
	defer api.Close()
	signer, err := requisite.NewSigner("sb_1", "AAAA", "t")
	require.NoError(t, err)
	client := &requisite.Client{BaseURL: api.URL, Signer: signer}
	path := filepath.Join(t.TempDir(), "new", "keys.json")
	made, err := (&receiver{client: client, accountID: "sb_2", keysFile: path}).prepareKey(t.Context(), false)
	require.NoError(t, err)
	require.Equal(t, "whk_1", made)
	keys, err := readKeys(path)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"sb_2/whk_1": "AAAA"}, keys)

	unwritable := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink("nowhere", unwritable))
	_, err = (&receiver{client: client, accountID: "sb_2", keysFile: filepath.Join(unwritable, "keys.json")}).prepareKey(t.Context(), false)
	require.ErrorContains(t, err, "webhook keys cannot be stored, and none was created: ")
	require.Equal(t, 1, created)
}

// TestListenRefusesWhatIsNoEventType before it asks the api for anything: a key would
// be left behind, and polling would wait forever.
func TestListenRefusesWhatIsNoEventType(t *testing.T) {
	t.Chdir(t.TempDir()) // where a key's secret would be kept
	asked := false
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked = true
		fmt.Fprint(w, `{"meta":{"status":"SUCCESS"},"data":{"events":[],"next":"c"}}`)
	}))
	defer api.Close()
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
		command := listenCommand()
		command.SilenceUsage, command.SilenceErrors = true, true
		command.SetOut(io.Discard)
		command.SetArgs(append([]string{
			"--base-url", api.URL, "--api-key", "sb_1", "--secret-key", "AAAA", "--auth-token", "t", "--account", "sb_2",
			"--for", "1s",
		}, c.flags...))
		require.ErrorContains(t, command.ExecuteContext(t.Context()), c.says, c.flags)
	}
	require.False(t, asked)
}
