package harness

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// AwaitMetrics waits until the metrics of a program contain all lines, and returns the
// metrics. A line may be the beginning of a line.
func (s *Stack) AwaitMetrics(t testing.TB, program string, lines ...string) (text string) {
	t.Helper()
	s.Await(t, fmt.Sprintf("%s to count %q", program, lines), func(ctx context.Context) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Metrics[program]+"/metrics", nil)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			return err
		}
		text = string(body)
		for _, line := range lines {
			if !strings.Contains(text, "\n"+line) {
				return fmt.Errorf("no %s", line)
			}
		}
		return nil
	})
	return text
}
