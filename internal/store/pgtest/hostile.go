package pgtest

import (
	"maps"
	"slices"
)

// HostileSettings are values that a database or a role may set, and that no statement of the
// service may depend on. All roles of a Server have them, so every test that uses its stores checks
// that.
var HostileSettings = map[string]string{
	"array_nulls":                         "off",
	"backslash_quote":                     "off",
	"bytea_output":                        "escape",
	"check_function_bodies":               "off",
	"client_encoding":                     "LATIN1",
	"client_min_messages":                 "error",
	"datestyle":                           "SQL, DMY",
	"default_transaction_deferrable":      "on",
	"default_transaction_isolation":       "serializable",
	"enable_bitmapscan":                   "off",
	"enable_hashagg":                      "off",
	"enable_hashjoin":                     "off",
	"enable_incremental_sort":             "off",
	"enable_indexonlyscan":                "off",
	"enable_indexscan":                    "off",
	"enable_material":                     "off",
	"enable_memoize":                      "off",
	"enable_mergejoin":                    "off",
	"enable_nestloop":                     "off",
	"enable_seqscan":                      "off",
	"enable_sort":                         "off",
	"enable_tidscan":                      "off",
	"escape_string_warning":               "off",
	"exit_on_error":                       "on",
	"extra_float_digits":                  "-15",
	"from_collapse_limit":                 "1",
	"gin_fuzzy_search_limit":              "1",
	"idle_in_transaction_session_timeout": "2h",
	"idle_session_timeout":                "2h",
	"intervalstyle":                       "sql_standard",
	"join_collapse_limit":                 "1",
	"lock_timeout":                        "2h",
	"plan_cache_mode":                     "force_custom_plan",
	"plpgsql.check_asserts":               "off",
	"plpgsql.extra_errors":                "all",
	"plpgsql.variable_conflict":           "use_variable",
	"quote_all_identifiers":               "on",
	"restrict_nonsystem_relation_kind":    "view",
	"row_security":                        "off",
	"search_path":                         "elsewhere",
	"standard_conforming_strings":         "off",
	"statement_timeout":                   "2h",
	"synchronous_commit":                  "off",
	"timezone":                            "Asia/Kolkata",
	"timezone_abbreviations":              "India",
	"transform_null_equals":               "on",
	"xmlbinary":                           "hex",
	"xmloption":                           "document",
}

// SetHostile returns the statements that set HostileSettings for an object, such as "ROLE
// requisite_api" or "DATABASE requisite".
func SetHostile(of string) (statements []string) {
	for _, name := range slices.Sorted(maps.Keys(HostileSettings)) {
		value := `'` + HostileSettings[name] + `'`
		if name == "datestyle" || name == "search_path" {
			value = HostileSettings[name] // a list
		}
		// An old server may not know a setting.
		statements = append(statements, `DO $do$ BEGIN ALTER `+of+` SET `+name+` = `+value+`; EXCEPTION WHEN undefined_object THEN NULL; END $do$`)
	}
	return statements
}
