package main

import (
	"context"

	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/internal/requests/wire"
)

// AccountRequest is embedded in requests that name an account. It is exported because
// huma leaves unexported embedded types out of the schema.
type AccountRequest struct {
	AccountID id.AccountID `json:"account_id"`
}

type accountData struct {
	AccountID id.AccountID  `json:"account_id"`
	Name      string        `json:"name"`
	Currency  string        `json:"currency" doc:"ISO 4217"`
	TimeZone  string        `json:"time_zone" doc:"IANA; ages are as of the current date in this zone"`
	CreatedAt wire.DateTime `json:"created_at"`
}

func accountGet(ctx context.Context, r *postgres.Records, in *AccountRequest) (accountData, error) {
	a, err := r.Account(ctx, in.AccountID)
	return accountData{a.WireID(), a.Name, a.Currency, a.TimeZone, wire.DateTime(a.CreatedAt)}, err
}

type versionData struct {
	CurrentVersion string `json:"current_version"`
	LatestVersion  string `json:"latest_version"`
}

func checkVersion(context.Context, *postgres.Records, *wire.Empty) (versionData, error) {
	return versionData{CurrentVersion: wire.Version, LatestVersion: wire.Version}, nil
}
