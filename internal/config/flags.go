package config

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strconv"
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

// invalid is the error for a value that a flag does not take. from is the flag, or the
// variable that holds the value. It never repeats a value that may be a secret.
func invalid(f *pflag.Flag, from, value string, cause error) error {
	shown := strconv.Quote(value)
	if IsSecret(f) || annotation(f, kindAnnotation) == kindURL {
		shown = "its value"
	}
	if from != "--"+f.Name {
		from = fmt.Sprintf("%s: %s is not valid for --%s", from, shown, f.Name)
	} else {
		from = fmt.Sprintf("%s: %s is not valid", from, shown)
	}
	return fmt.Errorf("%s: it must be %s", from, wanted(f, cause))
}

// wanted describes the values that a flag takes. For a type of our own, the error has the description.
func wanted(f *pflag.Flag, cause error) string {
	switch kind := f.Value.Type(); kind {
	case "bool":
		return "true or false"
	case "int", "int32", "int64":
		return "a whole number, such as " + example(f, "10")
	case "float64":
		return "a number, such as " + example(f, "12.5")
	case "duration":
		return "a duration, such as 90s, 15m or 168h"
	case "stringSlice":
		return "a list with commas, and quotes in pairs"
	default:
		return fmt.Sprintf("%s, such as %s: %s", kind, example(f, "NAME=1"), cause)
	}
}

// example is a value that a flag takes: its default, unless that is empty or 0.
func example(f *pflag.Flag, instead string) string {
	if first, _, _ := strings.Cut(f.DefValue, ","); first != "" && first != "0" {
		return first
	}
	return instead
}

// ExplainFlag adds to the error for an invalid flag on the command line which values the flag takes.
func ExplainFlag(_ *cobra.Command, err error) error {
	var wrong *pflag.InvalidValueError
	if errors.As(err, &wrong) {
		return invalid(wrong.GetFlag(), "--"+wrong.GetFlag().Name, wrong.GetValue(), wrong.Unwrap())
	}
	return err
}

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
				if err = f.Value.Set(value); err != nil {
					err = invalid(f, from, value, err)
				}
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
		for i, line := range lines {
			lines[i] = withSources(command.Flags(), line)
		}
		if len(lines) == 1 {
			return errors.New(lines[0])
		}
		return fmt.Errorf("%d problems with the settings:\n  %s", len(lines), strings.Join(lines, "\n  "))
	}
}

var namedFlag = regexp.MustCompile(`--[a-z][a-z-]*`)

// withSources adds the variable that set it to each flag in a problem, because checks name only
// flags.
func withSources(flags *pflag.FlagSet, problem string) string {
	return namedFlag.ReplaceAllStringFunc(problem, func(name string) string {
		f := flags.Lookup(name[2:])
		if f == nil {
			return name
		}
		source := annotation(f, sourceAnnotation)
		if source == "" || source == "flag" || source == "default" || strings.Contains(problem, source) {
			return name
		}
		return name + " (from " + source + ")"
	})
}

// fromEnvironment returns the value of a variable and where it comes from: NAME
// itself, or the file that NAME_FILE names. A secret that was made from a file often ends
// in a line feed, which is no part of the value.
func fromEnvironment(name string) (value, from string, err error) {
	value, file := strings.TrimRight(os.Getenv(name), "\r\n"), os.Getenv(name+"_FILE")
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
