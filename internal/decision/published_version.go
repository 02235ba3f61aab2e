package decision

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/text/names"
)

// PublishedVersion is a version of rules or prices, with the fields that its hash can cover. Its texts
// are those of exports; absent ones are empty.
type PublishedVersion struct {
	Form                                     Form
	ID                                       id.RuleSetVersionID
	Version                                  int
	Content                                  string
	EffectiveFrom, AppliesTo                 string
	KeepApprovals                            string // JSON
	ProposedBy, ProposedByType               string
	ProposedAt, ProposalComment              string
	ApprovedBy, ApprovedByType, ApprovedAt   string
	PublishedBy, PublishedAt, PublishComment string
}

// Form says which fields the hash of a version covers.
type Form int

// The forms. Prices have ContentAlone, rules have AllFields.
const (
	ContentAlone Form = 1
	AllFields    Form = 2
)

// formOf returns the form of "rules" or "prices".
func formOf(what string) Form {
	if what == "rules" {
		return AllFields
	}
	return ContentAlone
}

// OfRules returns the PublishedVersion of rules.
func OfRules(p calculation.Publication) PublishedVersion {
	text := func(value *string) string {
		if value == nil {
			return ""
		}
		return *value
	}
	at := func(value *time.Time) string {
		if value == nil {
			return ""
		}
		return Time(*value)
	}
	kept, _ := json.Marshal(append([]string{}, p.KeepApprovals...)) // encoding codes cannot fail
	v := OfPrices(p)
	v.Form, v.EffectiveFrom, v.AppliesTo, v.KeepApprovals = AllFields, text(p.EffectiveFrom), string(p.AppliesTo), string(kept)
	v.ProposedBy, v.ProposedByType, v.ProposedAt, v.ProposalComment = text(p.ProposedBy), text(p.ProposedByType), at(p.ProposedAt), text(p.ProposalComment)
	v.ApprovedBy, v.ApprovedByType, v.ApprovedAt, v.PublishComment = text(p.ApprovedBy), text(p.ApprovedByType), at(p.ApprovedAt), text(p.Comment)
	return v
}

// OfPrices returns the PublishedVersion of prices.
func OfPrices(p calculation.Publication) PublishedVersion {
	return PublishedVersion{
		Form: ContentAlone, ID: p.WireID(), Version: p.Version, Content: p.Content, PublishedBy: p.PublishedBy, PublishedAt: Time(p.PublishedAt),
	}
}

// fields lists the fields that the hash of AllFields covers, in their order, as
// docs/decision-export.md does.
func (v PublishedVersion) fields() [][2]string {
	return [][2]string{
		{"version_id", v.ID.String()},
		{"version", strconv.Itoa(v.Version)},
		{"content", v.Content},
		{"effective_from", v.EffectiveFrom},
		{"applies_to", v.AppliesTo},
		{"keep_approvals", v.KeepApprovals},
		{"proposed_by", v.ProposedBy},
		{"proposed_by_type", v.ProposedByType},
		{"proposed_at", v.ProposedAt},
		{"proposal_comment", v.ProposalComment},
		{"approved_by", v.ApprovedBy},
		{"approved_by_type", v.ApprovedByType},
		{"approved_at", v.ApprovedAt},
		{"published_by", v.PublishedBy},
		{"published_at", v.PublishedAt},
		{"comment", v.PublishComment},
	}
}

// exported lists the fields of a version in an export.
func (v PublishedVersion) exported() [][2]string {
	return append(v.fields(), [2]string{"form", strconv.Itoa(int(v.Form))})
}

// Hash is the hash that decisions store with the id of the version.
func (v PublishedVersion) Hash() []byte {
	if v.Form == ContentAlone {
		sum := sha256.Sum256([]byte(v.Content))
		return sum[:]
	}
	return hashFields(v.fields())
}

// changed is the text for a version whose hash differs from the one in a decision.
func (f Form) changed(of string, v id.RuleSetVersionID, hash, used []byte) string {
	what := "its fields have"
	if f == ContentAlone {
		what = "its content has"
	}
	return fmt.Sprintf("version %s of the %s was changed: %s the SHA-256 %s, and the decision names %s", v, of, what, Hex(hash), Hex(used))
}

// Changed says how the version differs from the one that a decision used, whose hash is used. It
// returns nothing if they are the same. Each text begins with the version and with of: rules or prices.
func (v PublishedVersion) Changed(of string, used []byte) (found []string) {
	if hash := v.Hash(); Hex(hash) != Hex(used) {
		found = append(found, v.Form.changed(of, v.ID, hash, used))
	}
	for _, text := range v.contradictions() {
		found = append(found, fmt.Sprintf("version %s of the %s was changed: %s", v.ID, of, text))
	}
	return found
}

// contradictions lists fields that contradict each other, and fields that the form does not have.
func (v PublishedVersion) contradictions() (found []string) {
	made := madeAt(v.ID.UUID)
	if at, err := time.Parse(timeForm, v.PublishedAt); err != nil || Time(at) != v.PublishedAt || !at.Truncate(time.Millisecond).Equal(made) {
		found = append(found, fmt.Sprintf("its id was made at %s, which is not published_at", Time(made)))
	}
	if v.Form == ContentAlone {
		for _, f := range v.fields() {
			if !slices.Contains(fieldsOfPrices, f[0]) && f[1] != "" {
				found = append(found, "it is of form 1, which has no "+f[0])
			}
		}
		return found
	}
	two := []string{v.ProposedBy, v.ProposedByType, v.ProposedAt, v.ProposalComment, v.ApprovedBy, v.ApprovedByType, v.ApprovedAt}
	if strings.Join(two, "") == "" {
		return found
	}
	for _, wrong := range []struct {
		is   bool
		text string
	}{
		{slices.Contains(two, ""), "it has only a part of a proposal and its approval"},
		{v.PublishedBy != v.ProposedBy, "published_by is not proposed_by"},
		{v.PublishedAt != v.ApprovedAt, "approved_at is not published_at"},
		{names.Same(v.ProposedBy, v.ApprovedBy), "approved_by is proposed_by"},
		{v.ProposedByType != apiKey && v.ApprovedByType != apiKey, "neither who proposed nor who approved is a credential"},
	} {
		if wrong.is {
			found = append(found, wrong.text)
		}
	}
	return found
}

// fieldsOfPrices are the fields of a version with the form ContentAlone.
var fieldsOfPrices = []string{"version_id", "version", "content", "published_by", "published_at"}

// apiKey is the type of users that are credentials.
var apiKey = domain.APIKey("").UserType

// readVersion reads the fields of a version. Like readDecision, it refuses a text that it cannot hold
// exactly.
func readVersion(given map[string]jsontext.Value) (*PublishedVersion, error) {
	texts, err := readTexts(given)
	if err != nil {
		return nil, err
	}
	v := &PublishedVersion{
		Content: texts["content"], EffectiveFrom: texts["effective_from"], AppliesTo: texts["applies_to"], KeepApprovals: texts["keep_approvals"],
		ProposedBy: texts["proposed_by"], ProposedByType: texts["proposed_by_type"], ProposedAt: texts["proposed_at"], ProposalComment: texts["proposal_comment"],
		ApprovedBy: texts["approved_by"], ApprovedByType: texts["approved_by_type"], ApprovedAt: texts["approved_at"],
		PublishedBy: texts["published_by"], PublishedAt: texts["published_at"], PublishComment: texts["comment"],
	}
	if err := v.ID.UnmarshalText([]byte(texts["version_id"])); err != nil {
		return nil, fmt.Errorf("version_id: %w", err)
	}
	number, err := strconv.ParseInt(texts["version"], 10, 32)
	if err == nil && number < 1 {
		err = errors.New("it is not positive")
	}
	if err != nil {
		return nil, fmt.Errorf("version: %w", err)
	}
	v.Version = int(number)
	switch texts["form"] {
	case "1":
		v.Form = ContentAlone
	case "2":
		v.Form = AllFields
	default:
		return nil, fmt.Errorf("the form of version %s is neither 1 nor 2", v.ID)
	}
	// Otherwise the text that AllFields hashes could pass as the content of a version with ContentAlone.
	if !strings.HasPrefix(v.Content, "{") {
		return nil, fmt.Errorf("the content of version %s is no JSON object", v.ID)
	}
	return v, sameTexts(texts, v.exported(), "version")
}
