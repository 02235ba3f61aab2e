package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
)

// ErrNoAccount says that a command does not know the account.
var ErrNoAccount = errors.New("--account is not set; `starter account list` shows ids")

// AccountScope reads the account that a command names, and finds its scope.
func AccountScope(ctx context.Context, scopes store.Scopes, account string) (id.AccountID, domain.Scope, error) {
	if account == "" {
		return id.AccountID{}, domain.Scope{}, ErrNoAccount
	}
	var accountID id.AccountID
	if err := accountID.Parse(account); err != nil {
		return id.AccountID{}, domain.Scope{}, err
	}
	scope, err := scopes.Account(ctx, accountID)
	return accountID, scope, err
}

// Moment is a time in a table, or a dash.
func Moment(at *time.Time) string {
	if at == nil {
		return "-"
	}
	return at.UTC().Format(time.RFC3339)
}

// TextOrDash is a text in a table, or a dash.
func TextOrDash(text *string) string {
	if text == nil || *text == "" {
		return "-"
	}
	return *text
}

// OrganizationID reads the organization that a command names.
func OrganizationID(text string) (id.UUID, error) {
	u, err := id.Parse(id.Organization, text)
	if err != nil || u == id.Nil {
		return id.Nil, errors.New("give the organization's id, org_…; `starter organization list` shows the ids")
	}
	return u, nil
}

// Scope is one environment of an organization.
func Scope(organization id.UUID, live bool) domain.Scope {
	environment := domain.Sandbox
	if live {
		environment = domain.Live
	}
	return domain.Scope{OrganizationID: organization, Environment: environment}
}

// ParseTime reads the time in a flag. Empty text is the zero time.
func ParseTime(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, fmt.Errorf("--%s must be a time such as 2026-11-20T00:00:00Z, not %q", flag, text)
	}
	return at, nil
}

// MostListed limits a list, because a command reads it completely before it prints.
const MostListed = 10_000
