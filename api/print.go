package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"requisite/internal/requests/wire"
)

// openAPICommand prints what a running api serves as /openapi.json. It needs no
// settings: the clients' types are generated from it.
func openAPICommand() *cobra.Command {
	return &cobra.Command{
		Use:   "openapi",
		Short: "Print the OpenAPI description of the API",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s := &server{}
			s.define()
			description, err := json.MarshalIndent(s.describe(), "", "  ")
			if err != nil {
				return fmt.Errorf("describe the API: %w", err)
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s\n", description)
			return err
		},
	}
}

// define fills in the table of operations and their schemas.
func (s *server) define() {
	s.schemas, s.operations = wire.NewSchemas(), map[string]operation{}
	describeTypes(s.schemas.Registry)
	for _, o := range operations() {
		s.operations[o.name] = o
		s.schemas.Describe(o.request)
		s.schemas.Describe(o.data)
	}
}
