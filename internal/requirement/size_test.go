package requirement

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// largestFacts is a business of which everything takes as much room as it can.
func largestFacts(persons int) Facts {
	f := completeFacts()
	f.WorkflowID, f.BusinessID = "w_"+longestEntityID[2:], "b_"+longestEntityID[2:]
	for _, amount := range []**Number{&f.AverageMonthlyCreditSales, &f.AverageYearlyCreditSales, &f.AverageIndividualSale, &f.HighestTicketSale} {
		*amount = ptr(longestAmount)
	}
	f.EvaluationScore = parsedDecimal(longestScore)
	f.IndustryCategoryCode = nil
	for i := range MaxIndustryCategoryCodes {
		f.IndustryCategoryCode = append(f.IndustryCategoryCode, fmt.Sprintf("79%08d", i))
	}
	f.Persons = nil
	for i := range persons {
		f.Persons = append(f.Persons, PersonFacts{PersonID: fmt.Sprintf("p_%022d", i), Citizenship: ptr("CA"), OwnershipPercentage: ptr(longestShare)})
	}
	return f
}

// TestNoResultIsLargerThanItsRuleSetIsSized holds the bound to what evaluations
// give, and to being of some use.
func TestNoResultIsLargerThanItsRuleSetIsSized(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		entityType, when string
		loose            bool // the bound is far from what these facts give
	}{
		{EntityPerson, ``, false},
		{EntityBusiness, ``, false},
		{EntityBusiness, `average_monthly_credit_sales > 50000`, false},
		{EntityPerson, `person.citizenship != "US" && person.ownership_percentage >= 25`, false},
		{EntityPerson, `person.citizenship in ["CA", "MX"] || evaluation_score > 500`, false},
		{EntityPerson, `person.ownership_percentage >= 25 && persons.exists(p, p.citizenship == "CA")`, false},
		{EntityBusiness, `persons.exists(p, p.citizenship != "US" && p.ownership_percentage >= 25)`, false},
		{EntityBusiness, `persons.filter(p, p.ownership_percentage >= 25 && p.citizenship != "US").size() >= 2`, false},
		{EntityBusiness, `"CA" in persons.map(p, p.citizenship)`, false},
		{EntityBusiness, `persons.size() > 1`, false},
		{EntityBusiness, `industry_category_code.exists(c, c.startsWith("79"))`, false},
		{EntityPerson, `industry_category_code.all(c, c.startsWith("79")) && person.person_id != ""`, false},
		{EntityWorkflow, `average_yearly_credit_sales / 12 > 1000`, true},
		{EntityWorkflow, `established_date < date("2030-01-31") && business_age_months >= 0 && business_age_years < 99`, false},
		{EntityWorkflow, `lists.high_risk.exists(x, x.contains("5967") || x == "é\"\\\n")`, true},
		{EntityPerson, `persons.all(p, p.citizenship == person.citizenship ? p.ownership_percentage * 1.5 > 3 : false)`, true},
		{EntityBusiness, `[true, evaluation_score < 5].exists(x, x)`, true},
	} {
		program := mustCompile(t, oneRule(c.entityType, c.when))
		for _, persons := range []int{1, SizedPersons, MaxPersons} {
			if c.loose && persons == MaxPersons {
				continue // it takes long and shows nothing more
			}
			f := largestFacts(persons)
			b, err := program.prepare(f)
			require.NoError(t, err)
			found, err := program.matches(t.Context(), b)
			require.NoError(t, err)
			actual := 0
			for _, m := range found {
				actual += len(canonicalJSON(m.require()))
			}
			documents, most := program.sizes().of(persons)
			require.LessOrEqual(t, actual, most, "%q, %d persons", c.when, persons)
			require.GreaterOrEqual(t, documents, len(found), c.when)
			if persons == SizedPersons && !c.loose {
				require.Less(t, most, 2*actual, c.when)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		entityType := rapid.SampledFrom([]string{EntityBusiness, EntityPerson}).Draw(t, "type")
		condition, _ := drawCondition(t, entityType == EntityPerson)
		program := mustCompile(t, oneRule(entityType, condition))
		f := largestFacts(rapid.IntRange(1, 20).Draw(t, "persons"))
		result, err := program.Evaluate(background(t), f)
		require.NoError(t, err)
		actual := 0
		for _, required := range result.Required {
			actual += len(canonicalJSON(required))
		}
		_, most := program.sizes().of(len(f.Persons))
		require.LessOrEqual(t, actual, most, condition)
	})
}

func TestARuleSetThatNoRunCouldCarryIsNotPublished(t *testing.T) {
	const foreign = `person.citizenship != "US" && person.ownership_percentage >= 25`
	for name, c := range map[string]struct {
		rs      RuleSet
		refused bool
		warned  string
	}{
		"a few rules of persons":             {manyRules(10, EntityPerson, foreign), false, ""},
		"more than fit for two hundred":      {manyRules(30, EntityPerson, foreign), false, "fits into a calculation for a business with up to 83 persons; of one with more"},
		"more than fit for fifty":            {manyRules(60, EntityPerson, foreign), true, ""},
		"a thousand rules of persons":        {manyRules(1000, EntityPerson, foreign), true, ""},
		"a thousand rules of the business":   {manyRules(1000, EntityBusiness, `average_monthly_credit_sales > 50000`), false, ""},
		"without conditions":                 {manyRules(200, EntityPerson, ""), true, ""},
		"a document for each of 200 nations": {perNation(200), false, ""},
		"long texts": {func() RuleSet {
			rs := manyRules(8, EntityPerson, "")
			for i := range rs.Documents {
				rs.Documents[i].RequirementText = strings.Repeat("é", MaxTextLength)
			}
			return rs
		}(), true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program, problems := Compile(c.rs, Options{})
			_, tests := RunExamples(t.Context(), c.rs, Options{})
			require.Equal(t, problems, tests)
			if c.refused {
				require.Len(t, problems, 1)
				require.Equal(t, "documents", problems[0].Path)
				require.Contains(t, problems[0].Message, "of a business with 50 persons")
				require.Contains(t, problems[0].Message, "the largest are DOC_")
				require.Contains(t, problems[0].Message, "require fewer documents of each person, or shorten their texts")
				return
			}
			require.Empty(t, problems)
			if c.warned != "" {
				require.Len(t, likelyMistakes(program), 1)
				require.Equal(t, "documents", likelyMistakes(program)[0].Path)
				require.Contains(t, likelyMistakes(program)[0].Message, c.warned)
			} else {
				require.Empty(t, likelyMistakes(program))
			}
			_, err := program.Evaluate(t.Context(), largestFacts(SizedPersons))
			require.NoError(t, err, "what was published can be calculated")
		})
	}
}

// perNation asks the citizens of each of so many nations for a document.
func perNation(n int) RuleSet {
	rs := RuleSet{}
	for i, code := range Citizenships()[:n] {
		doc := documentRule(EntityPerson, fmt.Sprintf("person.ownership_percentage >= 25 && person.citizenship == %q", code))
		if i%2 == 1 {
			doc.When = fmt.Sprintf("person.citizenship in [%q, %q] && person.ownership_percentage >= 25", code, Citizenships()[i-1])
		}
		doc.DocumentTypeCode = "ID_" + code
		rs.Documents = append(rs.Documents, doc)
	}
	return rs
}

func TestCitizenshipsOfACondition(t *testing.T) {
	t.Parallel()
	for when, want := range map[string][]string{
		`person.citizenship == "US"`:                                                               {"US"},
		`"US" == person.citizenship && evaluation_score > 5`:                                       {"US"},
		`person.citizenship == "US" || person.citizenship in ["CA", "MX"]`:                         {"US", "CA", "MX"},
		`person.citizenship in lists.high_risk`:                                                    {"5967", "7995"},
		`person.citizenship == "US" && person.citizenship == "CA"`:                                 {},
		`person.citizenship == "US" || evaluation_score > 5`:                                       nil,
		`evaluation_score > 5 || person.citizenship == "US"`:                                       nil,
		`evaluation_score > 5 && person.citizenship == "US"`:                                       {"US"},
		`person.citizenship in ["US", "CA"] && person.citizenship in ["MX", "CA", "FR"]`:           {"CA"},
		`person.citizenship in ["US", "CA", "FR"] && person.citizenship in ["CA", "MX"]`:           {"CA"},
		`person.citizenship != "US"`:                                                               nil,
		`!(person.citizenship == "US")`:                                                            nil,
		`persons.exists(p, p.citizenship == "US")`:                                                 nil,
		`evaluation_score > 5 ? person.citizenship == "US" : true`:                                 nil,
		`person.citizenship in ["US", person.person_id]`:                                           nil,
		`persons.exists(p, p.citizenship == person.citizenship) && person.citizenship == "US"`:     {"US"},
		`person.citizenship in persons.filter(p, p.person_id != person.person_id).map(p, "US")`:    nil,
		`(person.citizenship == "US" ? true : false) && (person.citizenship == "CA" || 1 > 2.5)`:   nil,
		`person.citizenship == person.person_id || person.person_id == "US" && evaluation_score>1`: nil,
	} {
		program := mustCompile(t, oneRule(EntityPerson, when))
		found := citizenships(program.rules[0].condition.tree, program.lists)
		if want == nil {
			require.Nil(t, found, when)
			continue
		}
		require.NotNil(t, found, when)
		require.ElementsMatch(t, want, sortedKeys(found), when)
	}
}

// TestSizesAreAddedUp: what is required of one person is what is required of
// everybody and of the citizenship for which that is most.
func TestSizesAreAddedUp(t *testing.T) {
	rs := RuleSet{}
	for i, d := range []DocumentRule{
		documentRule(EntityBusiness, "size(persons) > 1"), documentRule(EntityWorkflow, ""),
		documentRule(EntityPerson, ""), documentRule(EntityPerson, "persons.exists(q, q.ownership_percentage > 50)"),
		documentRule(EntityPerson, `person.citizenship == "US"`), documentRule(EntityPerson, `person.citizenship in ["US", "CA"] && persons.exists(q, q.ownership_percentage > 50)`),
	} {
		d.DocumentTypeCode = fmt.Sprint("DOC_", i)
		rs.Documents = append(rs.Documents, d)
	}
	program, problems := compileUnsized(t.Context(), rs, Options{CostLimit: 100 * DefaultCostLimit})
	require.Empty(t, problems)
	all := program.sizes()
	for _, i := range []int{0, 3, 5} {
		require.Positive(t, all.rules[i].perPerson, "its reason names persons")
	}
	for _, persons := range []int{1, 7, MaxPersons} {
		of := func(i int) int { return all.rules[i].fixed + all.rules[i].perPerson*persons }
		documents, bytes := all.of(persons)
		require.Equal(t, 2+4*persons, documents)
		require.Equal(t, of(0)+of(1)+persons*(of(2)+of(3)+of(4)+of(5)), bytes)
	}
	nobody := sizes{business: sizeSum{1, 10, 2}, persons: []sizeSum{{}}}
	documents, bytes := nobody.of(3)
	require.Equal(t, [2]int{1, 16}, [2]int{documents, bytes})
}

// TestTheGlanceIsNoLessThanTheSize: whatever takes room, and of characters that take
// most as JSON.
func TestTheGlanceIsNoLessThanTheSize(t *testing.T) {
	large := strings.Repeat("\x00", 500)
	manyNames, nested := map[string]any{}, map[string]any{}
	for i := range 31 {
		manyNames[string(rune(i))] = ""
		nested[string(rune('a'+i))] = map[string]any{large: large}
	}
	digits := *parsedDecimal(strings.Repeat("9", 38))
	numbers := map[string]any{}
	for i := range 100 {
		numbers[fmt.Sprint(i)] = digits
	}
	facts := map[string]map[string]any{
		"none": {}, "a name": {large: ""}, "a text": {"": large}, "many names": manyNames, "objects": nested, "numbers": numbers,
		"texts": {"": []string{large, large}}, "empty texts": {"": slices.Repeat([]string{""}, 1000)}, "true": {"": true},
	}
	for name, values := range facts {
		require.GreaterOrEqual(t, mostBytes(values), len(canonicalJSON(values)), name)
	}
	for name, r := range map[string]Requirement{
		"nothing": {}, "code": {DocumentTypeCode: large}, "name": {Name: large}, "category": {Category: large}, "text": {RequirementText: large},
		"type": {EntityType: large}, "entity": {EntityID: large}, "rule": {Reason: Reason{Rule: large}}, "message": {Reason: Reason{Message: large}},
		"facts": {Reason: Reason{Facts: facts["texts"]}},
	} {
		var size resultSize
		require.GreaterOrEqual(t, size.add(r, nil), len(canonicalJSON(r)), name)
	}

	// Beyond a glance the bytes are counted, those of what came before as well.
	var size resultSize
	long := Requirement{RequirementText: strings.Repeat("a", MaxResultBytes/10)}
	one := len(canonicalJSON(long))
	var before []Requirement
	for n := 1; n <= 5; n++ {
		counted := size.add(long, before)
		before = append(before, long)
		if n == 1 {
			require.Greater(t, counted, one, "at a glance")
		} else {
			require.Equal(t, n*one, counted)
		}
	}
}

// TestHowMuchFits: to the byte, and to the person.
func TestHowMuchFits(t *testing.T) {
	one := rule{DocumentRule: documentRule(EntityBusiness, "")}
	of := func(business sizeSum) sizes {
		return sizes{rules: []ruleSize{{rule: &one, fixed: business.fixed, perPerson: business.perPerson}}, business: business, persons: []sizeSum{{}}}
	}
	for _, whole := range []sizeSum{{1, MaxResultBytes, 0}, {1, 0, MaxResultBytes / MaxPersons}} {
		problem, warning := of(whole).tooLarge()
		require.Nil(t, problem)
		require.Nil(t, warning)
	}
	problem, _ := of(sizeSum{1, MaxResultBytes + 1, 0}).tooLarge()
	require.Contains(t, problem.Message, fmt.Sprintf("may require 1 documents at once of a business with %d persons, which take up to %d bytes", SizedPersons, MaxResultBytes+1))
	for _, persons := range []int{SizedPersons, SizedPersons + 1, 150, MaxPersons - 1} {
		problem, warning := of(sizeSum{1, MaxResultBytes - persons*7000, 7000}).tooLarge()
		require.Nil(t, problem)
		require.Contains(t, warning.Message, fmt.Sprintf("with up to %d persons;", persons))
	}

	person := rule{DocumentRule: documentRule(EntityPerson, "")}
	person.DocumentTypeCode = "OF_PERSON"
	naming := sizes{rules: []ruleSize{{rule: &one, fixed: 50_000}, {rule: &person, fixed: 500, perPerson: 10}, {rule: &one, fixed: 1}, {rule: &one, fixed: 2}}}
	require.Equal(t, "the largest are DOC with 50000; OF_PERSON with 50000; DOC with 2", naming.largest(50))
	require.Equal(t, "the largest are OF_PERSON with 51510, of which 26010 are the persons that its reasons name; DOC with 50000; DOC with 2", naming.largest(51))
	require.Contains(t, naming.smaller(51), "OF_PERSON is evaluated for each person, and each of its reasons names all persons")
	require.Contains(t, naming.smaller(50), "require fewer documents of each person")
	require.Contains(t, of(sizeSum{1, 0, 5000}).smaller(50), "require fewer documents of each person", "a rule of the business names each person once")
}
