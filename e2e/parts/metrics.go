package parts

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// AwaitMetrics waits until a program's metrics hold all the given lines, or
// beginnings of lines, and gives the whole text.
func (s *Stack) AwaitMetrics(t testing.TB, program string, lines ...string) (text string) {
	t.Helper()
	s.Poll(t, program+" does not count what happened", func(ctx context.Context) (bool, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Metrics[program]+"/metrics", nil)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return false, err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		text = string(body)
		for _, line := range lines {
			if !strings.Contains(text, "\n"+line) {
				return false, fmt.Errorf("no %s", line)
			}
		}
		return true, err
	})
	return text
}
