package command

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"requisite/api/reference"
	"requisite/api/server"
)

// openAPICommand prints the description that a running api serves as /openapi.json. It
// needs no settings. The clients are generated from its output.
func openAPICommand() *cobra.Command {
	return &cobra.Command{
		Use:   "openapi",
		Short: "Print the OpenAPI description of the API",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			description, err := json.MarshalIndent(reference.NewAPI(server.Operations()).Describe(), "", "  ")
			if err != nil {
				return fmt.Errorf("describe the API: %w", err)
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s\n", description)
			return err
		},
	}
}
