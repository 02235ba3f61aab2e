package server

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnknownOperation_NamesTheNearest(t *testing.T) {
	t.Parallel()
	c := newTenant(t, Settings{})
	for path, want := range map[string]string{
		"workflow.requiredDocuments.calculate": " Did you mean /workflow.requiredDocument.calculate?",
		"Workflow.Get":                         " Did you mean /workflow.get?",
		"v1/workflow.get":                      " Did you mean /workflow.get?", // the base path is wrong
		"favicon":                              "",
	} {
		a := c.ask(path, "", `{}`)
		require.Len(t, a.Errors, 1)
		require.Equal(t, []string{"UNKNOWN_OPERATION", "There is no such operation; every operation is POST {base_url}/<name>." + want}, []string{a.Errors[0].Code, a.Errors[0].Message})
	}
}

func TestWhoami_AnswersTheStringToSign(t *testing.T) {
	t.Parallel()
	c := whole(t)
	c.signer.Secret = []byte("another")
	a := c.ask("meta.whoami", "", `{}`)
	require.Equal(t, "AUTH_SIGNATURE_MISMATCH", a.Errors[0].Code)
	require.Contains(t, a.Errors[0].Message, `The string to sign is "API-Key;HTTP-Verb;URL-Path;Timestamp;Nonce;Content-SHA256\n`+c.signer.APIKey+`\nPOST\n/meta.whoami\n`)
	a = c.ask("account.list", "", `{}`)
	require.NotContains(t, a.Errors[0].Message, c.signer.APIKey, "of no other operation")
}
