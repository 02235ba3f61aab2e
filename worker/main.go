// Command worker runs the workflows and activities of Requisite.
package main

import "requisite/worker/command"

func main() { command.Main() }
