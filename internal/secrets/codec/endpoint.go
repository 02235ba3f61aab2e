package codec

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"go.temporal.io/sdk/converter"

	"requisite/internal/health"
	"requisite/internal/secrets/vault"
)

// The paths of an Endpoint. Cookies do not distinguish ports: one common path keeps the
// cookie from other servers on the host.
const (
	Path       = "/codec" // to be configured in a Temporal UI as its codec endpoint
	SignInPath = Path + "/sign-in"

	decodePath  = Path + "/decode"
	signOutPath = Path + "/sign-out"
)

const (
	maxDecodeBytes = 32 << 20
	maxFormBytes   = 4 << 10
)

// MinTokenLength is the minimum number of characters in a token.
const MinTokenLength = 32

// CheckToken refuses a token that is too short or does not fit into a header. Its errors do
// not contain the token.
func CheckToken(token string) error {
	if len(token) < MinTokenLength {
		return fmt.Errorf("the token has %d characters and needs at least %d", len(token), MinTokenLength)
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the token has characters that a header cannot carry; use letters and digits")
	}
	return nil
}

// Access says who may read payloads through an Endpoint.
type Access struct {
	// Token is what operators sign in with and what programs send.
	Token string
	// Origins are the addresses of Temporal UIs, as browsers see them.
	Origins []string
	// Hosts are the hosts and ports of the endpoint. It refuses requests for others,
	// because an attacker's name can resolve to loopback.
	Hosts []string
}

// Endpoint serves the codec over HTTP to authenticated operators. Browsers sign in with
// the token for a session of twelve hours; programs send the token. It does not encode, so
// nobody can use it to make payloads that the service trusts. /livez and /readyz need no
// authentication and answer for any host, because the address of a container is not known
// beforehand. It logs only the ids of keys that payloads need and the keyset lacks.
type Endpoint struct {
	access   Access
	token    [sha256.Size]byte
	sessions *sessions
	page     *signInPage
	mux      *http.ServeMux
	probes   *http.ServeMux
}

// Ready is the check of an endpoint. It always succeeds: an endpoint has its keyset.
func Ready(context.Context) error { return nil }

// NewEndpoint makes an endpoint over the keyset of payloads.
func NewEndpoint(keys *vault.Vault, access Access, log *slog.Logger) (*Endpoint, error) {
	return newEndpoint(keys, access, log, time.Now)
}

func newEndpoint(keys *vault.Vault, access Access, log *slog.Logger, now func() time.Time) (*Endpoint, error) {
	if err := CheckToken(access.Token); err != nil {
		return nil, err
	}
	page, err := newSignInPage()
	if err != nil {
		return nil, fmt.Errorf("the sign-in page: %w", err)
	}
	e := &Endpoint{
		access:   access,
		token:    sha256.Sum256([]byte(access.Token)),
		sessions: newSessions(access.Token, now),
		page:     page,
		mux:      http.NewServeMux(),
		probes:   http.NewServeMux(),
	}
	decode := http.MaxBytesHandler(converter.NewPayloadCodecHTTPHandler(reader{keys, log}), maxDecodeBytes)
	sameOrigin := http.NewCrossOriginProtection()
	e.mux.Handle("POST "+decodePath, e.forOrigins(e.forOperators(decode)))
	e.mux.Handle("OPTIONS "+decodePath, e.forOrigins(http.HandlerFunc(preflight)))
	health.Handle(e.probes, Ready, nil)
	e.mux.Handle("GET /{$}", http.RedirectHandler(SignInPath, http.StatusSeeOther))
	e.mux.HandleFunc("GET "+SignInPath, e.showSignIn)
	e.mux.Handle("POST "+SignInPath, sameOrigin.Handler(http.MaxBytesHandler(http.HandlerFunc(e.signIn), maxFormBytes)))
	e.mux.Handle("POST "+signOutPath, sameOrigin.Handler(http.HandlerFunc(e.signOut)))
	return e, nil
}

// SignInLink is SignInPath with a ticket that replaces the token until this process ends.
// The ticket is in the fragment, which browsers do not send to servers.
func (e *Endpoint) SignInLink() string { return SignInPath + "#" + e.sessions.ticket() }

func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if probe, pattern := e.probes.Handler(r); pattern != "" {
		probe.ServeHTTP(w, r)
		return
	}
	if !slices.Contains(e.access.Hosts, r.Host) {
		http.Error(w, "The codec endpoint does not answer for this host. Add the host with --host.", http.StatusForbidden)
		return
	}
	e.mux.ServeHTTP(w, r)
}

// forOrigins lets pages of the allowed origins read all answers, and refuses pages of
// other origins. Programs send no origin.
func (e *Endpoint) forOrigins(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		if origin != "" {
			if !slices.Contains(e.access.Origins, origin) {
				http.Error(w, "The codec endpoint does not answer pages of this origin. Add the origin with --origin.", http.StatusForbidden)
				return
			}
			h := w.Header()
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Access-Control-Allow-Credentials", "true")
			h.Set("Vary", "Origin")
		}
		next.ServeHTTP(w, r)
	})
}

func preflight(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Access-Control-Allow-Headers", "Content-Type, X-Namespace, Authorization")
	w.WriteHeader(http.StatusNoContent)
}

func (e *Endpoint) forOperators(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !e.bearsToken(r) && !e.hasSession(r) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="codec"`)
			http.Error(w, "Sign in at "+SignInPath+" to read payloads, or send the token as `Authorization: Bearer`.", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (e *Endpoint) bearsToken(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && e.isToken(token)
}

// hasSession is for browsers, which send the origin with every such request.
func (e *Endpoint) hasSession(r *http.Request) bool {
	_, ok := e.session(r)
	return ok && r.Header.Get("Origin") != ""
}

// isToken compares digests, so that its timing reveals nothing.
func (e *Endpoint) isToken(text string) bool {
	digest := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(digest[:], e.token[:]) == 1
}
