package domain

import (
	"slices"
	"strings"
)

// Permission is a kind of operation that a credential may call. None includes
// another: one that may write and read has both.
type Permission string

// The permissions.
const (
	// PermissionRead reads every record of the credential's accounts.
	PermissionRead Permission = "read"
	// PermissionWrite changes businesses, persons, sales, workflows and required
	// documents, and calculates.
	PermissionWrite Permission = "write"
	// PermissionRules checks, previews, proposes and publishes rules. To preview needs
	// PermissionRead as well.
	PermissionRules Permission = "rules"
	// PermissionApproveRules approves and rejects the proposals of others. A credential has it only if
	// it was named when the credential was created.
	PermissionApproveRules Permission = "approve_rules"
	// PermissionKeys creates, activates and deletes webhook keys.
	PermissionKeys Permission = "keys"
	// PermissionWebhooks changes endpoints and sends deliveries again.
	PermissionWebhooks Permission = "webhooks"
)

// Permissions is a set of permissions, each once.
type Permissions []Permission

// AllPermissions lists all permissions, in the order in which they are shown.
func AllPermissions() Permissions {
	return Permissions{PermissionRead, PermissionWrite, PermissionRules, PermissionApproveRules, PermissionKeys, PermissionWebhooks}
}

// DefaultPermissions are the permissions of a credential that was created without naming any.
func DefaultPermissions() Permissions {
	return AllPermissions().Without(Permissions{PermissionApproveRules})
}

// Has reports whether the set includes a permission.
func (p Permissions) Has(wanted Permission) bool { return slices.Contains(p, wanted) }

// Without returns the permissions of the set that other does not have.
func (p Permissions) Without(other Permissions) Permissions {
	return slices.DeleteFunc(slices.Clone(p), other.Has)
}

// Words lists the permissions in a sentence, such as "read, write and rules".
func (p Permissions) Words() string {
	texts := p.texts()
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}

// String lists the permissions as operators name them, such as "read,write".
func (p Permissions) String() string { return strings.Join(p.texts(), ",") }

func (p Permissions) texts() []string {
	texts := make([]string, len(p))
	for i, permission := range p {
		texts[i] = string(permission)
	}
	return texts
}
