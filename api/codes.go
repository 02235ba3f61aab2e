package main

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// industryCode is one industry category code; leading zeros are part of it.
type industryCode string

func (industryCode) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type:               huma.TypeString,
		Pattern:            `^[A-Za-z0-9.]{1,10}$`,
		PatternDescription: "1 to 10 characters of A-Z, a-z, 0-9 and the dot",
	}
}

// country is an officially assigned ISO 3166-1 alpha-2 code.
type country string

func (country) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{
		Type:               huma.TypeString,
		Pattern:            `^(` + strings.ReplaceAll(countries, " ", "|") + `)$`,
		PatternDescription: "an ISO 3166-1 alpha-2 country code in upper case",
	}
	return s
}

// countries are the 249 codes assigned in ISO 3166-1.
const countries = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
	"CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR " +
	"GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP " +
	"KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ " +
	"NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW " +
	"SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ " +
	"UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
