package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// by is the bundle's call by somebody else.
func (b *bundle) by(actor domain.Actor) domain.Call {
	call := b.Call
	call.Actor = actor
	return call
}

var (
	ann = domain.APIKey("ann")
	bob = domain.APIKey("bob")
)

func because(comment string) *string { return &comment }

func (b *bundle) tryPropose(actor domain.Actor, d calculation.Draft) (p store.Proposed, err error) {
	d.Comment = because("why " + actor.UserID)
	err = b.Try(b.by(actor), func(r *store.Records) (err error) {
		p, err = r.Rules.Propose(b.Context(), b.Account.WireID(), d)
		return err
	})
	return p, err
}

func (b *bundle) propose(actor domain.Actor, d calculation.Draft) store.Proposed {
	b.Helper()
	p, err := b.tryPropose(actor, d)
	require.NoError(b, err)
	return p
}

func (b *bundle) approve(actor domain.Actor, p store.Proposed) (made store.Published, err error) {
	err = b.Try(b.by(actor), func(r *store.Records) (err error) {
		made, err = r.Rules.Approve(b.Context(), p.WireID(), because("well done"))
		return err
	})
	return made, err
}

func (b *bundle) reject(actor domain.Actor, p store.Proposed, onlyOwn bool) error {
	return b.Try(b.by(actor), func(r *store.Records) error { return r.Rules.Reject(b.Context(), p.WireID(), "no", onlyOwn) })
}

func (b *bundle) needApproval(need bool) error {
	return only(b.Operator.Write(b.Context(), b.Call, func(r *store.Records) (any, error) {
		return nil, r.Rules.SetNeedApproval(b.Context(), b.Account.WireID(), need)
	}))
}

// proposal is as it is read now.
func (b *bundle) proposal(p store.Proposed) calculation.Proposal {
	b.Helper()
	found, err := b.Store.Records(b.Call.Scope).Rules.Proposal(b.Context(), p.WireID())
	require.NoError(b, err)
	return found
}

func requireSub(t testing.TB, sub refusal.SubCode, err error) {
	t.Helper()
	refused := pgtest.Refused(t, err)
	require.Equal(t, sub, refused.SubCode, refused.Message)
	require.Equal(t, refusal.EntityDocumentRules, refused.EntityType)
}

// changing is a rule set whose rules differ from version to version.
func changing(when string, codes ...string) calculation.Draft {
	var rules []requirement.DocumentRule
	for _, code := range codes {
		rules = append(rules, rule(code, when))
	}
	return draft(rules...)
}

func TestProposal_BecomesWhatWasProposed(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.needApproval(true))
	base, err := b.approve(bob, b.propose(ann, changing("true", "GONE", "SAME", "OTHER")))
	require.NoError(t, err)
	d := draft(rule("SAME", "true"), rule("OTHER", "false"), rule("NEW", "")) // not in the order of the first
	day := fact.DateOf(b.Now().AddDate(0, 0, 5)).String()
	d.Validity = calculation.Validity{EffectiveFrom: &day, AppliesTo: calculation.AppliesToNew, KeepApprovals: []string{"SAME", "NEW"}}
	p := b.propose(ann, d)
	require.Equal(t, calculation.ChangedCodes{Added: []string{"NEW"}, Removed: []string{"GONE"}, Changed: []string{"OTHER"}}, p.Changes)
	read := b.proposal(p)
	require.WithinDuration(t, p.ProposedAt, read.ProposedAt, time.Millisecond)
	read.ProposedAt = p.ProposedAt
	require.Equal(t, p.Proposal, read)
	require.Equal(t, base.ID, read.BaseID.UUID)
	b.Pass(time.Hour)
	made, err := b.approve(bob, p)
	require.NoError(t, err)
	found, err := b.Store.Records(b.Call.Scope).Rules.Version(t.Context(), b.Account.WireID(), made.WireID())
	require.NoError(t, err)
	require.Equal(t, string(d.Content), found.Content)
	require.Equal(t, calculation.Validity{EffectiveFrom: &day, AppliesTo: calculation.AppliesToNew, KeepApprovals: []string{"NEW", "SAME"}}, found.Validity)
	require.Equal(t, []string{"ann", "ann", "why ann", "bob", "well done"}, []string{found.PublishedBy, *found.ProposedBy, *found.ProposalComment, *found.ApprovedBy, *found.Comment})
	require.Equal(t, found.PublishedAt, *found.ApprovedAt)
	require.Equal(t, time.Hour, found.ApprovedAt.Sub(*found.ProposedAt).Round(time.Second))
	read = b.proposal(p)
	require.Equal(t, []any{calculation.ProposalApproved, "bob", "well done", made.ID, 2}, []any{read.State, *read.DecidedBy, *read.DecisionComment, read.VersionID.UUID, *read.Version})
	require.Equal(t, []string{string(d.Content)}, []string{read.Content})
}

func TestProposal_NamesTheFindingsThatItChanges(t *testing.T) {
	b := setup(t)
	d := draft(rule("SAME", ""))
	d.Content = requirement.RuleSet{Documents: []requirement.DocumentRule{}, Findings: []requirement.FindingRule{{
		FindingCode: "TRADE", Kind: requirement.KindReview, Name: "n", Message: "m", EntityType: fact.EntityBusiness, When: "true",
	}}}.CanonicalJSON()
	require.Equal(t, calculation.ChangedCodes{Added: []string{"TRADE"}, Removed: []string{}, Changed: []string{}}, b.propose(ann, d).Changes)
}

// TestProposal_NamesTheDocumentsThatReadAChangedList, also by way of a definition.
func TestProposal_NamesTheDocumentsThatReadAChangedList(t *testing.T) {
	b := setup(t)
	set := func(high ...string) calculation.Draft {
		d := draft(rule("BY_LIST", `country in lists.high`), rule("BY_DEFINITION", "definitions.risky"), rule("OTHER", `country in lists.low`))
		content, problems := requirement.ParseRuleSetJSON(d.Content)
		require.Empty(t, problems)
		content.Lists, content.Definitions = map[string][]string{"high": high, "low": {"US"}}, map[string]string{"risky": `country in lists.high`}
		d.Content = content.CanonicalJSON()
		return d
	}
	require.NoError(t, only(b.approve(bob, b.propose(ann, set("CA")))))
	require.Equal(t, []string{"BY_DEFINITION", "BY_LIST"}, b.propose(ann, set("CA", "MX")).Changes.Changed)
}

// TestProposal_TakesNoNames until it is approved.
func TestProposal_TakesNoNames(t *testing.T) {
	b := setup(t)
	p := b.propose(ann, declaring(allFacts()...))
	require.Zero(t, b.Count(`SELECT count(*) FROM account_fact`))
	require.Equal(t, calculation.ChangedCodes{Added: []string{}, Removed: []string{}, Changed: []string{}}, p.Changes)
	require.NoError(t, only(b.approve(bob, p)))
	require.Equal(t, len(allFacts()), b.Count(`SELECT count(*) FROM account_fact`))
}

func TestProposal_NeedsASecondPerson(t *testing.T) {
	b := setup(t)
	p := b.propose(ann, changing("", "A"))
	for _, same := range []domain.Actor{ann, domain.APIKey(" Ann "), domain.Operator("ann")} {
		_, err := b.approve(same, p)
		requireSub(t, refusal.SecondPersonRequired, err)
	}
	_, err := b.approve(domain.APIKey("Zoe\u0308"), b.propose(domain.APIKey("Zo\u00eb"), changing("", "Z"))) // they look the same
	requireSub(t, refusal.SecondPersonRequired, err)
	byOperator := b.propose(domain.Operator("eve"), changing("", "B"))
	for _, operator := range []string{"eve", "adam"} { // one operator can use two names
		_, err = b.approve(domain.Operator(operator), byOperator)
		requireSub(t, refusal.SecondPersonRequired, err)
	}
	require.Zero(t, b.Count(`SELECT count(*) FROM rule_set`))
	require.NoError(t, b.reject(domain.Operator("adam"), byOperator, false))
	require.NoError(t, only(b.approve(domain.Operator("eve"), p)))
	require.NoError(t, only(b.approve(ann, b.propose(domain.Operator("eve"), changing("", "B")))))
}

// TestProposal_KeepsTheKindsOfBothPersons, which Postgres checks too.
func TestProposal_KeepsTheKindsOfBothPersons(t *testing.T) {
	b := setup(t)
	for _, two := range [][2]domain.Actor{{ann, bob}, {domain.Operator("eve"), ann}, {ann, domain.Operator("eve")}} {
		p := b.propose(two[0], changing("", "A"))
		made, err := b.approve(two[1], p)
		require.NoError(t, err)
		found, err := b.Store.Records(b.Call.Scope).Rules.Version(t.Context(), b.Account.WireID(), made.WireID())
		require.NoError(t, err)
		require.Equal(t, []string{two[0].UserType, two[1].UserType}, []string{*found.ProposedByType, *found.ApprovedByType})
		read := b.proposal(p)
		require.Equal(t, []string{two[0].UserType, two[1].UserType}, []string{read.ProposedByType, *read.DecidedByType})
	}
	rejected := b.propose(ann, changing("", "B"))
	require.NoError(t, b.reject(domain.Operator("eve"), rejected, false))
	require.Equal(t, "SYSTEM", *b.proposal(rejected).DecidedByType)
	b.Exec(`ALTER TABLE rule_set DISABLE TRIGGER rule_set_is_immutable`)
	for _, forged := range []string{
		`UPDATE rule_set SET approved_by_type = 'SYSTEM' WHERE version = 2`, `UPDATE rule_set SET approved_by_type = NULL`, `UPDATE rule_set SET proposed_by_type = 'OTHER'`,
		`UPDATE rule_proposal SET decided_by_type = 'SYSTEM' WHERE proposed_by = 'eve'`, `UPDATE rule_proposal SET decided_by_type = NULL WHERE state = 'REJECTED'`,
	} {
		_, err := b.Pool().Exec(t.Context(), forged)
		require.ErrorContains(t, err, "violates check constraint", forged)
	}
}

// TestNames_WithInvisibleCharactersAreRefused: a second name could look like the first.
func TestNames_WithInvisibleCharactersAreRefused(t *testing.T) {
	b := setup(t)
	_, err := b.Operator.Organizations.Create(t.Context(), "first\u200b")
	require.ErrorContains(t, err, `create an organization: the name has the character U+200B after "first", which is invisible`)
	_, _, err = b.Operator.Credentials.Create(t.Context(), b.Call.Scope, domain.NewCredential{Name: "\u202eann"})
	require.ErrorContains(t, err, `create a credential: the name has the character U+202E after "", which changes the direction of text`)
	require.Zero(t, b.Count(`SELECT count(*) FROM credential`))
}

// TestPropose_WarnsWhereNobodyMayApprove: only a credential of another name, of this tenant, that is in
// force and has the permission.
func TestPropose_WarnsWhereNobodyMayApprove(t *testing.T) {
	b := setup(t)
	warned := func(by domain.Actor) (codes []string) {
		for _, w := range b.propose(by, changing("", "A")).Warnings() {
			codes = append(codes, string(w.Code))
		}
		return codes
	}
	credential := func(scope domain.Scope, name string, expires *time.Time, permissions ...domain.Permission) domain.Credential {
		made, _, err := b.Operator.Credentials.Create(t.Context(), scope, domain.NewCredential{Name: name, Permissions: permissions, ExpiresAt: expires})
		require.NoError(t, err)
		return made
	}
	mine, soon := b.Call.Scope, b.Now().Add(time.Hour)
	live := domain.Scope{OrganizationID: mine.OrganizationID, Environment: domain.Live}
	other, err := b.Operator.Organizations.Create(t.Context(), "another")
	require.NoError(t, err)
	credential(mine, "bob", nil, domain.DefaultPermissions()...)
	credential(live, "bob", nil, domain.PermissionApproveRules)
	credential(domain.Scope{OrganizationID: other.ID, Environment: mine.Environment}, "bob", nil, domain.PermissionApproveRules)
	credential(mine, "Ann", nil, domain.PermissionApproveRules)
	credential(mine, "carl", &soon, domain.PermissionApproveRules)
	require.Empty(t, warned(ann))
	b.Pass(2 * time.Hour) // carl's has expired
	require.Equal(t, []string{string(refusal.NoApprover)}, warned(ann))
	require.Empty(t, warned(domain.Operator("eve")), "Ann may")
	require.Equal(t, []string{string(refusal.NoApprover)}, warned(domain.Operator("ANN")))
	revoked := credential(mine, "bob", nil, domain.PermissionApproveRules)
	require.Empty(t, warned(ann))
	require.NoError(t, b.Operator.Credentials.Revoke(t.Context(), revoked.APIKey))
	require.Equal(t, []string{string(refusal.NoApprover)}, warned(ann))
}

func TestProposal_IsDecidedOnce(t *testing.T) {
	b := setup(t)
	rejected := b.propose(ann, changing("", "A"))
	require.Equal(t, refusal.Forbidden, pgtest.Refused(t, b.reject(bob, rejected, true)).Code)
	require.NoError(t, b.reject(ann, rejected, true))
	found := b.proposal(rejected)
	require.Equal(t, []any{calculation.ProposalRejected, "ann", "no"}, []any{found.State, *found.DecidedBy, *found.DecisionComment})
	approved := b.propose(ann, changing("", "A"))
	require.NoError(t, only(b.approve(bob, approved)))
	for _, p := range []store.Proposed{rejected, approved} {
		requireSub(t, refusal.ProposalDecided, only(b.approve(bob, p)))
		requireSub(t, refusal.ProposalDecided, b.reject(bob, p, false))
	}
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM rule_set`))
	missing := store.Proposed{Proposal: calculation.Proposal{ID: id.New()}}
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, only(b.approve(bob, missing))).Code)
}

// TestProposal_IsOutdated by each publication, and when its day has passed.
func TestProposal_IsOutdated(t *testing.T) {
	b := setup(t)
	first, other := b.propose(ann, changing("", "A")), b.propose(ann, changing("", "B"))
	b.publish(rule("C", ""))
	third, fourth := b.propose(ann, changing("", "A")), b.propose(ann, changing("", "B"))
	require.NoError(t, only(b.approve(bob, third)))
	passed := b.propose(ann, b.from(1, changing("", "D")))
	require.Equal(t, calculation.ProposalOpen, b.proposal(passed).State)
	b.Pass(48 * time.Hour)
	for _, p := range []store.Proposed{first, other, fourth, passed} {
		requireSub(t, refusal.ProposalOutdated, only(b.approve(bob, p)))
		requireSub(t, refusal.ProposalOutdated, b.reject(ann, p, true))
		require.Equal(t, calculation.ProposalOutdated, b.proposal(p).State)
		require.Nil(t, b.proposal(p).DecidedBy)
	}
	require.Equal(t, calculation.ProposalApproved, b.proposal(third).State)
	listed, next, err := b.Store.Records(b.Call.Scope).Rules.Proposals(t.Context(), b.Account.WireID(), calculation.ProposalOutdated, domain.Page{Limit: 3})
	require.NoError(t, err)
	require.Equal(t, []id.ProposalID{passed.WireID(), fourth.WireID(), other.WireID()}, []id.ProposalID{listed[0].WireID(), listed[1].WireID(), listed[2].WireID()})
	require.Empty(t, listed[0].Content)
	listed, next, err = b.Store.Records(b.Call.Scope).Rules.Proposals(t.Context(), b.Account.WireID(), calculation.ProposalOutdated, domain.Page{Limit: 3, After: next})
	require.NoError(t, err)
	require.Len(t, listed, 1)
	require.Empty(t, next)
}

// TestProposal_ForTheDayOfProposing is as one without a day: another person may approve it on the next.
func TestProposal_ForTheDayOfProposing(t *testing.T) {
	b := setup(t)
	p := b.propose(ann, b.from(0, changing("", "A")))
	require.Nil(t, p.EffectiveFrom)
	b.Pass(24 * time.Hour)
	made, err := b.approve(bob, p)
	require.NoError(t, err)
	require.Nil(t, made.EffectiveFrom)
	require.Equal(t, []calculation.VersionState{"IN_FORCE"}, b.states())
}

// TestSandboxToday_ProposalForTheDayOfProposing: also where the call names the day, be it today's or a later one.
func TestSandboxToday_ProposalForTheDayOfProposing(t *testing.T) {
	for _, ahead := range []int{0, 30} {
		t.Run(fmt.Sprint(ahead), func(t *testing.T) {
			b := setup(t)
			b.today(fact.DateOf(b.Now().AddDate(0, 0, ahead)))
			p := b.propose(ann, b.from(ahead, changing("", "A")))
			require.Nil(t, p.EffectiveFrom)
			b.Pass(24 * time.Hour)
			b.today(fact.DateOf(b.Now().AddDate(0, 0, ahead)))
			made, err := b.approve(bob, p)
			require.NoError(t, err)
			require.Nil(t, made.EffectiveFrom)
		})
	}
}

// TestApprove_OfAProposalThatIsPrunedMeanwhile publishes nothing: a version would name a proposal that nobody finds.
func TestApprove_OfAProposalThatIsPrunedMeanwhile(t *testing.T) {
	b := setup(t)
	p := b.propose(ann, changing("", "A"))
	b.Pass(91 * day)
	tx, err := b.Pool().Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, only(tx.Exec(t.Context(), `
		INSERT INTO rule_set (id, account_id, version, content, sha256, environment_version, cost_limit, published_at, published_by)
		VALUES (gen_random_uuid(), $1, 1, '{}', sha256(''), 1, 1, now(), 'x')`, b.Account.ID))) // the approval waits for this number
	approved := make(chan error, 1)
	go func() { approved <- only(b.approve(bob, p)) }()
	b.AwaitLocks(1, "the approval")
	require.EqualValues(t, 1, b.prune(store.Retention{}).Proposals)
	require.NoError(t, tx.Rollback(t.Context()))
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, <-approved).Code)
	require.Zero(t, b.Count(`SELECT count(*) FROM rule_set`))
}

func TestPropose_ChecksAsAPublicationDoes(t *testing.T) {
	b := setup(t)
	b.publish(rule("A", ""))
	b.publishFrom("B", 3, forAll)
	refused := func(change func(*calculation.Draft)) string {
		d := changing("", "C")
		change(&d)
		_, err := b.tryPropose(ann, d)
		return string(pgtest.Refused(t, err).Details)
	}
	yesterday := fact.DateOf(b.Now().AddDate(0, 0, -1)).String()
	require.Contains(t, refused(func(d *calculation.Draft) { d.EffectiveFrom = &yesterday }), "effective_from")
	require.NoError(t, b.tryDeclare(declaring(allFacts()[3])))
	require.Contains(t, refused(func(d *calculation.Draft) {
		other := allFacts()[3]
		other.Type, other.Choices = fact.DeclaredTextList, nil
		*d = declaring(other)
	}), "facts[0].type")
	b.publishFrom("B", 3, forAll)
	p := b.propose(ann, changing("", "C"))
	require.Equal(t, []int{4}, p.Replaced)
	require.Equal(t, refusal.ReplacesComingVersion, p.Warnings()[0].Code)
	require.Equal(t, 4, b.Count(`SELECT count(*) FROM rule_set`))
}

func TestProposals_AreBounded(t *testing.T) {
	b := setup(t)
	var last store.Proposed
	for n := range store.MaxOpenProposals {
		last = b.propose(ann, changing("", fmt.Sprint("A_", n)))
	}
	_, err := b.tryPropose(ann, changing("", "MORE"))
	requireSub(t, refusal.ProposalLimitExceeded, err)
	require.NoError(t, b.reject(ann, last, true))
	b.propose(ann, changing("", "MORE"))
	require.NoError(t, b.tryPublish(rule("B", "")))
	b.propose(ann, changing("", "MORE"))
}

// TestQuota_CountsProposals, and one that is approved once.
func TestQuota_CountsProposals(t *testing.T) {
	b := setup(t)
	b.bounded(store.Quotas{RuleVersionsADay: 3}, 5)
	rejected, approved := b.propose(ann, changing("", "A")), b.propose(ann, changing("", "B"))
	require.NoError(t, b.reject(ann, rejected, true))
	p := b.propose(ann, changing("", "C"))
	_, err := b.tryPropose(ann, changing("", "D"))
	requireLimit(t, err, refusal.EntityDocumentRules, refusal.VersionLimitExceeded)
	requireLimit(t, b.tryPublish(rule("D", "")), refusal.EntityDocumentRules, refusal.VersionLimitExceeded)
	require.NoError(t, only(b.approve(bob, approved)))
	requireSub(t, refusal.ProposalOutdated, only(b.approve(bob, p)))
}

func TestRulesNeedApproval(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.needApproval(true))
	requireSub(t, refusal.ApprovalRequired, b.tryPublish(rule("A", "")))
	require.Contains(t, fieldsOf(t, b.tryDeclare(b.from(-1, changing("", "A")))), "effective_from", "a problem of the request comes first")
	require.NoError(t, b.tryPrice(draft()), "prices need none")
	p := b.propose(ann, changing("", "A"))
	require.ErrorContains(t, b.needApproval(false), "open proposals (1)")
	operator := b.by(domain.Operator("bob"))
	err := b.Try(operator, func(r *store.Records) error { return only(r.Rules.Approve(t.Context(), p.WireID(), nil)) })
	require.Contains(t, fieldsOf(t, err), "comment")
	require.NoError(t, b.Try(b.by(bob), func(r *store.Records) error { return only(r.Rules.Approve(t.Context(), p.WireID(), nil)) }))
	require.NoError(t, b.needApproval(false))
	require.NoError(t, b.tryPublish(rule("B", "")))
	require.NoError(t, b.needApproval(true))
	account, err := b.Store.Records(b.Call.Scope).Tenants.Get(t.Context(), b.Account.WireID())
	require.NoError(t, err)
	require.True(t, account.RulesNeedApproval)
}

// holdPolicy keeps changes of the account's policy waiting until it is released. They are granted in
// the order in which they came.
func (b *bundle) holdPolicy() (release func()) {
	b.Helper()
	tx, err := b.Pool().Begin(b.Context())
	require.NoError(b, err)
	require.NoError(b, only(tx.Exec(b.Context(), `SELECT pg_advisory_xact_lock(hashtextextended('policy/' || $1::text, 0))`, b.Account.ID.String())))
	return func() { require.NoError(b, tx.Rollback(b.Context())) }
}

func TestRulesNeedApproval_AlsoWhereAPublicationWaits(t *testing.T) {
	b := setup(t)
	release := b.holdPolicy()
	set, published := make(chan error, 1), make(chan error, 1)
	go func() { set <- b.needApproval(true) }()
	b.AwaitLocks(1, "the setting")
	go func() { published <- b.tryPublish(rule("A", "")) }()
	b.AwaitLocks(2, "the publication")
	release()
	require.NoError(t, <-set)
	requireSub(t, refusal.ApprovalRequired, <-published)
}

// TestProposals_AreDecidedOneAtATime lets four decisions wait for the policy together.
func TestProposals_AreDecidedOneAtATime(t *testing.T) {
	b := setup(t)
	p, other := b.propose(ann, changing("", "A")), b.propose(ann, changing("", "B"))
	b.bounded(store.Quotas{}, 8)
	release := b.holdPolicy()
	results := make(chan error)
	tries := []func() error{
		func() error { return only(b.approve(bob, p)) }, func() error { return only(b.approve(domain.APIKey("eve"), p)) },
		func() error { return only(b.approve(bob, other)) }, func() error { return b.reject(bob, p, false) },
	}
	for _, try := range tries {
		go func() { results <- try() }()
	}
	b.AwaitLocks(len(tries), "the policy")
	release()
	var won int
	for range tries {
		if err := <-results; err == nil {
			won++
		} else {
			require.Contains(t, []refusal.SubCode{refusal.ProposalDecided, refusal.ProposalOutdated}, pgtest.Refused(t, err).SubCode)
		}
	}
	require.Equal(t, won, b.Count(`SELECT count(*) FROM rule_set`)+b.Count(`SELECT count(*) FROM rule_proposal WHERE state = 'REJECTED'`))
	require.LessOrEqual(t, b.Count(`SELECT count(*) FROM rule_set`), 1)
}

func TestPrune_DeletesProposalsThatNobodyApproved(t *testing.T) {
	b := setup(t)
	approved := b.propose(ann, changing("", "A"))
	require.NoError(t, only(b.approve(bob, approved)))
	rejected, open := b.propose(ann, changing("", "B")), b.propose(ann, changing("", "C"))
	b.Pass(80 * day)
	require.NoError(t, b.reject(bob, rejected, false))
	b.Pass(9 * day)
	require.Zero(t, b.prune(store.Retention{}).Proposals)
	b.Pass(2 * day)
	require.EqualValues(t, 1, b.prune(store.Retention{}).Proposals)
	b.Pass(79 * day)
	require.EqualValues(t, 1, b.prune(store.Retention{}).Proposals)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM rule_proposal WHERE id = $1`, approved.ID))
	_, err := b.Store.Records(b.Call.Scope).Rules.Proposal(t.Context(), open.WireID())
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code)
}
