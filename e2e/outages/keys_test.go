//go:build deep

package outages_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
)

type createdKey struct {
	KeyID        string `json:"key_id"`
	SharedSecret string `json:"shared_secret"`
}

// TestDailyLimitOfKeys_HoldsWhileProgramsAreKilled sends 130 requests, kills the api and
// the worker meanwhile, and repeats every request until it gets a response. If midnight
// passes, the keys belong to two days, and the test starts over with another account.
func TestDailyLimitOfKeys_HoldsWhileProgramsAreKilled(t *testing.T) {
	for !withinADay(t, newStack(t)) {
	}
}

// withinADay makes one try. It returns false if midnight has passed.
func withinADay(t *testing.T, s stack) bool {
	account := map[string]string{"account_id": s.AccountID}
	day := time.Now().UTC().Format(time.DateOnly)
	const requests = 130
	body, err := json.Marshal(account)
	require.NoError(t, err)

	// The account's row is locked, so that many runs are open when the programs die.
	s.createKey(t, body, "first")
	release := s.Hold(t, `SELECT FROM account WHERE id = '`+s.AccountKey()+`' FOR NO KEY UPDATE`)
	var early []<-chan harness.Answered
	for i := range 40 {
		early = append(early, s.InBackground("webhook.key.create", account, requisite.IdempotencyKey(fmt.Sprint("k", i))))
	}
	s.awaitBlocked(t)
	s.API.Kill(t)
	s.Worker.Kill(t)
	for _, e := range early {
		await.Next(t, "the end of a request", e)
	}
	release()
	s.StartPrograms(t)

	answers := make([]requisite.Answer, requests)
	var all errgroup.Group
	all.SetLimit(30)
	for i := range requests {
		all.Go(func() error {
			answers[i] = s.createKey(t, body, fmt.Sprint("k", i))
			return nil
		})
	}
	require.NoError(t, all.Wait())
	if day != time.Now().UTC().Format(time.DateOnly) {
		return false
	}
	made, limited := map[string]bool{}, 0
	for _, a := range answers {
		if a.HTTPStatus == http.StatusOK {
			var key createdKey
			require.NoError(t, json.Unmarshal(a.Data, &key))
			made[key.KeyID] = true
			continue
		}
		require.Equal(t, "DAILY_LIMIT_EXCEEDED", a.Errors[0].SubCode, "%s", a.Body)
		limited++
	}
	require.Len(t, made, 99, "the account had one key before")
	require.Equal(t, requests-99, limited)
	var n int
	require.NoError(t, s.Query(t.Context(), `SELECT count(*) FROM webhook_key WHERE account_id = $1`, &n, s.AccountKey()))
	require.Equal(t, 100, n, "there is no key without a response")
	return true
}

// createKey repeats a request until it gets a final response.
func (s stack) createKey(t *testing.T, body []byte, key string) requisite.Answer {
	for {
		answer, err := s.Client.Send(t.Context(), "webhook.key.create", body, requisite.IdempotencyKey(key))
		if err == nil && (answer.HTTPStatus == http.StatusOK || answer.HTTPStatus == http.StatusBadRequest) {
			return answer
		}
		if t.Context().Err() != nil {
			t.Error(t.Context().Err())
			return answer
		}
	}
}

// TestSharedSecrets_AreStoredSealed searches for the shared secrets of keys in the rows and
// files of the database, in histories, logs, and all responses except the one that shows
// them.
func TestSharedSecrets_AreStoredSealed(t *testing.T) {
	s := newStack(t)
	account := map[string]string{"account_id": s.AccountID}
	body, err := json.Marshal(account)
	require.NoError(t, err)
	searched := map[string][]byte{}
	var secrets []string
	for i := range 5 {
		answer := s.createKey(t, body, fmt.Sprint("k", i))
		var key createdKey
		require.NoError(t, json.Unmarshal(answer.Data, &key))
		require.NotEmpty(t, key.SharedSecret)
		secrets = append(secrets, key.SharedSecret)
		searched[fmt.Sprint("repeat ", i)] = s.createKey(t, body, fmt.Sprint("k", i)).Body
		named := map[string]string{"key_id": key.KeyID}
		searched[fmt.Sprint("activate ", i)] = s.Send(t, "webhook.key.activate", named).Body
		searched[fmt.Sprint("get ", i)] = s.Send(t, "webhook.key.get", named).Body
	}
	searched["list"] = s.Send(t, "webhook.key.list", account).Body
	searched["a refusal"] = s.Send(t, "webhook.key.activate", map[string]string{"key_id": secrets[0]}).Body

	c := s.Temporal(t)
	s.awaitRuns(t, c, len(secrets), `WorkflowType = 'CreateWebhookKey'`)
	runs, err := s.runs(t.Context(), c, "")
	require.NoError(t, err)
	for _, run := range runs {
		searched["stored history of "+run.WorkflowId] = s.History(t, c, run, false)
		searched["readable history of "+run.WorkflowId] = s.History(t, c, run, true)
	}
	s.dump(t, searched)
	require.NoError(t, filepath.WalkDir(s.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !entry.Type().IsRegular() {
			return err
		}
		searched[path], err = os.ReadFile(path)
		return err
	}))
	found := 0
	for source, text := range searched {
		if strings.Contains(source, "history of create-key") {
			found++
		}
		for _, secret := range secrets {
			for form, needle := range forms(t, secret) {
				require.False(t, bytes.Contains(text, needle), "%s contains a secret as %s", source, form)
			}
		}
	}
	require.Equal(t, 2*len(secrets), found, "the search includes the histories of the runs")
	require.Contains(t, string(searched["table webhook_key"]), `"secret_sealed"`)
}

// forms returns the encodings of a secret to search for.
func forms(t *testing.T, secret string) map[string][]byte {
	raw, err := base64.StdEncoding.DecodeString(secret)
	require.NoError(t, err)
	// In the Base64 of a longer text the secret begins at one of three offsets. Its middle is
	// the same for each offset.
	list := map[string][]byte{
		"raw": raw, "hex": []byte(hex.EncodeToString(raw)), "HEX": []byte(strings.ToUpper(hex.EncodeToString(raw))),
		"Base64 of Base64": []byte(base64.RawStdEncoding.EncodeToString([]byte(secret))[:40]),
	}
	for offset := range 3 {
		padded := append(make([]byte, offset), raw...)
		std := base64.StdEncoding.EncodeToString(padded)
		list[fmt.Sprint("Base64, offset ", offset)] = []byte(std[4:40])
		list[fmt.Sprint("URL-safe Base64, offset ", offset)] = []byte(base64.URLEncoding.EncodeToString(padded)[4:40])
	}
	return list
}

// dump adds every row of every table.
func (s stack) dump(t *testing.T, into map[string][]byte) {
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, s.DatabaseURL)
	require.NoError(t, err)
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, `SELECT relname FROM pg_stat_user_tables`)
	require.NoError(t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Greater(t, len(tables), 10)
	for _, table := range tables {
		var text *string
		require.NoError(t, conn.QueryRow(ctx, `SELECT string_agg(to_jsonb(r)::text, E'\n') FROM `+pgx.Identifier{table}.Sanitize()+` r`).Scan(&text))
		if text != nil {
			into["table "+table] = []byte(*text)
		}
	}
	_, err = conn.Exec(ctx, `CHECKPOINT`)
	require.NoError(t, err)
}
