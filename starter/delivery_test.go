package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeliveriesAreListedByAStatusThatThereIs(t *testing.T) {
	b := setup(t)
	t.Setenv("REQUISITE_KEK_FILE", "") // nothing is decrypted
	require.Contains(t, b.run("delivery", "list", "--account", b.account, "--status", "failed"), "DELIVERY")
	_, err := b.try("delivery", "list", "--account", b.account, "--status", "BOGUS")
	require.ErrorContains(t, err, "--status must be one of [PENDING RETRYING HELD DELIVERED FAILED CANCELED]")
}
