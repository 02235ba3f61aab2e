package webhook

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// The errors of attempts; docs/calling.md lists them. The owner of an endpoint chooses
// its URL and reads them, so they reveal nothing about the network of the service. They
// have no address and no other host name. FailureNoAddress stands for an unknown name, a
// name that only the operator's resolver knows, and an address that is not allowed. They
// do not quote an answer or a certificate, which may repeat the request.
const (
	FailureAsked             = "the caller asked for this failure with X-Sandbox-Answer"
	FailureBrokeOff          = "the attempt was broken off by the service"
	FailureCertificate       = "the certificate is not valid"
	FailureCertificateHost   = "the certificate is not valid for the host"
	FailureCertificateSigner = "the certificate is signed by an unknown authority, or its chain is not complete"
	FailureCertificateTime   = "the certificate has expired, or is not valid yet"
	FailureClosed            = "the connection was closed before the whole answer had come"
	FailureConnect           = "no connection could be made"
	FailureConnectTimeout    = "no connection could be made in time"
	FailureHandshake         = "the TLS handshake failed"
	FailureHandshakeTimeout  = "the TLS handshake was not completed in time"
	FailureHeaders           = "the headers of the answer are too large"
	FailureInterim           = "more than 5 interim answers came (status 100 to 199), and no final one"
	FailureInvalid           = "the answer is not valid HTTP"
	FailureLookup            = "the host name could not be looked up"
	FailureNoAddress         = "the host has no address that webhooks may be sent to"
	FailureNoTLS             = "the endpoint does not answer with TLS"
	FailureOldTLS            = "the endpoint does not offer TLS 1.2 or later"
	FailureRefused           = "the connection was refused"
	FailureStatus            = "the final status is below 200"
	FailureTimeout           = "no whole answer came in time"
	FailureURL               = "the URL cannot be requested"
)

// Unreached lists the errors of attempts without a connection, for which the network of the service can be the cause.
func Unreached() []string {
	return []string{FailureConnect, FailureConnectTimeout, FailureLookup, FailureNoAddress, FailureRefused}
}

// errInterim reports too many interim answers.
var errInterim = errors.New("webhook: too many interim answers")

// mayConnectAgain reports whether a second connection may succeed: after a fast,
// transient failure, before a byte of the request was sent.
func (a *attempt) mayConnectAgain(err error) bool {
	if a.state().sent {
		return false
	}
	switch a.failure(err) {
	case FailureClosed, FailureConnect, FailureHandshake, FailureNoTLS, FailureOldTLS, FailureRefused:
		return true
	case FailureLookup:
		return !isTimeout(err)
	}
	return false
}

// progress says how far an attempt has come.
type progress struct{ over, expired, sent, handshaking, repeated bool }

func (a *attempt) state() progress {
	a.mu.Lock()
	defer a.mu.Unlock()
	return progress{a.over, a.expired || !time.Now().Before(a.ends), a.sent, a.handshaking, a.repeated}
}

func isTimeout(err error) bool {
	var slow net.Error
	return errors.As(err, &slow) && slow.Timeout()
}

// failure is the text for an error of the client.
func (a *attempt) failure(err error) string {
	at := a.state()
	var name *net.DNSError
	var none *net.AddrError
	switch {
	case at.expired:
		return FailureTimeout
	case at.over:
		return FailureBrokeOff
	case errors.Is(err, ErrForbiddenAddress), errors.As(err, &name) && name.IsNotFound, errors.As(err, &none):
		return FailureNoAddress
	case name != nil:
		return FailureLookup
	case at.sent:
		return answerFailure(err)
	case at.handshaking:
		return handshakeFailure(err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return FailureRefused
	case isTimeout(err):
		return FailureConnectTimeout
	}
	return FailureConnect
}

func handshakeFailure(err error) string {
	var host x509.HostnameError
	var signer x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &host):
		return FailureCertificateHost
	case errors.As(err, &signer):
		return FailureCertificateSigner
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return FailureCertificateTime
	case errors.As(err, &certificate):
		return FailureCertificate
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return FailureNoTLS
	case strings.Contains(err.Error(), "protocol version"): // from a TLS alert, or from our check of the version
		return FailureOldTLS
	case isTimeout(err):
		return FailureHandshakeTimeout
	}
	return FailureHandshake
}

// answerFailure is why no answer came to a request that was sent.
func answerFailure(err error) string {
	var call *net.OpError
	switch {
	case errors.Is(err, errInterim):
		return FailureInterim
	case strings.Contains(err.Error(), "server response headers exceeded"):
		return FailureHeaders
	case errors.As(err, &call) && call.Op == "remote error": // a TLS alert: TLS 1.3 asks for a client's certificate this late
		return FailureHandshake
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), call != nil,
		strings.Contains(err.Error(), "server closed"):
		return FailureClosed
	}
	return FailureInvalid
}

// bodyFailure is why an answer ended early.
func (a *attempt) bodyFailure(err error) string {
	if at := a.state(); at.expired || at.over {
		return a.failure(err)
	}
	return FailureClosed
}

// logCause logs, at debug level, the cause that the text of a failure leaves out.
func (s *Sender) logCause(a *attempt, host, why string, err error) {
	s.log.LogAttrs(a.ctx, slog.LevelDebug, "delivery attempt failed in the network",
		slog.String("url_host", host), slog.String("reason", why), slog.String("cause", ownCause(err)), slog.String("address", a.dialed()))
}

// ownCause is the error of the network, the resolver or the guard. It leaves out anything
// that the endpoint could influence.
func ownCause(err error) string {
	var name *net.DNSError
	var call *net.OpError
	var code syscall.Errno
	switch {
	case errors.As(err, &name):
		return name.Error()
	case errors.As(err, &call) && (errors.As(err, &code) || errors.Is(err, ErrForbiddenAddress)):
		return call.Error()
	}
	return ""
}
