// Package config stands for the settings of Amazon's clients. There are none.
package config

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
)

var errAbsent = errors.New("devstack has no clients of Amazon Web Services")

// LoadOptions has no settings.
type LoadOptions struct{}

// LoadOptionsFunc changes nothing.
type LoadOptionsFunc func(*LoadOptions) error

// EnvConfig has the settings of the environment.
type EnvConfig struct{ Credentials aws.Credentials }

// LoadDefaultConfig fails.
func LoadDefaultConfig(context.Context, ...func(*LoadOptions) error) (aws.Config, error) {
	return aws.Config{}, errAbsent
}

// NewEnvConfig fails.
func NewEnvConfig() (EnvConfig, error) { return EnvConfig{}, errAbsent }

// WithClientLogMode and WithRegion change nothing.
func WithClientLogMode(aws.ClientLogMode) LoadOptionsFunc {
	return func(*LoadOptions) error { return nil }
}
func WithRegion(string) LoadOptionsFunc { return func(*LoadOptions) error { return nil } }
