// Package domain holds the types that the rest of the service shares: tenants,
// applicants and their records, rules in force, calculations, webhooks. They do no
// I/O.
package domain

import (
	"fmt"
	"sync"
	"time"

	"requisite/internal/id"
)

// Scope is what a credential may act on: one organization's records of one
// environment.
type Scope struct {
	OrganizationID id.UUID     `json:"organization_id"`
	Environment    Environment `json:"environment"`
	// SandboxToday is what a call of the sandbox takes for today, as YYYY-MM-DD. It is empty for
	// the day of the clock.
	SandboxToday string `json:"sandbox_today,omitempty" db:"-"`
}

// Tenant identifies the scope among the tenants that share a process.
func (s Scope) Tenant() string { return s.OrganizationID.String() + "/" + string(s.Environment) }

// Environment separates real applications from trials.
type Environment string

// The environments.
const (
	Live    Environment = "live"
	Sandbox Environment = "sandbox"
)

// Environments lists both.
func Environments() []Environment { return []Environment{Live, Sandbox} }

// Actor is who caused a change, as recorded with events.
type Actor struct {
	UserID   string `json:"user_id"`
	UserType string `json:"user_type"`
}

// The types of actors.
const (
	UserAPIKey = "API_KEY" // a credential, which signed the request
	UserSystem = "SYSTEM"  // the service, or an operator
)

// UserTypes lists both.
func UserTypes() []string { return []string{UserAPIKey, UserSystem} }

// System is the actor of changes that no caller requested.
var System = Actor{UserID: "SYSTEM", UserType: UserSystem}

// APIKey is the actor of a request; name is the credential's.
func APIKey(name string) Actor { return Actor{UserID: name, UserType: UserAPIKey} }

// Operator is the actor of an operator's change; name is the one that the operator gives.
func Operator(name string) Actor { return Actor{UserID: name, UserType: UserSystem} }

// String is the name with its kind, as operators read it. The service itself is its name alone.
func (a Actor) String() string {
	switch {
	case a == System:
		return a.UserID
	case a.UserType == UserSystem:
		return a.UserID + " (operator)"
	}
	return fmt.Sprintf("%s (%s)", a.UserID, a.UserType)
}

// IsCredential reports whether the actor signed a request. Any other is the service or an operator.
func (a Actor) IsCredential() bool { return a == APIKey(a.UserID) }

// Prefix is the prefix of account ids and API keys of the environment.
func (e Environment) Prefix() id.Prefix {
	if e == Live {
		return id.AccountLive
	}
	return id.AccountSandbox
}

// Account is the id of an account of the environment.
func (e Environment) Account(u id.UUID) id.AccountID { return id.Account(e.Prefix(), u) }

// Organization owns accounts and credentials.
type Organization struct {
	ID        id.UUID
	Name      string
	CreatedAt time.Time
}

// WireID is the organization's id in the API.
func (o Organization) WireID() string { return id.Format(id.Organization, o.ID) }

// Account is one platform's book of applications in one environment.
type Account struct {
	ID             id.UUID
	OrganizationID id.UUID
	Environment    Environment
	Name           string
	Currency       string // ISO 4217
	TimeZone       string // IANA
	// RulesNeedApproval says that rules come into force only when a second person approves them.
	RulesNeedApproval bool
	Recalculation     RecalculationSetting
	CreatedAt         time.Time
}

// WireID is the account's id in the API.
func (a Account) WireID() id.AccountID { return a.Environment.Account(a.ID) }

// locations caches time zones: loading one takes longer than a calculation
// should.
var locations sync.Map

// Zone is a time zone by its IANA name.
func Zone(timeZone string) (*time.Location, error) {
	if known, ok := locations.Load(timeZone); ok {
		return known.(*time.Location), nil
	}
	location, err := time.LoadLocation(timeZone)
	if err != nil {
		return nil, fmt.Errorf("time zone: %w", err)
	}
	locations.Store(timeZone, location)
	return location, nil
}

// Policy is how much of a request a credential must sign.
type Policy string

// The policies; sandbox credentials may be minimal, live ones only when the
// operator forces it.
const (
	Strict  Policy = "strict"
	Minimal Policy = "minimal"
)

// Policies lists both.
func Policies() []Policy { return []Policy{Strict, Minimal} }

// Credential identifies a caller, without its secrets.
type Credential struct {
	APIKey         string
	OrganizationID id.UUID
	Environment    Environment
	Name           string
	Policy         Policy
	Permissions    Permissions
	CreatedAt      time.Time
	// ExpiresAt is when the credential ends by itself; nil when it does not.
	ExpiresAt *time.Time
	// LastUsedAt is up to an hour before the last request of the credential; nil if it was
	// never used.
	LastUsedAt *time.Time
	RevokedAt  *time.Time
}

// Scope is what the credential may act on.
func (c Credential) Scope() Scope {
	return Scope{OrganizationID: c.OrganizationID, Environment: c.Environment}
}

// NewCredential describes a credential to create.
type NewCredential struct {
	Name string
	// Policy is Strict when empty.
	Policy Policy
	// Force allows a Minimal credential in Live.
	Force bool
	// Permissions are all of them when empty.
	Permissions Permissions
	// ExpiresAt is when it ends by itself; nil when it does not.
	ExpiresAt *time.Time
}

// Secrets of a new credential. They are shown only once, when it is made.
type Secrets struct {
	SecretKey string // standard Base64
	AuthToken string
}

// MinimalCredential names a credential that signs only its API key.
type MinimalCredential struct {
	APIKey      string
	Name        string
	Environment Environment
}
