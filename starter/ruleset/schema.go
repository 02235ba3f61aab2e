package ruleset

import (
	"github.com/spf13/cobra"
)

// schemaCommand makes a command that prints a JSON Schema, for editors.
func schemaCommand(of string, schema []byte) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of a " + of + "'s file, for editors",
		Long: "Print the JSON Schema (draft 2020-12) of a " + of + `'s file. With it, an
editor completes names and marks mistakes. Save it beside your files, and begin
each file with

  # yaml-language-server: $schema=NAME_OF_THE_SCHEMA`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := c.OutOrStdout().Write(schema)
			return err
		},
	}
}
