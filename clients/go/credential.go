package requisite

import (
	"encoding/base64"
	"strings"
)

// faultOf returns what is wrong with a credential, or an empty text. It never repeats the
// value. A credential is refused rather than trimmed: a secret that its owner did not write
// so was damaged on its way, and the next program may not trim it.
func faultOf(value string) string {
	switch {
	case value == "":
		return "is not set"
	case strings.HasSuffix(value, "\n"), strings.HasSuffix(value, "\r"):
		return "ends in a line break; trim what you read from a file"
	case strings.Trim(value, " \t") != value:
		return "begins or ends with a blank; trim it"
	case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return "contains a control character"
	case strings.ContainsFunc(value, func(r rune) bool { return r > '~' }):
		return "contains a character that is not ASCII"
	case strings.Contains(value, " "):
		return "contains a blank"
	}
	return ""
}

// secretOf decodes a secret key in standard Base64. Otherwise it returns the fault.
func secretOf(value string) (secret []byte, fault string) {
	if fault := faultOf(value); fault != "" {
		return nil, fault
	}
	secret, err := base64.StdEncoding.Strict().DecodeString(value)
	if err != nil || len(secret) == 0 {
		return nil, "is not standard Base64"
	}
	return secret, ""
}

// sharedSecretOf decodes the shared secret of a webhook key. Otherwise it returns the fault.
func sharedSecretOf(value string) (secret []byte, fault string) {
	if fault := faultOf(value); fault != "" {
		return nil, fault
	}
	if secret, _ = secretOf(value); len(secret) != 32 {
		return nil, "is not 32 bytes in standard Base64"
	}
	return secret, ""
}
