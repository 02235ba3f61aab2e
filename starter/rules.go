package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"requisite/docs"
	"requisite/internal/postgres"
	"requisite/internal/requirement"
)

// operatorActor is how what the operator publishes is signed.
var operatorActor = postgres.Actor{UserID: "OPERATOR", UserType: "SYSTEM"}

// parsed reads a YAML or JSON file with one of two parsers.
func parsed[T any](path string, yaml, json func([]byte) (T, []requirement.Problem)) (T, []byte, []requirement.Problem, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		var zero T
		return zero, nil, nil, err
	}
	parse := yaml
	if strings.EqualFold(filepath.Ext(path), ".json") {
		parse = json
	}
	value, problems := parse(data)
	return value, data, problems, nil
}

// report prints problems as path:line:column, where editors find them.
func report(out io.Writer, path string, file []byte, problems []requirement.Problem) error {
	for _, p := range problems {
		line, column := p.Line, p.Column
		within := ""
		if l, c, ok := requirement.Locate(file, p.Path); ok {
			if line > 0 && strings.HasSuffix(p.Path, ".when") {
				within = fmt.Sprintf(" (line %d, column %d of the condition)", line, column)
			}
			line, column = l, c
		}
		at := path
		for _, n := range []int{line, column} {
			if n > 0 {
				at += fmt.Sprintf(":%d", n)
			}
		}
		if p.Path != "" {
			at += ": " + p.Path
		}
		fmt.Fprintf(out, "%s: %s%s\n", at, p.Message, within)
	}
	return errRefused
}

func readRuleSet(out io.Writer, path string) (requirement.RuleSet, *requirement.Program, error) {
	set, file, problems, err := parsed(path, requirement.ParseRuleSetYAML, requirement.ParseRuleSetJSON)
	if err != nil {
		return requirement.RuleSet{}, nil, err
	}
	if len(problems) > 0 {
		return requirement.RuleSet{}, nil, report(out, path, file, problems)
	}
	program, problems := requirement.Compile(set, requirement.Options{})
	if len(problems) > 0 {
		return requirement.RuleSet{}, nil, report(out, path, file, problems)
	}
	return set, program, nil
}

func rulesCommand() *cobra.Command {
	c := &cobra.Command{Use: "rules", Short: "Check and publish rule sets from files"}
	c.AddCommand(schemaCommand("rule set", docs.RulesSchema))
	c.AddCommand(&cobra.Command{
		Use:   "validate FILE",
		Short: "Check a rule set (YAML or JSON) and its examples",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			set, program, err := readRuleSet(c.OutOrStdout(), args[0])
			if err != nil {
				return err
			}
			for _, w := range program.Warnings() {
				fmt.Fprintf(c.OutOrStdout(), "warning: %s: %s\n", w.Path, w.Message)
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: %d document(s), %d example(s) hold; facts needed: %s\n",
				args[0], len(set.Documents), len(set.Examples), strings.Join(program.FactNames(), ", "))
			return nil
		},
	})
	var account, comment string
	publish := new(operator).command(&cobra.Command{
		Use:   "publish FILE --account ACCOUNT_ID",
		Short: "Put a rule set in force for an account, as a new immutable version",
		Args:  cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, args []string) error {
		set, _, err := readRuleSet(out, args[0])
		if err != nil {
			return err
		}
		draft := postgres.Draft{
			Content: set.CanonicalJSON(), EnvironmentVersion: requirement.EnvironmentVersion, CostLimit: int64(requirement.DefaultCostLimit),
		}
		if comment != "" {
			draft.Comment = &comment
		}
		return publishDraft(ctx, out, store, account, draft, (*postgres.Records).PublishRuleSet)
	})
	publish.Flags().StringVar(&account, "account", "", "the account, lv_… or sb_…")
	publish.Flags().StringVar(&comment, "comment", "", "why, for whoever asks later")
	c.AddCommand(publish)
	return c
}

func pricingCommand() *cobra.Command {
	c := &cobra.Command{Use: "pricing", Short: "Publish pricing models, which set evaluation_score"}
	c.AddCommand(schemaCommand("pricing model", docs.PricingSchema))
	var account string
	publish := new(operator).command(&cobra.Command{
		Use:   "publish FILE --account ACCOUNT_ID",
		Short: "Put a pricing model (YAML or JSON) in force for an account",
		Args:  cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, args []string) error {
		draft, err := readPricing(out, args[0])
		if err != nil {
			return err
		}
		return publishDraft(ctx, out, store, account, draft, (*postgres.Records).PublishPricingModel)
	})
	publish.Flags().StringVar(&account, "account", "", "the account, lv_… or sb_…")
	c.AddCommand(publish)
	return c
}

func readPricing(out io.Writer, path string) (postgres.Draft, error) {
	model, file, problems, err := parsed(path, requirement.ParsePricingModelYAML, requirement.ParsePricingModelJSON)
	if err != nil {
		return postgres.Draft{}, err
	}
	if len(problems) == 0 {
		_, problems = requirement.CompilePricing(model, requirement.Options{})
	}
	if len(problems) > 0 {
		return postgres.Draft{}, report(out, path, file, problems)
	}
	return postgres.Draft{
		Content: model.CanonicalJSON(), EnvironmentVersion: requirement.EnvironmentVersion, CostLimit: int64(requirement.DefaultCostLimit),
	}, nil
}

type publisher func(*postgres.Records, context.Context, string, postgres.Draft) (postgres.Publication, bool, error)

func publishDraft(ctx context.Context, out io.Writer, store *postgres.Store, account string, draft postgres.Draft, publish publisher) error {
	if account == "" {
		return errors.New("--account is not set; `starter account list` shows ids")
	}
	scope, err := store.AccountScope(ctx, account)
	if err != nil {
		return err
	}
	_, err = store.Write(ctx, postgres.Call{Scope: scope, Actor: operatorActor}, func(r *postgres.Records) (any, error) {
		p, changed, err := publish(r, ctx, account, draft)
		if err != nil {
			return nil, err
		}
		if changed {
			fmt.Fprintf(out, "version %d (%s) is in force\n", p.Version, p.WireID())
		} else {
			fmt.Fprintf(out, "version %d (%s) is in force already, with the same content\n", p.Version, p.WireID())
		}
		return nil, nil
	})
	return err
}
