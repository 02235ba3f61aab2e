// Command worker runs the workflows and activities of Requisite, with key management services.
package main

import (
	"requisite/kms"
	"requisite/worker/command"
)

func main() {
	kms.Register()
	command.Main()
}
