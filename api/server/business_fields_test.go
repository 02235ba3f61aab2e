package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
)

func TestBusinessFields_ApplyOnlyWhatIsSent(t *testing.T) {
	apply := func(b domain.Business, body string) domain.Business {
		var fields BusinessFields
		require.NoError(t, json.Unmarshal([]byte(body), &fields))
		fields.apply(&b)
		return b
	}
	const sent = `{"external_id": "x-1", "operating_name": "n", "established_date": "2001-01-01", "website": "w", "phone_number": "p", "email": "e@x",
		"industry_category_code": ["0742", "0742"], "address": {"city": "Bern"}, "no_persons_attested": true}`
	text := func(s string) *string { return &s }
	full := domain.Business{
		ExternalID: text("x-1"), OperatingName: text("n"), EstablishedDate: text("2001-01-01"), Website: text("w"), PhoneNumber: text("p"), Email: text("e@x"),
		IndustryCategoryCode: []string{"0742"}, Address: &domain.Address{City: text("Bern")}, NoPersonsAttested: true,
	}
	require.Equal(t, full, apply(domain.Business{}, sent))
	require.Equal(t, full, apply(full, `{}`))
	require.Equal(t, domain.Business{}, apply(full, `{"external_id": null, "operating_name": null, "established_date": null, "website": null, "phone_number": null,
		"email": null, "industry_category_code": null, "address": null, "no_persons_attested": null}`))
}

func TestWebsite_IsAnHTTPURL(t *testing.T) {
	c := refusing{applicantTenant(t)}
	update := c.naming("business_id", c.data("business.create", c.applicant(`{"legal_name":"Ltd"}`, ""))["business_id"], `,"business":{"website":%q}`)
	for _, url := range []string{"https://www.example.com", "http://example.com:8080/a?b=c#d", "HTTPS://bäcker.example/ä"} {
		c.data("business.update", fmt.Sprintf(update, url))
	}
	for _, wrong := range []string{
		"", "www.example.com", "ftp://example.com", "javascript:alert(1)", "https:example.com", "https:///a", "https://", "https://?a", "https://a b.example",
		"https://:443/", "https://%zz/", "https://[::1", " https://example.com", "https://" + strings.Repeat("x", 2048),
	} {
		require.Equal(t, []string{"business.website"}, c.fields("business.update", fmt.Sprintf(update, wrong)), wrong)
	}
}
