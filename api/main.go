// Command api is the HTTP server of Requisite.
package main

import "requisite/api/command"

func main() { command.Main() }
