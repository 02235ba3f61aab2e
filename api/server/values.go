package server

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"requisite/api/spec"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
)

// This file has the values of a request that cannot be right, and those that are accepted with a
// warning.

// Dates before these are mistakes.
const (
	earliestBirth       = "1900-01-01"
	earliestEstablished = "1500-01-01"
)

// tooEarly is the problem of a date that cannot be right.
func tooEarly(field string, date wire.Optional[string], earliest string) []refusal.Field {
	if date.Value == nil || *date.Value >= earliest {
		return nil
	}
	return []refusal.Field{{Field: field, Message: "This date may not be before " + earliest + "."}}
}

// defaultDates are dates that programs write when they do not know the date.
var defaultDates = []string{"1899-12-30", "1900-01-01", "1970-01-01"}

// looksLikeDefault warns of a date that is probably the default of a program.
func looksLikeDefault(field string, date wire.Optional[string]) []refusal.Warning {
	if date.Value == nil || !slices.Contains(defaultDates, *date.Value) {
		return nil
	}
	return []refusal.Warning{{
		Code: refusal.DateLooksLikeDefault,
		Message: fmt.Sprintf("%s is %s, which programs write for a date that they do not know: check it. Where it is not known, clear it with null.",
			field, *date.Value),
	}}
}

// invisible warns of a name with invisible characters: it looks like another name and differs from it.
// The warning does not repeat the value, which may be personal.
func invisible(field string, name *string) []refusal.Warning {
	hidden := func(r rune) bool {
		return unicode.Is(unicode.Bidi_Control, r) || strings.ContainsRune("\u00ad\u200b\u2060\ufeff", r)
	}
	if name == nil || !strings.ContainsFunc(*name, hidden) {
		return nil
	}
	return []refusal.Warning{{
		Code:    refusal.NameHasInvisibleCharacters,
		Message: field + " has characters that nobody sees, such as a soft hyphen or a mark that changes the direction of text: check it, and send it without them.",
	}}
}

// fewestDigits is the number of digits of the shortest telephone numbers with their country code.
const fewestDigits = 7

// tooFewDigits warns of a text that cannot be a whole telephone number. The warning does not repeat the value, which is personal.
func tooFewDigits(field string, number *string) []refusal.Warning {
	if number == nil || digits(*number) >= fewestDigits {
		return nil
	}
	return []refusal.Warning{{
		Code:    refusal.PhoneNumberTooShort,
		Message: fmt.Sprintf("%s has fewer than %d digits: check it, and send it with its country code.", field, fewestDigits),
	}}
}

// codesWithoutDigit warns of industry category codes that belong to no classification: MCC, NAICS, SIC, NACE and ISIC number their classes.
func codesWithoutDigit(field string, codes wire.Optional[[]spec.IndustryCode]) (warnings []refusal.Warning) {
	if codes.Value == nil {
		return nil
	}
	for i, code := range *codes.Value {
		if digits(string(code)) == 0 {
			warnings = append(warnings, refusal.Warning{
				Code:    refusal.CategoryCodeWithoutDigit,
				Message: fmt.Sprintf("%s[%d] has no digit: check it. Codes of MCC, NAICS, SIC, NACE and ISIC have some.", field, i),
			})
		}
	}
	return warnings
}

func digits(text string) (n int) {
	for _, r := range text {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// nothingToUpdate warns of an update that names no field of its record. Such an update is often a
// misplaced field or a form that was not filled.
func nothingToUpdate(record string, fields any) []refusal.Warning {
	if namesField(reflect.ValueOf(fields)) {
		return nil
	}
	return []refusal.Warning{{
		Code:    refusal.NothingToUpdate,
		Message: fmt.Sprintf("%s names no field, so nothing has changed: name the fields to change. null clears one.", record),
	}}
}

// namesField reports whether a request states a field of an object, or of an object in it. A list, also
// an empty one, is a field.
func namesField(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Struct:
		if sent := v.FieldByName("Sent"); sent.IsValid() { // wire.Optional
			value := v.FieldByName("Value")
			return sent.Bool() && (value.IsNil() || namesField(value.Elem()))
		}
		for _, field := range v.Fields() {
			if namesField(field) {
				return true
			}
		}
		return false
	case reflect.Map:
		return v.Len() > 0
	case reflect.Pointer:
		return !v.IsNil()
	}
	return true
}
