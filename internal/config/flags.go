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

// Annotations hold data about a flag that pflag has no field for.
const (
	envAnnotation    = "requisite/env"
	kindAnnotation   = "requisite/kind"
	sourceAnnotation = "requisite/source"
)

const (
	kindSecret = "secret"
	kindURL    = "url"
)

// String adds a flag that falls back to an environment variable. Help never shows
// the variable's value, which may be a secret.
func String(flags *pflag.FlagSet, target *string, name, env, fallback, usage string) {
	flags.StringVar(target, name, fallback, fmt.Sprintf("%s [%s]", usage, env))
	annotate(flags, name, envAnnotation, env)
}

// Env lets any flag fall back to an environment variable.
func Env(flags *pflag.FlagSet, name, env string) {
	flags.Lookup(name).Usage += fmt.Sprintf(" [%s]", env)
	annotate(flags, name, envAnnotation, env)
}

// Secret keeps the value of a flag out of the log and out of errors.
func Secret(flags *pflag.FlagSet, name string) { annotate(flags, name, kindAnnotation, kindSecret) }

// URL marks a flag whose value is shown without the parts that may be secret.
func URL(flags *pflag.FlagSet, name string) { annotate(flags, name, kindAnnotation, kindURL) }

// annotate adds an annotation to a flag. It fails only if there is no such flag,
// which is a programming error.
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

// Variable is the environment variable that a flag falls back to; empty if it has
// none.
func Variable(f *pflag.Flag) string { return annotation(f, envAnnotation) }

// IsSecret reports whether the value of a flag is never shown.
func IsSecret(f *pflag.Flag) bool { return annotation(f, kindAnnotation) == kindSecret }

// Load sets the flags that were not given from the environment, before the command runs.
// NAME_FILE names a file that contains the value of NAME, for secrets that are mounted as
// files. Load refuses both together, and a variable that looks like a misspelled setting
// of this command.
func Load(command *cobra.Command, _ []string) error {
	return loadVariables(command, variablesOf(command.Flags()))
}

// loadVariables is Load with the variables that a misspelled one may stand for.
func loadVariables(command *cobra.Command, candidates []string) error {
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
	misspelled, _ := findUnknown(os.Environ(), candidates)
	return errors.Join(append(problems, misspelled...)...)
}

// Ready is Load for a long-running program. It refuses every misspelled setting, also of
// other programs, because programs share an environment. It also checks the settings, and
// reports all problems, one on each line.
func Ready(check func() error) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, _ []string) error {
		err := errors.Join(loadVariables(command, allVariables()), check())
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

// set sets a flag. Its error never repeats a value that may be a secret.
func set(f *pflag.Flag, variable, value string) error {
	err := f.Value.Set(value)
	if err == nil {
		return nil
	}
	if IsSecret(f) || annotation(f, kindAnnotation) == kindURL {
		value = "its value"
	}
	kind, _ := pflag.UnquoteUsage(f)
	return fmt.Errorf("%s: %q is not valid for --%s: want %s, such as %s", variable, value, f.Name, kind, f.DefValue)
}

// fromEnvironment returns the value of a variable and where it comes from: NAME
// itself, or the file that NAME_FILE names.
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

// shown is the value of a flag without secrets. For a URL it is the host and the path,
// because any other part may contain a password.
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

// withoutSecrets is the host and path of a URL. It hides a URL whose host or path may
// contain a part of an unescaped password.
func withoutSecrets(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Opaque != "" || u.Fragment != "" || strings.Contains(u.EscapedPath(), "@") {
		return "(unreadable)"
	}
	return u.Host + u.Path
}
