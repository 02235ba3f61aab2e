// Package chart proves the wiring of the Helm chart where there is no cluster: it starts
// the programs with the commands, the environment, the Secrets and the probes that the
// chart gives them, against a local Postgres and Temporal. Its tests have the build tag
// deep.
package chart
