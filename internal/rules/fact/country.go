package fact

import (
	"slices"
	"strings"

	isoregion "golang.org/x/text/language"
)

// This file has the codes of countries and citizenships, and suggests a code for other spellings.

// assigned has the alpha-2 codes of ISO 3166-1.
const assigned = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
	"CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR " +
	"GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP " +
	"KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ " +
	"NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW " +
	"SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ " +
	"UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"

// kosovo is in common use, but ISO 3166-1 has not assigned it.
const kosovo = "XK"

// ofNoCountry has the codes in travel documents (ICAO 9303) of people without a citizenship: XXA
// for stateless persons, XXB for refugees under the convention of 1951, XXC for other refugees.
const ofNoCountry = "XXA XXB XXC"

// Countries lists the codes that the service accepts for a country.
func Countries() []string { return strings.Fields(assigned + " " + kosovo) }

// Citizenships lists the codes that the service accepts for a citizenship.
func Citizenships() []string { return strings.Fields(assigned + " " + kosovo + " " + ofNoCountry) }

// IsCountry reports whether the service accepts a code for a country.
func IsCountry(code string) bool { return countryFact.Text.known[code] }

// IsCitizenship reports whether the service accepts a code for a citizenship.
func IsCitizenship(code string) bool { return citizenshipFact.Text.known[code] }

// CountryMeant returns the code that was probably meant by another spelling of a country, such as
// us, USA or UK.
func CountryMeant(text string) (string, bool) {
	region, err := isoregion.ParseRegion(strings.ToUpper(strings.TrimSpace(text)))
	if err != nil {
		return "", false
	}
	code := region.Canonicalize().String()
	return code, code != text && slices.Contains(Countries(), code)
}
