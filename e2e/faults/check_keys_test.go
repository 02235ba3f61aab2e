package faults

import (
	"slices"
	"strings"
)

const keysADay = 100

func (c *checker) keys() {
	type named struct{ account, id string }
	type daily struct{ account, day string }
	rows, active, perDay := map[named]Key{}, map[string]string{}, map[daily]int{}
	for _, k := range c.h.Keys {
		rows[named{k.Account, k.KeyID}] = k
		if perDay[daily{k.Account, k.Day}]++; perDay[daily{k.Account, k.Day}] == keysADay+1 {
			c.violated(Keys, "%s has more than %d keys of %s", k.Account, keysADay, k.Day)
		}
		if k.Status != "ACTIVE" {
			continue
		}
		if other, twice := active[k.Account]; twice {
			c.violated(Keys, "%s and %s of %s are both active", other, k.KeyID, k.Account)
		}
		active[k.Account] = k.KeyID
	}
	shown := map[Shown]bool{}
	for _, s := range c.h.Shown {
		if shown[s] {
			c.violated(Keys, "the secret of %s of %s was shown twice", s.KeyID, s.Account)
		}
		shown[s] = true
	}
	open, made := map[string]int{}, map[named]bool{}
	for _, o := range c.h.Ops {
		if o.Operation != "webhook.key.create" {
			continue
		}
		key := named{o.Account, o.Value}
		switch {
		case strings.HasSuffix(o.Refusal, "DAILY_LIMIT_EXCEEDED"):
			full := false
			for d, n := range perDay {
				full = full || d.account == o.Account && n >= keysADay
			}
			if !full {
				c.violated(Keys, "%s was refused a key at %s and had no %d of one day", o.Account, o.End, keysADay)
			}
		case o.Refusal != "":
		case !o.Answered():
			open[o.Account]++
		case made[key]:
			c.violated(Once, "two requests returned %s of %s", o.Value, o.Account)
		case rows[key].KeyID == "":
			c.violated(Facts, "%s of %s was acknowledged and does not exist", o.Value, o.Account)
		default:
			made[key] = true
		}
	}
	for key := range rows {
		if !made[key] {
			if open[key.account]--; open[key.account] < 0 {
				c.violated(Once, "no request created %s of %s", key.id, key.account)
			}
		}
	}
	for account, current := range active {
		if allowed := c.activations(account).possible(c.h.Ended, c.h.Ended); !slices.Contains(allowed, current) {
			c.violated(Keys, "%s of %s is active; the last that were activated are %v", current, account, allowed)
		}
	}
	for _, o := range c.h.Ops {
		if o.Operation != "webhook.key.activate" || !o.done() {
			continue
		}
		if active[o.Account] == "" {
			c.violated(Keys, "%s was activated for %s, which has no active key", o.Subject, o.Account)
		}
		if !rows[named{o.Account, o.Subject}].Activated {
			c.violated(Facts, "%s of %s was acknowledged to be activated and never was", o.Subject, o.Account)
		}
	}
	for key, row := range rows {
		events := c.eventsAbout[[2]string{"WEBHOOK_KEY_ACTIVATED", key.account + "/" + key.id}]
		if row.Activated && events != 1 || !row.Activated && events != 0 {
			c.violated(Events, "%s of %s: activated is %t, and there are %d events", key.id, key.account, row.Activated, events)
		}
	}
}

func (c *checker) activations(account string) register {
	return c.byAccount[[2]string{"webhook.key.activate", account}]
}
