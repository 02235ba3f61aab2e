package codec

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"strings"
	"time"
)

//go:embed signin
var files embed.FS

// signInPage is the page on which operators sign in. Its style and script are
// inline, and its content security policy allows no other.
type signInPage struct {
	template *template.Template
	style    template.CSS
	script   template.JS
	policy   string
}

func newSignInPage() (*signInPage, error) {
	parsed, err := template.ParseFS(files, "signin/page.html")
	if err != nil {
		return nil, err
	}
	style, err := files.ReadFile("signin/page.css")
	if err != nil {
		return nil, err
	}
	script, err := files.ReadFile("signin/page.js")
	if err != nil {
		return nil, err
	}
	return &signInPage{
		template: parsed, style: template.CSS(style), script: template.JS(script),
		policy: fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
			digest(style), digest(script)),
	}, nil
}

// digest names an inline style or script in a content security policy.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// pageData is the variable content of the page.
type pageData struct {
	Problem string    // why the sign-in failed
	Until   time.Time // of the session, or zero
}

func (e *Endpoint) showSignIn(w http.ResponseWriter, r *http.Request) {
	end, _ := e.session(r)
	e.render(w, http.StatusOK, pageData{Until: end})
}

// signIn takes the token, or the ticket of a sign-in link, and begins a session.
func (e *Endpoint) signIn(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		e.render(w, http.StatusBadRequest, pageData{Problem: "The form could not be read."})
		return
	}
	if token := strings.TrimSpace(r.PostForm.Get("token")); !e.isToken(token) && !e.sessions.isTicket(token) {
		e.render(w, http.StatusUnauthorized, pageData{Problem: "That is not the token of this codec endpoint. A link works until the program that printed it ends."})
		return
	}
	value, end := e.sessions.begin()
	http.SetCookie(w, cookie(r, value, int(end.Sub(e.sessions.now()).Seconds())))
	http.Redirect(w, r, SignInPath, http.StatusSeeOther)
}

// signOut ends the session here and in the browser.
func (e *Endpoint) signOut(w http.ResponseWriter, r *http.Request) {
	for _, c := range r.CookiesNamed(cookieName(r)) {
		e.sessions.end(c.Value)
	}
	http.SetCookie(w, cookie(r, "", -1))
	http.Redirect(w, r, SignInPath, http.StatusSeeOther)
}

// session is the session of the request's cookie. Other programs on the host may have set
// cookies of the same name, so one valid cookie is enough.
func (e *Endpoint) session(r *http.Request) (end time.Time, ok bool) {
	for _, c := range r.CookiesNamed(cookieName(r)) {
		if end, ok := e.sessions.check(c.Value); ok {
			return end, true
		}
	}
	return time.Time{}, false
}

func cookie(r *http.Request, value string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: cookieName(r), Value: value, Path: Path, MaxAge: maxAge,
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
		// The origin shows whether the browser uses https, also through a proxy.
		Secure: r.TLS != nil || strings.HasPrefix(r.Header.Get("Origin"), "https://"),
	}
}

// cookieName contains the port. Browsers share the cookies of a host among its ports, and
// two endpoints would end each other's sessions.
func cookieName(r *http.Request) string {
	name := "requisite_codec"
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		name += "_" + port
	}
	return name
}

func (e *Endpoint) render(w http.ResponseWriter, status int, what pageData) {
	var body bytes.Buffer
	err := e.page.template.Execute(&body, struct {
		pageData
		SignInPath, SignOutPath string
		UIs                     []string
		Style                   template.CSS
		Script                  template.JS
	}{what, SignInPath, signOutPath, e.access.Origins, e.page.style, e.page.script})
	if err != nil {
		http.Error(w, "The page could not be made.", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", e.page.policy)
	// No referrer is sent to other sites; within this one, forms need it for their origin.
	h.Set("Referrer-Policy", "same-origin")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // the client has gone
}
