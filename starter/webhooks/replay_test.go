package webhooks_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/starter/cli"
	"requisite/starter/startertest"
)

func TestReplay_ListAndCancel(t *testing.T) {
	b := startertest.Setup(t)
	var endpoints []domain.Endpoint
	var runs []string
	for _, url := range []string{"https://first.example/", "https://second.example/"} {
		b.Write(func(r *store.Records) error {
			e, err := r.Webhooks.CreateEndpoint(t.Context(), id.Must[id.AccountID](b.Account), domain.Endpoint{URL: url, URLKey: url})
			if err != nil {
				return err
			}
			endpoints = append(endpoints, e)
			made, err := r.Webhooks.Replay(t.Context(), domain.ReplayRequest{ConfigID: e.WireID(), Since: time.Now().Add(-time.Hour)})
			runs = append(runs, made.String())
			return err
		})
	}
	out := b.MustRun("replay", "list")
	require.Regexp(t, `(?m)^RUN +ACCOUNT +STATE +ENDPOINT +SINCE +UNTIL +DONE +TOTAL +STARTED +ENDED\n`+runs[1]+` +`+b.Account+` +RUNNING +`+endpoints[1].WireID().String()+` .* 0 +- +[0-9TZ:-]+ +-\n`+runs[0]+` `, out)
	out = b.MustRun("replay", "list", "--endpoint", endpoints[0].WireID().String(), "--account", b.Account)
	require.Contains(t, out, runs[0])
	require.NotContains(t, out, runs[1])
	require.Contains(t, b.MustRun("replay", "list", "--limit", "1"), "There are more; give a higher --limit")
	require.NotContains(t, b.MustRun("replay", "list", "--limit", "2"), "There are more")
	_, err := b.Try("replay", "list", "--limit", "0")
	require.ErrorContains(t, err, "--limit must be a number from 1 to 10000, not 0")

	require.Equal(t, "canceled; 0 events were in the endpoint's queue by then\n", b.MustRun("replay", "cancel", runs[0]))
	out = b.MustRun("replay", "list", "--running")
	require.NotContains(t, out, runs[0])
	require.Contains(t, out, runs[1])
	require.Regexp(t, runs[0]+` +`+b.Account+` +CANCELED .*Z\n`, b.MustRun("replay", "list"))
	b.MustRun("replay", "cancel", runs[0])
	b.Exec(`UPDATE webhook_replay SET state = 'COMPLETED', ended_at = now() WHERE state = 'RUNNING'`)
	_, err = b.Try("replay", "cancel", runs[1])
	require.ErrorContains(t, err, "the replay has ended already: it is COMPLETED")
	_, err = b.Try("replay", "cancel", id.RunID{UUID: id.New()}.String())
	require.ErrorContains(t, errors.New(cli.ErrorText(err)), "there is no such run: run_")
}
