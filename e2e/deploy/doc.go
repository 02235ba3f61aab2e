// Package deploy starts the service as an operator's machines do: with the commands,
// the environment and the secrets of the Helm chart and of docker-compose.yml, and with
// every connection encrypted. No test needs a cluster or an engine. Most of them have the
// build tag deep.
package deploy
