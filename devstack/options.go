package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/searchattribute/sadefs"
	"go.uber.org/zap/zapcore"
)

const minRetention = 24 * time.Hour

// options are the command-line options.
type options struct {
	dir              string
	ephemeral        bool
	databaseURL      string
	postgresPort     int
	temporalPort     int
	uiPort           int
	noUI             bool
	namespace        string
	retention        time.Duration
	historyShards    int
	searchAttributes searchAttributes
	codecEndpoint    string
	codecSignIn      string
	logFile          string
	logLevel         zapcore.Level
	stopOnStdinEOF   bool
	tls              tlsFiles
}

// searchAttributes are custom search attributes by name.
type searchAttributes map[string]enumspb.IndexedValueType

func (a searchAttributes) String() string { return "" }

// Set takes one Name=Type, with one of Temporal's types, such as Keyword or Int.
func (a searchAttributes) Set(text string) error {
	name, typeName, found := strings.Cut(text, "=")
	if !found || name == "" {
		return errors.New("want Name=Type, such as AccountId=Keyword")
	}
	valueType, err := enumspb.IndexedValueTypeFromString(typeName)
	if err != nil || valueType == enumspb.INDEXED_VALUE_TYPE_UNSPECIFIED {
		return fmt.Errorf("unknown type %q; one of Keyword, KeywordList, Text, Int, Double, Bool, Datetime", typeName)
	}
	if sadefs.IsReserved(name) {
		return fmt.Errorf("%s is one of Temporal's own search attributes", name)
	}
	if earlier, ok := a[name]; ok && earlier != valueType {
		return fmt.Errorf("%s is set twice with different types", name)
	}
	a[name] = valueType
	return nil
}

// parseOptions reads the command line. Problems with it, and the help, go to errorOutput.
func parseOptions(arguments []string, environment func(string) string, errorOutput io.Writer) (options, error) {
	o := options{searchAttributes: searchAttributes{}, logLevel: zapcore.WarnLevel}
	flags := flag.NewFlagSet("devstack", flag.ContinueOnError)
	flags.SetOutput(errorOutput)
	flags.StringVar(&o.dir, "dir", ".stack/data", "directory that keeps the state between runs")
	flags.BoolVar(&o.ephemeral, "ephemeral", false, "discard the state at the end: it is kept in a temporary directory")
	flags.StringVar(&o.databaseURL, "database-url", environment("DATABASE_URL"),
		"use this PostgreSQL database, and its server for Temporal's databases, instead of starting one (default $DATABASE_URL)")
	flags.IntVar(&o.postgresPort, "postgres-port", 0, "port of PostgreSQL, 0 for any free one")
	flags.IntVar(&o.temporalPort, "temporal-port", 7233, "port of Temporal, 0 for any free one")
	flags.IntVar(&o.uiPort, "ui-port", 8233, "port of the Temporal UI, 0 for any free one")
	flags.BoolVar(&o.noUI, "no-ui", false, "do not start the Temporal UI")
	flags.StringVar(&o.namespace, "namespace", "requisite", "Temporal namespace; created if it does not exist")
	flags.DurationVar(&o.retention, "retention", 72*time.Hour, "how long the namespace keeps closed workflows; at least 24h")
	flags.IntVar(&o.historyShards, "history-shards", 4, "history shards of Temporal's store; cannot be changed once the store is created")
	flags.Var(o.searchAttributes, "search-attribute", "`Name=Type` of a search attribute of the namespace; repeatable")
	flags.StringVar(&o.codecEndpoint, "codec-endpoint", "", "URL of the codec server with which the UI decodes payloads")
	flags.StringVar(&o.codecSignIn, "codec-sign-in", "",
		"URL of the page where operators sign in to the codec server; the UI links to it, and sends the browser's cookies to the codec server")
	flags.StringVar(&o.logFile, "log-file", "", "append the log to this file instead of standard error")
	flags.Var(&o.logLevel, "log-level", "lowest `level` to log: debug, info, warn or error (default warn)")
	flags.BoolVar(&o.stopOnStdinEOF, "stop-on-stdin-eof", false, "stop when standard input ends, as it does when the parent dies")
	flags.StringVar(&o.tls.cert, "tls-cert-file", "", "serve Temporal over TLS with this certificate, which must be valid for servers and clients and for 127.0.0.1")
	flags.StringVar(&o.tls.key, "tls-key-file", "", "private key of the certificate")
	flags.StringVar(&o.tls.ca, "tls-ca-file", "", "CA that issued this certificate and those that clients must present")
	if err := flags.Parse(arguments); err != nil {
		return options{}, err
	}
	if err := o.validate(flags.Args()); err != nil {
		fmt.Fprintln(errorOutput, err)
		return options{}, err
	}
	return o, nil
}

func (o options) validate(rest []string) error {
	problems := []error{o.tls.validate()}
	if len(rest) > 0 {
		problems = append(problems, fmt.Errorf("unexpected argument %q", rest[0]))
	}
	if o.namespace == "" {
		problems = append(problems, errors.New("--namespace must not be empty"))
	}
	if !o.ephemeral && o.dir == "" && o.databaseURL == "" {
		problems = append(problems, errors.New("--dir must not be empty; use --ephemeral to keep nothing"))
	}
	if o.ephemeral && o.databaseURL != "" {
		problems = append(problems, errors.New("--ephemeral needs its own PostgreSQL server: "+
			"leave out --database-url and unset DATABASE_URL"))
	}
	if o.retention < minRetention {
		problems = append(problems, fmt.Errorf("--retention %s is below Temporal's minimum of %s", o.retention, minRetention))
	}
	if o.historyShards < 1 || o.historyShards > 1024 {
		problems = append(problems, fmt.Errorf("--history-shards %d is not between 1 and 1024", o.historyShards))
	}
	for _, given := range []struct{ flag, value string }{{"codec-endpoint", o.codecEndpoint}, {"codec-sign-in", o.codecSignIn}} {
		if u, err := url.Parse(given.value); given.value != "" && (err != nil || u.Host == "" || !strings.HasPrefix(u.Scheme, "http")) {
			problems = append(problems, fmt.Errorf("--%s %q is not an http URL", given.flag, given.value))
		}
	}
	if o.codecSignIn != "" && o.codecEndpoint == "" {
		problems = append(problems, errors.New("--codec-sign-in needs --codec-endpoint"))
	}
	return errors.Join(problems...)
}
