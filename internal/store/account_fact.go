package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/store/db"
)

// Facts reads and writes the facts that accounts declare, and their values.
type Facts struct{ *unit }

func (u *unit) facts() Facts { return Facts{u} }

// Declared lists the facts that an account has declared, in the order of gaps.
func (r Facts) Declared(ctx context.Context, accountID id.AccountID) (fact.AccountFacts, error) {
	account, err := r.tenants().Get(ctx, accountID)
	if err != nil {
		return nil, err
	}
	known, err := r.declared(ctx, account.ID, nil)
	known.Sort()
	return known, err
}

// declared reads the facts with some names, or all if names is nil.
func (r Facts) declared(ctx context.Context, accountID id.UUID, names []string) (fact.AccountFacts, error) {
	type row struct {
		Name, EntityType string
		Type             fact.DeclaredType
		DeclaredIn       fact.Set
		DeclaredVersion  int
		Rules, Pricing   *fact.Declaration
		PricingInForce   bool
	}
	rows, err := db.Many[row](ctx, r.q, `
		SELECT f.name, f.entity_type, f.type, f.declared_in, f.declared_version, f.rules, f.pricing,
			coalesce(f.pricing_version = (SELECT max(m.version) FROM pricing_model m WHERE m.account_id = $1), false) AS pricing_in_force
		FROM account_fact f WHERE f.account_id = $1 AND ($2::text[] IS NULL OR f.name = ANY ($2))`, accountID, names)
	if err != nil {
		return nil, fmt.Errorf("read the facts that an account has declared: %w", err)
	}
	if len(rows) == 0 {
		return nil, nil
	}
	live, err := r.live(ctx, accountID, names)
	if err != nil {
		return nil, err
	}
	known := make(fact.AccountFacts, len(rows))
	for i, f := range rows {
		known[i] = fact.AccountFact{
			Name: f.Name, EntityType: f.EntityType, Type: f.Type,
			DeclaredIn: f.DeclaredIn, DeclaredVersion: f.DeclaredVersion,
			Rules: f.Rules, Pricing: f.Pricing, Live: live[f.Name],
		}
		if f.PricingInForce {
			known[i].Live = append(known[i].Live, fact.LiveDeclaration{Declaration: *f.Pricing, Set: fact.SetPricing})
		}
	}
	return known, nil
}

// live returns, by name, the declarations of rules that are in force or coming, newest first.
func (r Facts) live(ctx context.Context, accountID id.UUID, names []string) (map[string][]fact.LiveDeclaration, error) {
	_, today, err := r.tenants().today(ctx, r.scope.Environment.Account(accountID))
	if err != nil {
		return nil, err
	}
	versions, err := db.Many[struct {
		State calculation.VersionState
		Facts []fact.Declaration
	}](ctx, r.q, `
		SELECT n.state, (SELECT coalesce(jsonb_agg(f), '[]') FROM jsonb_array_elements(v.facts) f WHERE $3::text[] IS NULL OR f ->> 'name' = ANY ($3)) AS facts
		FROM rules_not_replaced($1, $2::text::date) n JOIN rule_set v ON v.id = n.id ORDER BY n.version DESC`, accountID, today.String(), names)
	if err != nil {
		return nil, fmt.Errorf("read what the rules in force declare: %w", err)
	}
	live := map[string][]fact.LiveDeclaration{}
	for _, v := range versions {
		for _, d := range v.Facts {
			live[d.Name] = append(live[d.Name], fact.LiveDeclaration{Declaration: d, Set: fact.SetRules, Coming: v.State == calculation.Coming})
		}
	}
	return live, nil
}

// names reads the facts of an account without their declarations, which can take megabytes.
func (r Facts) names(ctx context.Context, accountID id.UUID) (known fact.AccountFacts, err error) {
	type row struct {
		Name, EntityType string
		Type             fact.DeclaredType
		DeclaredIn       fact.Set
		DeclaredVersion  int
	}
	rows, err := db.Many[row](ctx, r.q, `SELECT name, entity_type, type, declared_in, declared_version FROM account_fact WHERE account_id = $1`, accountID)
	if err != nil {
		return nil, fmt.Errorf("read the names of the facts that an account has declared: %w", err)
	}
	for _, f := range rows {
		known = append(known, fact.AccountFact{Name: f.Name, EntityType: f.EntityType, Type: f.Type, DeclaredIn: f.DeclaredIn, DeclaredVersion: f.DeclaredVersion})
	}
	return known, nil
}

// Check refuses rules whose facts the account cannot declare. Publishing them would be refused,
// too.
func (r Facts) Check(ctx context.Context, accountID id.AccountID, rules []byte) error {
	declared, err := declarations(rules)
	if err != nil || len(declared) == 0 {
		return err
	}
	account, err := r.tenants().Get(ctx, accountID)
	if err != nil {
		return err
	}
	return r.declarable(ctx, account, ruleSets, declared)
}

// CheckFor is Check for the account of a workflow.
func (r Rules) CheckFor(ctx context.Context, workflowID id.WorkflowID, rules []byte) error {
	declared, err := declarations(rules)
	if err != nil || len(declared) == 0 {
		return err
	}
	w, err := r.workflows().Get(ctx, workflowID)
	if err != nil {
		return err
	}
	return r.facts().Check(ctx, r.scope.Environment.Account(w.AccountID), rules)
}

// declarable refuses declarations that contradict earlier ones of the account, and more names than
// the limit.
func (r Facts) declarable(ctx context.Context, account domain.Account, k *kind, declared []fact.Declaration) error {
	if len(declared) == 0 {
		return nil
	}
	known, err := r.names(ctx, account.ID)
	if err != nil {
		return err
	}
	var problems []refusal.Field
	for _, c := range known.Clashes(declared) {
		problems = append(problems, refusal.At(fmt.Sprintf("%s.facts[%d].%s", k.request, c.Index, c.Field), refusal.InvalidRule, "%s", c.Message))
	}
	if len(problems) > 0 {
		return refusal.Fields(problems...)
	}
	if more := known.New(declared); more > 0 && len(known)+more > fact.MaxAccountFacts {
		return refusal.Rule(refusal.EntityDocumentRules, account.WireID().String(), refusal.FactLimitExceeded,
			"The account has declared %d names of facts, and %d are new. "+
				"It may declare %d, ever: use names that it has declared already.",
			len(known), more, fact.MaxAccountFacts)
	}
	return nil
}

// declare stores the declarations of a published version. The caller holds the lock of the
// account's policy.
func (r Facts) declare(ctx context.Context, k *kind, p calculation.Publication, declared []fact.Declaration) error {
	if len(declared) == 0 {
		return nil
	}
	c := k.declarations
	batch := &pgx.Batch{}
	for _, d := range declared {
		text, err := json.Marshal(d)
		if err != nil {
			return fmt.Errorf("encode a declaration: %w", err)
		}
		batch.Queue(`
			INSERT INTO account_fact (account_id, name, entity_type, type, declared_in, declared_version, `+c+`, `+c+`_version)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $6)
			ON CONFLICT (account_id, name) DO UPDATE SET `+c+` = excluded.`+c+`, `+c+`_version = excluded.`+c+`_version`,
			p.AccountID, d.Name, d.EntityType, d.Type, k.set, p.Version, text)
	}
	if err := db.SendAll(ctx, r.q, batch); err != nil {
		return fmt.Errorf("declare facts: %w", err)
	}
	return nil
}

// declarations returns the declarations in a rule set or a pricing model.
func declarations(content []byte) ([]fact.Declaration, error) {
	var declaring struct {
		Facts []fact.Declaration `json:"facts"`
	}
	if err := json.Unmarshal(content, &declaring); err != nil {
		return nil, fmt.Errorf("read the facts that are declared: %w", err)
	}
	return declaring.Facts, nil
}

// customOf has the declared facts of one record: the path of its custom field in the request, the
// stored values, and the values in the request.
type customOf struct {
	path, entityType string
	before           domain.Custom
	change           domain.CustomChange
}

// newCustom is the customOf of a new record.
func newCustom(path, entityType string, stated domain.Custom) customOf {
	return customOf{path: path, entityType: entityType, change: domain.CustomChange{Values: stated}}
}

// change merges the values in a request into the stored ones. It returns the result with all
// problems. It reads the account's declarations without a lock: a concurrent publication comes
// before or after the whole request.
func (r Facts) change(ctx context.Context, accountID id.UUID, records ...customOf) ([]domain.Custom, []refusal.Field, error) {
	stated := map[string]bool{}
	for _, c := range records {
		for name := range c.change.Values {
			stated[name] = true
		}
	}
	var known fact.AccountFacts
	if len(stated) > 0 {
		var err error
		if known, err = r.declared(ctx, accountID, slices.Collect(maps.Keys(stated))); err != nil {
			return nil, nil, err
		}
	}
	if len(known) < len(stated) { // the refusal suggests the nearest names
		all, err := r.names(ctx, accountID)
		if err != nil {
			return nil, nil, err
		}
		known = append(known, slices.DeleteFunc(all, func(k fact.AccountFact) bool { return stated[k.Name] })...)
	}
	merged := make([]domain.Custom, len(records))
	var problems []refusal.Field
	for i, c := range records {
		var found []refusal.Field
		merged[i], found = c.merge(known, refusal.MaxFields-len(problems))
		problems = append(problems, found...)
	}
	return merged, problems, nil
}

// changeOne is change for one record. It refuses problems.
func (r Facts) changeOne(ctx context.Context, accountID id.UUID, c customOf) (domain.Custom, error) {
	merged, problems, err := r.change(ctx, accountID, c)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, refusal.Fields(problems...)
	}
	return merged[0], nil
}

// merge merges the values in the request into the stored ones. It stops after most problems.
func (c customOf) merge(known fact.AccountFacts, most int) (domain.Custom, []refusal.Field) {
	if c.change.IsNothing() {
		return c.before, nil
	}
	merged := maps.Clone(c.before)
	if c.change.Clear || merged == nil {
		merged = domain.Custom{}
	}
	var problems []refusal.Field
	for _, name := range slices.Sorted(maps.Keys(c.change.Values)) {
		if len(problems) == most {
			return nil, problems
		}
		text, why := known.Canonical(c.entityType, name, c.change.Values[name])
		switch {
		case !why.None():
			problems = append(problems, why.At(c.path+"."+name))
		case text == nil:
			delete(merged, name)
		default:
			merged[name] = text
		}
	}
	bound := fact.MaxCustomBytes
	if c.entityType == fact.EntityPerson {
		bound = fact.MaxPersonCustomBytes
	}
	if size := merged.Size(); size > bound && len(problems) < most {
		problems = append(problems, refusal.Beyond(refusal.TooLong, bound,
			"With those on file, the values take %d bytes as JSON without blanks; %d are allowed. Shorten some, or remove some with null.", size, bound).At(c.path))
	}
	if len(merged) == 0 {
		merged = nil
	}
	return merged, problems
}
