package requirement

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

// expectedGaps says by itself, from what a condition was drawn from, which gaps
// a set of facts has.
func expectedGaps(d *rulestest.Drawn, f fact.Facts) []string {
	gaps := []string{}
	add := func(needed, absent bool, gap string) {
		if needed && absent {
			gaps = append(gaps, gap)
		}
	}
	sales := "BusinessSalesInfo " + f.SalesInfoID
	if f.SalesInfoID == "" {
		sales = "BusinessSalesInfo b_1"
	}
	add(d.Facts["evaluation_score"], f.EvaluationScore == nil, "Workflow w_1 evaluation_score")
	declared := func(entityType, entity, prefix string, needed map[string]bool, lacks func(of fact.Declaration) bool) {
		for _, of := range d.Declared { // which are in the order of their names
			name := "custom." + of.Name
			add(of.EntityType == entityType && of.Default == nil && needed[name], lacks(of), entityType+" "+entity+" "+prefix+name)
		}
	}
	onFile := func(values fact.Values) func(of fact.Declaration) bool {
		return func(of fact.Declaration) bool { return !rulestest.Counts(of, values[of.Name]) }
	}
	declared("Workflow", "w_1", "", d.Facts, onFile(f.Custom))
	add(d.Facts["average_monthly_credit_sales"], f.AverageMonthlyCreditSales == nil, sales+" average_monthly_credit_sales")
	add(d.Facts["average_yearly_credit_sales"], f.AverageYearlyCreditSales == nil, sales+" average_yearly_credit_sales")
	add(d.Facts["average_individual_sale"], f.AverageIndividualSale == nil, sales+" average_individual_sale")
	add(d.Facts["highest_ticket_sale"], f.HighestTicketSale == nil, sales+" highest_ticket_sale")
	add(d.Facts["established_date"] || d.Facts["business_age_months"] || d.Facts["business_age_years"], f.EstablishedDate == nil, "Business b_1 established_date")
	add(d.Facts["industry_category_code"], len(f.IndustryCategoryCode) == 0, "Business b_1 industry_category_code")
	add(d.Facts["country"], f.Country == nil, "Business b_1 country")
	declared("Business", "b_1", "", d.Facts, onFile(f.Custom))
	aboutPersons := d.Loops > 0 || d.WithPerson
	asked := maps.Clone(d.Fields)
	for _, of := range d.Declared {
		if of.Default != nil {
			delete(asked, "custom."+of.Name)
		}
	}
	add(aboutPersons && len(asked) == 0, len(f.Persons) == 0, "Person b_1 persons")
	for _, field := range []string{"citizenship", "ownership_percentage", "date_of_birth", "country_of_residence"} {
		add(d.Fields[field], len(f.Persons) == 0, "Person b_1 person."+field)
	}
	declared("Person", "b_1", "person.", d.Fields, func(fact.Declaration) bool { return len(f.Persons) == 0 })
	if f.NoPersonsAttested && len(f.Persons) == 0 {
		gaps = slices.DeleteFunc(gaps, func(gap string) bool { return strings.HasPrefix(gap, "Person ") })
	}
	for _, person := range f.Persons {
		add(d.Fields["citizenship"], person.Citizenship == nil, "Person "+person.PersonID+" person.citizenship")
		add(d.Fields["ownership_percentage"], person.OwnershipPercentage == nil, "Person "+person.PersonID+" person.ownership_percentage")
		add(d.Fields["date_of_birth"], person.DateOfBirth == nil, "Person "+person.PersonID+" person.date_of_birth")
		add(d.Fields["country_of_residence"], person.CountryOfResidence == nil, "Person "+person.PersonID+" person.country_of_residence")
		declared("Person", person.PersonID, "person.", d.Fields, onFile(person.Custom))
	}
	return gaps
}

func TestGaps_AreExactlyTheMissingFactsThatRulesNeed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entityType := rapid.SampledFrom([]string{fact.EntityBusiness, fact.EntityPerson}).Draw(t, "entity type")
		rs := oneRule(entityType, "")
		rs.Facts = rulestest.DrawDeclarations(t)
		condition, refers := rulestest.DrawDeclared(t, entityType == fact.EntityPerson, rs.Facts, map[string]string{})
		rs.Documents[0].When, rs.Definitions = condition, refers.Definitions
		f := rulestest.DrawFacts(t, rapid.IntRange(0, 2).Draw(t, "built-in facts complete") == 0)
		rulestest.DrawValues(t, &f, rs.Facts, rapid.IntRange(0, 2).Draw(t, "declared facts complete") == 0)
		f.NoPersonsAttested = rapid.Bool().Draw(t, "no persons attested")
		decide := func(f fact.Facts) Result {
			result, err := mustCompileUnsized(t, rs).Evaluate(background(t), f)
			require.NoError(t, err)
			return result
		}
		result := decide(f)
		found := []string{}
		for _, gap := range result.Gaps {
			found = append(found, gap.EntityType+" "+gap.EntityID+" "+gap.Fact)
			require.NotEmpty(t, gap.Message)
			require.NotEmpty(t, gap.RelatedEndpoints)
		}
		require.Equal(t, expectedGaps(refers, f), found, condition)
		if len(found) > 0 {
			require.Nil(t, result.Required)
			return
		}
		// What counts as its default gives what the same value does when it is stated.
		stated := f
		stated.Custom, stated.Persons = withDefaults(f.Custom, rs.Facts), slices.Clone(f.Persons)
		for i, person := range stated.Persons {
			stated.Persons[i].Custom = withDefaults(person.Custom, rs.Facts)
		}
		require.Equal(t, entityIDs(decide(stated)), entityIDs(result), condition)
	})
}

// withDefaults are values with the default of each fact of which none counts.
func withDefaults(values fact.Values, declared []fact.Declaration) fact.Values {
	stated := fact.Values{}
	maps.Copy(stated, values)
	for _, of := range declared {
		if of.Default != nil && !rulestest.Counts(of, values[of.Name]) {
			stated[of.Name] = *of.Default
		}
	}
	return stated
}

// valueTypes are the types of what gaps ask for.
var valueTypes = map[string]fact.DeclaredType{
	"evaluation_score": "NUMBER", "sales_amount": "AMOUNT", "established_date": "DATE", "industry_category_code": "TEXT_LIST",
	"citizenship": "TEXT", "ownership_percentage": "NUMBER", "country_of_residence": "TEXT", "date_of_birth": "DATE", "address.country": "TEXT", "first_name": "TEXT", "last_name": "TEXT",
}

func missingFields(names ...string) []fact.MissingField {
	fields := make([]fact.MissingField, len(names))
	for i, name := range names {
		fields[i].Field, fields[i].ValueType = name, valueTypes[name]
	}
	return fields
}

func withoutWords(fields []fact.MissingField) []fact.MissingField {
	without := slices.Clone(fields)
	for i := range without {
		without[i].Label, without[i].Ask = "", ""
	}
	return without
}

func TestGaps_HaveTheFormOfTheContract(t *testing.T) {
	sales := []string{"business.salesInfo.delete", "business.salesInfo.create"}
	for name, c := range map[string]struct {
		when   string
		change func(*fact.Facts)
		want   []fact.Gap
	}{
		"score": {
			"evaluation_score > 1", func(f *fact.Facts) { f.EvaluationScore = nil },
			[]fact.Gap{{Code: "CALCULATED_PRICING_REQUIRED", EntityType: "Workflow", EntityID: "w_1", RelatedEndpoints: []string{"workflow.pricing.calculate"}, Missing: missingFields("evaluation_score")}},
		},
		"sales amount type lacking": {
			"average_monthly_credit_sales > 1", func(f *fact.Facts) { f.AverageMonthlyCreditSales = nil },
			[]fact.Gap{{Code: "FIELDS_REQUIRED", EntityType: "BusinessSalesInfo", EntityID: "bsi_1", RelatedEndpoints: sales, Fields: []string{"sales_amount"}, Missing: []fact.MissingField{{Field: "sales_amount", ValueType: "AMOUNT", Type: "AVERAGE_MONTHLY_CREDIT_SALES", Currency: "USD"}},
				BusinessID: "b_1", DeleteFirst: "bsi_1", Present: []fact.MissingField{
					{Field: "sales_amount", ValueType: "AMOUNT", Type: "AVERAGE_YEARLY_CREDIT_SALES", Currency: "USD", Value: rulestest.Decimal(744006)},
					{Field: "sales_amount", ValueType: "AMOUNT", Type: "AVERAGE_INDIVIDUAL_SALE", Currency: "USD", Value: rulestest.Decimal(40)},
					{Field: "sales_amount", ValueType: "AMOUNT", Type: "HIGHEST_TICKET_SALE", Currency: "USD", Value: rulestest.Decimal(900)},
				}}},
		},
		"no sales info record": {
			"average_yearly_credit_sales > 1", func(f *fact.Facts) {
				f.SalesInfoID, f.AverageMonthlyCreditSales, f.AverageYearlyCreditSales, f.AverageIndividualSale, f.HighestTicketSale = "", nil, nil, nil, nil
			},
			[]fact.Gap{{Code: "FIELDS_REQUIRED", EntityType: "BusinessSalesInfo", EntityID: "b_1", RelatedEndpoints: sales, Fields: []string{"sales_amount"}, Missing: []fact.MissingField{{Field: "sales_amount", ValueType: "AMOUNT", Type: "AVERAGE_YEARLY_CREDIT_SALES", Currency: "USD"}}, BusinessID: "b_1"}},
		},
		"the ages lead to one gap": {
			`business_age_months > 1 || business_age_years > 1 || established_date > date("2020-01-01")`, func(f *fact.Facts) { f.EstablishedDate = nil },
			[]fact.Gap{{Code: "FIELDS_REQUIRED", EntityType: "Business", EntityID: "b_1", RelatedEndpoints: []string{"business.update"}, Fields: []string{"established_date"}, Missing: missingFields("established_date")}},
		},
		"an empty list of codes": {
			`industry_category_code.all(c, c != "7995")`, func(f *fact.Facts) { f.IndustryCategoryCode = []string{} },
			[]fact.Gap{{Code: "FIELDS_REQUIRED", EntityType: "Business", EntityID: "b_1", RelatedEndpoints: []string{"business.update"}, Fields: []string{"industry_category_code"}, Missing: missingFields("industry_category_code")}},
		},
		"needed whatever the other facts say": {
			`evaluation_score > 1 || persons.exists(p, p.citizenship != "US")`, func(f *fact.Facts) { f.Persons[1].Citizenship = nil },
			[]fact.Gap{{Code: "FIELDS_REQUIRED", EntityType: "Person", EntityID: "p_2", RelatedEndpoints: []string{"person.update"}, Fields: []string{"citizenship"}, Missing: missingFields("citizenship")}},
		},
		"nobody on record": {
			`persons.exists(p, p.citizenship != "US" && p.ownership_percentage > 1)`, func(f *fact.Facts) { f.Persons = nil },
			[]fact.Gap{
				{Code: "FIELDS_REQUIRED", EntityType: "Person", EntityID: "b_1", RelatedEndpoints: []string{"person.create"}, Fields: []string{"citizenship"}, Missing: missingFields("first_name", "last_name", "citizenship"), BusinessID: "b_1"},
				{Code: "FIELDS_REQUIRED", EntityType: "Person", EntityID: "b_1", RelatedEndpoints: []string{"person.create"}, Fields: []string{"ownership_percentage"}, Missing: missingFields("first_name", "last_name", "ownership_percentage"), BusinessID: "b_1"},
			},
		},
		"nobody on record and only ids asked for": {
			`persons.exists(p, p.person_id == "p_9")`, func(f *fact.Facts) { f.Persons = nil },
			[]fact.Gap{{Code: "FIELDS_REQUIRED", EntityType: "Person", EntityID: "b_1", RelatedEndpoints: []string{"person.create"}, Fields: []string{"first_name", "last_name"}, Missing: missingFields("first_name", "last_name"), BusinessID: "b_1"}},
		},
		"country of the address": {
			`country == "US" && days_since(established_date) > 1`, func(f *fact.Facts) { f.Country = nil },
			[]fact.Gap{{Code: "FIELDS_REQUIRED", EntityType: "Business", EntityID: "b_1", RelatedEndpoints: []string{"business.update"}, Fields: []string{"address"}, Missing: missingFields("address.country")}},
		},
		"what is newer of a person": {
			`persons.all(p, years_since(p.date_of_birth) >= 18 && p.country_of_residence == "US")`, func(f *fact.Facts) {
				f.Persons[0].CountryOfResidence, f.Persons[1].DateOfBirth = nil, nil
			},
			[]fact.Gap{
				{Code: "FIELDS_REQUIRED", EntityType: "Person", EntityID: "p_1", RelatedEndpoints: []string{"person.update"}, Fields: []string{"country_of_residence"}, Missing: missingFields("country_of_residence")},
				{Code: "FIELDS_REQUIRED", EntityType: "Person", EntityID: "p_2", RelatedEndpoints: []string{"person.update"}, Fields: []string{"date_of_birth"}, Missing: missingFields("date_of_birth")},
			},
		},
		"counting nobody is an answer": {`persons.size() == 0`, func(f *fact.Facts) { f.Persons = nil }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := rulestest.CompleteFacts()
			f.Currency = "USD"
			c.change(&f)
			result := evaluate(t, oneRule(fact.EntityBusiness, c.when), f)
			for i, gap := range result.Gaps {
				endpoints := gap.RelatedEndpoints
				if gap.EntityType == "BusinessSalesInfo" && f.SalesInfoID == "" {
					endpoints = endpoints[1:] // there is none to delete
				}
				for _, told := range append(slices.Clone(endpoints), gap.Missing[0].Type) {
					require.Contains(t, gap.Message, told)
				}
				result.Gaps[i].Message, result.Gaps[i].Fact = "", ""
				for _, m := range append(gap.Missing, gap.Present...) {
					require.NotEmpty(t, m.Label, m.Field)
					require.Equal(t, m.Field == "evaluation_score", m.Ask == "", m.Field)
				}
				result.Gaps[i].Missing, result.Gaps[i].Present = withoutWords(gap.Missing), withoutWords(gap.Present)
			}
			require.Equal(t, c.want, result.Gaps)
		})
	}
}

// A gap says what is missing to a program, in the names of the contract, and to people.
func TestGap_NamesTheMissingFieldInJSONAndInItsMessage(t *testing.T) {
	f := fact.Facts{WorkflowID: "w_1", BusinessID: "b_1", Currency: "USD", Persons: []fact.PersonFacts{{PersonID: "p_1"}}}
	gaps := evaluate(t, oneRule(fact.EntityPerson, `evaluation_score > 1 && highest_ticket_sale > 1 && business_age_years > 1 && person.citizenship != "US"`), f).Gaps
	for i, want := range []struct{ missing, message string }{
		{`[{"field":"evaluation_score","value_type":"NUMBER","label":"evaluation score"}]`, "workflow.pricing.calculate"},
		{`[{"field":"sales_amount","value_type":"AMOUNT","label":"highest ticket sale","ask":"The largest single sale.","type":"HIGHEST_TICKET_SALE","currency":"USD"}]`, "business.salesInfo.create once, with a sales_amount of each type that is missing; this one is of type HIGHEST_TICKET_SALE in USD."},
		{`[{"field":"established_date","value_type":"DATE","label":"established date","ask":"The day on which the business was established."}]`, "call business.update with established_date."},
		{`[{"field":"citizenship","value_type":"TEXT","label":"citizenship","ask":"The country of citizenship, or that this person is stateless or a refugee."}]`, "person.update"},
	} {
		text, err := json.Marshal(gaps[i].Missing)
		require.NoError(t, err)
		require.Equal(t, want.missing, string(text))
		require.Contains(t, gaps[i].Message, want.message)
	}
}

// aboutPersons are rules about persons, each with whether it holds of nobody.
var aboutPersons = []struct {
	entityType, when string
	holds            bool
	gaps             []string // while nobody is on record
}{
	{fact.EntityPerson, "", false, []string{"persons"}},
	{fact.EntityPerson, "business_age_months < 300", false, []string{"persons"}},
	{fact.EntityPerson, `person.citizenship != "US"`, false, []string{"person.citizenship"}},
	{fact.EntityPerson, "size(persons) < 2", false, []string{"persons"}},
	{fact.EntityBusiness, "persons.all(p, evaluation_score > 1)", true, []string{"persons"}},
	{fact.EntityBusiness, "!persons.exists(p, true)", true, []string{"persons"}},
	{fact.EntityWorkflow, "size(persons.filter(p, evaluation_score > 1)) > 0", false, []string{"persons"}},
	{fact.EntityBusiness, `"p_1" in persons.map(p, p.person_id)`, false, []string{"persons"}},
	{fact.EntityBusiness, `persons.exists(p, p.person_id == "p_1" || p.ownership_percentage > 25)`, false, []string{"person.ownership_percentage"}},
	{fact.EntityBusiness, "persons.all(p, p.ownership_percentage < 25)", true, []string{"person.ownership_percentage"}},
	{fact.EntityBusiness, `persons.all(p, evaluation_score > 1) && industry_category_code.all(c, c != "1")`, true, []string{"persons"}},
	{fact.EntityBusiness, `industry_category_code.all(c, c != "1") && persons.all(p, evaluation_score > 1)`, true, []string{"persons"}},
	{fact.EntityBusiness, "persons.sum(p, 1) == 0", true, []string{"persons"}},
	{fact.EntityBusiness, "persons.filter(p, p.ownership_percentage > 25).sum(p, evaluation_score) < 1", true, []string{"person.ownership_percentage"}},
	{fact.EntityBusiness, "size(persons) == 0", true, nil},
	{fact.EntityBusiness, "size(persons) > 2", false, nil},
}

func TestGaps_NoPersonsOnRecordIsAGapUntilAttested(t *testing.T) {
	t.Parallel()
	f := rulestest.CompleteFacts()
	f.Persons = nil
	attested := f
	attested.NoPersonsAttested = true
	both := RuleSet{Documents: []DocumentRule{documentRule(fact.EntityWorkflow, "evaluation_score > 1")}}
	for i, c := range aboutPersons {
		rs := oneRule(c.entityType, c.when)
		result := evaluate(t, rs, f)
		var gaps []string
		for _, gap := range result.Gaps {
			gaps = append(gaps, gap.Fact)
			require.Equal(t, "b_1", gap.EntityID)
			require.Contains(t, gap.Message, "no_persons_attested")
			require.Equal(t, []string{"DOC"}, mustCompile(t, rs).NeededBy(gap.Fact), c.when)
		}
		require.Equal(t, c.gaps, gaps, "%s %s", c.entityType, c.when)
		require.Equal(t, c.holds && gaps == nil, len(result.Required) > 0, c.when)

		// Having no persons is another thing, and an answer.
		result = evaluate(t, rs, attested)
		require.Empty(t, result.Gaps, c.when)
		require.Equal(t, c.holds, len(result.Required) > 0, "%s %s", c.entityType, c.when)
		for _, required := range result.Required {
			require.Equal(t, true, required.Reason.Facts["no_persons_attested"], c.when)
			require.Contains(t, required.Reason.Message, "the business has stated that it has no persons")
		}
		if c.gaps != nil {
			rule := documentRule(c.entityType, c.when)
			rule.DocumentTypeCode = fmt.Sprintf("DOC_%d", i)
			both.Documents = append(both.Documents, rule)
		}
	}
	var gaps []string
	for _, gap := range evaluate(t, both, f).Gaps {
		gaps = append(gaps, gap.Fact)
	}
	require.Equal(t, []string{"persons", "person.citizenship", "person.ownership_percentage"}, gaps, "each once for all rules")
}

func TestGap_OfTheScoreListsWhatPricingLacks(t *testing.T) {
	pricing, problems := CompilePricing(PricingModel{Rules: []PricingRule{
		{Name: "sales", When: "average_monthly_credit_sales > 1 && highest_ticket_sale > 1", Points: *rulestest.Decimal(1)},
		{Name: "age", When: `business_age_years > 1 || persons.exists(p, p.citizenship != "US" || p.ownership_percentage > 5)`, Points: *rulestest.Decimal(1)},
	}}, Options{})
	require.Empty(t, problems)
	explain := func(model *Pricing, change func(*fact.Facts)) fact.Gap {
		f := rulestest.CompleteFacts()
		f.EvaluationScore = nil
		change(&f)
		gaps := evaluate(t, oneRule(fact.EntityBusiness, "evaluation_score > 1 && established_date > date(\"2000-01-01\")"), f).Gaps
		before := len(gaps)
		require.NoError(t, ExplainScoreGap(background(t), fact.ScoreGap(gaps), model, f))
		require.Len(t, gaps, before, "what pricing lacks is no entry of its own")
		require.Equal(t, missingFields("evaluation_score"), withoutWords(gaps[0].Missing))
		require.Empty(t, gaps[0].Fields)
		return gaps[0]
	}
	facts := func(gap fact.Gap) (names []string) {
		for _, lacking := range gap.PricingMissing {
			require.NotEmpty(t, lacking.Missing)
			require.NotEmpty(t, lacking.Message)
			names = append(names, lacking.EntityID+" "+lacking.Fact)
		}
		return names
	}
	complete := explain(pricing, func(*fact.Facts) {})
	require.Empty(t, complete.PricingMissing)
	require.NotContains(t, complete.Message, "lacks")

	holes := explain(pricing, func(f *fact.Facts) {
		f.HighestTicketSale, f.EstablishedDate = nil, nil
		f.Persons[0].Citizenship, f.Persons[1].Citizenship, f.Persons[1].OwnershipPercentage = nil, nil, nil
	})
	require.Equal(t, []string{
		"bsi_1 highest_ticket_sale", "b_1 established_date", "p_1 person.citizenship", "p_2 person.citizenship", "p_2 person.ownership_percentage",
	}, facts(holes))
	require.Contains(t, holes.Message, "pricing lacks the highest ticket sale, the established date, the citizenship of 2 persons and the ownership percentage of one person: supply what pricing_missing lists.")

	nobody := explain(pricing, func(f *fact.Facts) { f.Persons = nil })
	require.Equal(t, []string{"b_1 person.citizenship", "b_1 person.ownership_percentage"}, facts(nobody))
	require.Contains(t, nobody.Message, "pricing lacks persons with their citizenship and persons with their ownership percentage:")

	many := rulestest.CompleteFacts()
	many.Persons = make([]fact.PersonFacts, fact.MaxPersons+1)
	var score fact.Gap
	require.ErrorIs(t, ExplainScoreGap(background(t), &score, pricing, many), ErrTooManyFacts)
	require.Empty(t, score.Message)

	without := explain(nil, func(f *fact.Facts) { f.Persons = nil })
	require.Empty(t, without.PricingMissing)
	require.Contains(t, without.Message, "no pricing model")

	require.Nil(t, fact.ScoreGap(evaluate(t, oneRule(fact.EntityBusiness, "established_date > date(\"2000-01-01\")"), fact.Facts{}).Gaps))
}
