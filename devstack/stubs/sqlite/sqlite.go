// Package sqlite stands for SQLite, in which the server could store. devstack stores in Postgres. No driver is registered, so opening
// such a store fails.
package sqlite

// Error is an error of the driver.
type Error struct{}

func (*Error) Error() string { return "devstack has no SQLite" }

// Code is the result code of SQLite.
func (*Error) Code() int { return 0 }
