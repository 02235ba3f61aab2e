// Command starter is the command line of operators, with key management services.
package main

import (
	"requisite/kms"
	"requisite/starter/command"
)

func main() {
	kms.Register()
	command.Main()
}
