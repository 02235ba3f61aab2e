// Command api is the HTTP server of Requisite, with key management services.
package main

import (
	"requisite/api/command"
	"requisite/kms"
)

func main() {
	kms.Register()
	command.Main()
}
