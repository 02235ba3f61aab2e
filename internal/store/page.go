package store

import (
	"fmt"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
)

// after parses the cursor of a page in a list with the newest first.
func after(p domain.Page, prefix id.Prefix) (id.UUID, error) {
	return afterFrom(p, prefix, id.Max)
}

// afterFrom is after for a list that begins at first.
func afterFrom(p domain.Page, prefix id.Prefix, first id.UUID) (id.UUID, error) {
	if p.After == "" {
		return first, nil
	}
	u, err := id.Parse(prefix, p.After)
	if err != nil {
		return id.Nil, refusal.Fields(MalformedAfter())
	}
	return u, nil
}

// MalformedAfter is the problem of a page.after that no list has returned as next.
func MalformedAfter() refusal.Field {
	return refusal.At("page.after", refusal.WrongFormat, "Use the next value of an earlier response.")
}

// cut removes the extra record that was read beyond the page. If there was one, it returns the id
// of the page's last record.
func cut[T interface{ WireID() I }, I fmt.Stringer](found []T, p domain.Page) ([]T, string) {
	if len(found) <= p.Limit {
		return found, ""
	}
	return found[:p.Limit], found[p.Limit-1].WireID().String()
}

// conditions are the conditions of a statement, with their arguments.
type conditions struct {
	sql  []string
	args []any
}

// add adds a condition. Each %s in it stands for the next argument.
func (c *conditions) add(condition string, args ...any) {
	parameters := make([]any, len(args))
	for i, arg := range args {
		c.args = append(c.args, arg)
		parameters[i] = fmt.Sprint("$", len(c.args))
	}
	c.sql = append(c.sql, fmt.Sprintf(condition, parameters...))
}
