package server

import (
	"context"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/store"
)

// AccountRequest is embedded in requests that name an account. It is exported because
// huma leaves unexported embedded types out of the schema.
type AccountRequest struct {
	AccountID id.AccountID `json:"account_id"`
}

type accountData struct {
	AccountID id.AccountID  `json:"account_id"`
	Name      string        `json:"name"`
	Currency  string        `json:"currency" doc:"The currency of sales, ISO 4217."`
	TimeZone  string        `json:"time_zone" doc:"The IANA name of the time zone in which days and ages count."`
	CreatedAt wire.DateTime `json:"created_at"`
}

func accountView(a domain.Account) accountData {
	return accountData{a.WireID(), a.Name, a.Currency, a.TimeZone, wire.DateTime(a.CreatedAt)}
}

func accountGet(ctx context.Context, r *store.Records, in *AccountRequest) (accountData, error) {
	a, err := r.Tenants.Get(ctx, in.AccountID)
	return accountView(a), err
}

type accountListRequest struct {
	Page page `json:"page,omitempty"`
}

func (in *accountListRequest) check() []refusal.Field { return checkAfter[id.AccountID](in.Page) }

type accountListData struct {
	Accounts []accountData `json:"accounts" nullable:"false"`
	Next     *string       `json:"next" doc:"Pass it as page.after for the next page; null on the last one."`
}

func accountList(ctx context.Context, r *store.Records, in *accountListRequest) (accountListData, error) {
	found, next, err := r.Tenants.List(ctx, in.Page.page())
	data := accountListData{Accounts: []accountData{}, Next: orNull(next)}
	for _, a := range found {
		data.Accounts = append(data.Accounts, accountView(a))
	}
	return data, err
}

type whoamiData struct {
	OrganizationID string             `json:"organization_id"`
	Environment    domain.Environment `json:"environment"`
	Credential     credentialData     `json:"credential"`
	RateLimit      *rateLimitData     `json:"rate_limit,omitempty" doc:"How often the credential may send requests to each api process. Absent without a limit."`
}

type credentialData struct {
	Name            string             `json:"name"`
	APIKey          string             `json:"api_key"`
	Permissions     domain.Permissions `json:"permissions" nullable:"false"`
	SignaturePolicy domain.Policy      `json:"signature_policy" doc:"strict signs all six elements, minimal may sign the API key alone."`
}

type rateLimitData struct {
	PerSecond float64 `json:"per_second"`
	Burst     int     `json:"burst" doc:"How many may come at once after a pause."`
}

func whoami(_ context.Context, s *Server, c *caller, _ *wire.Empty) (wire.Reply, error) {
	data := whoamiData{
		OrganizationID: id.Format(id.Organization, c.credential.OrganizationID),
		Environment:    c.credential.Environment,
		Credential:     credentialData{c.credential.Name, c.credential.APIKey, c.credential.Permissions, c.credential.Policy},
	}
	if perSecond, burst, limited := s.limit.Size(); limited {
		data.RateLimit = &rateLimitData{perSecond, burst}
	}
	return wire.Reply{Data: data}, nil
}

type versionData struct {
	CurrentVersion string `json:"current_version"`
	LatestVersion  string `json:"latest_version"`
}

func checkVersion(context.Context, *store.Records, *wire.Empty) (versionData, error) {
	return versionData{CurrentVersion: wire.Version, LatestVersion: wire.Version}, nil
}
