// Command starter is the command line of operators and developers of Requisite:
// it starts everything on one machine, migrates the database, makes
// organizations, accounts and credentials, tries and publishes rules, and calls
// the API.
package main

import "requisite/starter/command"

func main() { command.Main() }
