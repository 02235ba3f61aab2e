// Package versions upgrades and rolls back the programs while they work. Its tests
// have the build tag deep.
package versions
