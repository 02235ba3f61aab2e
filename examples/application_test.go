package examples_test

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// application is a file of applications/. Its fields have the names of the API. Reading
// fails for any other field.
type application struct {
	Title     string     `json:"title"`
	Story     string     `json:"story"`
	Business  business   `json:"business"`
	SalesInfo *salesInfo `json:"sales_info"`
	Reviews   []struct {
		DocumentTypeCode string              `json:"document_type_code"`
		Evidence         []map[string]string `json:"evidence"`
	} `json:"reviews"`
	Persons []person `json:"persons"`
	Expect  struct {
		Documents []string `json:"documents"`
		Findings  []string `json:"findings"`
		Missing   []gap    `json:"missing"`
	} `json:"expect"`
}

type business struct {
	LegalName            string   `json:"legal_name"`
	OperatingName        string   `json:"operating_name"`
	EstablishedDate      string   `json:"established_date"`
	IndustryCategoryCode []string `json:"industry_category_code"`
	Website              string   `json:"website"`
	PhoneNumber          string   `json:"phone_number"`
	Email                string   `json:"email"`
	Address              struct {
		Line1      string `json:"line1"`
		Line2      string `json:"line2"`
		City       string `json:"city"`
		Region     string `json:"region"`
		PostalCode string `json:"postal_code"`
		Country    string `json:"country"`
	} `json:"address"`
	Custom fact.Values `json:"custom"`
}

type salesInfo struct {
	SalesAmount []struct {
		Type     string          `json:"type"`
		Value    rational.Number `json:"value"`
		Currency string          `json:"currency"`
	} `json:"sales_amount"`
}

type person struct {
	FirstName           string           `json:"first_name"`
	LastName            string           `json:"last_name"`
	Citizenship         *string          `json:"citizenship"`
	OwnershipPercentage *rational.Number `json:"ownership_percentage"`
	DateOfBirth         string           `json:"date_of_birth"`
	Email               string           `json:"email"`
	Custom              fact.Values      `json:"custom"`
}

type gap struct {
	EntityType string   `json:"entity_type"`
	Fields     []string `json:"fields"`
}

func readApplication(t *testing.T, file string) application {
	t.Helper()
	var app application
	require.NoError(t, json.Unmarshal(read(t, file), &app, json.RejectUnknownMembers(true)))
	require.NotEmpty(t, app.Title)
	require.NotEmpty(t, app.Story)
	require.NotEmpty(t, app.Business.LegalName)
	require.Regexp(t, `555-?01\d\d$`, app.Business.PhoneNumber, "use a number that is reserved for examples")
	require.Regexp(t, `\.example$`, app.Business.Website)
	require.Regexp(t, `\.example$`, app.Business.Email)
	for _, p := range app.Persons {
		require.NotEmpty(t, p.FirstName)
		require.NotEmpty(t, p.LastName)
		require.Regexp(t, `\.example$`, p.Email)
		_, err := fact.ParseDate(p.DateOfBirth)
		require.NoError(t, err)
	}
	return app
}

// facts returns the facts on file after the application was entered, before pricing. The
// ids of persons keep their order.
func (app application) facts(t *testing.T, asOf fact.Date) fact.Facts {
	t.Helper()
	facts := fact.Facts{
		AsOf:                 asOf,
		WorkflowID:           "w_1",
		BusinessID:           "b_1",
		EstablishedDate:      app.established(t, asOf),
		IndustryCategoryCode: app.Business.IndustryCategoryCode,
		Custom:               app.Business.Custom,
	}
	if app.SalesInfo != nil {
		facts.SalesInfoID = "bsi_1"
		app.SalesInfo.fill(t, &facts)
	}
	for i, p := range app.Persons {
		facts.Persons = append(facts.Persons, fact.PersonFacts{
			PersonID:            personID(i),
			Citizenship:         p.Citizenship,
			OwnershipPercentage: p.OwnershipPercentage,
			Custom:              p.Custom,
		})
	}
	return facts
}

func (info salesInfo) fill(t *testing.T, facts *fact.Facts) {
	t.Helper()
	fields := map[string]**rational.Number{
		"AVERAGE_INDIVIDUAL_SALE":      &facts.AverageIndividualSale,
		"AVERAGE_MONTHLY_CREDIT_SALES": &facts.AverageMonthlyCreditSales,
		"AVERAGE_YEARLY_CREDIT_SALES":  &facts.AverageYearlyCreditSales,
		"HIGHEST_TICKET_SALE":          &facts.HighestTicketSale,
	}
	for _, amount := range info.SalesAmount {
		field, known := fields[amount.Type]
		require.True(t, known, "sales amount type %q", amount.Type)
		require.Nil(t, *field, "sales amount type %q is given twice", amount.Type)
		require.Equal(t, "USD", amount.Currency)
		*field = pointer(amount.Value)
	}
}

var monthsAgoToken = regexp.MustCompile(`^\{\{months_ago ([0-9]+)\}\}$`)

func (app application) established(t *testing.T, asOf fact.Date) *fact.Date {
	t.Helper()
	text := app.Business.EstablishedDate
	if text == "" {
		return nil
	}
	if token := monthsAgoToken.FindStringSubmatch(text); token != nil {
		months, err := strconv.Atoi(token[1])
		require.NoError(t, err)
		return pointer(monthsBefore(asOf, months))
	}
	date, err := fact.ParseDate(text)
	require.NoError(t, err)
	return &date
}

// monthsBefore returns the same day of an earlier month, or the last day of a shorter
// month.
func monthsBefore(day fact.Date, months int) fact.Date {
	lastOfMonth := time.Date(day.Year, day.Month+1-time.Month(months), 0, 0, 0, 0, 0, time.UTC)
	before := fact.DateOf(lastOfMonth)
	before.Day = min(before.Day, day.Day)
	return before
}

// describe returns a required document in the form of expect.
func (app application) describe(required requirement.Requirement) string {
	code := required.DocumentTypeCode + required.FindingCode
	for i, p := range app.Persons {
		if required.EntityType == fact.EntityPerson && required.EntityID == personID(i) {
			return fmt.Sprintf("%s: %s %s", code, p.FirstName, p.LastName)
		}
	}
	return code
}

func personID(index int) string { return fmt.Sprintf("p_%03d", index) }
