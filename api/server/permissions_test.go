package server

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/api/limits"
	"requisite/api/reference"
	"requisite/internal/domain"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/fact"
)

// permissionsFor returns the permissions of an operation, derived from its name.
func permissionsFor(operation string) domain.Permissions {
	parts := strings.Split(operation, ".")
	switch last := parts[len(parts)-1]; {
	case slices.Contains([]string{"get", "list", "checkVersion", "replayed"}, last):
		return domain.Permissions{domain.PermissionRead}
	case last == "whoami": // about nothing but the credential
		return domain.Permissions{}
	case last == "preview": // its response contains facts on file
		return domain.Permissions{domain.PermissionRead, domain.PermissionRules}
	case last == "approve", last == "reject":
		return domain.Permissions{domain.PermissionApproveRules}
	case strings.HasPrefix(operation, "account.documentRules."):
		return domain.Permissions{domain.PermissionRules}
	case strings.HasPrefix(operation, "account.recalculation."):
		return domain.Permissions{domain.PermissionWrite, domain.PermissionRules}
	case strings.HasPrefix(operation, "webhook.key."):
		return domain.Permissions{domain.PermissionKeys}
	case strings.HasPrefix(operation, "webhook."):
		return domain.Permissions{domain.PermissionWebhooks}
	}
	return domain.Permissions{domain.PermissionWrite}
}

// TestPermissions_EachOperationNeedsItsOwn calls every operation with each single
// permission, and with exactly those that it needs. The body is malformed: a permitted
// caller gets BAD_REQUEST.
func TestPermissions_EachOperationNeedsItsOwn(t *testing.T) {
	t.Parallel()
	c := newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 20}})
	var description struct {
		Paths map[string]struct {
			Post struct {
				Description string
				Permissions domain.Permissions `json:"x-permissions"`
				Responses   map[string]any
			}
		}
	}
	require.NoError(t, json.Unmarshal(pagesOf(t, c.Server)["/openapi.json"].Body, &description))
	require.Len(t, description.Paths, len(c.operations))
	granted := []domain.Permissions{{domain.PermissionRead, domain.PermissionRules}, {domain.PermissionWrite, domain.PermissionRules}}
	for _, alone := range domain.AllPermissions() {
		granted = append(granted, domain.Permissions{alone})
	}
	for _, has := range granted {
		caller := c.with(domain.NewCredential{Name: "planted", Permissions: has})
		for path, described := range description.Paths {
			operation := strings.TrimPrefix(path, "/")
			needed := permissionsFor(operation)
			require.Equal(t, needed, described.Post.Permissions, operation)
			for _, permission := range needed {
				require.Contains(t, described.Post.Description, "`"+string(permission)+"`", operation)
			}
			require.Contains(t, described.Post.Responses, "403", operation)
			const body = `{"malformed"`
			answer := caller.send(t.Context(), operation, caller.signed(operation, body), body)
			var missing domain.Permissions
			for _, permission := range needed {
				if !slices.Contains(has, permission) {
					missing = append(missing, permission)
				}
			}
			if operation == "account.documentRules.proposal.reject" && has.Has(domain.PermissionRules) {
				missing = nil // to withdraw one's own
			}
			if missing == nil {
				require.Equal(t, 400, answer.Code, "%s with %s: %s", operation, has, answer.Body)
				require.Contains(t, answer.Body.String(), `"BAD_REQUEST"`)
				continue
			}
			require.Equal(t, 403, answer.Code, "%s with %s: %s", operation, has, answer.Body)
			var envelope struct {
				Meta   struct{ Status string }
				Errors []struct{ Code, Message string }
			}
			require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &envelope))
			require.Equal(t, "ERROR", envelope.Meta.Status)
			require.Len(t, envelope.Errors, 1)
			require.Equal(t, "FORBIDDEN", envelope.Errors[0].Code)
			if len(needed) == 1 {
				require.Contains(t, envelope.Errors[0].Message, operation+" needs the permission "+string(needed[0])+", which this credential does not have")
				continue
			}
			require.Contains(t, envelope.Errors[0].Message, operation+" needs the permissions "+needed.Words()+". This credential lacks "+missing.Words()+":")
		}
	}
}

// TestPermissions_AreCheckedAfterTheSignature: a forbidden request uses up its nonce, and
// an unauthenticated caller learns nothing about permissions.
func TestPermissions_AreCheckedAfterTheSignature(t *testing.T) {
	t.Parallel()
	c := newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 20}})
	c = c.with(domain.NewCredential{Name: "c", Permissions: domain.Permissions{domain.PermissionRead}})
	before := c.nonces()
	unchanged := c.sign("business.create", `{"account_id":"`+c.account+`","business":{"legal_name":"Ltd"}}`)
	c.answers(403, "FORBIDDEN", unchanged)
	require.Equal(t, before+1, c.nonces())
	c.answers(401, "AUTH_NONCE_REUSED", unchanged)
	header := c.signed("business.create", "{}")
	header.Set("X-API-Version", "1999-01-01") // not signed
	require.Contains(t, c.send(t.Context(), "business.create", header, "{}").Body.String(), "AUTH_ELEMENT_REQUIRED")
	header.Set("X-API-Auth-Token", "another")
	require.Contains(t, c.send(t.Context(), "business.create", header, "{}").Body.String(), "AUTH_INVALID_AUTH_TOKEN")
	c.answers(200, "", c.getAccount())
}

func TestCredential_IsUnknownOnceItHasExpired(t *testing.T) {
	t.Parallel()
	c := newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 20}})
	later := time.Now().Add(time.Hour)
	c = c.with(domain.NewCredential{Name: "c", ExpiresAt: &later})
	c.answers(200, "", c.getAccount())
	c.exec(`UPDATE credential SET expires_at = now() - interval '1 second' WHERE api_key = '` + c.key + `'`)
	c.answers(401, "AUTH_INVALID_API_KEY", c.getAccount())
}

// TestCredential_RecordsItsLastUse for each request that it signed, even if that was
// refused, and not for forged requests.
func TestCredential_RecordsItsLastUse(t *testing.T) {
	t.Parallel()
	c := newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 20}})
	used := func(apiKey string) *time.Time {
		found, err := c.operator.Credentials.List(t.Context(), c.organization)
		require.NoError(t, err)
		for _, k := range found {
			if k.APIKey == apiKey {
				return k.LastUsedAt
			}
		}
		return nil
	}
	forged := c.with(domain.NewCredential{Name: "forged"})
	header := forged.signed("account.get", `{}`)
	header.Set("X-API-Auth-Token", "another")
	require.Equal(t, 401, c.send(t.Context(), "account.get", header, `{}`).Code)
	refused := c.with(domain.NewCredential{Name: "refused", Permissions: domain.Permissions{domain.PermissionKeys}})
	refused.answers(403, "FORBIDDEN", refused.sign("account.get", `{}`))
	c.answers(200, "", c.getAccount())
	for _, apiKey := range []string{c.key, refused.key} {
		becomes(t, "whether the use is recorded", true, func() bool { return used(apiKey) != nil })
	}
	require.Nil(t, used(forged.key), "uses are recorded in order, and this request came first")
}

// TestPermissions_WithoutReadShowNoRecords: an operation that does not need the permission
// read returns only ids, counts, keys and versions.
func TestPermissions_WithoutReadShowNoRecords(t *testing.T) {
	t.Parallel()
	shown := []string{
		"account_id", "business_id", "config_id", "event_id", "key_id", "person_id", "person_ids", "proposal_id", "required_document_id", "run_id", "sales_info_id", "version_id", "workflow_id",
		"activated_at", "created_at", "shared_secret", "status", // of a webhook key
		"changed", "version", "facts", "warnings", "warnings[].message", "warnings[].path", "warnings[].severity", // of rules; facts are names
		"count", "expired", "renewal_due", "overdue", "expiring", // counts
		"organization_id", "environment", "rate_limit", "rate_limit.per_second", "rate_limit.burst", // of the credential itself
		"credential", "credential.name", "credential.api_key", "credential.permissions", "credential.signature_policy",
	}
	s := testServer()
	api := s.api.Describe()
	f := reference.Fields{Schemas: api.Components.Schemas}
	checked := 0
	for name, o := range s.operations {
		if o.Permissions.Has(domain.PermissionRead) {
			continue
		}
		for _, field := range f.List("", api.Paths["/"+name].Post.Responses["200"].Content[reference.MediaJSON].Schema.Properties["data"]) {
			require.Contains(t, shown, field.Name, "%s returns this field: does it need the permission read?", name)
			checked++
		}
	}
	require.Greater(t, checked, 20)
}

// TestPermissions_GapsTellNoValuesWithoutRead: a calculation needs only the permission write,
// and its gaps may have amounts on file.
func TestPermissions_GapsTellNoValuesWithoutRead(t *testing.T) {
	t.Parallel()
	s := testServer()
	amount := rational.Int(60123)
	sales := fact.Gap{Code: fact.CodeFieldsRequired, Present: []fact.MissingField{{Field: "sales_amount", Type: "HIGHEST_TICKET_SALE", Value: &amount}}}
	refused := refusal.Missing([]fact.Gap{sales, {Code: fact.CodeCalculatedPricingRequired, PricingMissing: []fact.Gap{sales}}})
	for _, has := range []domain.Permissions{{domain.PermissionWrite}, {domain.PermissionRead, domain.PermissionWrite}} {
		got := string(s.refusalFor(t.Context(), &caller{credential: domain.Credential{Permissions: has}}, refused).Details)
		require.Equal(t, 2, strings.Count(got, "HIGHEST_TICKET_SALE"), got)
		require.Equal(t, has.Has(domain.PermissionRead), strings.Contains(got, "60123"), got)
	}
	require.Equal(t, 2, strings.Count(string(refused.Details), "60123"), "a repeat of another credential has them")
}
