package config

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What is remembered of a flag, beside what pflag does.
const (
	envAnnotation    = "requisite/env"
	kindAnnotation   = "requisite/kind"
	sourceAnnotation = "requisite/source"
)

const (
	kindSecret = "secret"
	kindURL    = "url"
)

// String adds a flag that falls back on an environment variable. The
// variable's value is never part of the help, for it may be a secret.
func String(flags *pflag.FlagSet, target *string, name, env, fallback, usage string) {
	flags.StringVar(target, name, fallback, fmt.Sprintf("%s [%s]", usage, env))
	annotate(flags, name, envAnnotation, env)
}

// Env lets any flag fall back on an environment variable.
func Env(flags *pflag.FlagSet, name, env string) {
	flags.Lookup(name).Usage += fmt.Sprintf(" [%s]", env)
	annotate(flags, name, envAnnotation, env)
}

// Secret keeps the value of a flag out of the log and out of errors.
func Secret(flags *pflag.FlagSet, name string) { annotate(flags, name, kindAnnotation, kindSecret) }

// URL marks a flag whose value is shown without what may be secret in it.
func URL(flags *pflag.FlagSet, name string) { annotate(flags, name, kindAnnotation, kindURL) }

// annotate remembers something of a flag that exists, so it cannot fail.
func annotate(flags *pflag.FlagSet, name, key, value string) {
	if err := flags.SetAnnotation(name, key, []string{value}); err != nil {
		panic(err)
	}
}

func annotation(f *pflag.Flag, key string) string {
	if values := f.Annotations[key]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// Variable is the environment variable that a flag falls back on; empty when it
// has none.
func Variable(f *pflag.Flag) string { return annotation(f, envAnnotation) }

// IsSecret reports whether the value of a flag is never shown.
func IsSecret(f *pflag.Flag) bool { return annotation(f, kindAnnotation) == kindSecret }

// Load fills flags that were not given from the environment; it runs before
// the command does. NAME_FILE names a file that holds the value of NAME, for
// secrets that are mounted as files; setting both is refused, and so is a
// variable whose name is nearly that of a setting.
func Load(command *cobra.Command, _ []string) error {
	var problems []error
	flags := command.Flags()
	flags.VisitAll(func(f *pflag.Flag) {
		variable, source := Variable(f), "default"
		if f.Changed {
			source = "flag"
		} else if variable != "" {
			value, from, err := fromEnvironment(variable)
			if err == nil && value != "" {
				source = from
				err = set(f, from, value)
			}
			problems = append(problems, err)
		}
		annotate(flags, f.Name, sourceAnnotation, source)
	})
	misspelt, _ := unread(flags, os.Environ())
	return errors.Join(append(problems, misspelt...)...)
}

// Ready is Load for a program that serves: it goes on to check the settings, and
// tells every problem at once, a line each.
func Ready(check func() error) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, args []string) error {
		err := errors.Join(Load(command, args), check())
		if err == nil {
			return nil
		}
		lines := strings.Split(err.Error(), "\n")
		if len(lines) == 1 {
			return err
		}
		return fmt.Errorf("%d problems with the settings:\n  %s", len(lines), strings.Join(lines, "\n  "))
	}
}

// set never repeats a value that may be a secret.
func set(f *pflag.Flag, variable, value string) error {
	err := f.Value.Set(value)
	if err == nil {
		return nil
	}
	if IsSecret(f) || annotation(f, kindAnnotation) == kindURL {
		value = "its value"
	}
	kind, _ := pflag.UnquoteUsage(f)
	return fmt.Errorf("%s: %q does not fit --%s: want %s, such as %s", variable, value, f.Name, kind, f.DefValue)
}

// fromEnvironment gives the value of a variable and where it stood: in NAME
// itself, or in the file that NAME_FILE names.
func fromEnvironment(name string) (value, from string, err error) {
	value, file := os.Getenv(name), os.Getenv(name+"_FILE")
	switch {
	case file == "":
		return value, name, nil
	case value != "":
		return "", "", fmt.Errorf("%s and %s_FILE are both set; use one", name, name)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", "", fmt.Errorf("%s_FILE: %w", name, err)
	}
	return strings.TrimRight(string(data), "\r\n"), name + "_FILE", nil
}

// shown is the value of a flag without secrets: a URL is its host and path, for
// it may carry a password in many places.
func shown(f *pflag.Flag) string {
	value := f.Value.String()
	switch {
	case value == "":
		return ""
	case IsSecret(f):
		return "(set)"
	case annotation(f, kindAnnotation) == kindURL || strings.Contains(value, "://"):
		return withoutSecrets(value)
	}
	return value
}

// withoutSecrets is the host and the path of a URL. What cannot be told apart
// from a password that was not escaped is not shown at all.
func withoutSecrets(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Opaque != "" || u.Fragment != "" || strings.Contains(u.EscapedPath(), "@") {
		return "(unreadable)"
	}
	return u.Host + u.Path
}
