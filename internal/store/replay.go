package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
	"requisite/internal/webhooks/delivery"
)

// takes lists the event types that an endpoint gets.
func takes(e domain.Endpoint) []string {
	if e.EventTypes != nil {
		return e.EventTypes
	}
	var list []string
	for _, t := range domain.EventTypes() {
		if !slices.Contains(delivery.NoticeTypes(), delivery.NoticeType(t)) {
			list = append(list, string(t))
		}
	}
	return list
}

// Replay begins to send the events of a period to an endpoint again, or for the first time if the
// endpoint is newer. A worker starts its run after the commit. An endpoint has one replay at a
// time.
func (r Webhooks) Replay(ctx context.Context, in domain.ReplayRequest) (id.RunID, error) {
	e, err := r.Endpoint(ctx, in.ConfigID)
	if err != nil {
		return id.RunID{}, err
	}
	types := takes(e)
	var problems []refusal.Field
	for i, t := range in.EventTypes {
		if !slices.Contains(types, t) {
			problems = append(problems, refusal.At(fmt.Sprintf("event_types[%d]", i), refusal.NotAllowed,
				"The endpoint does not take this event type: name it in the endpoint's event_types first."))
		}
	}
	now := r.at
	if in.Until.IsZero() || in.Until.After(now) {
		in.Until = now.Add(time.Millisecond) // includes events that have just been written
	}
	if !in.Since.Before(in.Until) {
		problems = append(problems, refusal.At("since", refusal.NotAllowed, "This lies after now, or after until."))
	}
	if len(problems) > 0 {
		return id.RunID{}, refusal.Fields(problems...)
	}
	if in.EventTypes != nil {
		types = in.EventTypes
	}
	if err := r.MayAskForMore(ctx, e.AccountID); err != nil {
		return id.RunID{}, err
	}
	made := r.newID()
	tag, err := r.q.Exec(ctx, `
		INSERT INTO webhook_replay (id, account_id, endpoint_id, since, until, event_types, state, cursor, traceparent, started_at)
		VALUES ($1, $2, $3, $4, $5, $6, 'RUNNING', $7, $8, $9) ON CONFLICT (endpoint_id) WHERE state = 'RUNNING' DO NOTHING`,
		made, e.AccountID, e.ID, in.Since, in.Until, types, id.FirstAt(in.Since.Add(-db.ClockSkew)), r.trace, now)
	switch {
	case err != nil:
		return id.RunID{}, fmt.Errorf("begin a replay: %w", err)
	case tag.RowsAffected() == 0:
		return id.RunID{}, refusal.Rule(refusal.EntityWebhookConfig, in.ConfigID.String(), refusal.ReplayInProgress,
			"Events are being replayed to this endpoint: webhook.event.replayed shows when the replay has ended.")
	}
	r.outbox.NotifyAfter(r.after)
	return id.RunID{UUID: made}, nil
}

// Replayed reads the progress of a replay.
func (r Webhooks) Replayed(ctx context.Context, run id.RunID) (domain.Replayed, error) {
	found, err := find[struct {
		domain.Replayed
		AccountID id.UUID
	}](ctx, r.unit, refusal.EntityRun, run, `
		SELECT `+deliveries.ReplayedColumns+`, r.account_id FROM webhook_replay r JOIN account a ON a.id = r.account_id
		WHERE r.id = $1 AND a.organization_id = $2 AND a.environment = $3`)
	if err != nil {
		return domain.Replayed{}, err
	}
	r.noteAccount(found.AccountID)
	return found.Replayed, nil
}

// Replays lists replays of all tenants, newest first, for operators.
func (s AllWebhooks) Replays(ctx context.Context, f domain.ReplayFilter, most int) ([]domain.ListedReplay, error) {
	list, err := db.Many[domain.ListedReplay](ctx, s.db, `
		SELECT `+deliveries.ReplayedColumns+`, r.id, r.account_id, r.endpoint_id, r.since, r.until FROM webhook_replay r
		WHERE ($1::uuid IS NULL OR r.id = $1) AND ($2::uuid IS NULL OR r.account_id = $2) AND ($3::uuid IS NULL OR r.endpoint_id = $3)
			AND (NOT $4 OR r.state = 'RUNNING')
		ORDER BY r.id DESC LIMIT $5`, f.RunID.NullUUID(), f.AccountID.NullUUID(), f.ConfigID.NullUUID(), f.Running, most)
	if err != nil {
		return nil, fmt.Errorf("list replays: %w", err)
	}
	return list, nil
}
