package config

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"requisite/internal/secrets/kms"
	"requisite/internal/secrets/vault"
)

// BindKEK adds the flags of the keyset that seals secrets in the database.
func (s *Service) BindKEK(flags *pflag.FlagSet) {
	String(flags, &s.KEKFile, "kek-file", "REQUISITE_KEK_FILE", "", "Tink keyset that encrypts secrets in the database")
	BindKMS(flags, &s.KMSKeyURI)
}

// BindPayloadKey adds the flags of the keyset that encrypts payloads.
func (s *Service) BindPayloadKey(flags *pflag.FlagSet) {
	String(flags, &s.PayloadKeyFile, "payload-key-file", "REQUISITE_PAYLOAD_KEY_FILE", "", "Tink keyset that encrypts Temporal's payloads")
	BindKMS(flags, &s.KMSKeyURI)
}

// BindKMS adds the flag of the key with which keyset files are encrypted. Adding it
// twice changes nothing.
func BindKMS(flags *pflag.FlagSet, uri *string) {
	const name = "kms-key-uri"
	if flags.Lookup(name) != nil {
		return
	}
	String(flags, uri, name, "REQUISITE_KMS_KEY_URI", "",
		"key of a key management service that encrypts the keyset files, as aws-kms://arn:aws:kms:… or gcp-kms://projects/…; needs a program of kms/")
}

// KEK is the keyset that seals secrets in the database. It is not read yet.
func (s *Service) KEK(ctx context.Context) (vault.Keyset, error) {
	return Keyset(ctx, s.KEKFile, s.KMSKeyURI)
}

// PayloadKeys is the keyset that encrypts Temporal's payloads. It is not read yet.
func (s *Service) PayloadKeys(ctx context.Context) (vault.Keyset, error) {
	return Keyset(ctx, s.PayloadKeyFile, s.KMSKeyURI)
}

// Keyset is a keyset file and the key that encrypts it, if there is one.
func Keyset(ctx context.Context, file, kmsKeyURI string) (vault.Keyset, error) {
	key, err := kms.Open(ctx, kmsKeyURI)
	if err != nil {
		return vault.Keyset{}, fmt.Errorf("--kms-key-uri: %w", err)
	}
	return vault.Keyset{File: file, KMS: key}, nil
}

// CheckKEK is an error for a keyset of secrets that is not named, or cannot be used.
func (s *Service) CheckKEK() error {
	return s.checkKeyset(s.KEKFile, "kek-file", "REQUISITE_KEK_FILE")
}

// CheckPayloadKeys is an error for a keyset of payloads that is not named, or cannot
// be used.
func (s *Service) CheckPayloadKeys() error {
	return s.checkKeyset(s.PayloadKeyFile, "payload-key-file", "REQUISITE_PAYLOAD_KEY_FILE")
}

func (s *Service) checkKeyset(file, flag, env string) error {
	if err := Required(file, flag, env); err != nil {
		return fmt.Errorf("%w; make a keyset with `starter keyset create`", err)
	}
	if err := kms.Check(s.KMSKeyURI); err != nil {
		return fmt.Errorf("--kms-key-uri: %w", err)
	}
	if err := vault.CheckFile(file, s.KMSKeyURI != ""); err != nil {
		return fmt.Errorf("--%s: %w", flag, err)
	}
	return nil
}
