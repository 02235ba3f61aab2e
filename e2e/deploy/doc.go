// Package deploy starts the service with the commands, the environment and the secrets of
// the Helm chart and of docker-compose.yml, and with TLS on every connection. No test needs
// a cluster or an engine. Most of them have the build tag deep.
package deploy
