package status

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
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
	for k, base := range i.Programs {
		list = append(list, check{anyProgram + shownURL(base), func(context.Context, string) (found []Finding) {
			for _, a := range i.asked[k]() {
				found = append(found, judgeProgram(a))
			}
			return found
		}})
	}
	return append(list, check{keys, func(ctx context.Context, name string) []Finding { return one(i.keys(ctx, name)) }})
}

// answer is what a program answered when it was asked for its health.
type answer struct {
	line   string // the name of its line
	status int
	text   string
	took   time.Duration
	err    error // if there is no answer
}

// answers waits for the answers of all programs.
func (i *Inspector) answers() (all []answer) {
	for _, of := range i.asked {
		all = append(all, of()...)
	}
	return all
}

// ask asks a program for its health, at each of its addresses. It ends before a check does, so that the check can tell.
func (i *Inspector) ask(ctx context.Context, base string) []answer {
	ctx, cancel := context.WithTimeout(ctx, i.Timeout*3/4)
	defer cancel()
	addresses := i.addresses(ctx, base)
	all := make([]answer, len(addresses))
	var asking sync.WaitGroup
	for k, at := range addresses {
		asking.Go(func() {
			began := time.Now()
			a := answer{line: strings.TrimSuffix(anyProgram+shownURL(base)+" at "+at.address, " at ")}
			a.status, a.text, a.err = i.get(ctx, base, "readyz", at, readyAtMost)
			a.took = time.Since(began)
			all[k] = a
		})
	}
	asking.Wait()
	return all
}

// readyAtMost limits the bytes that are read of an answer.
const readyAtMost = 2000

// shownURL is a URL without its user, password and query.
func shownURL(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return "(unreadable)"
	}
	return u.Scheme + "://" + u.Host + u.Path
}

// address is one of the addresses of a program's host. It is empty if the host has only one. With Compose and on
// Kubernetes, several processes of a program share a name.
type address struct {
	address, dial string
	err           error // if the name does not resolve
}

func (i *Inspector) addresses(ctx context.Context, base string) []address {
	alone := []address{{}}
	u, err := url.Parse(base)
	if err != nil || u.Port() == "" {
		return alone
	}
	ctx, cancel := context.WithTimeout(ctx, i.Timeout/4) // so that the request can say that the name does not resolve
	defer cancel()
	found, err := net.DefaultResolver.LookupHost(ctx, u.Hostname())
	if err != nil {
		return []address{{err: err}}
	}
	if len(found) < 2 || u.Hostname() == "localhost" {
		return alone
	}
	var list []address
	for _, a := range found {
		list = append(list, address{address: a, dial: net.JoinHostPort(a, u.Port())})
	}
	return list
}

// get reads a page of a program, at one of its addresses.
func (i *Inspector) get(ctx context.Context, base, path string, at address, most int64) (status int, body string, err error) {
	if at.err != nil {
		return 0, "", at.err
	}
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

// judgeProgram judges an answer. A program that is not ready because of Temporal or Postgres alone only follows them.
func judgeProgram(a answer) Finding {
	switch {
	case a.err != nil:
		return wrong(a.line, "start it, or see its log", "no answer: %s", reason(a.err))
	case a.status != http.StatusOK:
		why := strings.TrimSpace(a.text)
		f := wrong(a.line, "mend what it names; see its log", "not ready (%d): %s", a.status, strings.Join(strings.Split(why, "\n"), "; "))
		f.follows = lackingParts(why)
		return f
	}
	return ok(a.line, "ready, answered in %d ms", a.took.Milliseconds())
}

// lackingParts says for each line of a reason why a program is not ready, which checks can have the same cause. It is
// empty if a line is about the program itself.
func lackingParts(why string) (groups [][]string) {
	for line := range strings.Lines(why) {
		switch {
		case strings.Contains(line, "Temporal"):
			groups = append(groups, []string{temporal})
		case strings.Contains(line, "Postgres"):
			groups = append(groups, []string{postgres})
		default:
			return nil
		}
	}
	return groups
}

// says is what a program says of itself under a name; empty if it does not.
func (a answer) says(name string) string {
	if a.err != nil || a.status != http.StatusOK {
		return ""
	}
	for line := range strings.Lines(a.text) {
		if value, is := strings.CutPrefix(strings.TrimSpace(line), name+": "); is {
			return value
		}
	}
	return ""
}

// reason is an error of a request without the URL, which may contain a password.
func reason(err error) string {
	if u, is := err.(*url.Error); is {
		err = u.Err
	}
	return cmp.Or(unreachable(err), fmt.Sprint(err))
}
