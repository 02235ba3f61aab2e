package store_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// The facts that tests declare: one of each type, and one of each entity type.
func allFacts() []fact.Declaration {
	return []fact.Declaration{
		{Name: "sells_cbd", EntityType: fact.EntityBusiness, Type: fact.DeclaredBoolean, Label: "sells CBD", Ask: "Whether it sells CBD."},
		{Name: "shops", EntityType: fact.EntityBusiness, Type: fact.DeclaredNumber, Label: "shops", Ask: "How many shops."},
		{Name: "deposit", EntityType: fact.EntityBusiness, Type: fact.DeclaredAmount, Label: "deposit", Ask: "The deposit."},
		{Name: "legal_form", EntityType: fact.EntityBusiness, Type: fact.DeclaredText, Choices: []string{"LLC", "CORPORATION"}, Label: "legal form", Ask: "The legal form."},
		{Name: "note", EntityType: fact.EntityBusiness, Type: fact.DeclaredText, Label: "note", Ask: "A note."},
		{Name: "first_sale_date", EntityType: fact.EntityWorkflow, Type: fact.DeclaredDate, Label: "first sale", Ask: "The day of the first sale."},
		{Name: "channel", EntityType: fact.EntityWorkflow, Type: fact.DeclaredText, Label: "channel", Ask: "The channel."},
		{Name: "roles", EntityType: fact.EntityPerson, Type: fact.DeclaredTextList, Label: "roles", Ask: "The roles."},
	}
}

func declaring(facts ...fact.Declaration) calculation.Draft {
	return calculation.NewDraft(requirement.RuleSet{Facts: facts}.CanonicalJSON())
}

func pricing(facts ...fact.Declaration) calculation.Draft {
	return calculation.NewDraft(requirement.PricingModel{Facts: facts, Rules: []requirement.PricingRule{}}.CanonicalJSON())
}

func (b *bundle) tryDeclare(d calculation.Draft) error {
	return b.Try(b.Call, func(r *store.Records) error { return only(r.Rules.Publish(b.Context(), b.Account.WireID(), d)) })
}

// tryPrice publishes a pricing model, which operators do.
func (b *bundle) tryPrice(d calculation.Draft) error {
	return only(b.Operator.Write(b.Context(), b.Call, func(r *store.Records) (any, error) {
		return nil, only(r.Rules.PublishPrices(b.Context(), b.Account.WireID(), d))
	}))
}

func (b *bundle) accountFacts() fact.AccountFacts {
	b.Helper()
	known, err := b.Store.Records(b.Call.Scope).Facts.Declared(b.Context(), b.Account.WireID())
	require.NoError(b, err)
	return known
}

func values(text string) domain.Custom {
	var c domain.Custom
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		panic(err)
	}
	return c
}

func change(text string) domain.CustomChange { return domain.CustomChange{Values: values(text)} }

func (b *bundle) tryBusinessCustom(c domain.CustomChange) error {
	return b.Try(b.Call, func(r *store.Records) error {
		return r.Businesses.Update(b.Context(), b.Business.WireID(), c, func(*domain.Business) {})
	})
}

func (b *bundle) tryPersonCustom(c domain.CustomChange) error {
	return b.Try(b.Call, func(r *store.Records) error {
		return r.Persons.Update(b.Context(), b.Person.WireID(), c, func(*domain.Person) {})
	})
}

func (b *bundle) tryWorkflowCustom(c domain.CustomChange) error {
	return b.Try(b.Call, func(r *store.Records) error { return r.Workflows.Update(b.Context(), b.Workflow.WireID(), nil, c) })
}

// fieldsOf are the fields of a BAD_REQUEST, with their messages.
func fieldsOf(t testing.TB, err error) map[string]string {
	t.Helper()
	refused := pgtest.Refused(t, err)
	require.Equal(t, refusal.BadRequest, refused.Code, refused.Message)
	var details []refusal.Field
	require.NoError(t, json.Unmarshal(refused.Details, &details))
	fields := map[string]string{}
	for _, d := range details {
		fields[d.Field] = d.Message
	}
	return fields
}

// TestDeclaration_KeepsEntityTypeAndType for ever, in rules and in prices alike.
func TestDeclaration_KeepsEntityTypeAndType(t *testing.T) {
	b := setup(t)
	form := allFacts()[3]
	require.NoError(t, b.tryDeclare(declaring(form)))
	b.publish(rule("A", "")) // which drops it
	other := form
	other.Type, other.Choices = fact.DeclaredTextList, nil
	person := form
	person.EntityType = fact.EntityPerson
	news := fact.Declaration{Name: "news", EntityType: fact.EntityPerson, Type: fact.DeclaredDate}
	versions := b.Count(`SELECT count(*) FROM rule_set`)
	for _, publish := range []struct {
		prefix string
		try    func(...fact.Declaration) error
	}{
		{"rules.", func(d ...fact.Declaration) error { return b.tryDeclare(declaring(d...)) }},
		{"pricing.", func(d ...fact.Declaration) error { return b.tryPrice(pricing(d...)) }},
		{"rules.", func(d ...fact.Declaration) error {
			return b.Store.Records(b.Call.Scope).Facts.Check(t.Context(), b.Account.WireID(), declaring(d...).Content)
		}},
	} {
		require.Contains(t, fieldsOf(t, publish.try(news, other))[publish.prefix+"facts[1].type"], "since version 1 of the account's rules")
		require.Contains(t, fieldsOf(t, publish.try(person)), publish.prefix+"facts[0].entity_type")
	}
	require.Equal(t, versions, b.Count(`SELECT count(*) FROM rule_set`), "nothing was published")
	require.Zero(t, b.Count(`SELECT count(*) FROM account_fact WHERE name = 'news'`))

	// What may change does.
	form.Choices, form.Label = []string{"GMBH"}, "Rechtsform"
	require.NoError(t, b.tryPrice(pricing(form)))
	known := b.accountFacts()
	require.Len(t, known, 1)
	require.Equal(t, []fact.Set{fact.SetPricing}, known[0].UsedBy())
	require.Equal(t, "Rechtsform", known[0].Shown().Label)
	require.Equal(t, 1, known[0].DeclaredVersion)
	require.Equal(t, fact.SetRules, known[0].DeclaredIn)
}

// TestDeclaration_OfTwoAtOnceOneWins: a rule set and a pricing model, or two rule sets, that
// declare one name with two types.
func TestDeclaration_OfTwoAtOnceOneWins(t *testing.T) {
	b := setup(t)
	for round := range 8 {
		name := fmt.Sprintf("fact_%d", round)
		of := func(typ fact.DeclaredType) fact.Declaration {
			return fact.Declaration{Name: name, EntityType: fact.EntityBusiness, Type: typ}
		}
		tries := []func() error{
			func() error { return b.tryDeclare(declaring(of(fact.DeclaredDate))) },
			func() error { return b.tryPrice(pricing(of(fact.DeclaredBoolean))) },
			func() error { return b.tryDeclare(declaring(of(fact.DeclaredNumber))) },
		}
		errs := make([]error, len(tries))
		pgtest.AtOnce(len(tries), func(i int) { errs[i] = tries[i]() })
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
				continue
			}
			fields := fieldsOf(t, err)
			require.True(t, fields["rules.facts[0].type"] != "" || fields["pricing.facts[0].type"] != "", "%v", fields)
		}
		require.Equal(t, 1, won)
	}
}

func TestDeclaration_HasAtMost500NamesEver(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.Exec(`INSERT INTO account_fact (account_id, name, entity_type, type, declared_in, declared_version, rules, rules_version)
		SELECT $1, 'fact_' || i, 'Business', 'DATE', 'RULES', 1, '{}', 1 FROM generate_series(1, 499) i`, b.Account.ID))
	of := func(name string) fact.Declaration {
		return fact.Declaration{Name: name, EntityType: fact.EntityBusiness, Type: fact.DeclaredDate}
	}
	check := func(d calculation.Draft) error {
		return b.Store.Records(b.Call.Scope).Facts.Check(t.Context(), b.Account.WireID(), d.Content)
	}
	two := []fact.Declaration{of("a"), of("b"), of("fact_1")}
	for _, err := range []error{b.tryDeclare(declaring(two...)), b.tryPrice(pricing(two...)), check(declaring(two...))} {
		refused := pgtest.Refused(t, err)
		require.Equal(t, refusal.FactLimitExceeded, refused.SubCode)
		require.Equal(t, refusal.EntityDocumentRules, refused.EntityType)
	}
	require.NoError(t, b.tryDeclare(declaring(of("a"), of("fact_1"))))
	require.NoError(t, b.tryDeclare(declaring(of("fact_2"))), "a name that is known is no more")
	require.Equal(t, refusal.FactLimitExceeded, pgtest.Refused(t, b.tryPrice(pricing(of("b")))).SubCode)
	other, call := b.NewAccount("other", "UTC")
	require.NoError(t, b.Try(call, func(r *store.Records) error {
		return only(r.Rules.Publish(t.Context(), other.WireID(), declaring(of("b"))))
	}), "names of accounts are apart")
}

func TestCustom_MergesByName(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.tryDeclare(declaring(allFacts()...)))
	stored := func() string {
		r := b.Store.Records(b.Call.Scope)
		business, err := r.Businesses.Get(t.Context(), b.Business.WireID())
		require.NoError(t, err)
		return business.Custom.Text()
	}
	require.Equal(t, `{}`, stored())
	require.NoError(t, b.tryBusinessCustom(change(`{"shops": 1.50, "note": "<é>", "sells_cbd": false, "deposit": 10}`)))
	require.JSONEq(t, `{"shops":1.5,"note":"<é>","sells_cbd":false,"deposit":10}`, stored())
	require.NoError(t, b.tryBusinessCustom(change(`{"shops": null, "deposit": 9999999999999.99, "legal_form": null}`)))
	require.JSONEq(t, `{"note":"<é>","sells_cbd":false,"deposit":9999999999999.99}`, stored())
	version := func() int { return b.Count(`SELECT version FROM business WHERE id = $1`, b.Business.ID) }
	before := version()
	require.NoError(t, b.tryBusinessCustom(change(`{"note": "<é>", "deposit": 9999999999999.990, "shops": null}`)))
	require.Equal(t, before, version(), "the same values are no change")
	require.NoError(t, b.tryBusinessCustom(domain.CustomChange{}))
	require.Equal(t, before, version())
	require.NoError(t, b.tryBusinessCustom(domain.CustomChange{Clear: true}))
	require.Equal(t, `{}`, stored())
	require.Equal(t, before+1, version())
}

// TestCustom_RefusesWhatNothingDeclares, and writes nothing of such a request.
func TestCustom_RefusesWhatNothingDeclares(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.tryDeclare(declaring(allFacts()...)))
	tries := map[string]func(domain.Custom) error{
		"business.custom": func(c domain.Custom) error { return b.tryBusinessCustom(domain.CustomChange{Values: c}) },
		"person.custom":   func(c domain.Custom) error { return b.tryPersonCustom(domain.CustomChange{Values: c}) },
		"workflow.custom": func(c domain.Custom) error { return b.tryWorkflowCustom(domain.CustomChange{Values: c}) },
	}
	for _, c := range []struct{ path, stated, name, want string }{
		{"business.custom", `{"note":"x","legl_form":"LLC"}`, "legl_form", "did you mean legal_form?"},
		{"business.custom", `{"note":"x","legl_form":null}`, "legl_form", "did you mean legal_form?"},
		{"business.custom", `{"note":"x","roles":["A"]}`, "roles", "person.custom.roles"},
		{"business.custom", `{"note":"x","first_sale_date":null}`, "first_sale_date", "workflow.custom.first_sale_date"},
		{"business.custom", `{"note":"x","legal_form":"LCC"}`, "legal_form", "did you mean LLC?"},
		{"business.custom", `{"note":"x","legal_form":true}`, "legal_form", ""},
		{"business.custom", `{"note":"x","shops":"1"}`, "shops", ""},
		{"business.custom", `{"note":"x","shops":0.0000001}`, "shops", ""},
		{"business.custom", `{"note":"x","deposit":1.001}`, "deposit", ""},
		{"business.custom", `{"note":"x","deposit":-1}`, "deposit", ""},
		{"business.custom", `{"shops":1,"note":""}`, "note", ""},
		{"business.custom", `{"shops":1,"note":"` + strings.Repeat("é", 201) + `"}`, "note", ""},
		{"person.custom", `{"roles":"A"}`, "roles", ""},
		{"person.custom", `{"roles":["A","A"]}`, "roles", ""},
		{"person.custom", `{"role":["A"]}`, "role", "did you mean roles?"},
		{"workflow.custom", `{"channel":"x","first_sale_date":"2026-02-30"}`, "first_sale_date", ""},
		{"workflow.custom", `{"channel":"x","first_sale_date":20260101}`, "first_sale_date", ""},
	} {
		fields := fieldsOf(t, tries[c.path](values(c.stated)))
		require.Len(t, fields, 1, c.stated)
		require.Contains(t, fields[c.path+"."+c.name], c.want, c.stated)
		require.NotEmpty(t, fields[c.path+"."+c.name], c.stated)
	}
	for _, table := range []string{"business", "person", "workflow"} {
		require.Zero(t, b.Count(`SELECT count(*) FROM `+table+` WHERE custom <> '{}'`), "nothing was written")
	}
	require.Equal(t, 1, b.Count(`SELECT version FROM workflow`))
}

// TestCustom_ReadsTheDeclarationsOfItsNamesOnly: those of 500 names take megabytes. One that cannot be
// read shows that it was.
func TestCustom_ReadsTheDeclarationsOfItsNamesOnly(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.tryDeclare(declaring(allFacts()...)))
	require.NoError(t, b.Exec(`UPDATE account_fact SET rules = '{"name": 1}' WHERE name NOT IN ('note', 'channel')`))
	require.NoError(t, b.tryBusinessCustom(domain.CustomChange{Values: values(`{"note":"x"}`)}))
	require.NoError(t, b.tryWorkflowCustom(domain.CustomChange{Values: values(`{"channel":"x"}`)}))
	fields := fieldsOf(t, b.tryBusinessCustom(domain.CustomChange{Values: values(`{"note":"x","legl_form":"LLC"}`)}))
	require.Contains(t, fields["business.custom.legl_form"], "did you mean legal_form?")
	require.ErrorContains(t, b.tryBusinessCustom(domain.CustomChange{Values: values(`{"shops":1}`)}), "json")
	require.NoError(t, b.tryDeclare(declaring(allFacts()...)), "a publication compares entity types and types")
}

func TestCustom_OfANewApplicant(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.tryDeclare(declaring(allFacts()...)))
	create := func(business string, persons ...string) (made domain.Applicant, err error) {
		a := domain.Applicant{Business: domain.Business{LegalName: "Ltd", Custom: values(business)}}
		for _, p := range persons {
			a.Persons = append(a.Persons, domain.Person{FirstName: new("A"), LastName: new("B"), Custom: values(p)})
		}
		err = b.Try(b.Call, func(r *store.Records) error {
			made, err = r.Applicants.Create(t.Context(), b.Account.WireID(), a)
			return err
		})
		return made, err
	}
	_, err := create(`{"not":"x"}`, `{}`, `{"roles":["A"],"note":"x"}`, `{"roles":1}`)
	require.ElementsMatch(t, []string{"business.custom.not", "persons[1].custom.note", "persons[2].custom.roles"}, keys(fieldsOf(t, err)))
	made, err := create(`{"note":"x","shops":null}`, `{"roles":[]}`)
	require.NoError(t, err)
	r := b.Store.Records(b.Call.Scope)
	business, err := r.Businesses.Get(t.Context(), made.Business.WireID())
	require.NoError(t, err)
	require.Equal(t, `{"note":"x"}`, business.Custom.Text())
	person, err := r.Persons.Get(t.Context(), made.Persons[0].WireID())
	require.NoError(t, err)
	require.Equal(t, `{"roles":[]}`, person.Custom.Text())
	require.Contains(t, fieldsOf(t, b.Try(b.Call, func(r *store.Records) error {
		return only(r.Workflows.Create(t.Context(), b.Account.WireID(), business.WireID(), domain.NewWorkflow{State: domain.Started, Custom: values(`{"note":"x"}`)}))
	})), "workflow.custom.note")
}

func keys(fields map[string]string) (names []string) {
	for name := range fields {
		names = append(names, name)
	}
	return names
}

// TestCustom_HasABoundOfItsSize, of JSON without blanks, after the merge: at its last value and one
// above.
func TestCustom_HasABoundOfItsSize(t *testing.T) {
	b := setup(t)
	var facts []fact.Declaration
	for _, entity := range fact.EntityTypes() {
		for i := range 45 {
			facts = append(facts, fact.Declaration{Name: fmt.Sprintf("%s_%02d", strings.ToLower(entity), i), EntityType: entity, Type: fact.DeclaredTextList})
		}
	}
	require.NoError(t, b.tryDeclare(declaring(facts...)))
	for _, c := range []struct {
		name  string
		bound int
		try   func(domain.CustomChange) error
	}{
		{"business", 16 << 10, b.tryBusinessCustom}, {"person", 4 << 10, b.tryPersonCustom}, {"workflow", 16 << 10, b.tryWorkflowCustom},
	} {
		name := func(i int) string { return fmt.Sprintf("%s_%02d", c.name, i) }
		fill, n := domain.Custom{}, 0
		for ; fill.Size() < c.bound-900; n++ {
			fill[name(n)] = listOf(t, 600)
		}
		require.NoError(t, c.try(domain.CustomChange{Values: fill}))
		room := c.bound - fill.Size() - len(`,"":`) - len(name(n))
		over := domain.CustomChange{Values: domain.Custom{name(n): listOf(t, room+1)}}
		fits := domain.CustomChange{Values: domain.Custom{name(n): bytes.ReplaceAll(listOf(t, room), []byte("a"), []byte("<"))}} // no character takes more bytes than it has
		require.Equal(t, map[string]bool{c.name + ".custom": true}, present(fieldsOf(t, c.try(over))), "one byte more")
		require.NoError(t, c.try(fits))
		require.Error(t, c.try(domain.CustomChange{Values: domain.Custom{name(n + 1): []byte(`["x"]`)}}))
		require.NoError(t, c.try(domain.CustomChange{Values: domain.Custom{name(0): nil, name(n + 1): []byte(`["x"]`)}}), "what is removed makes room")
	}
}

// listOf is a list of texts that takes so many bytes of JSON.
func listOf(t *testing.T, size int) json.RawMessage {
	t.Helper()
	var texts []string
	for left := size - len(`[]`) + len(`,`); left > 0; {
		take := min(left-len(`"",`), 150)
		if rest := left - take - len(`"",`); rest > 0 && rest <= len(`"",`) {
			take -= len(`"",`) // so that the last text is not empty
		}
		texts, left = append(texts, strings.Repeat(string(rune('a'+len(texts))), take)), left-take-len(`"",`)
	}
	text, err := json.Marshal(texts)
	require.NoError(t, err)
	require.Len(t, text, size)
	return text
}

func present(fields map[string]string) map[string]bool {
	found := map[string]bool{}
	for name := range fields {
		found[name] = true
	}
	return found
}

// TestUpdateWorkflow_NotAfterItsEnd, nor after an erasure.
func TestUpdateWorkflow_NotAfterItsEnd(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.tryDeclare(declaring(allFacts()...)))
	require.NoError(t, b.tryWorkflowCustom(change(`{"channel":"x"}`)))
	events := b.Count(`SELECT count(*) FROM webhook_event`)
	require.NoError(t, b.Try(b.Call, func(r *store.Records) error {
		return r.Workflows.Update(t.Context(), b.Workflow.WireID(), new(new("ours")), change(`{"channel":null}`))
	}))
	w, err := b.Store.Records(b.Call.Scope).Workflows.Get(t.Context(), b.Workflow.WireID())
	require.NoError(t, err)
	require.Equal(t, "ours", *w.ExternalID)
	require.Empty(t, w.Custom)
	require.Equal(t, events, b.Count(`SELECT count(*) FROM webhook_event`), "it is no event")
	require.Equal(t, refusal.ExternalIDExists, pgtest.Refused(t, b.Try(b.Call, func(r *store.Records) error {
		other, err := r.Workflows.Create(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started})
		if err != nil {
			return err
		}
		return r.Workflows.Update(t.Context(), other.WireID(), new(new("ours")), domain.CustomChange{})
	})).SubCode)

	require.NoError(t, b.completeWorkflow())
	require.Equal(t, refusal.WorkflowEnded, pgtest.Refused(t, b.tryWorkflowCustom(change(`{"channel":"y"}`))).SubCode)
	require.NoError(t, b.tryWorkflow(domain.Started))
	open, _, err := b.Store.Records(b.Call.Scope).Workflows.List(t.Context(), b.Account.WireID(), domain.WorkflowFilter{State: domain.Started}, domain.Page{Limit: 1})
	require.NoError(t, err)
	b.Workflow = open[0].Workflow
	require.NoError(t, only(b.Operator.Erase(t.Context(), b.Call.Scope, b.Business.WireID(), false)))
	require.Equal(t, refusal.BusinessErased, pgtest.Refused(t, b.tryWorkflowCustom(change(`{"channel":"y"}`))).SubCode)
}

// TestCustom_BesideAPublication: a value that is written while a publication removes it from the
// choices is on file, or was refused.
func TestCustom_BesideAPublication(t *testing.T) {
	b := setup(t)
	form := allFacts()[3]
	narrow := form
	narrow.Choices = []string{"CORPORATION"}
	accepted := 0
	for range 10 {
		require.NoError(t, b.tryDeclare(declaring(form)))
		require.NoError(t, b.tryBusinessCustom(domain.CustomChange{Clear: true}))
		var stated error
		pgtest.AtOnce(2, func(i int) {
			if i == 0 {
				require.NoError(t, b.tryDeclare(declaring(narrow)))
				return
			}
			stated = b.tryBusinessCustom(change(`{"legal_form":"LLC"}`))
		})
		onFile := b.Count(`SELECT count(*) FROM business WHERE custom = '{"legal_form": "LLC"}'`)
		if stated == nil {
			accepted++
			require.Equal(t, 1, onFile)
		} else {
			require.Contains(t, fieldsOf(t, stated), "business.custom.legal_form")
			require.Zero(t, onFile)
		}
		require.Contains(t, fieldsOf(t, b.tryBusinessCustom(change(`{"legal_form":"LLC"}`))), "business.custom.legal_form", "from now on it is refused, also where it is on file")
	}
	t.Logf("%d of 10 were accepted", accepted)
}

// rowsWith counts the rows of all tables that hold a text.
func (b *bundle) rowsWith(text string) (n int) {
	b.Helper()
	tables, err := b.Pool().Query(b.Context(), `SELECT relname::text FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`)
	require.NoError(b, err)
	names, err := pgx.CollectRows(tables, pgx.RowTo[string])
	require.NoError(b, err)
	for _, table := range names {
		n += b.Count(`SELECT count(*) FROM `+table+` t WHERE position($1 IN t::text) > 0`, text)
	}
	return n
}

// TestErase_RemovesCustom of each type and entity: of the records, and of decisions about them.
func TestErase_RemovesCustom(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.tryDeclare(declaring(allFacts()...)))
	require.NoError(t, b.tryBusinessCustom(change(`{"note":"planted note","shops":424242.4242,"deposit":535353.53,"legal_form":"CORPORATION"}`)))
	require.NoError(t, b.tryWorkflowCustom(change(`{"first_sale_date":"1983-04-05","channel":"planted channel"}`)))
	require.NoError(t, b.tryPersonCustom(change(`{"roles":["planted role"]}`)))
	b.mustCalculate()
	require.NoError(t, b.completeWorkflow(), "an ended workflow keeps nothing either")
	planted := []string{"planted note", "424242.4242", "535353.53", "1983-04-05", "planted channel", "planted role"}
	for _, text := range planted {
		require.GreaterOrEqual(t, b.rowsWith(text), 2, "%s is on file, and in a decision", text)
	}
	require.NoError(t, only(b.Operator.Erase(t.Context(), b.Call.Scope, b.Business.WireID(), false)))
	for _, text := range planted {
		require.Zero(t, b.rowsWith(text), text)
	}
	require.Len(t, b.accountFacts(), len(allFacts()), "what the account has declared stays")
}

// TestAccountFacts_ReadNoReplacedVersions, however many there are: they cannot be read here.
func TestAccountFacts_ReadNoReplacedVersions(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.Exec(`INSERT INTO account_fact (account_id, name, entity_type, type, declared_in, declared_version, rules, rules_version)
		VALUES ($1, 'old', 'Business', 'DATE', 'RULES', 1, '{"name":"old"}', 1)`, b.Account.ID))
	today := fact.DateOf(b.Now())
	for version, content := range map[int]string{1: `{"facts":[{"name":5}]}`, 2: `{"facts":[{"name":5}]}`, 3: `{}`} {
		from := fact.DateOf(today.UTC().AddDate(0, 0, version-5)).String()
		require.NoError(t, b.Exec(`INSERT INTO rule_set (id, account_id, version, content, sha256, environment_version, cost_limit, published_at, published_by, effective_from)
			VALUES (gen_random_uuid(), $1, $2, $3, sha256(''), 1, 1, $4, 'x', $5::text::date)`, b.Account.ID, version, content, today.UTC().AddDate(0, 0, version-10), from))
	}
	known, err := b.Store.Records(b.Call.Scope).Facts.Declared(t.Context(), b.Account.WireID())
	require.NoError(t, err)
	require.Len(t, known, 1)
	require.Equal(t, fact.FactDropped, known[0].State())
}
