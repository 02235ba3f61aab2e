// Package config stands for the settings of Amazon's clients. There are none.
package config

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// LoadOptionsFunc changes nothing.
type LoadOptionsFunc func()

// EnvConfig has the settings of the environment.
type EnvConfig struct{ Credentials aws.Credentials }

// LoadDefaultConfig fails.
func LoadDefaultConfig(context.Context, ...LoadOptionsFunc) (aws.Config, error) {
	return aws.Config{}, aws.ErrAbsent
}

// NewEnvConfig fails.
func NewEnvConfig() (EnvConfig, error) { return EnvConfig{}, aws.ErrAbsent }

// WithClientLogMode and WithRegion change nothing.
func WithClientLogMode(aws.ClientLogMode) LoadOptionsFunc { return func() {} }
func WithRegion(string) LoadOptionsFunc                   { return func() {} }
