package decision

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// timeForm writes a time to the microsecond, because Postgres stores microseconds.
const timeForm = "2006-01-02T15:04:05.000000Z"

// Time writes a time as digests and exports do.
func Time(t time.Time) string { return t.UTC().Format(timeForm) }

// Hex writes a digest as answers, events and exports do.
func Hex(digest []byte) string { return hex.EncodeToString(digest) }

// SaltSize is the size of each salt, in bytes. A check refuses any other: otherwise bytes could
// be moved between the salt and the personal part without a change of their hash.
const SaltSize = 32

// HashPersonal is the hash that stands for the personal part in a digest. Because of the salt,
// nobody can guess the erased data and confirm the guess with the hash.
func HashPersonal(salt []byte, personal string) []byte {
	h := sha256.New()
	h.Write(salt)
	h.Write([]byte(personal))
	return h.Sum(nil)
}

// ComputeDigest is the SHA-256 of all fields, with the hash of the personal part instead of that
// part. Each field is a line NAME=LENGTH:VALUE, with the length in bytes; an absent one is NAME=.
func (d Decision) ComputeDigest() []byte {
	return hashFields(d.fields())
}

func hashFields(fields [][2]string) []byte {
	var text strings.Builder
	for _, f := range fields {
		writeField(&text, f[0], f[1])
	}
	sum := sha256.Sum256([]byte(text.String()))
	return sum[:]
}

func writeField(text *strings.Builder, name, value string) {
	text.WriteString(name)
	text.WriteByte('=')
	if value != "" {
		text.WriteString(strconv.Itoa(len(value)))
		text.WriteByte(':')
		text.WriteString(value)
	}
	text.WriteByte('\n')
}

// fields lists the fields that a digest covers, in their order, as docs/decision-export.md does.
func (d Decision) fields() [][2]string {
	var previousAt string
	if d.PreviousAt != nil {
		previousAt = Time(*d.PreviousAt)
	}
	fields := [][2]string{
		{"decision_id", d.ID.String()},
		{"workflow_id", d.WorkflowID.String()},
		{"business_id", d.BusinessID.String()},
		{"number", strconv.FormatInt(d.Number, 10)},
		{"kind", string(d.Kind)},
		{"outcome", string(d.Outcome)},
		{"decided_at", Time(d.DecidedAt)},
		{"previous_at", previousAt},
		{"as_of", d.AsOf.String()},
		{"user_id", d.UserID},
		{"user_type", d.UserType},
		{"trace_id", d.TraceID},
		{"rule_version_id", d.RuleSet.id()},
		{"rule_set_sha256", d.RuleSet.hash()},
		{"pricing_version_id", d.PricingModel.id()},
		{"pricing_model_sha256", d.PricingModel.hash()},
		{"changes", d.Changes},
		{"results", d.Results},
		{"personal_sha256", Hex(d.PersonalSHA256)},
		{"previous_digest", Hex(d.PreviousDigest)},
	}
	if d.SandboxToday {
		fields = append(fields, [2]string{sandboxToday, "true"})
	}
	return fields
}

// sandboxToday is the one field that has no line where it is absent.
const sandboxToday = "sandbox_today"

func (v *Version) id() string {
	if v == nil {
		return ""
	}
	return v.ID.String()
}

func (v *Version) hash() string {
	if v == nil {
		return ""
	}
	return Hex(v.SHA256)
}

// ComputeFingerprint returns equal fingerprints for decisions of a workflow with the same kind,
// outcome, versions, facts and results. A fingerprint depends on personal data, so an erasure removes it.
func (d Decision) ComputeFingerprint() []byte {
	return hashFields([][2]string{
		{"kind", string(d.Kind)}, {"outcome", string(d.Outcome)}, {"rules", d.RuleSet.id()}, {"prices", d.PricingModel.id()},
		{"results", d.Results}, {"personal", d.Personal},
	})
}

// Seal sets the hash of the personal part, and then the digest.
func (d *Decision) Seal() {
	if d.Personal != "" {
		d.PersonalSHA256 = HashPersonal(d.Salt, d.Personal)
	}
	d.Digest = d.ComputeDigest()
}
