package status

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"requisite/app"
	"requisite/internal/secrets/vault"
)

const keys = "keys of the programs"

// key is the id of the key with which somebody encrypts.
type key struct{ keyset, of, id string }

// keys compares the keys with which the programs encrypt with each other, and with the keysets of this command.
func (i *Inspector) keys(ctx context.Context, name string) Finding {
	return judgeKeys(name, i.ownKeys(ctx), i.answers())
}

// ownKeys are the keys that encrypt in the keysets of this command. The lines of the keysets say why one cannot be read.
func (i *Inspector) ownKeys(ctx context.Context) (own []key) {
	for _, k := range []struct {
		keyset, file string
		of           func(context.Context) (vault.Keyset, error)
	}{{vault.OfSecrets, i.Service.KEKFile, i.Service.KEK}, {vault.OfPayloads, i.Service.PayloadKeyFile, i.Service.PayloadKeys}} {
		if k.file == "" {
			continue
		}
		keyset, err := k.of(ctx)
		if err != nil {
			continue
		}
		infos, err := keyset.Keys()
		if err != nil {
			continue
		}
		for _, info := range infos {
			if info.Primary {
				own = append(own, key{k.keyset, "this command", fmt.Sprint(info.ID)})
			}
		}
	}
	return own
}

// judgeKeys compares keys. A program that does not say with which key it works leaves it unknown whether all are the same.
func judgeKeys(name string, own []key, programs []answer) Finding {
	found, silent := own, []string(nil)
	for _, a := range programs {
		says := false
		for _, keyset := range []string{vault.OfSecrets, vault.OfPayloads} {
			if id := a.says(app.KeyFactName(keyset)); id != "" {
				found, says = append(found, key{keyset, a.line, id}), true
			}
		}
		if !says {
			silent = append(silent, a.line)
		}
	}
	said, differ := describeKeys(found)
	switch {
	case differ:
		return wrong(name, "restart the programs with the old key, and name their keysets for this command; docs/operating/keysets.md", "%s", said)
	case len(silent) > 0:
		return unknown(name, see(silent...), "not every program says with which keys it works; %s", said)
	}
	return ok(name, "%s", said)
}

// describeKeys says who encrypts with which key of each keyset.
func describeKeys(found []key) (text string, differ bool) {
	var parts []string
	for _, keyset := range []string{vault.OfSecrets, vault.OfPayloads} {
		by := map[string][]string{}
		var ids []string
		for _, k := range found {
			if k.keyset != keyset {
				continue
			}
			if by[k.id] == nil {
				ids = append(ids, k.id)
			}
			by[k.id] = append(by[k.id], k.of)
		}
		slices.Sort(ids)
		switch {
		case len(ids) == 1:
			parts = append(parts, fmt.Sprintf("key %s encrypts %s", ids[0], keyset))
		case len(ids) > 1:
			differ = true
			for _, id := range ids {
				parts = append(parts, fmt.Sprintf("key %s encrypts %s of %s", id, keyset, strings.Join(by[id], ", ")))
			}
		}
	}
	if len(parts) == 0 {
		return "no key is known", differ
	}
	return strings.Join(parts, "; "), differ
}
