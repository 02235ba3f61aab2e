// Package sqlite3 has the result codes that the server compares.
package sqlite3

// Result codes, see https://www.sqlite.org/rescode.html.
const (
	SQLITE_CONSTRAINT            = 19
	SQLITE_CONSTRAINT_PRIMARYKEY = 1555
	SQLITE_CONSTRAINT_UNIQUE     = 2067
)
