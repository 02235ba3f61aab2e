package admin

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"requisite/internal/domain"
	"requisite/internal/text/typo"
)

// parsePermissions reads a list such as "read,write". "all" is all of them. The
// result is in the order of domain.AllPermissions.
func parsePermissions(list string) (domain.Permissions, error) {
	all := domain.AllPermissions()
	if list == "all" {
		return all, nil
	}
	var named domain.Permissions
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		switch {
		case name == "":
			return nil, errors.New("name at least one permission, separated by commas and nothing else: " + all.String())
		case !all.Has(domain.Permission(name)):
			return nil, fmt.Errorf("there is no permission %q%s; there are %s", name, meant(name, all), all)
		}
		named = append(named, domain.Permission(name))
	}
	return slices.DeleteFunc(all, func(p domain.Permission) bool { return !named.Has(p) }), nil
}

func meant(name string, all domain.Permissions) string {
	if near, ok := typo.Nearest(name, strings.Split(all.String(), ","), 2); ok {
		return ": did you mean " + near + "?"
	}
	return ""
}
