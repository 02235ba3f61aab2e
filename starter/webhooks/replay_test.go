package webhooks_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/starter/cli"
	"requisite/starter/startertest"
	"requisite/starter/webhooks"
)

// replayed answers with the progress of a replay, step by step, and then with the last again.
type replayed struct {
	progress []requisite.ReplayedData
	err      error
	asked    int
}

func (s *replayed) WebhookEventReplayed(context.Context, requisite.RunRequest, ...requisite.Option) (requisite.Result[requisite.ReplayedData], error) {
	s.asked++
	return requisite.Result[requisite.ReplayedData]{Data: s.progress[min(s.asked, len(s.progress))-1]}, s.err
}

func underWay(done, total int64) requisite.ReplayedData {
	return requisite.ReplayedData{State: "RUNNING", Done: done, Total: &total}
}

func TestFollowReplay_ShowsTheProgressUntilTheEnd(t *testing.T) {
	at := "2026-11-20T09:30:00.000Z"
	completed := requisite.ReplayedData{State: "COMPLETED", Done: 30, Total: underWay(0, 30).Total, EndedAt: &at}
	var out strings.Builder
	goOn := func(context.Context) error { return nil }
	s := &replayed{progress: []requisite.ReplayedData{{State: "RUNNING"}, underWay(20, 30), underWay(20, 30), completed}}
	require.NoError(t, webhooks.FollowReplay(t.Context(), &out, s, "run_1", goOn))
	require.Equal(t, "RUNNING  0 events in the endpoint's queue\nRUNNING  20 of 30 events in the endpoint's queue\nCOMPLETED  30 of 30 events in the endpoint's queue, ended "+at+"\n", out.String())

	s = &replayed{progress: []requisite.ReplayedData{{State: "CANCELED", Done: 7}}}
	require.ErrorContains(t, webhooks.FollowReplay(t.Context(), io.Discard, s, "run_1", goOn), "canceled, by the operator")

	// Interrupted, it is not done, and says how to look again.
	out.Reset()
	s = &replayed{progress: []requisite.ReplayedData{underWay(1, 2)}}
	err := webhooks.FollowReplay(t.Context(), &out, s, "run_1", func(context.Context) error { return context.Canceled })
	require.Equal(t, cli.ExitFailed, cli.ExitCode(&out, err))
	require.Contains(t, out.String(), "The replay continues; `starter replay get run_1 --follow` shows its progress.\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.err = ctx.Err()
	require.Equal(t, cli.ExitFailed, cli.ExitCode(&out, webhooks.FollowReplay(ctx, &out, s, "run_1", goOn)))
	require.Equal(t, 2, strings.Count(out.String(), "The replay continues"))
	require.NotContains(t, out.String(), "cannot be read")
	s.err = errors.New("away")
	require.ErrorContains(t, webhooks.FollowReplay(t.Context(), &out, s, "run_1", goOn), "away; the replay itself is not affected, and `starter replay get run_1 --follow` shows its progress")
}

func TestReplayCreate_StartsAndFollowsAReplay(t *testing.T) {
	const started, config = "run_31fKnzWZaYjswf1I8nulv", "whc_31fKnzWZaYjswf1I8nulv"
	answers := map[string]string{
		"webhook.event.replay":   startertest.Success(`{"run_id":"` + started + `"}`),
		"webhook.event.replayed": startertest.Success(`{"state":"COMPLETED","done":3,"total":3,"started_at":"2026-11-20T09:30:00.000Z","ended_at":"2026-11-20T09:30:01.000Z"}`),
	}
	asked := map[string]map[string]any{}
	flags := startertest.FakeAPI(t, func(operation string, body map[string]any) string {
		asked[operation] = body
		return answers[operation]
	})
	start := func(args ...string) (string, error) {
		return startertest.Run(t, append(append([]string{"replay", "create", config}, args...), flags...)...)
	}
	out, err := start("--since", "2026-11-20T01:00:00+01:00", "--until", "2026-11-21T00:00:00.5Z", "--event-type", "WORKFLOW_CREATED,WORKFLOW_STARTED")
	require.NoError(t, err, out)
	require.Equal(t, map[string]any{"config_id": config, "since": "2026-11-20T00:00:00.000Z", "until": "2026-11-21T00:00:00.500Z", "event_types": []any{"WORKFLOW_CREATED", "WORKFLOW_STARTED"}}, asked["webhook.event.replay"])
	require.Equal(t, map[string]any{"run_id": started}, asked["webhook.event.replayed"])
	require.Contains(t, out, "Replay "+started+" to "+config+" has begun. Ctrl-C leaves it running.\nCOMPLETED  3 of 3 events")

	delete(asked, "webhook.event.replayed")
	out, err = start("--since", "2026-11-20T00:00:00Z", "--detach")
	require.NoError(t, err)
	require.Equal(t, started+"\n", out)
	require.Equal(t, map[string]any{"config_id": config, "since": "2026-11-20T00:00:00.000Z"}, asked["webhook.event.replay"])
	require.NotContains(t, asked, "webhook.event.replayed")

	for _, args := range [][]string{{"get", started}, {"get", started, "--follow"}} {
		out, err = startertest.Run(t, append(append([]string{"replay"}, args...), flags...)...)
		require.NoError(t, err)
		require.Contains(t, out, "COMPLETED  3 of 3 events in the endpoint's queue, ended 2026-11-20T09:30:01.000Z\n")
	}

	_, err = start()
	require.ErrorContains(t, err, "--since is missing")
	_, err = start("--since", "yesterday")
	require.ErrorContains(t, err, `--since must be a time such as 2026-11-20T00:00:00Z, not "yesterday"`)
	_, err = startertest.Run(t, "replay", "get", "whc_31fKnzWZaYjswf1I8nulv")
	require.ErrorContains(t, err, "run_")
	answers["webhook.event.replay"] = startertest.Failure("SYSTEM_RULE_VIOLATION", `,"sub_code":"REPLAY_IN_PROGRESS"`)
	_, err = start("--since", "2026-11-20T00:00:00Z")
	require.ErrorContains(t, err, "`starter replay list --endpoint "+config+"` shows it")
	require.Equal(t, cli.ExitRefused, cli.ExitCode(io.Discard, err))
}

func TestReplay_ListAndCancel(t *testing.T) {
	b := startertest.Setup(t)
	var endpoints []domain.Endpoint
	var runs []string
	for _, url := range []string{"https://first.example/", "https://second.example/"} {
		b.Write(func(r *store.Records) error {
			e, err := r.CreateEndpoint(t.Context(), id.Must[id.AccountID](b.Account), domain.Endpoint{URL: url, URLKey: url})
			if err != nil {
				return err
			}
			endpoints = append(endpoints, e)
			made, err := r.Replay(t.Context(), domain.ReplayRequest{ConfigID: e.WireID(), Since: time.Now().Add(-time.Hour)})
			runs = append(runs, made.String())
			return err
		})
	}
	out := b.MustRun("replay", "list")
	require.Regexp(t, `(?m)^RUN +STATE +ENDPOINT +SINCE +UNTIL +DONE +TOTAL +STARTED +ENDED\n`+runs[1]+` +RUNNING +`+endpoints[1].WireID().String()+` .* 0 +- +[0-9TZ:-]+ +-\n`+runs[0]+` `, out)
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
	require.Regexp(t, runs[0]+` +CANCELED .*Z\n`, b.MustRun("replay", "list"))
	b.MustRun("replay", "cancel", runs[0])
	b.Exec(`UPDATE webhook_replay SET state = 'COMPLETED', ended_at = now() WHERE state = 'RUNNING'`)
	_, err = b.Try("replay", "cancel", runs[1])
	require.ErrorContains(t, err, "the replay has ended already: it is COMPLETED")
	_, err = b.Try("replay", "cancel", id.RunID{UUID: id.New()}.String())
	require.ErrorContains(t, errors.New(cli.ErrorText(err)), "there is no such run: run_")
}
