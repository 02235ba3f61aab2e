package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"requisite/internal/id"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
)

// sealedSecret is one encrypted secret in any table.
type sealedSecret struct {
	AccountID id.UUID // zero for a credential
	Name      string  // the key id, or the API key
	Sealed    []byte
}

// sealedTable is a table with sealed secrets.
type sealedTable struct {
	name string
	// columns and after read in the order of the primary key.
	columns, after string
	samples        string // the function that returns one secret of each sealing key
	binding        func(sealedSecret) string
	update         string
}

// sealedTables lists every table with secrets.
func sealedTables() []sealedTable {
	return []sealedTable{
		{
			name:    "webhook_key",
			samples: "sealed_webhook_keys()",
			columns: `account_id, key_id AS name`,
			after:   `(account_id, key_id) > ($2, $3)`,
			binding: func(s sealedSecret) string { return deliveries.KeyBinding(s.AccountID, s.Name) },
			update:  `UPDATE webhook_key SET secret_sealed = $4 WHERE account_id = $1 AND key_id = $2 AND secret_sealed = $3`,
		}, {
			name:    "credential",
			samples: "sealed_credentials()",
			columns: `'00000000-0000-0000-0000-000000000000'::uuid AS account_id, api_key AS name`,
			after:   `$2::uuid IS NOT NULL AND api_key > $3`,
			binding: func(s sealedSecret) string { return credentialBinding(s.Name) },
			update:  `UPDATE credential SET secret_sealed = $4 WHERE $1::uuid IS NOT NULL AND api_key = $2 AND secret_sealed = $3`,
		},
	}
}

// mark is the indexed expression that identifies the sealing key.
const mark = `substring(secret_sealed FROM 1 FOR 5)`

// ErrWrongKeyset reports that the keyset cannot decrypt secrets in the database.
var ErrWrongKeyset = errors.New(
	"the keyset does not open the secrets in this database: give the one that the database was filled with (REQUISITE_KEK_FILE), " +
		"or restore it from its backup")

// Secrets seals the secrets that are stored, and seals them again with a newer key.
type Secrets struct{ *base }

func (b *base) secrets() Secrets { return Secrets{b} }

// CheckKeyset decrypts one secret of every sealing key in use, so that a wrong keyset is noticed
// before the first request. For tables that the role may not read, it compares the marks of the
// keys.
func (s Secrets) CheckKeyset(ctx context.Context) error {
	for _, t := range sealedTables() {
		var may bool
		if err := s.db.QueryRow(ctx, `SELECT has_function_privilege($1, 'EXECUTE')`, t.samples).Scan(&may); err != nil {
			return db.Advise(fmt.Errorf("look at sealed secrets: %w", err))
		}
		if !may {
			if err := s.checkMarks(ctx); err != nil {
				return err
			}
			continue
		}
		samples, err := db.Many[sealedSecret](ctx, s.db, `SELECT account_id, name, sealed FROM `+t.samples)
		if err != nil {
			return db.Advise(fmt.Errorf("look at sealed secrets: %w", err))
		}
		for _, found := range samples {
			if _, err := s.vault.Open(found.Sealed, t.binding(found)); err != nil {
				return ErrWrongKeyset
			}
		}
	}
	return nil
}

func (s Secrets) checkMarks(ctx context.Context) error {
	marks, err := db.Column[[]byte](ctx, s.db, `SELECT mark FROM sealing_marks()`)
	if err != nil {
		return db.Advise(fmt.Errorf("look at the marks of sealed secrets: %w", err))
	}
	for _, mark := range marks {
		if !s.vault.Knows(mark) {
			return ErrWrongKeyset
		}
	}
	return nil
}

// errOldKeyset reports that a process has a keyset from before a rotation.
var errOldKeyset = errors.New(
	"every credential is encrypted with a newer key than the one with which this process encrypts: " +
		"give it the present keyset file, and restart it")

// sealNew encrypts a new secret, in the transaction that stores it. It refuses when the process's
// key was replaced: the key may be dropped already, and then nobody could decrypt the secret. It
// compares with the credentials, because each organization has one, and a rotation encrypts all of
// them again before a key is dropped.
func (s Secrets) sealNew(ctx context.Context, q db.Querier, secret []byte, binding string) ([]byte, error) {
	sealed, err := s.vault.Seal(secret, binding)
	if err != nil {
		return nil, err
	}
	if _, err := q.Exec(ctx, `SELECT pg_advisory_xact_lock_shared(`+sealingLock+`)`); err != nil {
		return nil, fmt.Errorf("lock the keyset: %w", err)
	}
	marks, err := db.Column[[]byte](ctx, q, `SELECT mark FROM sealing_marks()`)
	if err != nil {
		return nil, fmt.Errorf("look at the marks of sealed secrets: %w", err)
	}
	current := func(mark []byte) bool { return s.vault.Knows(mark) && !s.vault.Newer(mark) }
	if len(marks) > 0 && !slices.ContainsFunc(marks, current) {
		return nil, errOldKeyset
	}
	return sealed, nil
}

// SealedWithOldKeys counts the secrets that Rewrap would move. It waits for transactions that
// create a secret. So when it returns zero, no process can store another one with an old key: see
// sealNew.
func (s Secrets) SealedWithOldKeys(ctx context.Context) (n int64, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(`+sealingLock+`)`); err != nil {
			return fmt.Errorf("lock the keyset: %w", err)
		}
		n = 0
		for _, t := range sealedTables() {
			var count int64
			if err := tx.QueryRow(ctx, `SELECT count(*) FROM `+t.name+` WHERE `+mark+` <> $1`, s.vault.Mark()).Scan(&count); err != nil {
				return fmt.Errorf("count sealed secrets: %w", err)
			}
			n += count
		}
		return nil
	})
	return n, err
}

// Sealing counts the secrets that are encrypted with the store's keyset.
type Sealing struct {
	Secrets int64 // in the whole database
	Old     int64 // of these, the ones under keys that no longer encrypt
}

// Sealing tests the keyset with secrets of the database, and counts them.
func (s Secrets) Sealing(ctx context.Context) (found Sealing, err error) {
	if err := s.CheckKeyset(ctx); err != nil {
		return Sealing{}, err
	}
	for _, t := range sealedTables() {
		var n int64
		if err := s.db.QueryRow(ctx, `SELECT count(*) FROM `+t.name).Scan(&n); err != nil {
			return Sealing{}, fmt.Errorf("count sealed secrets: %w", err)
		}
		found.Secrets += n
	}
	found.Old, err = s.SealedWithOldKeys(ctx)
	return found, err
}

// rewrapBatch is how many secrets are read at once.
const rewrapBatch = 500

// Rewrap encrypts every secret with the keyset's newest key, one row at a time, while the service
// runs. After every batch it reports how many are done. It can be stopped and run again at any
// time. Secrets that it cannot decrypt stay as they are, and are an error at the end.
func (s Secrets) Rewrap(ctx context.Context, progress func(moved int64)) error {
	var moved, broken int64
	for _, t := range sealedTables() {
		var at sealedSecret
		for {
			batch, err := db.Many[sealedSecret](ctx, s.db, `
				SELECT `+t.columns+`, secret_sealed AS sealed FROM `+t.name+`
				WHERE `+mark+` <> $1 AND `+t.after+` ORDER BY 1, 2 LIMIT $4`, s.vault.Mark(), at.AccountID, at.Name, rewrapBatch)
			if err != nil {
				return fmt.Errorf("read sealed secrets: %w", err)
			}
			for _, secret := range batch {
				ok, err := s.rewrap(ctx, t, secret)
				switch {
				case err != nil:
					return err
				case ok:
					moved++
				default:
					broken++
				}
			}
			if len(batch) > 0 {
				at = batch[len(batch)-1]
				progress(moved)
			}
			if len(batch) < rewrapBatch {
				break
			}
		}
	}
	if broken > 0 {
		return fmt.Errorf("%d secret(s) were not moved: %w", broken, ErrWrongKeyset)
	}
	return nil
}

// rewrap encrypts one secret again. It returns false if the secret cannot be decrypted. A row that
// changed meanwhile already has the newest key.
func (s Secrets) rewrap(ctx context.Context, t sealedTable, old sealedSecret) (bool, error) {
	secret, err := s.vault.Open(old.Sealed, t.binding(old))
	if err != nil {
		return false, nil
	}
	sealed, err := s.vault.Seal(secret, t.binding(old))
	if err != nil {
		return false, err
	}
	if _, err := s.db.Exec(ctx, t.update, old.AccountID, old.Name, old.Sealed, sealed); err != nil {
		return false, fmt.Errorf("write a sealed secret: %w", err)
	}
	return true, nil
}
