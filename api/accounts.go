package main

import (
	"context"

	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/internal/requests/wire"
)

// AccountRequest is embedded by requests that name an account. Embedded types
// must be exported for their schema to be included.
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
