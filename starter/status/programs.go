package status

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const programs = "programs"

// ofPrograms asks each program for its health.
func (i *Inspector) ofPrograms() (list []check) {
	if len(i.Programs) == 0 {
		return []check{{programs, func(_ context.Context, name string) []Finding {
			return one(unknown(name, "name the addresses of --metrics-listen or --health-listen with --program", "no program was asked for its health"))
		}}}
	}
	for _, base := range i.Programs {
		list = append(list, check{"program " + shownURL(base), func(ctx context.Context, name string) (found []Finding) {
			for _, at := range i.addresses(ctx, base) {
				line := name
				if at.address != "" {
					line += " at " + at.address
				}
				found = append(found, i.ready(ctx, line, base, at))
			}
			return found
		}})
	}
	return list
}

// shownURL is a URL without its user, password and query.
func shownURL(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return "(unreadable)"
	}
	return u.Scheme + "://" + u.Host + u.Path
}

// address is one of the addresses of a program's host. It is empty if the host has only one, or if its name
// cannot be resolved. With Compose and on Kubernetes, several processes of a program share a name.
type address struct{ address, dial string }

func (i *Inspector) addresses(ctx context.Context, base string) []address {
	alone := []address{{}}
	u, err := url.Parse(base)
	if err != nil || u.Port() == "" {
		return alone
	}
	found, err := net.DefaultResolver.LookupHost(ctx, u.Hostname())
	if err != nil || len(found) < 2 || u.Hostname() == "localhost" {
		return alone
	}
	var list []address
	for _, a := range found {
		list = append(list, address{a, net.JoinHostPort(a, u.Port())})
	}
	return list
}

// get reads a page of a program, at one of its addresses.
func (i *Inspector) get(ctx context.Context, base, path string, at address, most int64) (status int, body string, err error) {
	target, err := url.JoinPath(base, path)
	if err != nil {
		return 0, "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return 0, "", err
	}
	asked := *i.HTTP
	if t, is := asked.Transport.(*http.Transport); is {
		t = t.Clone()
		t.DisableKeepAlives, t.Proxy = true, nil // programs are not behind the proxy
		if at.dial != "" {
			t.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, at.dial)
			}
		}
		asked.Transport = t
	}
	response, err := asked.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, most))
	return response.StatusCode, string(text), err
}

// ready asks a program for its health.
func (i *Inspector) ready(ctx context.Context, name, base string, at address) Finding {
	ctx, cancel := context.WithTimeout(ctx, i.Timeout*3/4) // so that the finding comes before the check's own timeout
	defer cancel()
	began := time.Now()
	status, why, err := i.get(ctx, base, "readyz", at, 500)
	switch {
	case err != nil:
		return wrong(name, "start it, or see its log", "no answer: %s", reason(err))
	case status != http.StatusOK:
		return wrong(name, "mend what it names; see its log", "not ready (%d): %s", status, strings.TrimSpace(why))
	}
	return ok(name, "ready, answered in %d ms", time.Since(began).Milliseconds())
}

// reason is an error of a request without the URL, which may contain a password.
func reason(err error) string {
	if u, is := err.(*url.Error); is {
		err = u.Err
	}
	return fmt.Sprint(err)
}
