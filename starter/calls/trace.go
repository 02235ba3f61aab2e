package calls

import (
	"fmt"

	"github.com/spf13/cobra"

	"requisite/internal/telemetry"
)

func TraceCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "trace TRACE",
		Short: "Translate the id of a trace between its forms",
		Long: `Translate the id of a trace. Answers, logs and runs show it as trc_…, tools for
traces as 32 hexadecimal digits. TRACE is either, or a traceparent header.`,
		Example: "  starter trace trc_Kgywt6S99MKiCkM5FLT48",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			traceID, err := telemetry.ReadID(args[0])
			if err != nil {
				return err
			}
			shown := telemetry.ShownID(traceID)
			fmt.Fprintf(c.OutOrStdout(), "meta.trace_id   %s\nW3C trace id    %s\nTemporal UI     TraceId = %q\n", shown, traceID, shown)
			return nil
		},
	}
}
