package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/event"
)

// Rules reads and writes the versions of rules and prices, and the proposals of versions.
type Rules struct{ *unit }

func (u *unit) rules() Rules { return Rules{u} }

// kind says how one kind of publication is stored.
type kind struct {
	table, terms string
	// set declares the facts. Columns of account_fact begin with declarations, and paths of
	// problems begin with request.
	set                   fact.Set
	declarations, request string
	// hashed returns the part of a version that its hash covers. Decisions name versions by that
	// hash.
	hashed func(calculation.Publication) decision.PublishedVersion
}

var (
	ruleSets = &kind{
		hashed: decision.OfRules,
		table:  "rule_set", set: fact.SetRules, declarations: "rules", request: "rules",
		terms: `v.comment, to_char(v.effective_from, 'YYYY-MM-DD') AS effective_from, v.applies_to, v.keep_approvals,
			v.proposed_by, v.proposed_by_type, v.proposed_at, v.proposal_comment, v.approved_by, v.approved_by_type, v.approved_at`,
	}
	pricingModels = &kind{
		hashed: decision.OfPrices,
		table:  "pricing_model", set: fact.SetPricing, declarations: "pricing", request: "pricing",
		terms: `NULL::text AS comment, NULL::text AS effective_from, 'ALL' AS applies_to, '{}'::text[] AS keep_approvals,
			NULL::text AS proposed_by, NULL::text AS proposed_by_type, NULL::timestamptz AS proposed_at, NULL::text AS proposal_comment,
			NULL::text AS approved_by, NULL::text AS approved_by_type, NULL::timestamptz AS approved_at`,
	}
)

func (k *kind) columns() string {
	return `v.id, v.account_id, v.version, v.content, v.environment_version, v.cost_limit, v.published_at, v.published_by, ` + k.terms
}

// Published is the newest version of rules or prices after a publication.
type Published struct {
	calculation.Publication
	// Changed is false if the newest version already had the same content, so that no version was
	// made.
	Changed bool
	// Replaced has the numbers of the coming versions that this publication canceled.
	Replaced []int
}

// Warnings returns warnings about the versions that the publication replaces.
func (p Published) Warnings() []refusal.Warning {
	return replacing(p.Replaced, "Version %d, which was to come into force, never will: this one replaces it.")
}

func replacing(numbers []int, message string) (warnings []refusal.Warning) {
	for _, number := range numbers {
		warnings = append(warnings, refusal.Warning{Code: refusal.ReplacesComingVersion, Message: fmt.Sprintf(message, number)})
	}
	return warnings
}

// Publish makes a draft the newest version of an account's rules.
func (r Rules) Publish(ctx context.Context, accountID id.AccountID, d calculation.Draft) (Published, error) {
	return r.publish(ctx, ruleSets, accountID, d, nil)
}

// PublishPrices makes a draft the account's prices, as Publish does with rules. They are in force
// at once.
func (r Rules) PublishPrices(ctx context.Context, accountID id.AccountID, d calculation.Draft) (Published, error) {
	return r.publish(ctx, pricingModels, accountID, d, nil)
}

// policy is an account's rules or prices, with the account's policy locked.
type policy struct {
	account domain.Account
	latest  calculation.Publication // version 0 if there is none
	today   fact.Date               // the day of the call
	byClock fact.Date               // today, unless a call of the sandbox names a later day
}

// lock waits for transactions that share the lock of an account's policy. It sets the time of the
// change, never before the times in after.
func (r Rules) lock(ctx context.Context, k *kind, accountID id.AccountID, after ...*time.Time) (held policy, err error) {
	if _, err := r.q.Exec(ctx, lockPolicySQL, accountID.UUID); err != nil {
		return held, fmt.Errorf("lock an account's policy: %w", err)
	}
	if held.account, err = r.tenants().Get(ctx, accountID); err != nil {
		return held, err
	}
	if held.latest, _, err = r.latest(ctx, k, held.account.ID); err != nil {
		return held, err
	}
	r.stamp(append(after, &held.latest.PublishedAt)...)
	if held.byClock, err = localDate(r.at, held.account.TimeZone); err != nil {
		return held, err
	}
	held.today, err = r.today(held.account.TimeZone)
	return held, err
}

// publish makes a draft the newest version. An approved proposal always makes a version.
func (r Rules) publish(ctx context.Context, k *kind, accountID id.AccountID, d calculation.Draft, approved *calculation.Proposal) (Published, error) {
	none := func(err error) (Published, error) { return Published{}, err }
	var after []*time.Time
	if approved != nil {
		after = append(after, &approved.ProposedAt)
	}
	held, err := r.lock(ctx, k, accountID, after...)
	if err != nil {
		return none(err)
	}
	stated := d.EffectiveFrom
	if d.Validity, err = normalized(d.Validity, held); err != nil {
		if approved != nil { // midnight may have passed since its state was read
			err = approved.Outdated()
		}
		return none(err)
	}
	if k == ruleSets && held.account.RulesNeedApproval && approved == nil {
		return none(refusal.Rule(refusal.EntityDocumentRules, accountID.String(), refusal.ApprovalRequired,
			"The rules of this account need approval: propose them with account.documentRules.proposal.create, and have another person approve them."))
	}
	if approved == nil && says(held.latest, d, stated) {
		return Published{Publication: held.latest}, nil
	}
	p := r.version(held, d)
	if approved != nil {
		p.PublishedBy = approved.ProposedBy // the comment is the approver's
		p.Approval = calculation.Approval{
			ProposedBy: &approved.ProposedBy, ProposedByType: &approved.ProposedByType, ProposedAt: &approved.ProposedAt, ProposalComment: &approved.Comment,
			ApprovedBy: &r.actor.UserID, ApprovedByType: &r.actor.UserType, ApprovedAt: &p.PublishedAt,
		}
	}
	found, err := r.admit(ctx, k, held, p, approved)
	if err != nil {
		return none(err)
	}
	columns, values, args := "", "", []any{
		p.ID, p.AccountID, p.Version, p.Content,
		k.hashed(p).Hash(), p.EnvironmentVersion, p.CostLimit,
		p.PublishedAt, p.PublishedBy,
	}
	if k == ruleSets {
		columns = ", comment, effective_from, applies_to, keep_approvals, kept_texts" +
			", proposed_by, proposed_by_type, proposed_at, proposal_comment" +
			", approved_by, approved_by_type, approved_at"
		values = ", $10, $11::text::date, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21"
		args = append(args, p.Comment, p.EffectiveFrom, p.AppliesTo, p.KeepApprovals, found.keptTexts,
			p.ProposedBy, p.ProposedByType, p.ProposedAt, p.ProposalComment, p.ApprovedBy, p.ApprovedByType, p.ApprovedAt)
		if err := r.outdateProposals(ctx, p, approved); err != nil {
			return none(err)
		}
	}
	_, err = r.q.Exec(ctx, `
		INSERT INTO `+k.table+` (id, account_id, version, content, sha256, environment_version, cost_limit, published_at, published_by`+columns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9`+values+`)`, args...)
	if err != nil {
		return none(fmt.Errorf("publish to %s: %w", k.table, err))
	}
	if err := r.facts().declare(ctx, k, p, found.declared); err != nil || k != ruleSets {
		return Published{p, true, nil}, err
	}
	if p.EffectiveFrom == nil && held.account.Recalculation == domain.RecalculationOnForce {
		if err := r.recalculations().startAutomatic(ctx, p.AccountID); err != nil {
			return none(err)
		}
	}
	fields := event.RulesContent{VersionID: p.WireID(), VersionNumber: p.Version, EffectiveFrom: p.EffectiveFrom, AppliesTo: p.AppliesTo}
	return Published{p, true, found.replaced},
		r.emit(ctx, &pgx.Batch{}, subject{accountID: p.AccountID},
			Event{Type: domain.DocumentRulesPublished, Fields: fields})
}

// says reports whether the newest version says what a draft says. stated is the draft's first day in
// the request: when that day has come, the version of that day is still the same one.
func says(latest calculation.Publication, d calculation.Draft, stated *string) bool {
	asStated := d.Validity
	asStated.EffectiveFrom = stated
	return latest.Version > 0 && latest.Content == string(d.Content) && (latest.Validity.Same(d.Validity) || latest.Validity.Same(asStated))
}

// version is the version that a draft becomes if it is published now.
func (r Rules) version(held policy, d calculation.Draft) calculation.Publication {
	return calculation.Publication{
		ID: r.newID(), AccountID: held.account.ID, Version: held.latest.Version + 1, Content: string(d.Content), Comment: d.Comment,
		EnvironmentVersion: d.EnvironmentVersion, CostLimit: d.CostLimit, PublishedAt: r.at, PublishedBy: r.actor.UserID, Validity: d.Validity,
	}
}

// admitted is what publishing an admitted version changes.
type admitted struct {
	declared  []fact.Declaration
	keptTexts []byte // JSON
	replaced  []int
}

// admit refuses a version that an account may not publish. A version that was proposed counts
// against the quotas instead of its proposal.
func (r Rules) admit(ctx context.Context, k *kind, held policy, p calculation.Publication, approved *calculation.Proposal) (found admitted, err error) {
	if found.declared, err = declarations([]byte(p.Content)); err != nil {
		return found, err
	}
	if err := r.facts().declarable(ctx, held.account, k, found.declared); err != nil || k != ruleSets {
		return found, err
	}
	var others map[calculation.AppliesTo]int
	if found.replaced, others, err = r.notReplaced(ctx, held.account.ID, p.Validity, held.today); err != nil {
		return found, err
	}
	if count := others[p.AppliesTo]; count >= MaxVersionsNotReplaced {
		return found, refusal.Rule(refusal.EntityDocumentRules, held.account.WireID().String(), refusal.VersionLimitExceeded,
			"%d versions of this account's rules for %s workflows are coming or in force, the most that there may be. Publish the rules for ALL workflows "+
				"without effective_from, which replaces them, or with an earlier one, which replaces the coming ones from that day on.", count, p.AppliesTo)
	}
	kept, err := r.keptTexts(ctx, held.latest, p, found.replaced, held.today)
	if err != nil {
		return found, err
	}
	if found.keptTexts, err = json.Marshal(kept); err != nil {
		return found, fmt.Errorf("encode which approvals hold: %w", err)
	}
	return found, r.publishing(ctx, held.account, max(len(p.Content), len(found.keptTexts)), approved)
}

// outdateProposals ends all open proposals except the approved one.
func (r Rules) outdateProposals(ctx context.Context, p calculation.Publication, approved *calculation.Proposal) error {
	var kept id.UUID
	if approved != nil {
		kept = approved.ID
	}
	_, err := r.q.Exec(ctx, `
		UPDATE rule_proposal
		SET state = 'OUTDATED', decided_at = greatest(proposed_at, $2)
		WHERE account_id = $1 AND state = 'OPEN' AND id <> $3`,
		p.AccountID, p.PublishedAt, kept)
	if err != nil {
		return fmt.Errorf("end the open proposals of an account: %w", err)
	}
	return nil
}

// MaxVersionsNotReplaced limits the versions for NEW workflows that are COMING or IN_FORCE, and those
// for ALL.
const MaxVersionsNotReplaced = 200

// notReplaced returns the numbers of the coming versions that a new one replaces, and how many others
// are COMING or IN_FORCE.
func (r Rules) notReplaced(
	ctx context.Context, account id.UUID, f calculation.Validity, today fact.Date,
) (replaced []int, others map[calculation.AppliesTo]int, err error) {
	found, err := db.Many[struct {
		Version       int
		State         calculation.VersionState
		AppliesTo     calculation.AppliesTo
		EffectiveFrom *string
	}](ctx, r.q, `
		SELECT n.version, n.state, n.applies_to, to_char(n.effective_from, 'YYYY-MM-DD') AS effective_from
		FROM rules_not_replaced($1, $2::text::date) n ORDER BY n.version`, account, today.String())
	if err != nil {
		return nil, nil, fmt.Errorf("read which versions of rules are coming or in force: %w", err)
	}
	others = map[calculation.AppliesTo]int{}
	for _, v := range found {
		if v.State == calculation.Coming && f.Replaces(calculation.Validity{AppliesTo: v.AppliesTo, EffectiveFrom: v.EffectiveFrom}) {
			replaced = append(replaced, v.Version)
		} else {
			others[v.AppliesTo]++
		}
	}
	return replaced, others, nil
}

// RulesVersion is a version of an account's rules, and its state today.
type RulesVersion struct {
	calculation.Publication
	State calculation.VersionState
}

// normalized returns when a version that is published now begins, in canonical form: today means at
// once. A later day that a call of the sandbox has named stays, because it has not come for other calls.
func normalized(f calculation.Validity, held policy) (calculation.Validity, error) {
	f.KeepApprovals = append([]string{}, slices.Compact(slices.Sorted(slices.Values(f.KeepApprovals)))...)
	switch from := f.EffectiveFrom; {
	case from == nil:
	case *from < held.today.String():
		return f, refusal.Fields(refusal.At("effective_from", refusal.NotAllowed, "This is before today, which is %s in the account's time zone.", held.today))
	case *from == held.byClock.String():
		f.EffectiveFrom = nil
	}
	return f, nil
}

// latest is the version with the highest number.
func (r Rules) latest(ctx context.Context, k *kind, accountID id.UUID) (calculation.Publication, bool, error) {
	p, ok, err := db.One[calculation.Publication](ctx, r.q, `
		SELECT `+k.columns()+` FROM `+k.table+` v WHERE v.account_id = $1 ORDER BY v.version DESC LIMIT 1`, accountID)
	if err != nil {
		return calculation.Publication{}, false, fmt.Errorf("find the newest version of %s: %w", k.table, err)
	}
	return p, ok, nil
}

// keptTexts returns the kept texts of the version that is published next, today, and replaces some
// coming versions.
func (r Rules) keptTexts(ctx context.Context, latest, next calculation.Publication, replaced []int, today fact.Date) (kept document.KeptTexts, err error) {
	if latest.Version > 0 {
		if err := r.q.QueryRow(ctx, `SELECT kept_texts FROM rule_set WHERE id = $1`, latest.ID).Scan(&kept); err != nil {
			return kept, fmt.Errorf("read which approvals hold: %w", err)
		}
	}
	documents, err := documentRules(next.Content)
	if err != nil {
		return kept, err
	}
	says := document.NewVersionTexts(next.Version, db.OrZero(next.EffectiveFrom), next.KeepApprovals, documents)
	return kept.Next(says, replaced, today.String()), nil
}

// documentRules returns the document rules of a rule set.
func documentRules(content string) ([]requirement.DocumentRule, error) {
	var set struct{ Documents []requirement.DocumentRule }
	if err := json.Unmarshal([]byte(content), &set); err != nil {
		return nil, fmt.Errorf("read the documents of a rule set: %w", err)
	}
	return set.Documents, nil
}

// selectVersions reads rows of RulesVersion of an account, $1, on a day, $2. from names the
// versions v.
func selectVersions(columns, from string) string {
	return `SELECT ` + columns + `, coalesce(n.state, 'REPLACED') AS state FROM ` + from + ` v LEFT JOIN rules_not_replaced($1, $2::text::date) n ON n.id = v.id `
}

// Version finds a version of an account's rules. Without an id, it is the one in force for a
// workflow created now.
func (r Rules) Version(ctx context.Context, accountID id.AccountID, versionID id.RuleSetVersionID) (RulesVersion, error) {
	account, today, err := r.tenants().today(ctx, accountID)
	if err != nil {
		return RulesVersion{}, err
	}
	if !versionID.IsZero() {
		return existing[RulesVersion](ctx, r.q, refusal.EntityDocumentRules, versionID,
			selectVersions(ruleSets.columns(), `rule_set`)+`WHERE v.account_id = $1 AND v.id = $3`, account.ID, today.String(), versionID.UUID)
	}
	p, ok, err := db.One[RulesVersion](ctx, r.q,
		selectVersions(ruleSets.columns(), `rules_in_force($1, $3, $2::text::date, $2::text::date)`),
		account.ID, today.String(), r.at)
	switch {
	case err != nil:
		return p, fmt.Errorf("find the rules in force: %w", err)
	case !ok:
		none := refusal.NotFound(refusal.EntityDocumentRules, account.WireID().String())
		none.Message = "No rules are in force for this account yet; account.documentRules.publish publishes some."
		return p, none
	}
	return p, nil
}

// Number finds a version of an account's rules by its number.
func (r Rules) Number(ctx context.Context, accountID id.AccountID, number int) (RulesVersion, error) {
	account, today, err := r.tenants().today(ctx, accountID)
	if err != nil {
		return RulesVersion{}, err
	}
	return existing[RulesVersion](ctx, r.q, refusal.EntityDocumentRules, accountID,
		selectVersions(ruleSets.columns(), `rule_set`)+`WHERE v.account_id = $1 AND v.version = $3`, account.ID, today.String(), number)
}

// List lists the stored versions of an account's rules, newest first, without their content. The
// string is the After of the next page. It is empty on the last page.
func (r Rules) List(ctx context.Context, accountID id.AccountID, page domain.Page) ([]RulesVersion, string, error) {
	account, today, err := r.tenants().today(ctx, accountID)
	if err != nil {
		return nil, "", err
	}
	after, err := after(page, id.RuleSetVersion)
	if err != nil {
		return nil, "", err
	}
	found, err := db.Many[RulesVersion](ctx, r.q, selectVersions(strings.Replace(ruleSets.columns(), "v.content", "'' AS content", 1), `rule_set`)+
		`WHERE v.account_id = $1 AND v.id < $3 ORDER BY v.id DESC LIMIT $4`, account.ID, today.String(), after, page.Limit+1)
	if err != nil {
		return nil, "", fmt.Errorf("list the versions of an account's rules: %w", err)
	}
	found, next := cut(found, page)
	return found, next, nil
}

// Versions finds published rules and prices by their keys.
type Versions struct{ *base }

// RuleSetByID finds a rule set by its key. It is for an activity that got the key from LoadFacts.
func (s Versions) RuleSetByID(ctx context.Context, scope domain.Scope, u id.UUID) (calculation.Publication, error) {
	return s.publication(ctx, scope, ruleSets, u)
}

// PricingModelByID finds a pricing model as RuleSetByID finds a rule set.
func (s Versions) PricingModelByID(ctx context.Context, scope domain.Scope, u id.UUID) (calculation.Publication, error) {
	return s.publication(ctx, scope, pricingModels, u)
}

func (s Versions) publication(ctx context.Context, scope domain.Scope, k *kind, u id.UUID) (calculation.Publication, error) {
	p, ok, err := db.One[calculation.Publication](ctx, s.db.Scoped(scope), `SELECT `+k.columns()+` FROM `+k.table+` v WHERE v.id = $1`, u)
	switch {
	case err != nil:
		return calculation.Publication{}, fmt.Errorf("read a version of %s: %w", k.table, err)
	case !ok:
		return calculation.Publication{}, fmt.Errorf("version %s of %s: %w", u, k.table, calculation.ErrNoVersion)
	}
	return p, nil
}

// ruleVersion is what a calculation needs to know of a version besides its rules: its id, which is
// empty for a draft, its number, and the texts whose approvals stay valid.
type ruleVersion struct {
	id        string
	number    int
	keptTexts document.KeptTexts
}

// ruleVersion reads a published version. It is empty without an id.
func (r Rules) ruleVersion(ctx context.Context, version id.NullUUID) (found ruleVersion, err error) {
	if !version.Valid {
		return found, nil
	}
	found.id = id.Format(id.RuleSetVersion, version.UUID)
	if err := r.q.QueryRow(ctx, `SELECT version, kept_texts FROM rule_set WHERE id = $1`, version.UUID).Scan(&found.number, &found.keptTexts); err != nil {
		return found, fmt.Errorf("read which approvals hold: %w", err)
	}
	return found, nil
}
