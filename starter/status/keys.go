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

// holding is a keyset of somebody: the ids of its keys, of which the first encrypts.
type holding struct {
	keyset, of string
	ids        []string
	added      []string // of this command: those that were added after the one that encrypts
}

// command is who this command is in a sentence.
const command = "this command"

// keys compares the keys of the programs with each other, and with the keysets of this command.
func (i *Inspector) keys(ctx context.Context, name string) Finding {
	return judgeKeys(name, i.ownKeys(ctx), i.answers())
}

// ownKeys are the keysets of this command. The lines of the keysets say why one cannot be read.
func (i *Inspector) ownKeys(ctx context.Context) (own []holding) {
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
		has := holding{keyset: k.keyset, of: command}
		for _, info := range infos {
			switch id := fmt.Sprint(info.ID); {
			case info.Primary:
				has.ids = slices.Insert(has.ids, 0, id)
			case info.Newer:
				has.ids, has.added = append(has.ids, id), append(has.added, id)
			}
		}
		own = append(own, has)
	}
	return own
}

// judgeKeys compares keys. A program that does not say with which key it works leaves it unknown whether all are the same.
// A program without a key that was added to a keyset of this command would not read what the others write after `keyset promote`.
func judgeKeys(name string, own []holding, programs []answer) Finding {
	found, silent := own, []string(nil)
	for _, a := range programs {
		says := false
		for _, keyset := range []string{vault.OfSecrets, vault.OfPayloads} {
			if ids := a.says(app.KeyFactName(keyset)); ids != "" {
				found, says = append(found, holding{keyset: keyset, of: a.line, ids: app.KeysOfFact(ids)}), true
			}
		}
		if !says {
			silent = append(silent, a.line)
		}
	}
	said, differ := describeKeys(found)
	unknownTo := lacking(found)
	switch {
	case differ:
		return wrong(name, "restart the programs with the old key, and name their keysets for this command; docs/operating/keysets.md", "%s", said)
	case unknownTo != "":
		return wrong(name, "restart them before you run `keyset promote`; docs/operating/keysets.md", "%s; %s", unknownTo, said)
	case len(silent) > 0:
		return unknown(name, see(silent...), "not every program says with which keys it works; %s", said)
	}
	return ok(name, "%s", said)
}

// lacking says which programs do not have a key that was added to a keyset of this command.
func lacking(found []holding) string {
	var parts []string
	for _, own := range found {
		for _, id := range own.added {
			var without []string
			for _, h := range found {
				if h.keyset == own.keyset && !slices.Contains(h.ids, id) {
					without = append(without, h.of)
				}
			}
			if len(without) > 0 {
				parts = append(parts, fmt.Sprintf("key %s of %s is unknown to %s", id, own.keyset, strings.Join(without, ", ")))
			}
		}
	}
	return strings.Join(parts, "; ")
}

// describeKeys says who encrypts with which key of each keyset.
func describeKeys(found []holding) (text string, differ bool) {
	var parts []string
	for _, keyset := range []string{vault.OfSecrets, vault.OfPayloads} {
		by := map[string][]string{}
		var ids []string
		for _, k := range found {
			if k.keyset != keyset {
				continue
			}
			encrypts := k.ids[0]
			if by[encrypts] == nil {
				ids = append(ids, encrypts)
			}
			by[encrypts] = append(by[encrypts], k.of)
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
