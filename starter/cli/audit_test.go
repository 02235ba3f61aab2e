package cli

import (
	"errors"
	"io"
	"os/user"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"requisite/internal/store"
)

// TestAudited_RefusesWithoutAName where the machine has no user, as in a container. It has not even looked for the log by then.
func TestAudited_RefusesWithoutAName(t *testing.T) {
	root := &cobra.Command{Use: "starter"}
	c := Changing(&cobra.Command{Use: "erase"})
	root.AddCommand(c)
	AskWho(root)
	machine := machineUser
	t.Cleanup(func() { machineUser = machine })
	for _, nobody := range []func() (*user.User, error){
		func() (*user.User, error) { return nil, errors.New("no user") },
		func() (*user.User, error) { return &user.User{Uid: "65532"}, nil },
	} {
		machineUser = nobody
		for _, as := range []string{"", OperatorName} {
			if as != "" {
				require.NoError(t, c.Flags().Set("as", as))
			}
			err := Audited(t.Context(), store.Audit{}, c, "erase", io.Discard, nil, func(io.Writer) error { t.Error("it ran"); return nil })
			require.EqualError(t, err, "the audit log needs a name, and this machine has no user: set REQUISITE_OPERATOR to your name, or give --as")
		}
	}
	require.NoError(t, c.Flags().Set("as", "Ada"))
	name, err := operatorOf(c)
	require.NoError(t, err)
	require.Equal(t, "Ada", name)
}
